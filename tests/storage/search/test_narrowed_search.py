"""Search for a caller from whom a channel hides rows: what is hidden changes nothing that it is told."""

import asyncio
import random
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import Any

import numpy as np
import pytest
from camillo_server.kernel.channel import Channel, ChannelPolicy
from camillo_server.kernel.clock import microseconds
from camillo_server.kernel.kinds import ChunkKind, MemoryKind, Sensitivity, Source
from camillo_server.kernel.writes import MINIMIZE_LATENCY
from camillo_server.rows.row import NewRow
from camillo_server.rows.row_filter import CATEGORY_PREFIX, MemoryFilter
from camillo_server.search.candidates import CandidatePool, CandidateQuery
from camillo_server.search.index.candidate_search import find_candidates
from camillo_server.search.index.resident_scope import ResidentScope
from camillo_server.search.index.snapshot import IndexSnapshot
from camillo_server.search.store.recall import PostgresMemorySearch
from camillo_server.search.store.vector_index import create_index

from tests.postgres_fixtures import TestDatabase
from tests.storage.memories.random_writes import RandomWrites
from tests.storage.memories.replicas import (
    ALICE,
    NOW,
    Replica,
    loaded,
    new_row,
    replica,
    spec,
    unit,
)
from tests.storage.search.recall_reference import candidates_of
from tests.storage.search.test_index_against_model import assert_same, ids_of
from tests.unit.identity.moving_clock import MovingClock
from tests.unit.search.index.plain_scope import Expected

STEPS = 50
WORDS = ["斑马", "walru", "чай"]
PUBLIC = MemoryFilter().narrowed(ChannelPolicy(), Channel.PUBLIC)
AGENT = MemoryFilter().narrowed(ChannelPolicy(), Channel.AGENT)
HIDDEN: list[dict[str, Any]] = [
    {"sensitivity": Sensitivity.INTERNAL},
    {"sensitivity": Sensitivity.CONFIDENTIAL},
    {"sensitivity": Sensitivity.RESTRICTED},
    {"sensitivity": Sensitivity.PUBLIC, "kind": MemoryKind.PREFERENCE},
]


@dataclass(frozen=True, slots=True)
class Answers:
    """Answers of memory and of Postgres, without the revision."""

    memory: object
    postgres: object


WORDS_OF_ROWS = ["斑马", "walrus", "чай", "🦓", "שלום"]


def rows_of(count: int, seed: int, **fields: Any) -> list[NewRow]:
    """Texts of the same words, in two sessions at the same times, one of them without a vector."""
    dice = random.Random(seed)  # noqa: S311
    return [
        new_row(
            # The number of the row tells texts apart that are the same but for it.
            " ".join([*dice.choices(WORDS_OF_ROWS, k=dice.randint(1, 9)), f"{seed}-{number}"]),
            unit(*(dice.gauss(0, 1) for _ in range(8))) if number != 3 else None,
            session_id=dice.choice(["", "一", "two"]),
            number=dice.randint(0, 60),
            **fields,
        )
        for number in range(count)
    ]


def public_rows(count: int, seed: int) -> list[NewRow]:
    return rows_of(count, seed, sensitivity=Sensitivity.PUBLIC)


def told(pool: CandidatePool) -> object:
    """Everything, to the last bit, by candidate: their order is nothing that a caller sees."""
    arms = pool.arms
    columns = (arms.dense, arms.lexical, arms.dense_near, arms.lexical_near)
    by_id = {
        memory_id: [np.atleast_1d(column[place]).tobytes() for column in columns]
        for place, memory_id in enumerate(ids_of(pool))
    }
    facts = (tuple(pool.query.rarities), pool.query.memories)
    return by_id, facts, pool.vectors_pending, pool.encrypted_not_searched


async def answers(here: Replica, resident: ResidentScope, asked: CandidateQuery) -> Answers:
    await resident.refresh()
    cold = await PostgresMemorySearch(here.database).candidates(asked, MINIMIZE_LATENCY)
    return Answers(told(find_candidates(resident.snapshot, asked)), told(cold))


