"""Tags and metadata are found however their letters are composed."""

import unicodedata
from typing import Any

import pytest
from camillo.v1.memory_pb2 import MemoryFilter

from tests.rpc.memories.calls import listed, recall, remember
from tests.server_fixtures import Server

WORDS = ("café", "한국어", "Ångström", "व\u093cह", "plain")
FORMS = ("NFC", "NFD")


@pytest.mark.parametrize("stored", FORMS)
@pytest.mark.parametrize("word", WORDS)
async def test_both_spellings_find_what_either_stored(server: Server, word: str, stored: Any) -> None:
    kept = unicodedata.normalize(stored, word)
    memory = await remember(server.alice, "espresso", tags=[kept, word], metadata={kept: kept})
    assert list(memory.tags) == [unicodedata.normalize("NFC", word)]
    await remember(server.alice, "tea", tags=["other"], metadata={"other": "x"})
    for form in FORMS:
        asked = unicodedata.normalize(form, word)  # type: ignore[arg-type]
        for wanted in (
            MemoryFilter(tags_any=[asked]),
            MemoryFilter(tags_all=[asked]),
            MemoryFilter(metadata={asked: asked}),
        ):
            assert await listed(server.alice, wanted) == ["espresso"]
            hits = (await recall(server.alice, "espresso tea", filter=wanted)).hits
            assert [hit.memory.content for hit in hits] == ["espresso"]
