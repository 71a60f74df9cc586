"""Decisions: what they rest on, how one takes another's place, and requests that come twice."""

from dataclasses import replace
from datetime import timedelta
from functools import partial
from uuid import UUID

import pytest
from camillo_server.decisions.chunks import rows_of_decisions
from camillo_server.decisions.decision import DecisionDraft, DecisionId, DecisionStatus
from camillo_server.decisions.decisions import GetDecision, RecordDecision, SupersedeDecision
from camillo_server.events.rebuild_chunks import RebuildChunks
from camillo_server.kernel.channel import Channel, ChannelPolicy
from camillo_server.kernel.errors import (
    DecisionCycle,
    NotFound,
    ProvenanceRequired,
    RefNotFound,
    VersionConflict,
)
from camillo_server.kernel.kinds import Sensitivity
from camillo_server.kernel.writes import RequestKey
from camillo_server.redaction.redactor import SecretRedactor

from tests.secret_samples import samples
from tests.unit.decisions.decisions_in_memory import DecisionsInMemory
from tests.unit.events.events_in_memory import EventsInMemory, KnownRefs
from tests.unit.events.samples import MOMENT, SCOPE

PAT = samples(5)["github-pat"]
TEA = DecisionDraft(decision="We drink tea 茶", refs=("known",))
COFFEE = replace(TEA, decision="We drink coffee")
REQUEST = RequestKey("r1", bytes(32))


class Told:
    at = MOMENT

    def now(self) -> object:
        return self.at


class Deciding:
    """The use cases over decisions in memory."""

    def __init__(self) -> None:
        self.store = DecisionsInMemory()
        self.clock = Told()
        parts = (self.store, KnownRefs({"known"}), SecretRedactor(), self.clock)
        self.record = RecordDecision(*parts)  # type: ignore[arg-type]
        self.supersede = SupersedeDecision(*parts)  # type: ignore[arg-type]

    async def tea(self) -> DecisionId:
        decision, _, _ = await self.record(SCOPE, TEA, None)
        return decision.decision_id


async def test_a_decision_rests_on_something_that_is_there() -> None:
    deciding = Deciding()
    with pytest.raises(ProvenanceRequired):
        await deciding.record(SCOPE, replace(TEA, refs=()), None)
    with pytest.raises(RefNotFound) as lost:
        await deciding.record(SCOPE, replace(TEA, refs=("known", "gone")), None)
    assert lost.value.ref == "gone"
    assert not deciding.store.decisions
    decision, revision, _ = await deciding.record(SCOPE, TEA, None)
    assert deciding.store.decisions == {decision.decision_id: decision}
    assert decision.stated.decided_at == MOMENT
    assert revision == 1


async def test_secrets_are_taken_out_of_every_part_of_a_decision() -> None:
    deciding = Deciding()
    draft = replace(TEA, rationale=("plain", f"key {PAT}"), consequences=(PAT,), tags=(PAT, "t"))
    decision, _, redactions = await deciding.record(SCOPE, draft, None)
    assert {each.field for each in redactions} == {"rationale[1]", "consequences[0]", "tags[0]"}
    assert PAT not in repr(decision)
    assert PAT not in repr(deciding.store.rows)
    assert "plain" in repr(deciding.store.rows)


async def test_a_repeat_is_told_the_first_decision() -> None:
    deciding = Deciding()
    first = await deciding.record(SCOPE, TEA, REQUEST)
    deciding.clock.at = MOMENT + timedelta(hours=1)
    assert await deciding.record(SCOPE, TEA, REQUEST) == first
    assert len(deciding.store.decisions) == 1


@pytest.mark.parametrize("is_there", [False, True])
async def test_both_decisions_are_linked_and_a_repeat_is_told_the_same(is_there: bool) -> None:
    deciding = Deciding()
    tea = await deciding.tea()
    successor: DecisionDraft | DecisionId = COFFEE
    if is_there:
        coffee, _, _ = await deciding.record(SCOPE, COFFEE, None)
        successor = coffee.decision_id
    done = await deciding.supersede(SCOPE, tea, 1, successor, REQUEST)
    assert done.decision.supersedes == (tea,)
    assert done.decision.version == (2 if is_there else 1)
    assert done.superseded.superseded_by == done.decision.decision_id
    assert (done.superseded.status, done.superseded.version) == (DecisionStatus.SUPERSEDED, 2)
    # The successor has lost its place meanwhile: then it had it.
    await deciding.supersede(SCOPE, done.decision.decision_id, done.decision.version, TEA, None)
    again = await deciding.supersede(SCOPE, tea, 1, successor, REQUEST)
    assert again == done
    assert again.decision.status is DecisionStatus.ACTIVE


async def test_what_cannot_be_superseded_is_left_as_it_is() -> None:
    deciding = Deciding()
    tea = await deciding.tea()
    nobody = DecisionId(UUID(int=7))
    with pytest.raises(DecisionCycle):
        await deciding.supersede(SCOPE, tea, 1, tea, None)
    with pytest.raises(NotFound):
        await deciding.supersede(SCOPE, tea, 1, nobody, None)
    with pytest.raises(NotFound):
        await deciding.supersede(SCOPE, nobody, 1, COFFEE, None)
    with pytest.raises(VersionConflict):
        await deciding.supersede(SCOPE, tea, 2, COFFEE, None)
    with pytest.raises(ProvenanceRequired):
        await deciding.supersede(SCOPE, tea, 1, replace(COFFEE, refs=()), None)
    assert deciding.store.decisions[tea].status is DecisionStatus.ACTIVE
    done = await deciding.supersede(SCOPE, tea, 1, COFFEE, None)
    with pytest.raises(DecisionCycle):
        await deciding.supersede(SCOPE, done.decision.decision_id, 1, tea, None)


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
    made_in: Channel, sensitivity: Sensitivity, shown_in: Channel, is_shown: bool
) -> None:
    deciding = Deciding()
    draft = replace(TEA, channel=made_in, sensitivity=sensitivity)
    decision, _, _ = await deciding.record(SCOPE, draft, None)
    found = GetDecision(deciding.store, ChannelPolicy())(SCOPE, decision.decision_id, shown_in)
    if is_shown:
        assert await found == decision
    else:
        with pytest.raises(NotFound):
            await found


async def test_rebuilding_makes_the_same_rows_again() -> None:
    deciding, events = Deciding(), EventsInMemory()
    await deciding.tea()
    await deciding.supersede(SCOPE, await deciding.tea(), 1, COFFEE, None)
    rebuild = RebuildChunks(
        events,
        events,
        partial(rows_of_decisions, deciding.store),
        deciding.clock,  # type: ignore[arg-type]
    )
    first = await rebuild(SCOPE)
    rows = dict(events.chunks)
    assert (first.dropped, first.made) == (0, 3)
    assert [row.memory.archived for row in rows.values()].count(True) == 1
    second = await rebuild(SCOPE)
    assert (second.dropped, second.made) == (3, 3)
    assert events.chunks == rows