def questions(wanted: MemoryFilter) -> Sequence[CandidateQuery]:
    both = spec(WORDS, unit(1.0, 0.5), wanted, per_arm=6)
    return both, replace(both, vector=None), replace(both, terms=(), with_neighbours=False)


@pytest.mark.parametrize("hidden", HIDDEN, ids=str)
async def test_hidden_rows_change_nothing_that_is_told(database: TestDatabase, hidden: dict[str, Any]) -> None:
    async with replica(database) as here:
        visible = public_rows(30, 1)
        await here.remember_many([row for row in visible if row.vector])
        resident = await here.warm()
        before = [await answers(here, resident, asked) for asked in questions(PUBLIC)]
        of_all = [await answers(here, resident, asked) for asked in questions(MemoryFilter())]
        # Among them one that waits for its vector.
        await here.remember_many(rows_of(50, 2, **hidden))
        assert [await answers(here, resident, asked) for asked in questions(PUBLIC)] == before
        # Who may read them is told.
        for asked, old in zip(questions(MemoryFilter()), of_all, strict=True):
            seen = await answers(here, resident, asked)
            assert seen.memory != old.memory
            assert seen.postgres != old.postgres
        # And what is not hidden counts for everybody.
        await here.remember_many(public_rows(30, 3))
        for asked, old in zip(questions(PUBLIC), before, strict=True):
            seen = await answers(here, resident, asked)
            assert seen.memory != old.memory
            assert seen.postgres != old.postgres


@pytest.mark.parametrize("wanted", [PUBLIC, AGENT, replace(PUBLIC, sources=())], ids=str)
async def test_marks_tell_of_what_may_be_found_alone(database: TestDatabase, wanted: MemoryFilter) -> None:
    async with replica(database) as here:
        await here.remember(new_row("walrus", unit(1.0), sensitivity=Sensitivity.PUBLIC))
        resident = await here.warm()
        waiting = [
            (Sensitivity.RESTRICTED, False),
            (Sensitivity.INTERNAL, wanted is AGENT),
            (Sensitivity.PUBLIC, bool(wanted.sources)),
        ]
        search = PostgresMemorySearch(here.database)
        for level, is_told in waiting:
            await here.remember(new_row(f"walrus {level.name}", None, sensitivity=level))
            await resident.refresh()
            warm = find_candidates(resident.snapshot, spec(["walru"], None, wanted))
            cold = await search.candidates(spec(["walru"], None, wanted), MINIMIZE_LATENCY)
            assert warm.vectors_pending is cold.vectors_pending is is_told
            assert not cold.encrypted_not_searched
        everything = await search.candidates(spec(["walru"]), MINIMIZE_LATENCY)
        assert everything.vectors_pending
        assert everything.encrypted_not_searched


async def test_a_hidden_row_stands_between_no_others(database: TestDatabase) -> None:
    def turn(number: int, level: Sensitivity) -> NewRow:
        return new_row(f"turn {number}", None, number=number, session_id="s", sensitivity=level)

    async with replica(database) as here:
        ends = [turn(0, Sensitivity.PUBLIC), turn(9, Sensitivity.PUBLIC)]
        between = [turn(number, Sensitivity.INTERNAL) for number in range(1, 9)]
        await here.remember_many([*ends, *between])
        resident = await here.warm()
        # A session of which a part came later is kept apart.
        later = [turn(10, Sensitivity.INTERNAL), turn(11, Sensitivity.PUBLIC)]
        for row in later:
            await here.remember(row)
        await resident.refresh()
        first, second, third = (each.memory.memory_id for each in (*ends, later[1]))
        for snapshot in (resident.snapshot, (await loaded(here.reader)).snapshot):
            asked = spec(["0"], None, PUBLIC)
            warm = candidates_of(find_candidates(snapshot, asked))
            cold = candidates_of(await PostgresMemorySearch(here.database).candidates(asked, MINIMIZE_LATENCY))
            assert warm.keys() == cold.keys() == {first, second}
            for found in (warm, cold):
                assert found[second].near[0][1] == found[first].own[1] > 0
                assert found[first].near[0][1] == 0
            nearest = candidates_of(find_candidates(snapshot, replace(asked, terms=("9",))))
            assert nearest.keys() == {first, second, third}
            assert nearest[third].near[0][1] == nearest[first].near[1][1] > 0
            # To whom they are shown, they stand in between.
            shown = candidates_of(find_candidates(snapshot, spec(["0"])))
            assert shown.keys() == {first, between[0].memory.memory_id}


