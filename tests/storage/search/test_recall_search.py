"""Recall as Postgres answers it: the candidates and raw scores that their definition names, and nothing else."""

import random
from dataclasses import replace
from datetime import timedelta

import numpy as np
import pytest
from camillo_server.kernel.channel import Channel, ChannelPolicy
from camillo_server.kernel.ids import AgentId, MemoryId, TenantId
from camillo_server.kernel.kinds import MemoryKind, Source
from camillo_server.kernel.scope import Scope, TrustLevel
from camillo_server.kernel.writes import AtLeastAsFresh, MinimizeLatency
from camillo_server.lib.text.index_terms import index_terms
from camillo_server.rows.row_filter import Archived, MemoryFilter, Validity
from camillo_server.search.candidates import AnsweredBy, CandidatePool, CandidateQuery
from camillo_server.search.index.candidate_search import find_candidates
from camillo_server.search.index.scope_index import IndexBuilder, ScopeIndex
from camillo_server.search.signals.brevity import BREVITY
from camillo_server.search.signals.speech import SPEECH
from camillo_server.search.store.packed_payload import session_code
from camillo_server.search.store.recall import PostgresMemorySearch
from camillo_server.search.store.scope_rows import ScopeRowsReader
from camillo_server.storage.database import Database
from camillo_server.storage.scopes import COUNTED_OCCURRENCES

from tests.postgres_fixtures import TestDatabase
from tests.storage.search.recall_reference import Found, Reference, candidates_of
from tests.storage.search.recall_rows import (
    ALICE,
    DIMENSIONS,
    MODEL,
    NOW,
    WORDS,
    memory_id,
    opened,
    random_documents,
    random_rows,
    row,
    spec,
    store,
    unit_vector,
)

PUBLIC = MemoryFilter().narrowed(ChannelPolicy(), Channel.PUBLIC)
FILTERS = [
    MemoryFilter(),
    MemoryFilter(archived=Archived.INCLUDE),
    MemoryFilter(archived=Archived.ONLY),
    MemoryFilter(tags_all=("a",)),
    MemoryFilter(session_id="四", min_importance=0.5),
    MemoryFilter(tags_all=("nobody has this",)),
    MemoryFilter(min_trust=TrustLevel.AGENT),
    PUBLIC,
    replace(PUBLIC, hidden_kinds=(), archived=Archived.INCLUDE, tags_all=("a",)),
    MemoryFilter(hidden_kinds=(MemoryKind.PREFERENCE,)),
    MemoryFilter(sources=()),
    MemoryFilter(sources=tuple(Source)),
    MemoryFilter(sources=tuple(Source), document_categories=("policy", "pricing")),
    MemoryFilter(sources=tuple(Source), granted_categories=frozenset(("pricing",))),
    MemoryFilter(
        sources=(Source.DOCUMENT,),
        document_categories=("policy",),
        granted_categories=frozenset(("pricing",)),
    ),
    MemoryFilter(sources=tuple(Source), granted_categories=frozenset()),
    MemoryFilter(sources=(Source.MEMORY, Source.DOCUMENT), chunks_only=True, tags_all=("a",)),
    MemoryFilter(validity=Validity.TRUE),
    MemoryFilter(validity=Validity.ANY),
    MemoryFilter(validity=Validity.NOT_TRUE),
    MemoryFilter(as_of=NOW - timedelta(days=1)),
    MemoryFilter(as_of=NOW + timedelta(seconds=10), sources=tuple(Source)),
    MemoryFilter(as_of=NOW + timedelta(seconds=15), validity=Validity.NOT_TRUE),
    replace(PUBLIC, as_of=NOW + timedelta(days=2), validity=Validity.TRUE),
]


async def search(pool: Database, wanted: CandidateQuery) -> CandidatePool:
    return await PostgresMemorySearch(pool).candidates(wanted, MinimizeLatency())


async def loaded_index(pool: Database) -> ScopeIndex:
    """Alice's scope in memory."""
    builder = IndexBuilder(DIMENSIONS, 1_000)
    async for page in ScopeRowsReader(pool, MODEL, DIMENSIONS).pages(ALICE):
        builder.add(page.unpack(DIMENSIONS))
        facts = page.facts
    return builder.build(ALICE.agent_id, MODEL, facts)


def texts_of(pool: CandidatePool) -> list[tuple[int, int, int]]:
    """Terms, session and time of the text of each candidate in a pool."""
    counts, sessions = pool.arms.signals[BREVITY], pool.arms.sessions
    assert sessions is not None
    columns = (counts.tolist(), sessions.tolist(), pool.occurred_at.tolist())
    return list(zip(*columns, strict=True))


