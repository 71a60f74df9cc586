"""Decisions: what they rest on, how one takes another's place, and requests that come twice."""

from collections.abc import AsyncIterator
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

import pytest
from camillo_server.features.decisions.decision import DecisionDraft, DecisionId, DecisionStatus
from camillo_server.features.decisions.decisions import Decisions
from camillo_server.features.events.event import EventId
from camillo_server.features.events.events import RebuildChunks
from camillo_server.kernel.channel import Channel, ChannelPolicy
from camillo_server.kernel.errors import NotFound, ProvenanceRequired, RefNotFound, SupersessionCycle, VersionConflict
from camillo_server.kernel.kinds import Sensitivity
from camillo_server.kernel.writes import RequestKey
from camillo_server.lib.redaction.redaction import Redactor

from tests.postgres_fixtures import TestDatabase
from tests.secret_samples import samples
from tests.storage.context.ground_store import ALICE, NOW, GroundStore, event, ground_store

PAT = samples(5)["github-pat"]
KNOWN, UNKNOWN = str(UUID(int=7)), str(UUID(int=8))
TEA = DecisionDraft(decision="We drink tea 茶", refs=(KNOWN,))
COFFEE = replace(TEA, decision="We drink coffee")
REQUEST = RequestKey("r1", bytes(32))


@dataclass
class FixedClock:
    at: datetime = NOW

    def now(self) -> datetime:
        return self.at


class Deciding:
    """The use cases over Postgres."""

    def __init__(self, store: GroundStore) -> None:
        self.store = store
        self.clock = FixedClock()
        redactor, policy = Redactor(), ChannelPolicy()
        decisions = Decisions(store.decisions, store.refs, redactor, policy, self.clock)
        self.record, self.supersede, self.get = (decisions.record, decisions.supersede, decisions.get)

    async def tea(self) -> DecisionId:
        decision, _, _ = await self.record(ALICE, TEA, None)
        return decision.decision_id

    def chunks(self) -> list[tuple[Any, ...]]:
        """Chunks of decisions, without what a rebuilding changes."""
        return self.store.rows(
            "select memory_id, content, tags, archived, source_refs from memories where kind = 65 order by memory_id"
        )


@pytest.fixture
async def deciding(database: TestDatabase) -> AsyncIterator[Deciding]:
    """The use case with an event on which decisions rest."""
    async with ground_store(database) as store:
        await store.record(event(event_id=EventId(UUID(KNOWN))), chunks=())
        yield Deciding(store)


async def test_a_decision_rests_on_something_that_is_there(deciding: Deciding) -> None:
    with pytest.raises(ProvenanceRequired):
        await deciding.record(ALICE, replace(TEA, refs=()), None)
    with pytest.raises(RefNotFound) as lost:
        await deciding.record(ALICE, replace(TEA, refs=(KNOWN, UNKNOWN)), None)
    assert lost.value.ref == UNKNOWN
    assert deciding.store.count("decisions") == 0
    decision, revision, _ = await deciding.record(ALICE, TEA, None)
    found = await deciding.store.decisions.get(ALICE, [decision.decision_id])
    assert found == {decision.decision_id: decision}
    assert decision.stated.decided_at == NOW
    assert deciding.store.committed[-1][:2] == (ALICE, revision)


async def test_secrets_are_taken_out_of_every_part_of_a_decision(deciding: Deciding) -> None:
    draft = replace(TEA, rationale=("plain", f"key {PAT}"), consequences=(PAT,), tags=(PAT, "t"))
    decision, _, redactions = await deciding.record(ALICE, draft, None)
    assert {each.field for each in redactions} == {"rationale[1]", "consequences[0]", "tags[0]"}
    assert PAT not in repr(decision)
    assert PAT not in repr(deciding.chunks())
    assert "plain" in repr(deciding.chunks())


async def test_a_repeat_is_told_the_first_decision(deciding: Deciding) -> None:
    first = await deciding.record(ALICE, TEA, REQUEST)
    deciding.clock.at = NOW + timedelta(hours=1)
    assert await deciding.record(ALICE, TEA, REQUEST) == first
    assert deciding.store.count("decisions") == 1