async def test_hidden_rows_change_nothing_where_postgres_has_an_index_of_vectors(
    database: TestDatabase,
) -> None:
    async with replica(database) as here:
        await here.remember_many([row for row in public_rows(30, 1) if row.vector])
        # In a thread: Postgres waits for transactions of the replica, which goes on meanwhile.
        await asyncio.to_thread(create_index, database.owner_url, ALICE)
        search = PostgresMemorySearch(here.database)
        asked = questions(PUBLIC)[0]
        before = told(await search.candidates(asked, MINIMIZE_LATENCY))
        await here.remember_many(rows_of(50, 2, sensitivity=Sensitivity.INTERNAL))
        assert told(await search.candidates(asked, MINIMIZE_LATENCY)) == before
        await here.remember_many(public_rows(30, 3))
        assert told(await search.candidates(asked, MINIMIZE_LATENCY)) != before


@pytest.mark.parametrize("seed", [11, 12])
async def test_after_any_writes_a_narrowed_search_agrees_with_a_plain_model(
    database: TestDatabase, clock: MovingClock, seed: int
) -> None:
    dice = random.Random(seed)  # noqa: S311
    async with replica(database) as here:
        writes = Writes(here, clock, seed)
        for _ in range(5):
            await writes.remember()
        resident = await here.warm()
        compared = 0
        for _ in range(STEPS):
            await writes.step()
            await resident.refresh()
            fresh = (await loaded(here.reader)).snapshot
            for asked in (narrowed(writes, dice) for _ in range(3)):
                expected = writes.plain.recall(asked)
                compared += bool(expected.must)
                # Asked twice, since what passes is known the second time.
                for snapshot in (resident.snapshot, resident.snapshot, fresh):
                    assert_finds(snapshot, asked, expected)
    assert compared > STEPS / 2


class Writes(RandomWrites):
    """Random writes without forgetting by a filter: Postgres cannot tell sealed metadata, the model can."""

    async def forget_by_filter(self) -> int:
        return await self.forget()


def narrowed(writes: RandomWrites, dice: random.Random) -> CandidateQuery:
    asked = writes.spec()
    kept = asked.filter if dice.random() < 0.4 else MemoryFilter()
    levels = dice.sample(list(Sensitivity), dice.randint(1, 3))
    hidden = dice.sample(list(MemoryKind), dice.randint(0, 2))
    wanted = replace(kept, sensitivities=tuple(levels), hidden_kinds=tuple(hidden))
    return replace(asked, filter=wanted)


def assert_finds(snapshot: IndexSnapshot, asked: CandidateQuery, expected: Expected) -> None:
    pool = find_candidates(snapshot, asked)
    ids = ids_of(pool)
    assert expected.must <= set(ids) <= expected.may
    assert_same(pool.query.rarities, expected.rarities)
    assert pool.query.memories == expected.memories
    assert pool.vectors_pending is expected.vectors_pending
    assert_same(pool.arms.dense, [expected.scores[i][0] for i in ids])
    assert_same(pool.arms.lexical, [expected.scores[i][1] for i in ids])
    near = [expected.near[i] for i in ids]
    assert_same(pool.arms.dense_near, [[dense for dense, _ in each] for each in near])
    assert_same(pool.arms.lexical_near, [[lexical for _, lexical in each] for each in near])


