"""Sensitive texts are encrypted in their rows, and found in memory all the same."""

import logging
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np
import psycopg
import pytest
from camillo_server.across.lifecycle.store.embedding_backlog import EmbeddingBacklog
from camillo_server.kernel.clock import SystemClock
from camillo_server.kernel.errors import BytesLost, KeyMissing
from camillo_server.kernel.kinds import Sensitivity
from camillo_server.kernel.writes import MINIMIZE_LATENCY
from camillo_server.lib.crypto.keyring import Keyring
from camillo_server.rows.row import NewRow, Row
from camillo_server.rows.row_filter import MemoryFilter
from camillo_server.rows.store.reader import MemoryReader
from camillo_server.rows.write_records import UpdatedVersions
from camillo_server.search.index.candidate_search import find_candidates
from camillo_server.search.index.engine import CachedMemorySearch
from camillo_server.search.store.recall import PostgresMemorySearch
from psycopg import sql

from tests.patience import until
from tests.postgres_fixtures import TestDatabase
from tests.storage.memories.replicas import (
    ALICE,
    KEYS,
    MODEL,
    NOW,
    Replica,
    contents,
    is_found,
    new_row,
    numbered_id,
    replica,
    spec,
    unit,
)
from tests.storage.replays import OF_UPDATE
from tests.storage.search.agreeing_index import compared, execute

OTHER_KEYS = Keyring({"second": b"2" * 32})
ROTATED = Keyring({"second": b"2" * 32, "first": bytes(range(32))})
WORDS = ("zebrastreifen", "斑马线", "حمار", "cafe\u0301", "🦓")
VECTOR = unit(0.123, 0.456, 0.789)
SEALED = [Sensitivity.CONFIDENTIAL, Sensitivity.RESTRICTED]


def telling_row(level: Sensitivity, number: int = 1, **fields: Any) -> NewRow:
    return new_row(
        " ".join([*WORDS[:3], str(number)]),
        VECTOR,
        memory_id=numbered_id(0, number),
        sensitivity=level,
        metadata={WORDS[3]: WORDS[4], "n": 1.5},
        **fields,
    )


def stored_values(database: TestDatabase) -> Iterator[bytes]:
    """Every value of every row of every table, as bytes; vectors as the numbers they are made of, too."""
    with psycopg.connect(database.superuser_url) as connection:
        tables = connection.execute(
            "select relname::text from pg_class join pg_namespace n on n.oid = relnamespace"
            " where nspname = 'camillo' and relkind = 'r'"
        ).fetchall()
        for (table,) in tables:
            statement = sql.SQL("select * from camillo.{}").format(sql.Identifier(table))
            for row in connection.execute(statement):
                yield from (v if isinstance(v, bytes) else str(v).encode() for v in row)


def signs_of(row: NewRow) -> dict[str, bytes]:
    """Bytes that would give away a row's text, metadata, terms and vector."""
    assert row.vector is not None
    return {
        **{word: word.encode() for word in WORDS},
        "term codes": row.terms().packed,
        "vector": f"[{row.vector.values[0]:.8}".encode(),
        "vector bytes": row.vector.values.tobytes(),
    }


def given_away(database: TestDatabase, row: NewRow) -> set[str]:
    kept = b"\n".join(stored_values(database))
    return {name for name, sign in signs_of(row).items() if sign in kept}


async def found_by(here: Replica, row: NewRow) -> list[str]:
    """Contents found by two searches in memory: by a word, and by the vector of this row."""
    resident = here.held() or await here.warm()
    by_word = find_candidates(resident.snapshot, spec(["斑马"]))
    by_vector = find_candidates(resident.snapshot, spec([], row.vector))
    assert by_vector.arms.dense[0] == pytest.approx(1.0, abs=1e-3)
    pools = (by_word, by_vector)
    return [memory.content for pool in pools for memory in pool.memories(range(len(pool)))]


@pytest.mark.parametrize("level", Sensitivity)
@pytest.mark.parametrize("way", ["remember", "import", "replace"])
async def test_no_table_gives_away_what_is_sealed_and_memory_finds_it(
    database: TestDatabase, level: Sensitivity, way: str
) -> None:
    row = telling_row(level)
    async with replica(database) as here:
        if way == "remember":
            await here.remember(row)
        elif way == "import":
            await here.remember_many([row])
        else:
            await here.remember(new_row("before", memory_id=row.memory.memory_id))
            await here.remember_many([row], replace=True)
    expected = set(signs_of(row)) - {"vector bytes"} if level not in SEALED else set()
    assert given_away(database, row) == expected
    async with replica(database) as restarted:
        assert await found_by(restarted, row) == [row.memory.content] * 2
        resident = restarted.held()
        assert resident
        (memory,) = resident.snapshot.memories([0])
        assert memory.metadata == row.memory.metadata
        labeled = MemoryFilter(metadata={"n": 1.5})
        assert len(find_candidates(resident.snapshot, spec(["斑马"], wanted=labeled))) == 1
        assert await compared(restarted, resident) is None


