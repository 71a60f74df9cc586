"""Ground truth that a channel may load."""

from datetime import timedelta
from uuid import UUID

import pytest
from camillo_server.across.context.records import ContextRecords, Loading
from camillo_server.across.context.view import Handoff, HandoffPacket, View
from camillo_server.features.decisions.decision import DecisionStatus
from camillo_server.features.events.event import Actor, Event, EventId, TextContent
from camillo_server.kernel.channel import Channel, ChannelPolicy
from camillo_server.kernel.ids import AgentId
from camillo_server.kernel.kinds import ActorType, EventKind, MemoryKind, Sensitivity, Source
from camillo_server.kernel.scope import Scope
from camillo_server.rows.row_filter import MemoryFilter

from tests.unit.context.samples import MOMENT, OWN, SHARED, decision, memory, task

PUBLIC, INTERNAL, CONFIDENTIAL, RESTRICTED = Sensitivity
ALLOWED = {
    Channel.PUBLIC: {PUBLIC},
    Channel.PRIVATE: set(Sensitivity),
    Channel.TEAM: {PUBLIC, INTERNAL, CONFIDENTIAL},
    Channel.AGENT: {PUBLIC, INTERNAL},
}


def event(sensitivity: Sensitivity, kind: EventKind = EventKind.MESSAGE, channel: Channel = Channel.PRIVATE) -> Event:
    return Event(
        event_id=EventId(UUID(int=1)),
        agent_id=OWN.agent_id,
        session_id="s",
        channel=channel,
        actor=Actor(ActorType.HUMAN, "user"),
        kind=kind,
        sensitivity=sensitivity,
        tags=(),
        occurred_at=MOMENT,
        refs=(),
        content=TextContent("text"),
        importance=None,
        recorded_at=MOMENT,
    )


def view(sensitivity: Sensitivity, scope: Scope = OWN) -> View:
    return View("rules", scope.agent_id, "text", sensitivity, 1, MOMENT)


def everything(scope: Scope = OWN, made_in: Channel = Channel.PUBLIC) -> ContextRecords:
    """Records of every kind, one of each sensitivity."""
    each = list(Sensitivity)
    return ContextRecords(
        revision=1,
        views=[view(level, scope) for level in each],
        tasks=[task("t", level, scope, sensitivity=level, channel=made_in) for level in each],
        decisions=[decision("d", level, scope, sensitivity=level, channel=made_in) for level in each],
        recent_events=[event(level) for level in each] if scope == OWN else (),
        recent_memories=[memory("m", level, scope, sensitivity=level) for level in each],
        pinned=[memory("p", level, scope, sensitivity=level) for level in each],
    )


def loaded(channel: Channel, records: ContextRecords, session_id: str = "s") -> ContextRecords:
    return Loading(ChannelPolicy(), OWN, channel).records(records, session_id)


def levels(records: ContextRecords) -> list[set[Sensitivity]]:
    return [
        {each.sensitivity for each in records.views},
        {each.stated.sensitivity for each in records.tasks},
        {each.stated.sensitivity for each in records.decisions},
        {each.sensitivity for each in records.recent_memories},
        {each.sensitivity for each in records.pinned},
    ]


@pytest.mark.parametrize("channel", Channel)
def test_exactly_the_levels_of_the_channel_are_loaded(channel: Channel) -> None:
    found = loaded(channel, everything())
    assert levels(found) == [ALLOWED[channel]] * 5
    assert {each.sensitivity for each in found.recent_events} == ALLOWED[channel]


@pytest.mark.parametrize("channel", Channel)
def test_what_is_restricted_is_never_loaded_of_another_scope(channel: Channel) -> None:
    found = loaded(channel, everything(SHARED))
    assert levels(found) == [ALLOWED[channel] - {RESTRICTED}] * 5


def test_public_shows_no_decision_or_task_that_was_made_elsewhere() -> None:
    private = everything(made_in=Channel.PRIVATE)
    assert loaded(Channel.TEAM, private).decisions
    found = loaded(Channel.PUBLIC, private)
    assert not found.decisions
    assert not found.tasks
    assert loaded(Channel.PUBLIC, everything()).tasks


def test_public_shows_no_preference_no_decision_of_a_memory_and_no_private_event_of_one() -> None:
    kinds = [MemoryKind.FACT, MemoryKind.PREFERENCE, MemoryKind.DECISION]
    memories = [memory("m", kind, kind=kind, sensitivity=PUBLIC) for kind in kinds]
    events = [
        event(PUBLIC, EventKind.DECISION, Channel.PRIVATE),
        event(PUBLIC, EventKind.DECISION, Channel.PUBLIC),
        event(PUBLIC),
    ]
    records = ContextRecords(1, recent_memories=memories, pinned=memories, recent_events=events)
    public, team = loaded(Channel.PUBLIC, records), loaded(Channel.TEAM, records)
    assert [each.kind for each in public.recent_memories] == [MemoryKind.FACT]
    assert [each.kind for each in public.pinned] == [MemoryKind.FACT]
    assert public.recent_events == events[1:]
    assert team.recent_memories == memories
    assert team.recent_events == events


def test_superseded_decisions_are_never_shown() -> None:
    records = ContextRecords(1, decisions=[decision("a", 1, status=DecisionStatus.SUPERSEDED), decision("b", 2)])
    assert [each.stated.decision for each in loaded(Channel.PRIVATE, records).decisions] == ["b"]


def test_packets_are_for_a_conversation_or_any_and_never_public() -> None:
    handoffs = [
        Handoff(
            UUID(int=n), AgentId("a"), OWN.agent_id, session, HandoffPacket("g"), "g", 1, MOMENT, MOMENT + timedelta(1)
        )
        for n, session in enumerate(("", "s", "other"))
    ]
    records = ContextRecords(1, handoffs=handoffs)
    assert loaded(Channel.AGENT, records).handoffs == handoffs[:2]
    assert loaded(Channel.AGENT, records, "").handoffs == handoffs[:1]
    assert loaded(Channel.PUBLIC, records).handoffs == []
    # Nor where public conversations may load what is internal: it was made between agents.
    opened = ChannelPolicy({**ChannelPolicy().may_load, Channel.PUBLIC: INTERNAL})
    assert INTERNAL in opened.allowed(Channel.PUBLIC)
    assert Loading(opened, OWN, Channel.PUBLIC).records(records, "s").handoffs == []


def test_a_search_of_the_shared_scope_finds_nothing_restricted() -> None:
    wanted = MemoryFilter(sources=(Source.DECISION,))
    loading = Loading(ChannelPolicy(), OWN, Channel.PRIVATE)
    assert loading.filter(wanted).sensitivities in ((), tuple(Sensitivity))
    assert loading.filter(wanted, is_shared=True).sensitivities == (PUBLIC, INTERNAL, CONFIDENTIAL)


def test_a_search_finds_documents_of_the_granted_categories_alone() -> None:
    wanted = MemoryFilter(sources=(Source.DOCUMENT,))
    granted = frozenset(("policy",))
    limited = Loading(ChannelPolicy(), OWN, Channel.TEAM, granted)
    for is_shared in (False, True):
        assert limited.filter(wanted, is_shared=is_shared).granted_categories == granted
    assert Loading(ChannelPolicy(), OWN, Channel.TEAM).filter(wanted).granted_categories is None
