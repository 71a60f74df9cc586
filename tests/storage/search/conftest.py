"""Fixtures of tests of search."""

from tests.storage.search.grouped_scopes import grouped, receivers

__all__ = ["grouped", "receivers"]
