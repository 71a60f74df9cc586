"""Tags and metadata are found however their letters are composed."""

import importlib
import unicodedata
from typing import Any

import psycopg
import pytest
from camillo.v1.memory_pb2 import MemoryFilter
from camillo_server.storage import migrations
from psycopg.types.json import Jsonb

from tests.postgres_fixtures import TestDatabase
from tests.rpc.memories.calls import listed, recall, remember
from tests.server_fixtures import Server

WORDS = ("café", "한국어", "Ångström", "व\u093cह", "plain")
FORMS = ("NFC", "NFD")


@pytest.mark.parametrize("stored", FORMS)
@pytest.mark.parametrize("word", WORDS)
async def test_both_spellings_find_what_either_stored(
    server: Server, word: str, stored: Any
) -> None:
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


async def test_what_an_earlier_release_stored_is_composed_by_the_migration(
    server: Server, database: TestDatabase
) -> None:
    apart = unicodedata.normalize("NFD", "café")
    await remember(server.alice, "espresso", tags=["a", "café"], metadata={"café": "café"})
    await remember(server.alice, "tea", tags=["a"], metadata={"n": 1})
    step = importlib.import_module(f"{migrations.__name__}.versions.0043_composed_names").STEP
    with psycopg.connect(database.superuser_url, autocommit=True) as connection:
        connection.execute(
            "update camillo.memories set tags = array['a', %s], metadata = %s"
            " where content = 'espresso'",
            (apart, Jsonb({apart: apart})),
        )
        changed = []
        for _ in range(2):
            connection.execute(step)
            row = connection.execute("select current_setting('camillo.changed_rows')").fetchone()
            changed.append(row and row[0])
        rows = connection.execute("select tags, metadata from camillo.memories order by content")
        assert rows.fetchall() == [(["a", "café"], {"café": "café"}), (["a"], {"n": 1})]
    assert changed == ["1", "0"]
