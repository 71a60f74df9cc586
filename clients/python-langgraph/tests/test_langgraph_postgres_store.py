"""The tests of LangGraph's `PostgresStore`, with this store in its place."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from framework import NewStore, adopted, module_of

from camillo_langgraph import CamilloStore
from camillo_langgraph import store as store_module

MODULE: Any = module_of("langgraph-checkpoint-postgres-3.2.0", "test_store")
MEAN = "several texts of an item have one vector here, their mean; the test compares the vectors of each"
INSIDE = "about the SQL of PostgresStore"
BACKDATED = "moves the end of an item into the past by SQL; test_store.py moves the clock"
SKIPPED = {
    "test_escape_like_literal": INSIDE,
    "test_namespace_match_pattern": INSIDE,
    "test_nonnull_migrations": INSIDE,
    "test_embed_with_path_sync": MEAN,
    "test_embed_with_path_operation_config": MEAN,
    "test_omit_expired_filters_read_paths": BACKDATED,
    "test_omit_expired_disabled_preserves_expired_rows": "what is over is never returned here",
    "test_omit_expired_refresh_ttl_only_refreshes_live_rows": BACKDATED,
    "test_omit_expired_search_pagination": BACKDATED,
}


@contextmanager
def vector_stores(
    _: str, distance_type: str, fake_embeddings: Any, text_fields: Any = None, **__: Any
) -> Iterator[CamilloStore]:
    if distance_type == "l2":
        pytest.skip("scores are cosines; these vectors have unit length, so inner products are the same")
    yield NewStore(index={"dims": fake_embeddings.dims, "embed": fake_embeddings, "fields": text_fields})


MODULE._create_vector_store = vector_stores


class Time:
    """Moves the store's clock instead of sleeping."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self._moved = timedelta()
        monkeypatch.setattr(store_module, "_now", lambda: datetime.now(UTC) + self._moved)

    def sleep(self, seconds: float) -> None:
        self._moved += timedelta(seconds=seconds)


@pytest.fixture
def store(monkeypatch: pytest.MonkeyPatch) -> CamilloStore:
    monkeypatch.setattr(MODULE, "time", Time(monkeypatch))
    return NewStore(ttl={"default_ttl": 60, "refresh_on_read": True})


@pytest.fixture
def fake_embeddings() -> Any:
    return MODULE.CharacterEmbeddings(dims=500)


@pytest.fixture
def vector_store(fake_embeddings: Any) -> CamilloStore:
    return NewStore(index={"dims": 500, "embed": fake_embeddings})


globals().update(adopted(MODULE, SKIPPED))