async def test_what_counts_is_known_as_long_as_what_passes(database: TestDatabase) -> None:
    async with replica(database) as here:
        await here.remember_many(public_rows(9, 1) + rows_of(9, 2))
        resident = await here.warm()
        old, now = resident.snapshot, microseconds(NOW)
        first = old.searched(PUBLIC, now)
        assert old.searched(replace(PUBLIC), now) is first
        assert (first.memories, first.vectors_pending) == (9, True)
        assert old.searched(MemoryFilter(), now).memories == 18
        await here.remember_many(public_rows(1, 4))
        await resident.refresh()
        assert resident.snapshot.searched(PUBLIC, now).memories == 10
        assert old.searched(PUBLIC, now) is first


def documents(count: int, seed: int, *categories: str, **fields: Any) -> list[NewRow]:
    tags = [CATEGORY_PREFIX + category for category in categories]
    return [
        replace(row, memory=row.memory._replace(kind=ChunkKind.PASSAGE))
        for row in rows_of(count, seed, tags=tags, **fields)
    ]


LIMITED = MemoryFilter(sources=tuple(Source)).narrowed_to(frozenset(("policy", "pricing")))
# All are effective by then.
LATER = NOW + timedelta(minutes=2)


def limited_questions(wanted: MemoryFilter) -> Sequence[CandidateQuery]:
    return [replace(asked, now=LATER) for asked in questions(wanted)]


@pytest.mark.parametrize("categories", [(), ("hr",), ("hr", "legal")], ids=str)
@pytest.mark.parametrize("level", [Sensitivity.INTERNAL, Sensitivity.RESTRICTED])
async def test_documents_that_are_not_granted_change_nothing_that_is_told(
    database: TestDatabase, categories: Sequence[str], level: Sensitivity
) -> None:
    unlimited = MemoryFilter(sources=tuple(Source))
    async with replica(database) as here:
        visible = [*public_rows(20, 1), *documents(20, 2, "policy", "hr")]
        await here.remember_many([row for row in visible if row.vector])
        resident = await here.warm()
        before = [await answers(here, resident, each) for each in limited_questions(LIMITED)]
        of_all = [await answers(here, resident, each) for each in limited_questions(unlimited)]
        # Among them one that waits for its vector, and those that only an index in memory could search.
        await here.remember_many(documents(50, 3, *categories, sensitivity=level))
        again = [await answers(here, resident, each) for each in limited_questions(LIMITED)]
        assert again == before
        for asked, old in zip(limited_questions(unlimited), of_all, strict=True):
            seen = await answers(here, resident, asked)
            assert seen.memory != old.memory
            assert seen.postgres != old.postgres
        # And what is granted counts.
        await here.remember_many(documents(30, 4, *categories, "pricing"))
        for asked, old in zip(limited_questions(LIMITED), before, strict=True):
            seen = await answers(here, resident, asked)
            assert seen.memory != old.memory
            assert seen.postgres != old.postgres


async def test_what_passes_is_known_until_a_document_becomes_effective(
    database: TestDatabase,
) -> None:
    async with replica(database) as here:
        rows = [
            new_row(f"walrus {number}", unit(1.0), number=number, tags=["category:policy"]) for number in (0, 10, 20)
        ]
        await here.remember_many([replace(row, memory=row.memory._replace(kind=ChunkKind.PASSAGE)) for row in rows])
        snapshot = (await here.warm()).snapshot
        first = snapshot.searched(LIMITED, microseconds(NOW))
        assert first.count == 1
        assert snapshot.searched(LIMITED, microseconds(NOW + timedelta(seconds=9))) is first
        for seconds, count in ((10, 2), (19, 2), (20, 3), (4_000, 3)):
            now = NOW + timedelta(seconds=seconds)
            assert snapshot.searched(LIMITED, microseconds(now)).count == count
            asked = spec(["walrus"], None, LIMITED, now=now)
            cold = await PostgresMemorySearch(here.database).candidates(asked, MINIMIZE_LATENCY)
            assert len(cold) == len(find_candidates(snapshot, asked)) == count
