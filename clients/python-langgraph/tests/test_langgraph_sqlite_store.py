"""The tests of LangGraph's `SqliteStore`, with this store in its place."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from framework import NewStore, adopted, module_of

from camillo_langgraph import CamilloStore

MODULE: Any = module_of("langgraph-checkpoint-sqlite-3.1.2", "test_store")
MEAN = "several texts of an item have one vector here, their mean; the test compares the vectors of each"
INSIDE = "about the SQL of SqliteStore"
SKIPPED = {
    "test_escape_glob_literal": INSIDE,
    "test_namespace_match_pattern": INSIDE,
    "test_nonnull_migrations": INSIDE,
    "test_list_namespaces_prefix_uses_indexable_condition": INSIDE,
    "test_sql_injection_vulnerability": "SqliteStore refuses keys that SQL cannot hold; here there is no SQL",
    "test_filter_keys_with_hyphens_and_digits": "SqliteStore alone reads a dot in a key as a path",
    "test_embed_with_path": MEAN,
    "test_embed_with_path_operation_config": MEAN,
    "test_vector_store_initialization": "looks into the tables of SqliteStore",
}


class Stores:
    """In the place of the class `SqliteStore`."""

    @staticmethod
    @contextmanager
    def from_conn_string(_: str, *, index: Any = None, ttl: Any = None) -> Iterator[CamilloStore]:
        store = NewStore(index=index, ttl=ttl)
        store.setup = lambda: None  # type: ignore[attr-defined]
        yield store


MODULE.SqliteStore = Stores


@pytest.fixture
def store() -> CamilloStore:
    return NewStore()


@pytest.fixture
def fake_embeddings() -> Any:
    return MODULE.CharacterEmbeddings(dims=500)


globals().update(adopted(MODULE, SKIPPED))
