"""Decisions in Postgres: linked both ways, never in a circle, found with those of the tenant."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from dataclasses import replace
from itertools import pairwise
from uuid import uuid4

import pytest
from camillo_server.features.decisions.decision import (
    Decision,
    DecisionFilter,
    DecisionId,
    DecisionReach,
    DecisionStatus,
    Supersession,
    SupersessionReplay,
    decision_row,
)
from camillo_server.kernel.channel import Channel
from camillo_server.kernel.errors import DomainError, NotFound, SupersessionCycle, VersionConflict
from camillo_server.kernel.ids import PageCursor
from camillo_server.kernel.kinds import Sensitivity
from camillo_server.kernel.writes import Written

from tests.postgres_fixtures import TestDatabase
from tests.storage.context.ground_store import (
    ALICE,
    BOB,
    MANY_SCRIPTS,
    NOW,
    RIVAL,
    SHARED,
    GroundStore,
    decision,
    ground_store,
    later,
    request,
)


@pytest.fixture
async def store(database: TestDatabase) -> AsyncIterator[GroundStore]:
    async with ground_store(database) as opened:
        yield opened


async def supersede(
    store: GroundStore, old: DecisionId, version: int, new: Decision, *, is_new: bool
) -> Written[SupersessionReplay]:
    supersession = Supersession(old, version, new, is_new=is_new)
    return await store.decisions.supersede(ALICE, supersession, None, now=later(1))


async def one(store: GroundStore, made: Decision) -> Decision:
    return (await store.decisions.get(ALICE, [made.decision_id]))[made.decision_id]


@pytest.mark.parametrize("level", list(Sensitivity))
async def test_a_decision_is_read_as_it_was_written(store: GroundStore, level: Sensitivity) -> None:
    made = decision(
        MANY_SCRIPTS,
        refs=("log_1",),
        reach=DecisionReach.GLOBAL,
        rationale=(MANY_SCRIPTS, "b"),
        constraints=("c",),
        alternatives=("d",),
        consequences=("e",),
        session_id="s1",
        channel=Channel.TEAM,
        sensitivity=level,
        tags=("t", "{}"),
    )
    await store.decide(made)
    assert await one(store, made) == made
    kept = str(store.rows("select * from decisions")) + str(store.rows("select * from memories"))
    assert ("会议" in kept) is (level < Sensitivity.CONFIDENTIAL)
    assert await store.refs.missing(ALICE, [str(made.decision_id)]) == []
    assert store.counts_are_right()
    assert store.counts_of()[:2] == (1, 1)
    assert store.missing_vectors == [ALICE]


async def test_a_new_decision_takes_the_place_of_an_old_one(store: GroundStore) -> None:
    old, new = decision("old"), decision("new")
    await store.decide(old)
    written = await supersede(store, old.decision_id, 1, new, is_new=True)
    was, now = await one(store, old), await one(store, new)
    assert (was.status, was.superseded_by, was.superseded_at, was.version) == (
        *(DecisionStatus.SUPERSEDED, new.decision_id, later(1), 2),
    )
    assert (now.status, now.supersedes, now.version) == (*(DecisionStatus.ACTIVE, (old.decision_id,), 1),)
    chunks = store.rows("select content, archived, revision from memories order by content")
    assert chunks == [("new", False, written.revision), ("old", True, written.revision)]
    assert store.counts_are_right()


async def test_one_that_is_there_takes_the_place_of_several(store: GroundStore) -> None:
    first, second, third = (decision(name) for name in "abc")
    for made in (first, second, third):
        await store.decide(made)
    await supersede(store, first.decision_id, 1, third, is_new=False)
    await supersede(store, second.decision_id, 1, replace(third, version=2), is_new=False)
    found = await one(store, third)
    assert (set(found.supersedes), found.version) == ({first.decision_id, second.decision_id}, 3)
    with pytest.raises(VersionConflict):
        await supersede(store, first.decision_id, 2, replace(third, version=3), is_new=False)


async def test_no_decision_takes_its_own_place_nor_that_of_its_successors(
    store: GroundStore,
) -> None:
    chain = [decision(str(n)) for n in range(4)]
    await store.decide(chain[0])
    for old, new in pairwise(chain):
        await supersede(store, old.decision_id, 1, new, is_new=True)
    last = chain[-1]
    for earlier in (*chain[:-1], last):
        with pytest.raises(SupersessionCycle):
            await supersede(store, last.decision_id, 1, earlier, is_new=False)
    other = decision("beside")
    await store.decide(other)
    # It is no circle, but no longer in force.
    with pytest.raises(VersionConflict):
        await supersede(store, other.decision_id, 1, replace(chain[0], version=2), is_new=False)
    await supersede(store, last.decision_id, 1, other, is_new=False)


async def test_who_saw_another_version_or_another_scope_is_refused(store: GroundStore) -> None:
    made, bobs = decision(), decision(scope=BOB)
    await store.decide(made)
    await store.decide(bobs, BOB)
    cases: Sequence[tuple[DecisionId, int, type[DomainError]]] = (
        (made.decision_id, 2, VersionConflict),
        (DecisionId(uuid4()), 1, NotFound),
        (bobs.decision_id, 1, NotFound),
    )
    for decision_id, version, error in cases:
        with pytest.raises(error):
            await supersede(store, decision_id, version, decision("new"), is_new=True)
    with pytest.raises(NotFound):
        await supersede(store, made.decision_id, 1, bobs, is_new=False)
    assert (await one(store, made)).status is DecisionStatus.ACTIVE
    assert store.count("decisions") == store.count("memories") == 2


async def test_two_that_supersede_each_other_at_once_make_no_circle(store: GroundStore) -> None:
    a, b = decision("a"), decision("b")
    await store.decide(a)
    await store.decide(b)
    outcomes = await asyncio.gather(
        supersede(store, a.decision_id, 1, b, is_new=False),
        supersede(store, b.decision_id, 1, a, is_new=False),
        return_exceptions=True,
    )
    assert sorted(isinstance(each, Written) for each in outcomes) == [False, True]
    assert store.count("decisions", "status = 1") == 1


async def test_a_repeat_stores_nothing(store: GroundStore) -> None:
    made = decision()
    for again in (made, decision("again")):
        written = await store.decisions.record(ALICE, again, request(), now=NOW)
        assert written.record.decision_id == made.decision_id
    assert store.count("decisions") == store.count("memories") == 1


async def test_pages_go_through_own_and_shared_ones_the_latest_first(store: GroundStore) -> None:
    made = [
        decision(str(n), scope, created_at=later(n % 3))
        for n, scope in enumerate((ALICE, SHARED, ALICE, BOB, SHARED, ALICE, RIVAL))
    ]
    scopes = (ALICE, SHARED, ALICE, BOB, SHARED, ALICE, RIVAL)
    for each, scope in zip(made, scopes, strict=True):
        await store.decide(each, scope)
    reach = [each for each, scope in zip(made, scopes, strict=True) if scope in (ALICE, SHARED)]
    expected = sorted(reach, key=lambda each: (each.created_at, each.decision_id), reverse=True)
    seen: list[Decision] = []
    after = None
    while page := await store.decisions.page(ALICE, DecisionFilter(), after, 2):
        seen += page
        after = PageCursor(page[-1].created_at, page[-1].decision_id)
    assert seen == expected
    assert {each.agent_id for each in await store.decisions.page(SHARED, DecisionFilter(), None, 9)} == {""}
    assert len(await store.decisions.page(SHARED, DecisionFilter(), None, 9)) == 2
    found = await store.decisions.get(ALICE, [each.decision_id for each in made])
    assert set(found.values()) == set(reach)


async def test_a_filter_lets_through_what_it_says(store: GroundStore) -> None:
    old, new = decision("old"), decision("new", tags=("a",), session_id="s2", refs=("LOG_1",))
    public = decision("public", channel=Channel.PUBLIC, reach=DecisionReach.USER)
    secret = decision("secret", sensitivity=Sensitivity.RESTRICTED)
    for made in (old, public, secret):
        await store.decide(made)
    await supersede(store, old.decision_id, 1, new, is_new=True)
    both = (DecisionStatus.ACTIVE, DecisionStatus.SUPERSEDED)
    for wanted, expected in (
        (DecisionFilter(), {"new", "public", "secret"}),
        (DecisionFilter(statuses=both), {"old", "new", "public", "secret"}),
        (DecisionFilter(reaches=(DecisionReach.USER,)), {"public"}),
        (DecisionFilter(session_id="s2"), {"new"}),
        (DecisionFilter(tags_any=("a", "b")), {"new"}),
        (DecisionFilter(ref="log_1"), {"new"}),
        (DecisionFilter(is_public=True), {"public"}),
        (DecisionFilter(sensitivities=(Sensitivity.RESTRICTED,)), {"secret"}),
    ):
        found = await store.decisions.page(ALICE, wanted, None, 9)
        assert {each.stated.decision for each in found} == expected, wanted


async def test_rebuilt_chunks_of_superseded_decisions_stay_put_away(store: GroundStore) -> None:
    old, new = decision("old"), decision("new")
    await store.decide(old)
    await supersede(store, old.decision_id, 1, new, is_new=True)
    _, revision = await store.events.drop_chunks(ALICE, now=NOW)
    await store.events.add_chunks(ALICE, [decision_row(old), decision_row(new)], revision, now=NOW)
    assert store.rows("select content, archived from memories order by 1") == [
        ("new", False),
        ("old", True),
    ]
