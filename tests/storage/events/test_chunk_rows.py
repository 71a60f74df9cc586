"""Chunks stand beside memories in their table and in the index; what is about memories does not meet them."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import timedelta
from typing import Any

import psycopg
import pytest
from camillo_server.across.forgetting.records import ForgetSelection
from camillo_server.kernel.clock import microseconds
from camillo_server.kernel.errors import NotFound
from camillo_server.kernel.kinds import ChunkKind, MemoryKind, Sensitivity, Source
from camillo_server.kernel.scope import whole_tenant
from camillo_server.kernel.writes import MINIMIZE_LATENCY
from camillo_server.rows.row import NewRow
from camillo_server.rows.row_filter import MemoryFilter
from camillo_server.rows.store.reader import MemoryReader
from camillo_server.rows.store.removal import forget_rows
from camillo_server.rows.store.writer import MemoryWriter
from camillo_server.rows.write_records import RestoredReplay, UpdatedVersions
from camillo_server.search.candidates import CandidateQuery
from camillo_server.search.index.candidate_search import find_candidates
from camillo_server.search.index.snapshot import MAX_CACHED_FILTERS
from camillo_server.search.store.recall import PostgresMemorySearch
from camillo_server.storage.scope_writes import ScopeWrites
from camillo_server.storage.statements import statements

from tests.postgres_fixtures import TestDatabase
from tests.storage.memories.replicas import (
    ALICE,
    KEYS,
    NOW,
    Replica,
    new_row,
    numbered_id,
    replica,
    unit,
)
from tests.storage.memories.replicas import spec as spec_of
from tests.storage.replays import OF_UPDATE
from tests.storage.search.agreeing_index import compared, execute
from tests.storage.search.recall_reference import candidates_of, passes_document

TENANTS = statements("across/admin/store/tenants")
CHUNK = numbered_id(7, 7)
MEMORY = numbered_id(1, 1)
BOTH = MemoryFilter(sources=(Source.MEMORY, Source.EVENT))
EVENTS = MemoryFilter(sources=(Source.EVENT,))


def chunk(content: str = "ada: 你好 walrus", **fields: Any) -> NewRow:
    """A chunk of an event."""
    kind = fields.pop("kind", ChunkKind.EVENT_MESSAGE)
    stated = {"memory_id": CHUNK, "source_refs": ["event"], "session_id": "s", **fields}
    row = new_row(content, stated.pop("vector", unit(0.5, 0.5)), **stated)
    return replace(row, memory=row.memory._replace(kind=kind))


def memory(content: str = "walrus memory", **fields: Any) -> NewRow:
    stated = {"memory_id": MEMORY, "session_id": "s", **fields}
    return new_row(content, stated.pop("vector", unit(1.0)), **stated)


@asynccontextmanager
async def both(database: TestDatabase) -> AsyncIterator[Replica]:
    """A scope with a memory and a chunk."""
    async with replica(database) as here:
        await here.remember_many([memory(), chunk()])
        yield here


def counts(database: TestDatabase) -> tuple[int, int]:
    with psycopg.connect(database.superuser_url) as connection:
        row = connection.execute("select memory_count, chunk_count from camillo.scopes").fetchone()
    assert row is not None
    return row


def stored_ids(database: TestDatabase) -> set[str]:
    with psycopg.connect(database.superuser_url) as connection:
        return {str(row[0]) for row in connection.execute("select memory_id from camillo.memories")}


def spec(terms: list[str], wanted: MemoryFilter) -> CandidateQuery:
    return spec_of(terms, unit(0.7, 0.3), wanted)


async def test_every_way_of_reading_shows_the_memory_and_not_the_chunk(
    database: TestDatabase,
) -> None:
    async with both(database) as here:
        reader = MemoryReader(here.database, KEYS)
        assert (await reader.get(ALICE, MEMORY, MINIMIZE_LATENCY, now=NOW))[0]
        assert (await reader.get(ALICE, CHUNK, MINIMIZE_LATENCY, now=None))[0] is None
        for wanted in (MemoryFilter(), MemoryFilter(session_id="s"), BOTH):
            page, _ = await reader.page(ALICE, wanted, None, 10, MINIMIZE_LATENCY, now=NOW)
            assert [each.memory_id for each in page] == [MEMORY]
            exported = [
                row.memory.memory_id
                async for rows, _ in reader.export(ALICE, wanted, with_vectors=True, now=NOW)
                for row in rows
            ]
            assert exported == [MEMORY]
        assert len(await reader.versions(ALICE, MEMORY, None, 10, now=NOW)) == 1
        assert await reader.versions(ALICE, CHUNK, None, 10, now=None) == []
        changes = (await reader.changes(ALICE, (0, None), 10, now=NOW)).changes
        assert [each.memory_id for each in changes] == [MEMORY]
        both_ids = ForgetSelection([MEMORY, CHUNK])
        receipt = (await here.forgetting.would_forget(ALICE, both_ids, now=NOW)).receipt
        assert receipt.memory_ids == (MEMORY,)


@pytest.mark.parametrize("selector", [[CHUNK, MEMORY], MemoryFilter(session_id="s"), BOTH])
async def test_forgetting_memories_leaves_chunks(database: TestDatabase, selector: Any) -> None:
    async with both(database) as here:
        resident = await here.warm()
        assert counts(database) == (2, 1)
        written = await here.forgetting.forget(ALICE, ForgetSelection(selector), None, now=NOW)
        assert written.record.memory_ids == (MEMORY,)
        assert stored_ids(database) == {str(CHUNK)}
        assert counts(database) == (1, 1)
        assert await compared(here, resident) is None


async def test_an_update_of_a_chunk_s_id_finds_no_memory_and_a_restore_nothing(
    database: TestDatabase,
) -> None:
    async with both(database) as here:
        versions = UpdatedVersions(1, 1)
        pretended = memory("changed", memory_id=CHUNK, version=2)
        with pytest.raises(NotFound):
            await here.writer.update(ALICE, pretended, versions, OF_UPDATE, None, now=NOW)
        changed = memory("changed", version=2)
        await here.writer.update(ALICE, changed, versions, OF_UPDATE, None, now=NOW)
        execute(database, "update memories set archived = true")
        restored = await here.writer.restore(ALICE, [CHUNK, MEMORY], None, now=NOW)
        assert restored.record == RestoredReplay(1)


async def test_an_import_replaces_memories_by_memories_and_chunks_by_chunks(
    database: TestDatabase,
) -> None:
    async with both(database) as here:
        resident = await here.warm()
        swapped = [memory("a memory", memory_id=CHUNK), chunk("a chunk", memory_id=MEMORY)]
        refused = await here.writer.import_rows(ALICE, swapped, replace=True, after=None, now=NOW)
        assert (refused.stored, refused.skipped) == (0, 2)
        rows = [memory("newer"), chunk("ada: newer")]
        taken = await here.writer.import_rows(ALICE, rows, replace=True, after=None, now=NOW)
        assert (taken.stored, taken.skipped) == (2, 0)
        assert counts(database) == (2, 1)
        assert await compared(here, resident) is None
        found = {m.content: m.kind for m in resident.snapshot.memories([2, 3])}
        assert found == {"newer": MemoryKind.FACT, "ada: newer": ChunkKind.EVENT_MESSAGE}


async def test_a_watch_hears_of_a_forgotten_memory_and_the_index_of_a_chunk_too(
    database: TestDatabase,
) -> None:
    async with both(database) as here:
        resident = await here.warm()
        before = resident.revision
        turn = {"added_memories": 0, "added_terms": 0, "now": NOW}
        key = {"tenant_id": ALICE.tenant_id, "agent_id": ALICE.agent_id}

        async def forget(session: Any) -> None:
            next_revision = statements("storage/scopes")["next_revision"]
            row = await session.only_row(next_revision, {**key, **turn})
            await forget_rows(session, ALICE, [CHUNK], row[0], NOW)

        await here.database.transaction(ALICE, forget)
        assert counts(database) == (1, 0)
        await here.forget([MEMORY])
        reader = MemoryReader(here.database, KEYS)
        page = await reader.changes(ALICE, (before, None), 10, now=NOW)
        assert [(each.memory_id, each.memory) for each in page.changes] == [(MEMORY, None)]
        await resident.refresh()
        assert resident.snapshot.live_count == 0


async def test_an_agent_s_end_is_no_news_of_chunks(database: TestDatabase) -> None:
    async with both(database) as here:
        key = {"tenant_id": ALICE.tenant_id, "agent_id": ALICE.agent_id, "now": NOW}

        async def delete(session: Any) -> None:
            await session.only_row(TENANTS["delete_agent"], key)

        counted = await here.database.read(
            whole_tenant(ALICE.tenant_id), lambda s: s.only_row(TENANTS["count_memories"], key)
        )
        assert counted == (1,)
        await here.database.transaction(whole_tenant(ALICE.tenant_id), delete)
        assert counts(database) == (0, 0)
        reader = MemoryReader(here.database, KEYS)
        page = await reader.changes(ALICE, (0, None), 10, now=NOW)
        assert [each.memory_id for each in page.changes] == [MEMORY]


async def test_chunks_cite_nothing(database: TestDatabase) -> None:
    async with replica(database) as here:
        text = "see [MemoryRef: log_one]"
        await here.remember_many([chunk(text), memory(text)])
        await here.remember_many([chunk(text + "!"), memory(text + "!")], replace=True)
        with psycopg.connect(database.superuser_url) as connection:
            cited = connection.execute("select memory_id from camillo.memory_citations").fetchall()
        assert cited == [(MEMORY,)]


FILTERS = [
    MemoryFilter(),
    MemoryFilter(min_importance=0.3),
    BOTH,
    EVENTS,
    MemoryFilter(sources=(Source.DECISION,)),
    MemoryFilter(sources=tuple(Source)),
    MemoryFilter(sources=tuple(Source), hidden_kinds=(MemoryKind.FACT, ChunkKind.DECISION)),
    MemoryFilter(sources=tuple(Source), kinds=(MemoryKind.ERROR,)),
    MemoryFilter(sources=tuple(Source), sensitivities=(Sensitivity.PUBLIC,)),
    MemoryFilter(sources=tuple(Source), metadata={"channel": "public"}),
    MemoryFilter(sources=()),
]


def mixed_rows() -> list[NewRow]:
    """Memories and chunks in turn in two sessions, of every kind."""
    kinds = [*MemoryKind, *ChunkKind]
    rows = [
        new_row(
            # Texts differ in length: which of equal ones come first at the border is no question here.
            f"walrus {number} 海象{' mile' * number}",
            unit(1.0, number / 40),
            number=number,
            memory_id=numbered_id(3, number),
            session_id=("one", "two")[number % 2],
            importance=number % 3 / 2,
            sensitivity=list(Sensitivity)[number % 2],
            metadata={"channel": ("public", "private")[number % 2]},
        )
        for number in range(40)
    ]
    return [
        replace(row, memory=row.memory._replace(kind=kinds[number * 7 % len(kinds)])) for number, row in enumerate(rows)
    ]


@pytest.mark.parametrize("wanted", FILTERS)
async def test_memory_and_postgres_find_the_same_of_every_source(database: TestDatabase, wanted: MemoryFilter) -> None:
    async with replica(database) as here:
        rows = mixed_rows()
        await here.remember_many(rows)
        asked = replace(spec(["walru", "海象"], wanted), candidates_per_arm=6)
        warm = find_candidates((await here.warm()).snapshot, asked)
        cold = await PostgresMemorySearch(here.database).candidates(asked, MINIMIZE_LATENCY)
        ours, theirs = candidates_of(warm), candidates_of(cold)
        assert ours.keys() == theirs.keys()
        for memory_id, found in ours.items():
            assert found.own == pytest.approx(theirs[memory_id].own, abs=2e-3)
            for pair, other in zip(found.near, theirs[memory_id].near, strict=True):
                assert pair == pytest.approx(other, abs=2e-3, nan_ok=True)
        assert sorted(warm.kinds.tolist()) == sorted(cold.kinds.tolist())
        assert {m.kind for m in warm.memories(range(len(warm)))} == set(warm.kinds.tolist())
        whole = find_candidates((here.held() or await here.warm()).snapshot, replace(asked, candidates_per_arm=100))
        assert {m.memory_id for m in whole.memories(range(len(whole)))} == {
            row.memory.memory_id for row in rows if allowed(row, wanted)
        }


def allowed(row: NewRow, wanted: MemoryFilter) -> bool:
    """The conditions that these filters have."""
    kind = row.memory.kind
    return (
        1 + kind // 16 in wanted.sources
        and kind not in wanted.hidden_kinds
        and (kind > 15 or not wanted.kinds or kind in wanted.kinds)
        and (not wanted.sensitivities or row.memory.sensitivity in wanted.sensitivities)
        and row.memory.importance >= wanted.min_importance
        and wanted.metadata.items() <= dict(row.memory.metadata).items()
        and passes_document(row.memory, wanted, NOW)
    )


async def test_a_view_knows_the_last_few_filters_that_were_asked(database: TestDatabase) -> None:
    async with replica(database) as here:
        # One memory that expires, so that what passes changes.
        later = NOW + timedelta(seconds=10)
        await here.remember_many([*mixed_rows(), memory(expires_at=later)])
        snapshot = (await here.warm()).snapshot
        now = microseconds(NOW)
        first = [snapshot.searched(wanted, now) for wanted in FILTERS[2 : 2 + MAX_CACHED_FILTERS]]
        again = [snapshot.searched(replace(wanted), now) for wanted in FILTERS[2 : 2 + MAX_CACHED_FILTERS]]
        assert all(one is other for one, other in zip(first, again, strict=True))
        snapshot.searched(FILTERS[-1], now)
        assert snapshot.searched(FILTERS[2], now) is not first[0]
        both_now = snapshot.searched(BOTH, now)
        assert snapshot.searched(BOTH, now) is both_now
        assert snapshot.searched(BOTH, microseconds(later)).count == both_now.count - 1
        assert snapshot.searched(BOTH, now).count == both_now.count


async def test_filters_whose_metadata_is_equal_only_to_python_are_told_apart(
    database: TestDatabase,
) -> None:
    async with replica(database) as here:
        await here.remember_many(
            [
                memory(metadata={"k": True}),
                memory("walrus", memory_id=CHUNK, metadata={"k": 1.0}),
            ]
        )
        snapshot = (await here.warm()).snapshot
        for value, expected in ((True, MEMORY), (1.0, CHUNK)):
            pool = find_candidates(snapshot, spec(["walru"], MemoryFilter(metadata={"k": value})))
            assert [m.memory_id for m in pool.memories(range(len(pool)))] == [expected]


async def test_a_chunk_of_an_event_waits_for_its_vector_like_a_memory(
    database: TestDatabase,
) -> None:
    async with replica(database) as here:
        noticed: list[Any] = []
        writer = MemoryWriter(ScopeWrites(here.database, here.notifier, noticed.append), KEYS)
        await writer.import_rows(ALICE, [chunk(vector=None)], replace=False, after=None, now=NOW)
        assert noticed == [ALICE]
        assert (await here.warm()).snapshot.pending_count == 1