@pytest.mark.parametrize("is_there", [False, True])
async def test_both_decisions_are_linked_and_a_repeat_is_told_the_same(deciding: Deciding, is_there: bool) -> None:
    tea = await deciding.tea()
    successor: DecisionDraft | DecisionId = COFFEE
    if is_there:
        coffee, _, _ = await deciding.record(ALICE, COFFEE, None)
        successor = coffee.decision_id
    done = await deciding.supersede(ALICE, tea, 1, successor, REQUEST)
    assert done.decision.supersedes == (tea,)
    assert done.decision.version == (2 if is_there else 1)
    assert done.superseded.superseded_by == done.decision.decision_id
    assert (done.superseded.status, done.superseded.version) == (DecisionStatus.SUPERSEDED, 2)
    # The successor has lost its place meanwhile: then it had it.
    await deciding.supersede(ALICE, done.decision.decision_id, done.decision.version, TEA, None)
    again = await deciding.supersede(ALICE, tea, 1, successor, REQUEST)
    assert again == done
    assert again.decision.status is DecisionStatus.ACTIVE


async def test_what_cannot_be_superseded_is_left_as_it_is(deciding: Deciding) -> None:
    tea = await deciding.tea()
    nobody = DecisionId(UUID(int=7))
    with pytest.raises(SupersessionCycle):
        await deciding.supersede(ALICE, tea, 1, tea, None)
    with pytest.raises(NotFound):
        await deciding.supersede(ALICE, tea, 1, nobody, None)
    with pytest.raises(NotFound):
        await deciding.supersede(ALICE, nobody, 1, COFFEE, None)
    with pytest.raises(VersionConflict):
        await deciding.supersede(ALICE, tea, 2, COFFEE, None)
    with pytest.raises(ProvenanceRequired):
        await deciding.supersede(ALICE, tea, 1, replace(COFFEE, refs=()), None)
    found = await deciding.store.decisions.get(ALICE, [tea])
    assert found[tea].status is DecisionStatus.ACTIVE
    done = await deciding.supersede(ALICE, tea, 1, COFFEE, None)
    with pytest.raises(SupersessionCycle):
        await deciding.supersede(ALICE, done.decision.decision_id, 1, tea, None)


@pytest.mark.parametrize(
    ("made_in", "sensitivity", "shown_in", "is_shown"),
    [
        (Channel.PRIVATE, Sensitivity.PUBLIC, Channel.PUBLIC, False),
        (Channel.PUBLIC, Sensitivity.PUBLIC, Channel.PUBLIC, True),
        (Channel.PUBLIC, Sensitivity.INTERNAL, Channel.PUBLIC, False),
        (Channel.PRIVATE, Sensitivity.RESTRICTED, Channel.PRIVATE, True),
        (Channel.PRIVATE, Sensitivity.RESTRICTED, Channel.TEAM, False),
        (Channel.PRIVATE, Sensitivity.CONFIDENTIAL, Channel.TEAM, True),
    ],
)
async def test_a_decision_is_shown_where_it_may_be(
    deciding: Deciding, made_in: Channel, sensitivity: Sensitivity, shown_in: Channel, is_shown: bool
) -> None:
    draft = replace(TEA, channel=made_in, sensitivity=sensitivity)
    decision, _, _ = await deciding.record(ALICE, draft, None)
    found = deciding.get(ALICE, decision.decision_id, shown_in)
    if is_shown:
        assert await found == decision
    else:
        with pytest.raises(NotFound):
            await found


async def test_rebuilding_makes_the_same_rows_again(deciding: Deciding) -> None:
    store = deciding.store
    await deciding.tea()
    await deciding.supersede(ALICE, await deciding.tea(), 1, COFFEE, None)
    rows = deciding.chunks()
    assert [archived for *_, archived, _ in rows].count(True) == 1
    rebuild = RebuildChunks(store.events, store.reader, [store.decisions.chunk_rows], deciding.clock)
    first = await rebuild(ALICE)
    # The event has a chunk, too, which it was recorded without.
    assert (first.dropped, first.created) == (3, 4)
    assert deciding.chunks() == rows
    second = await rebuild(ALICE)
    assert (second.dropped, second.created) == (4, 4)
    assert deciding.chunks() == rows
