"""The index in memory beside a plain model: after any writes, both hold the same and find the same."""

import asyncio
import math
import threading
from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from typing import Any, NamedTuple
from uuid import UUID

import numpy as np
import pytest
from camillo_server.kernel.ids import MemoryId
from camillo_server.lib.text.index_terms import index_terms
from camillo_server.rows.row import Row
from camillo_server.search.candidates import CandidatePool, CandidateQuery
from camillo_server.search.fusion import ArmScores, Fusion
from camillo_server.search.index.candidate_search import find_candidates
from camillo_server.search.index.resident_scope import ResidentScope
from camillo_server.search.index.snapshot import IndexSnapshot
from camillo_server.search.index.snapshot_caches import RecentResults
from camillo_server.search.signals.brevity import BREVITY
from camillo_server.search.store import scope_rows

from tests.postgres_fixtures import TestDatabase
from tests.storage.memories.random_writes import RandomWrites
from tests.storage.memories.replicas import ALICE, Replica, loaded, replica
from tests.unit.identity.moving_clock import MovingClock
from tests.unit.search.index.plain_scope import Expected, PlainScope, stored

Memories = dict[MemoryId, Row]

STEPS = 60
QUERIES = 3
STEPS_TO_A_KEPT_VIEW = 4


@dataclass(frozen=True, slots=True)
class Kept:
    """A snapshot of some time ago, and what it answered then."""

    snapshot: IndexSnapshot
    asked: Sequence[CandidateQuery]
    answers: Sequence[object]


@pytest.mark.parametrize(("seed", "page_rows"), [(0, 3), (1, 3), (2, 1_000), (3, 1_000)])
async def test_an_index_kept_current_a_fresh_one_and_a_plain_model_agree(
    database: TestDatabase,
    clock: MovingClock,
    monkeypatch: pytest.MonkeyPatch,
    seed: int,
    page_rows: int,
) -> None:
    monkeypatch.setattr(scope_rows, "PAGE_ROWS", page_rows)
    async with replica(database) as here:
        writes = RandomWrites(here, clock, seed)
        for _ in range(5):
            await writes.remember()
        told = await here.warm()
        lagging = ResidentScope(ALICE, await loaded(here.reader), here.reader)
        await check_random_writes(here, writes, (told, lagging))
    assert not here.caches.failures


async def check_random_writes(
    here: Replica, writes: RandomWrites, indexes: tuple[ResidentScope, ResidentScope]
) -> None:
    """`indexes`: one that is told of commits made here, and one that catches up now and then."""
    told, lagging = indexes
    kept: list[Kept] = []
    at_commit = 0
    for step in range(STEPS):
        await writes.step()
        assert here.caches.budget.get(ALICE) is told
        at_commit += told.revision == writes.revision
        await told.refresh()
        if step % 7 == 6:
            await lagging.refresh()
        fresh = (await loaded(here.reader)).snapshot
        current = [each.snapshot for each in (told, lagging) if each.revision == writes.revision]
        asked = [writes.spec() for _ in range(QUERIES)]
        expected = [writes.plain.recall(each) for each in asked]
        memories = writes.plain.memories
        for snapshot in (fresh, *current):
            assert_holds(snapshot, writes.plain, memories)
            for each, wanted in zip(asked, expected, strict=True):
                assert_finds(snapshot, memories, each, wanted)
        if step % STEPS_TO_A_KEPT_VIEW == 0:
            kept.append(Kept(told.snapshot, asked, [answer(told.snapshot, each) for each in asked]))
    assert at_commit
    for old in kept:
        assert [answer(old.snapshot, each) for each in old.asked] == list(old.answers)
        for each in old.asked:
            assert_encoded(find_candidates(old.snapshot, each))


def assert_holds(snapshot: IndexSnapshot, plain: PlainScope, memories: Memories) -> None:
    found = snapshot.memories(np.flatnonzero(snapshot.live).tolist())
    assert {memory.memory_id: stored(memory) for memory in found} == memories
    assert len(found) == snapshot.live_count == snapshot.facts.memory_count
    assert snapshot.facts.term_count == plain.term_count
    waiting = sum(not memory.vector_model_id for memory in memories.values())
    assert snapshot.pending_count == waiting