async def test_a_row_committed_here_is_found_before_and_after_a_load(
    database: TestDatabase,
) -> None:
    async with replica(database) as here:
        await here.remember(new_row("first"))
        resident = await here.warm()
        await here.remember(telling_row(Sensitivity.RESTRICTED))
        assert is_found(resident.snapshot, "zebrastreifen")
        assert await compared(here, resident) is None


async def test_after_a_change_of_keys_old_rows_open_and_new_ones_are_sealed_with_the_new_key(
    database: TestDatabase,
) -> None:
    async with replica(database) as here:
        await here.remember(telling_row(Sensitivity.CONFIDENTIAL))
    async with replica(database, keys=ROTATED) as rotated:
        await rotated.remember(telling_row(Sensitivity.CONFIDENTIAL, 2))
        assert len(await found_by(rotated, telling_row(Sensitivity.CONFIDENTIAL))) == 4
        reader = MemoryReader(rotated.database, OTHER_KEYS)
        memory, _ = await reader.get(ALICE, numbered_id(0, 2), MINIMIZE_LATENCY, now=NOW)
        assert memory
        with pytest.raises(KeyMissing):
            await reader.get(ALICE, numbered_id(0, 1), MINIMIZE_LATENCY, now=NOW)


@pytest.mark.parametrize("keys", [OTHER_KEYS, Keyring.empty(), Keyring({"first": b"1" * 32})])
async def test_rows_that_cannot_be_opened_are_left_out_and_the_others_found(
    database: TestDatabase, keys: Keyring, caplog: pytest.LogCaptureFixture
) -> None:
    levels = [*SEALED, Sensitivity.INTERNAL]
    async with replica(database) as here:
        await here.remember_many([telling_row(level, n) for n, level in enumerate(levels)])
        assert len((await here.warm()).snapshot.memories([0, 1, 2])) == 3
    with caplog.at_level(logging.WARNING):
        async with replica(database, keys=keys) as other:
            resident = await other.warm()
            assert resident.index.unreadable_count == 2
            for wanted in (MemoryFilter(), MemoryFilter(tags_all=()), MemoryFilter(session_id="")):
                pool = find_candidates(resident.snapshot, spec(["斑马"], VECTOR, wanted))
                (memory,) = pool.memories(range(len(pool)))
                assert memory.sensitivity is Sensitivity.INTERNAL
            assert await compared(other, resident) is None
            # And one that is put in its place is found again.
            fresh = new_row("readable", memory_id=numbered_id(0, 0))
            await other.remember_many([fresh], replace=True)
            await resident.refresh()
            assert is_found(resident.snapshot, "readable")
            assert resident.index.unreadable_count == 1
    assert [r.message.split(":")[0] for r in caplog.records] == ["encrypted rows were left out of an index"]


async def test_without_a_key_nothing_sensitive_is_stored(database: TestDatabase) -> None:
    async with replica(database, keys=Keyring.empty()) as here:
        for level in SEALED:
            with pytest.raises(KeyMissing):
                await here.remember(telling_row(level))
        with pytest.raises(KeyMissing):
            await here.remember_many([telling_row(Sensitivity.RESTRICTED)])
        assert (await here.reader.facts(ALICE)).memory_count == 0
        await here.remember(telling_row(Sensitivity.INTERNAL))
        assert (await here.reader.facts(ALICE)).memory_count == 1


