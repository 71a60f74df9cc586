"""The asynchronous client; `_sync` is generated from it by `tools/generate_sync.py`."""
