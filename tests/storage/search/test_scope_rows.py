"""Rows read in bulk: every page in order, every field as it was, and everything that changed since a revision."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta, timezone
from typing import Any
from uuid import UUID

import numpy as np
import pytest
from camillo_server.kernel.ids import AgentId, MemoryId
from camillo_server.kernel.kinds import Scalar
from camillo_server.kernel.scope import Scope
from camillo_server.models.embedding.embedder import Vector
from camillo_server.rows.row import NewRow, Row
from camillo_server.rows.row_filter import MemoryFilter
from camillo_server.search.index.candidate_search import find_candidates
from camillo_server.search.store.packed_rows import ScopeRows
from camillo_server.search.store.scope_rows import (
    PAGE_ROWS,
    PackedPage,
    ScopeFacts,
    ScopeRowsReader,
    to_columns,
)

from tests.postgres_fixtures import TestDatabase
from tests.storage.memories.replicas import (
    ALICE,
    DIMENSIONS,
    MODEL,
    Replica,
    contents,
    is_found,
    loaded,
    new_row,
    new_rows,
    numbered_id,
    replica,
    spec,
    unit,
)
from tests.unit.search.index.plain_scope import half, stored

BOB = Scope(ALICE.tenant_id, AgentId("bob"))


async def pages_of(reader: ScopeRowsReader, after: int | None = None, scope: Scope = ALICE) -> list[PackedPage]:
    return [page async for page in reader.pages(scope, after)]


def ids_in(page: PackedPage) -> list[MemoryId]:
    raw = page.unpack(DIMENSIONS).fixed["memory_id"].tobytes()
    return [MemoryId(UUID(bytes=raw[at : at + 16])) for at in range(0, len(raw), 16)]


def forgotten_in(page: PackedPage) -> set[UUID]:
    return {UUID(bytes=page.forgotten[place : place + 16]) for place in range(0, len(page.forgotten), 16)}


async def as_they_come_back(here: Replica, rows: Sequence[NewRow]) -> list[Row]:
    """The memories in the order given, after their own commits and after a load alike."""
    await here.remember(new_row("first"))
    resident = await here.warm()
    for row in rows:
        await here.remember(row)
    kept, read = (
        {memory.memory_id: memory for memory in snapshot.memories(range(len(rows) + 1))}
        for snapshot in (resident.snapshot, (await loaded(here.reader)).snapshot)
    )
    assert {i: stored(m) for i, m in kept.items()} == {i: stored(m) for i, m in read.items()}
    return [read[row.memory.memory_id] for row in rows]


@pytest.mark.parametrize("count", [0, 1, PAGE_ROWS - 1, PAGE_ROWS, 2 * PAGE_ROWS + 1])
async def test_every_row_comes_once_in_the_order_of_revisions_and_ids(database: TestDatabase, count: int) -> None:
    async with replica(database) as here:
        rows = new_rows(count)
        await here.remember_many(rows)
        pages = await pages_of(here.reader)
        assert len(pages) == count // PAGE_ROWS + 1
        assert [page.is_last for page in pages] == [False] * (len(pages) - 1) + [True]
        found = [each for page in pages for each in ids_in(page)]
        # Rows of one commit have one revision, so ids decide among them.
        commits = [rows[first : first + 1_000] for first in range(0, count, 1_000)]
        assert found == [i for rows in commits for i in sorted(r.memory.memory_id for r in rows)]
        assert {page.facts.memory_count for page in pages} == {count}
        assert not any(page.forgotten for page in pages)


async def test_a_scope_that_does_not_exist_has_one_empty_page(database: TestDatabase) -> None:
    async with replica(database) as here:
        await here.remember(new_row("of another"), BOB)
        (page,) = await pages_of(here.reader)
        assert page.facts == await here.reader.facts(ALICE) == ScopeFacts(0, 0, 0)
        assert len(page) == len(page.unpack(DIMENSIONS)) == 0
        assert (await loaded(here.reader)).snapshot.live_count == 0
        assert len((await pages_of(here.reader, scope=BOB))[0]) == 1
        revisions = await here.reader.revisions(ALICE.tenant_id, [ALICE.agent_id, BOB.agent_id])
        assert list(revisions) == [BOB.agent_id]


async def test_what_changed_since_a_revision_comes_with_what_was_forgotten(
    database: TestDatabase,
) -> None:
    async with replica(database) as here:
        rows = new_rows(5)
        before = await here.remember_many(rows)
        added = new_row("added")
        await here.remember(added)
        await here.forget([rows[0].memory.memory_id])
        changed = replace(rows[1], memory=rows[1].memory._replace(content="changed"))
        revision = await here.remember_many([changed], replace=True)
        page = await here.reader.changes(ALICE, before)
        assert page.is_last
        assert page.facts.revision == revision
        assert ids_in(page) == [added.memory.memory_id, rows[1].memory.memory_id]
        assert forgotten_in(page) == {rows[0].memory.memory_id}
        nothing = await here.reader.changes(ALICE, revision)
        assert (len(nothing), nothing.forgotten) == (0, b"")
        assert nothing.facts == page.facts


async def test_many_changes_come_in_pages_of_one_moment_with_the_forgotten_in_the_first(
    database: TestDatabase,
) -> None:
    async with replica(database) as here:
        first = new_rows(3)
        before = await here.remember_many(first)
        await here.remember_many(new_rows(2 * PAGE_ROWS, "later"))
        await here.forget([row.memory.memory_id for row in first])
        assert not (await here.reader.changes(ALICE, before)).is_last
        reading = here.reader.pages(ALICE, before)
        pages = [await anext(reading)]
        await here.remember(new_row("meanwhile"))
        pages += [page async for page in reading]
        assert [len(page) for page in pages] == [PAGE_ROWS, PAGE_ROWS, 0]
        assert [len(forgotten_in(page)) for page in pages] == [3, 0, 0]
        assert len({page.facts for page in pages}) == 1


async def test_a_memory_forgotten_and_made_again_with_its_id_is_there_once(
    database: TestDatabase,
) -> None:
    async with replica(database, heard_through=lambda observer: lambda name: None) as here:
        row = new_row("the first", unit(1.0), memory_id=numbered_id(1, 1))
        await here.remember(new_row("another"))
        await here.remember(row)
        resident = await here.warm()
        for content in ("the second", "the third"):
            await here.forget([row.memory.memory_id])
            row = new_row(content, unit(0.0, 1.0), memory_id=numbered_id(1, 1))
            await here.remember(row)
        page = await here.reader.changes(ALICE, resident.revision)
        assert forgotten_in(page) == set(ids_in(page)) == {row.memory.memory_id}
        await resident.refresh()
        assert contents(resident.snapshot) == ["another", "the third"]
        assert not is_found(resident.snapshot, "second")
        assert contents((await loaded(here.reader)).snapshot) == ["another", "the third"]


MOMENTS = [
    datetime(1, 1, 1, tzinfo=UTC),
    datetime(1969, 12, 31, 23, 59, 59, 999_999, tzinfo=UTC),
    datetime(1970, 1, 1, tzinfo=UTC),
    datetime(1999, 12, 31, 23, 59, 59, 1, tzinfo=UTC),
    datetime(2000, 1, 1, tzinfo=UTC),
    datetime(9999, 12, 31, 23, 59, 59, 999_999, tzinfo=UTC),
]


async def test_times_are_kept_to_the_microsecond(database: TestDatabase) -> None:
    async with replica(database) as here:
        rows = [new_row(f"x {at}", occurred_at=at, created_at=at, updated_at=at) for at in MOMENTS]
        found = await as_they_come_back(here, rows)
        assert [(m.occurred_at, m.created_at, m.updated_at) for m in found] == [(at,) * 3 for at in MOMENTS]
        assert {(m.expires_at, m.accessed_at) for m in found} == {(None, None)}
        for row, at in zip(rows, MOMENTS, strict=True):
            seen = row.memory._replace(expires_at=at, accessed_at=at, access_count=2**40)
            await here.remember_many([replace(row, memory=seen)], replace=True)
        snapshot = (await loaded(here.reader)).snapshot
        again = {m.memory_id: m for m in snapshot.memories(range(snapshot.count))}
        for row, at in zip(rows, MOMENTS, strict=True):
            memory = again[row.memory.memory_id]
            assert (memory.expires_at, memory.accessed_at) == (at, at)
            assert memory.access_count == 2**40


async def test_a_time_of_another_zone_is_the_same_moment(database: TestDatabase) -> None:
    eastern = datetime(2030, 6, 1, 9, tzinfo=timezone(timedelta(hours=5, minutes=45)))
    async with replica(database) as here:
        row = new_row("x", occurred_at=eastern, expires_at=eastern)
        (memory,) = await as_they_come_back(here, [row])
        assert memory.occurred_at == memory.expires_at == eastern


SCALARS: list[Scalar] = [
    None,
    True,
    False,
    0.0,
    1.0,
    -1.5,
    1e-7,
    2.0**53 + 2,
    1.7976931348623157e308,
    5e-324,
    "",
    "1",
    "true",
    'quo"te \\ back',
    "北京 👩‍🔬 שלום \u0301 \u2028",
]


async def test_metadata_of_every_kind_is_kept_and_found_as_it_is(database: TestDatabase) -> None:
    async with replica(database) as here:
        rows = [
            new_row(f"x {number}", metadata={"key": each, "ключ \"'\\": "other"}) for number, each in enumerate(SCALARS)
        ]
        for row, memory in zip(rows, await as_they_come_back(here, rows), strict=True):
            assert stored(memory).metadata == stored(row.memory).metadata
        resident = here.held()
        assert resident
        for row in rows:
            wanted = MemoryFilter(metadata=row.memory.metadata)
            pool = find_candidates(resident.snapshot, spec(["x"], wanted=wanted))
            (memory,) = pool.memories(range(len(pool)))
            assert memory.memory_id == row.memory.memory_id


AWKWARD = [
    'quo"ted',
    "com,ma",
    "{}",
    "{a,b}",
    "back\\slash",
    "NULL",
    "null",
    " ",
    "",
    "'",
    "🏷️",
    "تاج",
    "é",
    "e\u0301",
]


async def test_tags_and_references_of_any_characters_are_kept_in_their_order(
    database: TestDatabase,
) -> None:
    async with replica(database) as here:
        row = new_row("x", tags=AWKWARD, source_refs=AWKWARD[::-1], session_id="с\t'\"\\🧵")
        (memory,) = await as_they_come_back(here, [row])
        assert list(memory.tags) == AWKWARD
        assert list(memory.source_refs) == AWKWARD[::-1]
        assert memory.session_id == row.memory.session_id


async def test_texts_of_2000_characters_are_kept_whole(database: TestDatabase) -> None:
    async with replica(database) as here:
        parts = ["a", "𝔘", "烤", "ש", "e\u0301", "\n", "word "]
        texts = [(part * 2_000)[:2_000] for part in parts]
        found = await as_they_come_back(here, [new_row(text) for text in texts])
        assert [memory.content for memory in found] == texts


async def test_a_commit_packs_rows_as_postgres_does(database: TestDatabase) -> None:
    """Column for column."""
    rows = [
        new_row("plain"),
        new_row("with all 你好", unit(1.0, 2.0), session_id="s", tags=["a", "b"], metadata={"n": 1.0}),
        new_row("a a a " * 200, Vector("other", np.ones(3, np.float32)), source_refs=["r"]),
        new_row("own model, other length", Vector(MODEL, np.ones(3, np.float32))),
    ]
    async with replica(database) as here:
        revision = await here.remember_many(rows)
        ordered = sorted(rows, key=lambda row: row.memory.memory_id)
        made = to_columns(ordered, revision, MODEL, DIMENSIONS)
        (page,) = await pages_of(here.reader)
        assert_same_rows(made, page.unpack(DIMENSIONS))


def assert_same_rows(one: ScopeRows, other: ScopeRows) -> None:
    for name in one.fixed:
        assert one.fixed[name].tobytes() == other.fixed[name].tobytes(), name
    names = ("term_lengths", "has_vector", "sessions", "labels", "label_lengths", "vectors")
    for name in names:
        assert getattr(one, name).tolist() == getattr(other, name).tolist(), name
    for name in ("terms", "labels"):
        assert getattr(one, name).tobytes() == getattr(other, name).tobytes(), name


async def test_vectors_come_in_half_precision_and_those_of_other_models_not_at_all(
    database: TestDatabase,
) -> None:
    async with replica(database) as here:
        directions = np.random.default_rng(1).normal(size=(50, DIMENSIONS))
        vectors = [unit(*each) for each in directions]
        # Small numbers, which half precision keeps as subnormal ones or not at all.
        vectors += [unit(1.0, 10.0**-power) for power in range(1, 12)]
        rows = [new_row("x", vector) for vector in vectors]
        rows += [new_row("y"), new_row("z", Vector("other", vectors[0].values))]
        await here.remember_many(rows)
        (page,) = await pages_of(here.reader)
        unpacked = page.unpack(DIMENSIONS)
        expected = {row.memory.memory_id: row.vector for row in rows}
        for place, memory_id in enumerate(ids_in(page)):
            vector = expected[memory_id]
            own = vector is not None and vector.model_id == MODEL
            assert unpacked.has_vector[place] == own
            wanted: Any = half(vector.values) if vector is not None and own else np.zeros(DIMENSIONS)
            np.testing.assert_array_equal(unpacked.vectors[place].astype(np.float32), wanted)
