# Generated from _async/__init__.py by tools/generate_sync.py: do not edit.
"""The synchronous client."""