def assert_same(found: dict[MemoryId, Found], expected: dict[MemoryId, Found], tolerance: float = 1e-4) -> None:
    """Checks that two searches have the same candidates with the same scores, within a precision."""
    assert found.keys() == expected.keys()
    for key, scores in expected.items():
        assert found[key].speech == scores.speech
        pairs = zip((found[key].own, *found[key].near), (scores.own, *scores.near), strict=True)
        for mine, theirs in pairs:
            assert mine == pytest.approx(theirs, rel=tolerance, abs=tolerance / 10, nan_ok=True), key


@pytest.mark.parametrize("seed", range(3))
async def test_it_finds_and_scores_as_the_definition_says(database: TestDatabase, seed: int) -> None:
    rows = [*random_rows(120, seed), *random_documents(60, seed)]
    reference = Reference(rows)
    dice = random.Random(seed)  # noqa: S311
    async with opened(database) as pool:
        await store(database, pool, rows)
        for number, wanted in enumerate(FILTERS * 3):
            text = " ".join(dice.sample(WORDS, dice.randint(0, 4)))
            vector = unit_vector(1000 + number) if dice.random() < 0.8 else None
            asked = spec(
                text,
                vector,
                filter=wanted,
                candidates_per_arm=dice.choice([1, 5, 200]),
                with_neighbours=dice.random() < 0.8,
            )
            answer = await search(pool, asked)
            expected, rarities = reference.find(asked)
            assert_same(candidates_of(answer), expected)
            assert list(answer.query.rarities) == pytest.approx(rarities)
            assert answer.query.memories == len(reference.counted(asked))


async def test_an_index_in_memory_finds_and_scores_the_same(database: TestDatabase) -> None:
    dice = random.Random(11)  # noqa: S311
    async with opened(database) as pool:
        await store(database, pool, [*random_rows(150, seed=11), *random_documents(80, seed=11)])
        snapshot = (await loaded_index(pool)).snapshot
        for number, wanted in enumerate(FILTERS * 2):
            asked = spec(
                " ".join(dice.sample(WORDS, 3)),
                unit_vector(2000 + number),
                filter=wanted,
                candidates_per_arm=dice.choice([5, 200]),
                with_neighbours=dice.random() < 0.8,
            )
            here, there = find_candidates(snapshot, asked), await search(pool, asked)
            # In memory vectors are in half precision.
            assert_same(candidates_of(here), candidates_of(there), tolerance=2e-3)
            assert list(here.query.rarities) == pytest.approx(list(there.query.rarities))
            assert here.query.memories == there.query.memories
            assert here.revision == there.revision
            columns = [dict(zip(map(tuple, of.memory_ids), texts_of(of), strict=True)) for of in (here, there)]
            assert columns[0] == columns[1]


async def test_its_columns_and_its_memories_are_those_that_were_stored(
    database: TestDatabase,
) -> None:
    rows = random_rows(60, seed=7)
    stored = {row.memory.memory_id: row.memory for row in rows}
    asked = spec("tea", unit_vector(1), filter=MemoryFilter(archived=Archived.INCLUDE, validity=Validity.ANY))
    async with opened(database) as pool:
        revision = await store(database, pool, rows)
        answer = await search(pool, replace(asked, candidates_per_arm=100))
    memories = answer.memories(range(len(answer)))
    assert len(memories) > 20
    for place, memory in enumerate(memories):
        assert memory == stored[memory.memory_id]
        high, low = (int(half) for half in answer.memory_ids[place])
        assert high << 64 | low == memory.memory_id.int
        assert answer.occurred_at[place] == memory.occurred_at.timestamp() * 1_000_000
        assert answer.importance[place] == memory.importance
        assert answer.pinned[place] == memory.pinned
        assert answer.arms.signals[BREVITY] is not None
        assert answer.arms.signals[BREVITY][place] == len(index_terms(memory.content))
        assert answer.arms.sessions is not None
        assert answer.arms.sessions[place] == session_code(memory.session_id)
    # In the order of the places asked for.
    assert answer.memories([3, 0]) == [memories[3], memories[0]]
    assert answer.revision == revision
    assert answer.vectors_pending
    assert answer.answered_by is AnsweredBy.POSTGRES


async def test_vectors_come_where_they_were_asked_for(database: TestDatabase) -> None:
    rows = [
        row(0, "tea", unit_vector(0)),
        row(1, "tea!", None),
        row(2, "tea?", unit_vector(2, model_id="another")),
    ]
    asked = spec("tea", unit_vector(9))
    async with opened(database) as pool:
        await store(database, pool, rows)
        with_vectors = await search(pool, replace(asked, with_vectors=True))
        without = await search(pool, asked)
    ids = [memory.memory_id for memory in with_vectors.memories(range(3))]
    vectors = with_vectors.vectors([ids.index(memory_id(number)) for number in range(3)])
    assert vectors.shape == (3, DIMENSIONS)
    assert vectors.dtype == np.float32
    assert vectors[0] == pytest.approx(unit_vector(0).values)
    assert not vectors[1:].any()
    assert without.vectors([0, 1]).shape == (2, DIMENSIONS)
    assert not without.vectors([0, 1]).any()