def assert_finds(snapshot: IndexSnapshot, known: Memories, asked: CandidateQuery, expected: Expected) -> None:
    pool = find_candidates(snapshot, asked)
    ids = ids_of(pool)
    assert len(set(ids)) == len(ids)
    assert expected.must <= set(ids) <= expected.may
    assert_same(pool.query.rarities, expected.rarities)
    assert pool.query.memories == len(known)
    assert_same(pool.arms.dense, [expected.scores[i][0] for i in ids])
    assert_same(pool.arms.lexical, [expected.scores[i][1] for i in ids])
    near = [expected.near[i] for i in ids]
    assert_same(pool.arms.dense_near, [[dense for dense, _ in each] for each in near])
    assert_same(pool.arms.lexical_near, [[lexical for _, lexical in each] for each in near])
    if BREVITY in pool.arms.signals:
        lengths = [len(index_terms(known[i].content)) for i in ids]
        assert pool.arms.signals[BREVITY].tolist() == lengths
    memories = [known[i] for i in ids]
    assert [stored(memory) for memory in pool.memories(range(len(ids)))] == memories
    assert_encoded(pool)
    assert pool.importance.tolist() == [memory.importance for memory in memories]
    assert pool.pinned.tolist() == [memory.pinned for memory in memories]
    assert_vectors(pool, asked)


def assert_encoded(pool: CandidatePool) -> None:
    """Checks that the encodings that are kept are of these rows."""
    everyone = range(len(pool))
    assert pool.encoded(everyone, encode) == [*map(encode, pool.memories(everyone))]
    assert pool.prepared(everyone, PreparedMemory) == [*map(PreparedMemory, pool.memories(everyone))]


class PreparedMemory(NamedTuple):
    memory: Row
    nbytes: int = 100


def encode(memory: Row) -> bytes:
    return repr(memory).encode()


def assert_vectors(pool: CandidatePool, asked: CandidateQuery) -> None:
    """Checks that the candidates' own vectors score as the arm does."""
    vectors = pool.vectors(range(len(pool)))
    if asked.vector is not None:
        assert_same(vectors @ asked.vector.values, np.nan_to_num(pool.arms.dense))


def assert_same(found: Any, expected: Any) -> None:
    wanted = np.array(expected, np.float64).reshape(np.shape(found))
    np.testing.assert_allclose(np.array(found), wanted, rtol=1e-4, atol=1e-4)


def ids_of(pool: CandidatePool) -> list[MemoryId]:
    return [MemoryId(UUID(int=high << 64 | low)) for high, low in pool.memory_ids.tolist()]


def answer(snapshot: IndexSnapshot, asked: CandidateQuery) -> object:
    """Everything that a recall finds, to the last bit: searched for, and known from the last time."""
    anew = replace(snapshot, recent_results=RecentResults())
    first, again = contents(find_candidates(anew, asked)), contents(find_candidates(anew, asked))
    assert first == again == contents(find_candidates(snapshot, asked))
    return first


def contents(pool: CandidatePool) -> object:
    parts = (*vars_of(pool.arms), *vars_of(pool.fusion), pool.relevance, pool.occurred_at)
    columns = [each for each in parts if isinstance(each, np.ndarray)]
    scores = [[None if math.isnan(x) else x for x in each.ravel().tolist()] for each in columns]
    return ids_of(pool), scores, pool.memories(range(len(pool))), pool.revision


def vars_of(scores: ArmScores | Fusion) -> list[Any]:
    return [getattr(scores, each.name) for each in fields(scores)]


async def test_views_are_searched_in_threads_while_the_index_changes(
    database: TestDatabase, clock: MovingClock
) -> None:
    async with replica(database) as here:
        writes = RandomWrites(here, clock, 5)
        for _ in range(30):
            await writes.remember()
        told = await here.warm()
        over = threading.Event()

        def search(snapshot: IndexSnapshot, asked: CandidateQuery, expected: object) -> int:
            times = 0
            while not over.is_set() or not times:
                assert answer(snapshot, asked) == expected
                times += 1
            return times

        searching = []
        for _ in range(2):
            asked = writes.spec()
            expected = answer(told.snapshot, asked)
            searching.append(
                asyncio.get_running_loop().run_in_executor(here.pool, search, told.snapshot, asked, expected)
            )
        for _ in range(60):
            await writes.step()
            await told.refresh()
        over.set()
        assert min(await asyncio.gather(*searching)) > 5
        assert_holds(told.snapshot, writes.plain, writes.plain.memories)
