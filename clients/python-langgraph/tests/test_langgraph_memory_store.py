"""The tests of LangGraph's `InMemoryStore`, with this store in its place."""

from __future__ import annotations

from typing import Any

import pytest
from framework import NewStore, adopted, module_of

MODULE: Any = module_of("langgraph-checkpoint-4.3.2", "test_store")
EMBEDDINGS = module_of("langgraph-checkpoint-4.3.2", "embed_test_utils").CharacterEmbeddings
MODULE.InMemoryStore = NewStore
MEAN = "several texts of an item have one vector here, their mean; the test compares the vectors of each"
SKIPPED = {"test_embed_with_path": MEAN}


@pytest.fixture
def fake_embeddings() -> Any:
    return EMBEDDINGS(dims=500)


globals().update(adopted(MODULE, SKIPPED))