async def test_a_neighbour_comes_along_and_a_hidden_one_stands_in_between(
    database: TestDatabase,
) -> None:
    session = {"session_id": "چت"}
    rows = [
        row(0, "nothing", None, **session),
        row(1, "hidden", None, archived=True, **session),
        row(2, "walrus", None, **session),
        row(3, "expired soon", None, expires_at=NOW + timedelta(hours=1), **session),
        row(4, "far", None, **session),
        row(5, "walrus in no session", None),
        row(6, "also in no session", None),
    ]
    asked = spec("walrus", None)
    async with opened(database) as pool:
        await store(database, pool, rows)
        visible = candidates_of(await search(pool, asked))
        later = candidates_of(await search(pool, replace(asked, now=NOW + timedelta(hours=2))))
    assert visible.keys() == {memory_id(2), memory_id(3), memory_id(5)}
    # Two texts that follow each other in a session are scored for each other.
    assert visible[memory_id(3)].near[0][1] == visible[memory_id(2)].own[1] > 0
    assert later.keys() == {memory_id(2), memory_id(5)}


async def test_a_search_by_vector_alone_knows_of_no_texts(database: TestDatabase) -> None:
    rows = [row(number, f"tea {number}", unit_vector(number), session_id="one") for number in range(3)]
    asked = spec("", unit_vector(1), candidates_per_arm=1, with_neighbours=False)
    async with opened(database) as pool:
        await store(database, pool, rows)
        alone = await search(pool, asked)
        beside = await search(pool, replace(asked, with_neighbours=True))
    assert candidates_of(alone).keys() == {memory_id(1)}
    assert alone.arms.dense_near.shape == (1, 0)
    assert not alone.arms.signals
    assert beside.arms.signals.keys() == {BREVITY, SPEECH}
    assert alone.arms.sessions is None
    assert candidates_of(beside).keys() == {memory_id(number) for number in range(3)}
    assert beside.arms.sessions is not None


async def test_more_occurrences_of_a_word_weigh_more(database: TestDatabase) -> None:
    counts = [1, 2, 3, 8, 9, 50, 149, 150, 253, 254, COUNTED_OCCURRENCES]
    most = max(counts)
    rows = [row(number, "tea " * count + "oak " * (most - count)) for number, count in enumerate(counts)]
    asked = spec("tea", None, candidates_per_arm=50)
    async with opened(database) as pool:
        await store(database, pool, rows)
        answer = candidates_of(await search(pool, asked))
    scores = [answer[memory_id(number)].own[1] for number in range(len(counts))]
    assert scores == sorted(set(scores))
    expected, _ = Reference(rows).find(asked)
    assert scores == pytest.approx([expected[memory_id(number)].own[1] for number in range(len(counts))], rel=1e-6)


async def test_an_empty_scope_has_no_candidates_but_facts(database: TestDatabase) -> None:
    async with opened(database) as pool:
        answer = await search(pool, spec("tea", unit_vector(0), with_vectors=True))
        await store(database, pool, [row(0, "tea")])
        positive = await search(pool, spec("tea", unit_vector(0)))
    assert len(answer) == 0
    assert answer.memory_ids.shape == (0, 2)
    assert answer.arms.dense_near.shape == (0, 4)
    assert answer.revision == 0
    assert len(answer.query.rarities) == 1
    assert answer.memories([]) == []
    assert answer.vectors([]).shape == (0, DIMENSIONS)
    assert len(positive) == 1


async def test_other_scopes_are_neither_found_nor_counted(database: TestDatabase) -> None:
    others = [Scope(TenantId("rival"), ALICE.agent_id), Scope(ALICE.tenant_id, AgentId("bob"))]
    asked = spec("tea", unit_vector(0), candidates_per_arm=50)
    rows = random_rows(30, seed=3)
    async with opened(database) as pool:
        await store(database, pool, rows)
        alone = await search(pool, asked)
        for scope in others:
            theirs = [replace(r, memory=r.memory._replace(agent_id=scope.agent_id)) for r in rows]
            await store(database, pool, [*theirs, row(999, "tea", unit_vector(0))], scope)
        together = await search(pool, asked)
        of_bob = await search(pool, replace(asked, scope=others[1]))
    assert_same(candidates_of(together), candidates_of(alone))
    assert together.query.rarities == alone.query.rarities
    assert memory_id(999) not in candidates_of(together)
    assert memory_id(999) in candidates_of(of_bob)


async def test_an_answer_is_as_fresh_as_was_demanded(database: TestDatabase) -> None:
    async with opened(database) as pool:
        revision = await store(database, pool, [row(0, "tea")])
        demanded = AtLeastAsFresh(revision)
        answer = await PostgresMemorySearch(pool).candidates(spec("tea", None), demanded)
    assert answer.revision >= revision
    assert len(answer) == 1
