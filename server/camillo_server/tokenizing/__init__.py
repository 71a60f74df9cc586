"""Counting tokens exactly, with vocabularies on disk."""