async def test_history_and_every_reader_open_what_is_sealed(database: TestDatabase) -> None:
    row = telling_row(Sensitivity.RESTRICTED)
    memory_id = row.memory.memory_id
    async with replica(database) as here:
        await here.remember(row)
        second = row.memory._replace(content="第二 two", version=2)
        await here.writer.update(ALICE, NewRow(second, VECTOR), UpdatedVersions(1, 1), OF_UPDATE, None, now=NOW)
        assert given_away(database, row) == set()
        reader = MemoryReader(here.database, KEYS)
        versions = await reader.versions(ALICE, memory_id, None, 10, now=NOW)
        assert [each.memory.content for each in versions] == ["第二 two", row.memory.content]
        assert [each.memory.metadata for each in versions] == [row.memory.metadata] * 2
        page, _ = await reader.page(ALICE, MemoryFilter(), None, 10, MINIMIZE_LATENCY, now=NOW)
        changes = await reader.changes(ALICE, (0, None), 10, now=NOW)
        exported = [
            each async for rows, _ in reader.export(ALICE, MemoryFilter(), with_vectors=True, now=NOW) for each in rows
        ]
        shown = [*page, *(each.memory for each in changes.changes), exported[0].memory]
        assert [each.content for each in shown if each] == ["第二 two"] * 3
        vectors = [exported[0].vector, (await reader.vectors(ALICE, [memory_id]))[memory_id]]
        for vector in vectors:
            assert vector is not None
            assert vector.model_id == MODEL
            np.testing.assert_array_equal(vector.values, VECTOR.values)


async def test_long_lists_of_sealed_memories_come_in_order(database: TestDatabase) -> None:
    async with replica(database) as here:
        rows = [telling_row(Sensitivity.RESTRICTED, n, importance=n / 200) for n in range(200)]
        await here.remember_many(rows)
        reader = MemoryReader(here.database, KEYS)
        page, _ = await reader.page(ALICE, MemoryFilter(), None, 500, MINIMIZE_LATENCY, now=NOW)
        assert [each.memory_id for each in page] == [numbered_id(0, n) for n in range(199, -1, -1)]
        assert [each.content for each in page] == [row.memory.content for row in reversed(rows)]


async def test_a_sealed_memory_is_restored_and_changes_its_level(database: TestDatabase) -> None:
    async with replica(database) as here:
        row = telling_row(Sensitivity.CONFIDENTIAL, archived=True)
        await here.remember(row)
        await here.writer.restore(ALICE, [row.memory.memory_id], None, now=NOW)
        assert is_found((await here.warm()).snapshot, "zebrastreifen")
        plain = row.memory._replace(sensitivity=Sensitivity.PUBLIC, version=3, content="public 公")
        await here.writer.update(ALICE, NewRow(plain, VECTOR), UpdatedVersions(2, 2), OF_UPDATE, None, now=NOW)
        # The metadata and the vector are public now; the text of before stays sealed in its history.
        assert given_away(database, row) == {*WORDS[3:], "vector"}
        assert "public 公".encode() in b"\n".join(stored_values(database))


async def waiting_texts(backlog: EmbeddingBacklog) -> list[str]:
    return [each.text for each in await backlog.waiting(ALICE, None, 1)]


async def test_a_vector_that_follows_is_sealed_too(database: TestDatabase) -> None:
    async with replica(database) as here:
        row = telling_row(Sensitivity.RESTRICTED)
        waits = NewRow(row.memory.with_vector_of(None), None)
        plain = new_row("plain", memory_id=numbered_id(0, 2))
        await here.remember_many([waits, plain])
        blind = EmbeddingBacklog(here.database, here.notifier, SystemClock(), OTHER_KEYS)
        assert await waiting_texts(blind) == ["plain"]
        backlog = EmbeddingBacklog(here.database, here.notifier, SystemClock(), KEYS)
        assert await waiting_texts(backlog) == [row.memory.content]
        both = await backlog.waiting(ALICE, None, 10)
        await backlog.store(ALICE, both, [VECTOR, unit(0.5, 0.25)], MODEL)
        assert given_away(database, row) == set()
        assert b"[0.8944" in b"\n".join(stored_values(database))
        assert await found_by(here, row) == [row.memory.content, row.memory.content, "plain"]


@pytest.mark.parametrize(
    ("wanted", "left_out"),
    [
        (MemoryFilter(), True),
        (MemoryFilter(min_importance=0.1), True),
        (MemoryFilter(max_sensitivity=Sensitivity.RESTRICTED), True),
        (MemoryFilter(max_sensitivity=Sensitivity.CONFIDENTIAL), False),
        (MemoryFilter(sensitivities=(Sensitivity.RESTRICTED,)), True),
        (MemoryFilter(sensitivities=(Sensitivity.PUBLIC, Sensitivity.INTERNAL)), False),
        (MemoryFilter(sources=()), False),
    ],
)
async def test_postgres_says_that_it_could_not_search_what_is_sealed(
    database: TestDatabase, wanted: MemoryFilter, left_out: bool
) -> None:
    async with replica(database) as here:
        plain = telling_row(Sensitivity.INTERNAL, 1, session_id="s")
        secret = telling_row(Sensitivity.RESTRICTED, 2, session_id="s")
        await here.remember_many([plain, secret])
        search = PostgresMemorySearch(here.database)
        cold = await search.candidates(spec(["斑马"], VECTOR, wanted), MINIMIZE_LATENCY)
        assert cold.encrypted_not_searched is left_out
        # Nor does it come in from beside the other in its session, as an empty text.
        found = cold.memories(range(len(cold)))
        assert [m.memory_id for m in found if m.sensitivity is Sensitivity.RESTRICTED] == []
        warm = find_candidates((await here.warm()).snapshot, spec(["斑马"], VECTOR, wanted))
        levels = {memory.sensitivity for memory in warm.memories(range(len(warm)))}
        assert (Sensitivity.RESTRICTED in levels) is left_out
        assert not warm.encrypted_not_searched


async def test_a_scope_without_sealed_rows_is_searched_whole_and_one_with_them_once_it_is_warm(
    database: TestDatabase,
) -> None:
    async with replica(database) as here:
        await here.remember(telling_row(Sensitivity.INTERNAL, 1))
        behind = PostgresMemorySearch(here.database)
        search = CachedMemorySearch(here.caches, behind, MODEL)
        asked = spec(["斑马"], VECTOR)
        assert not (await search.candidates(asked, MINIMIZE_LATENCY)).encrypted_not_searched
        await here.remember(telling_row(Sensitivity.CONFIDENTIAL, 2))
        assert (await behind.candidates(asked, MINIMIZE_LATENCY)).encrypted_not_searched
        await until(lambda: here.held() is not None)
        found = await search.candidates(asked, MINIMIZE_LATENCY)
        assert (len(found), found.encrypted_not_searched) == (2, False)


async def test_a_damaged_row_is_said_to_be_lost_and_differs_from_the_index(
    database: TestDatabase,
) -> None:
    async with replica(database) as here:
        await here.remember_many([telling_row(Sensitivity.RESTRICTED, n) for n in (1, 2)])
        resident = await here.warm()
        assert await compared(here, resident) is None
        execute(
            database,
            "update memories set sealed = (select sealed from memories where memory_id ="
            f" '{numbered_id(0, 2)}') where memory_id = '{numbered_id(0, 1)}'",
        )
        assert await compared(here, resident) == "column kind"
        reader = MemoryReader(here.database, KEYS)
        with pytest.raises(BytesLost):
            await reader.get(ALICE, numbered_id(0, 1), MINIMIZE_LATENCY, now=NOW)
        whole, _ = await reader.get(ALICE, numbered_id(0, 2), MINIMIZE_LATENCY, now=NOW)
        assert isinstance(whole, Row)


@pytest.mark.parametrize("level", [Sensitivity.INTERNAL, Sensitivity.RESTRICTED])
async def test_citations_of_a_sealed_memory_are_kept(database: TestDatabase, level: Sensitivity) -> None:
    def cited() -> list[str]:
        with psycopg.connect(database.superuser_url) as connection:
            rows = connection.execute("select artifact_id from camillo.memory_citations order by 1").fetchall()
        return [artifact_id for (artifact_id,) in rows]

    async with replica(database) as here:
        row = new_row("see [MemoryRef: log_one - 日志]", sensitivity=level, source_refs=["log_three"])
        await here.remember(row)
        assert cited() == ["log_one", "log_three"]
        other = replace(row, memory=row.memory._replace(content="[MemoryRef: log_two]"))
        await here.remember_many([other], replace=True)
        assert cited() == ["log_three", "log_two"]


async def test_rows_that_were_stored_before_there_were_keys_stay_readable(
    database: TestDatabase,
) -> None:
    async with replica(database) as here:
        row = telling_row(Sensitivity.INTERNAL)
        await here.remember(row)
        execute(database, "update memories set sensitivity = 4")
        resident = await here.warm()
        assert contents(resident.snapshot) == [row.memory.content]
        reader = MemoryReader(here.database, KEYS)
        memory, _ = await reader.get(ALICE, row.memory.memory_id, MINIMIZE_LATENCY, now=NOW)
        assert memory
        assert memory.content == row.memory.content


@pytest.mark.parametrize("changed", ["metadata = '{\"n\": 1}'", "term_codes = '\\x0102030405'", "source_refs = '{a}'"])
async def test_a_sealed_row_that_someone_wrote_beside_is_left_out(database: TestDatabase, changed: str) -> None:
    """Refs are not sealed: they may say anything."""
    async with replica(database) as here:
        await here.remember(telling_row(Sensitivity.RESTRICTED))
        execute(database, f"update memories set {changed}")
        resident = await here.warm()
        assert resident.index.unreadable_count == ("source_refs" not in changed)
