"""Records that bundles are built from beside retrieval: how many a recipe needs, and what a channel may load of them,
before anything is counted."""

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from itertools import chain
from typing import Any, Protocol, TypeVar

from camillo_server.across.context.recipe import Recipe, SectionSource
from camillo_server.across.context.view import MAX_VIEWS_READ, Handoff, View
from camillo_server.features.decisions.decision import Decision, DecisionStatus
from camillo_server.features.events.event import Event, may_load_event
from camillo_server.features.knowledge.skill import Skill, SkillsQuery
from camillo_server.features.slots.slot import SlotFilter
from camillo_server.features.slots.store.rows import BriefQuery, SlotBrief
from camillo_server.features.tasks.task import Task
from camillo_server.kernel.channel import NEVER_IN_PUBLIC, Channel, ChannelPolicy
from camillo_server.kernel.ids import AgentId
from camillo_server.kernel.kinds import Kind, MemoryKind, Sensitivity
from camillo_server.kernel.scope import Scope, TrustLevel
from camillo_server.rows.row import Row
from camillo_server.rows.row_filter import MemoryFilter

T = TypeVar("T")
# More is read than shown, since the policy and the conversation leave some of it out.
_MORE = 3
_MAX = 200
# Instructions are to be followed always, preferences often: of these there may be many.
MAX_PREFERENCES = 8
# The most bytes of the contents of a session's last events.
MAX_RECENT_BYTES = 3 * 1024 * 1024
_RANKS: Mapping[Kind, int] = {MemoryKind.INSTRUCTION: 1, MemoryKind.PREFERENCE: 2}
# The line of a slot takes more: a key of two names, a type and a few words.
MIN_LINE_TOKENS = 8


@dataclass(frozen=True, slots=True)
class RecordsQuery:
    """How many of each are needed, 0 for none; of views all or none."""

    session_id: str
    recent_events: int
    decisions: int
    tasks: int
    handoffs: int
    views: bool
    recent_memories: int = 0
    recent_memories_hours: float = 24.0
    pinned: int = 0
    earlier_events: int = 0
    slots: BriefQuery | None = None
    skills: SkillsQuery | None = None

    @property
    def sizes(self) -> dict[str, int]:
        """How many rows are to be read, by the name of the records."""
        return {
            "views": MAX_VIEWS_READ * self.views,
            "tasks": self.tasks,
            "decisions": self.decisions,
            "handoffs": self.handoffs,
            "recent_events": self.recent_events,
            "earlier_events": self.earlier_events,
            "unasked": max(self.recent_memories, self.pinned),
            "slots": self.slots.size if self.slots else 0,
            "bundle_skills": 1 if self.skills else 0,
        }


@dataclass(frozen=True, slots=True)
class ContextRecords:
    """The records that a bundle is made from beside retrieval, of the scope and the tenant's shared one, before any
    policy.

    `recent_events`: the last of the session in the order of recording; `earlier_events`: the last messages of others.
    `decisions`: those in force, the latest made first. `tasks`: unfinished ones, the last changed first. `handoffs`:
    unexpired ones to this agent, the latest first. `views`: by name, the agent's before the tenant's.
    `recent_memories`: the latest first; `pinned`: pinned ones, then instructions, then some preferences, each the most
    important first. `slots`: unexpired ones that the query's levels admit, in the order of a digest. `skills`: those
    that the query names with their texts, others without. `shared_revision`: the revision of the tenant's shared scope
    at the same moment; `has_shared_rows`: whether that scope held any row that a search finds; `has_decisions`: whether
    the scope itself held any decision. `is_stale`: Postgres is away, and this was read before. `spaces`: the revisions
    of spaces that are read as one with the scope, None for one that could not be read.
    """

    revision: int
    views: Sequence[View] = ()
    tasks: Sequence[Task] = ()
    decisions: Sequence[Decision] = ()
    handoffs: Sequence[Handoff] = ()
    recent_events: Sequence[Event] = ()
    earlier_events: Sequence[Event] = ()
    recent_memories: Sequence[Row] = ()
    pinned: Sequence[Row] = ()
    slots: Sequence[SlotBrief] = ()
    skills: Sequence[Skill] = ()
    is_stale: bool = False
    shared_revision: int = field(default=0, compare=False)
    has_shared_rows: bool = field(default=True, compare=False)
    has_decisions: bool = field(default=True, compare=False)
    spaces: Mapping[Scope, int | None] = field(default_factory=dict, compare=False)
    _kept: dict[Hashable, Any] = field(default_factory=dict, init=False, compare=False, repr=False)

    def once(self, key: Hashable, make: Callable[[], T]) -> T:
        """The result of `make`, kept for the next bundle of these records. A key always has the same `make`."""
        try:
            kept: T = self._kept[key]
        except KeyError:
            kept = self._kept[key] = make()
        return kept

    def has_kept(self, key: Hashable) -> bool:
        """Whether a result is kept."""
        return key in self._kept

    @property
    def recent_turns(self) -> frozenset[str]:
        """The ids of the session's last events."""
        return self.once("recent turns", lambda: frozenset(str(each.event_id) for each in self.recent_events))

    def unexpired(self, now: datetime) -> "ContextRecords":
        """The records without those that have expired by now."""
        until = self.once("next expiry", self._next_expiry)
        if until is None or now < until:
            return self

        def is_left(expires_at: datetime | None) -> bool:
            return expires_at is None or expires_at > now

        return replace(
            self,
            handoffs=[each for each in self.handoffs if is_left(each.expires_at)],
            recent_memories=[each for each in self.recent_memories if is_left(each.expires_at)],
            pinned=[each for each in self.pinned if is_left(each.expires_at)],
            slots=[each for each in self.slots if not each.has_expired(now)],
        )

    def _next_expiry(self) -> datetime | None:
        expiring: Iterator[Handoff | Row] = chain(self.handoffs, self.recent_memories, self.pinned)
        moments = (*(each.expires_at for each in expiring), *(each.expired_at for each in self.slots))
        return min((each for each in moments if each is not None), default=None)


def standing(memories: Sequence[Row]) -> list[Row]:
    """The pinned memories, then instructions, then preferences; each the most important first."""
    ranks = {each.memory_id: _rank(each) for each in memories}
    by_id = {each.memory_id: each for each in memories if ranks[each.memory_id] is not None}
    return sorted(
        by_id.values(),
        key=lambda each: (ranks[each.memory_id], -each.importance, -each.memory_id.int),
    )


def _rank(memory: Row) -> int | None:
    if memory.pinned or "pinned" in memory.tags:
        return 0
    if memory.trust_level in (TrustLevel.WEB, TrustLevel.TOOL):
        return None
    return _RANKS.get(memory.kind)


def recent(memories: Sequence[Row], since: datetime) -> list[Row]:
    """Memories that happened after a moment, the latest first."""
    by_id = {each.memory_id: each for each in memories if each.occurred_at > since}
    return sorted(by_id.values(), key=lambda each: (each.occurred_at, each.memory_id.int), reverse=True)


def records_query(
    recipe: Recipe,
    session_id: str,
    slots: BriefQuery | None = None,
    skills: SkillsQuery | None = None,
) -> RecordsQuery:
    """The query of all records that the sections need."""

    def size(source: SectionSource) -> int:
        limits = (section.limits[0] for section in recipe.sections if section.source is source)
        return min(_MAX, _MORE * max(limits, default=0))

    recent = SectionSource.RECENT_MEMORIES
    hours = (section.hours for section in recipe.sections if section.source is recent)
    return RecordsQuery(
        session_id=session_id,
        recent_events=size(SectionSource.RECENT_EVENTS) if session_id else 0,
        decisions=size(SectionSource.DECISIONS),
        tasks=size(SectionSource.TASKS),
        handoffs=size(SectionSource.HANDOFFS),
        views=size(SectionSource.VIEW) > 0,
        recent_memories=size(recent),
        recent_memories_hours=max(hours, default=24.0),
        pinned=size(SectionSource.PINNED),
        earlier_events=size(SectionSource.EARLIER_EVENTS) if session_id else 0,
        slots=slots,
        skills=skills,
    )


def skills_query(recipe: Recipe) -> SkillsQuery | None:
    """The query of all skills that the sections show; None if they show none."""
    sections = [each for each in recipe.sections if each.source is SectionSource.SKILLS]
    names = tuple(dict.fromkeys(name for each in sections for name in each.names))
    listed = max((each.listed for each in sections), default=0)
    return SkillsQuery(names, listed) if names or listed else None


class _Owned(Protocol):
    @property
    def agent_id(self) -> AgentId: ...


@dataclass(frozen=True, slots=True)
class Loading:
    """Decides which records may be shown to this agent in this channel."""

    policy: ChannelPolicy
    scope: Scope
    channel: Channel
    # The categories of documents that its credential grants; None: all documents.
    document_categories: frozenset[str] | None = None
    # The agents whose actions the agent is shown; None: all agents.
    acting_agents: frozenset[AgentId] | None = None

    def filter(self, requested: MemoryFilter, *, is_shared: bool = False) -> MemoryFilter:
        """The filter of a search in the agent's own scope, or in the tenant's shared one."""
        if is_shared:
            levels = tuple(Sensitivity)[:-1]
            requested = replace(requested, sensitivities=levels, acting_agents=self.acting_agents)
        return requested.narrowed(self.policy, self.channel).narrowed_to(self.document_categories)

    def records(self, records: ContextRecords, session_id: str) -> ContextRecords:
        """The records that may be shown, without packets for another conversation. The same for all agents of one
        scope, and the policy is that of the server."""
        return records.once((self.channel, session_id), lambda: self._loaded(records, session_id))

    def _loaded(self, records: ContextRecords, session_id: str) -> ContextRecords:
        return replace(
            records,
            views=[view for view in records.views if self._is_open(view, view.sensitivity)],
            tasks=[
                task for task in records.tasks if self._may_load(task, task.stated.sensitivity, task.stated.channel)
            ],
            decisions=[decision for decision in records.decisions if self.shows(decision)],
            handoffs=[handoff for handoff in records.handoffs if self._is_for_here(handoff, session_id)],
            recent_events=self._events(records.recent_events),
            earlier_events=self._events(records.earlier_events),
            recent_memories=[each for each in records.recent_memories if self._is_shown(each)],
            pinned=[each for each in records.pinned if self._is_shown(each)],
            slots=[
                each
                for each in records.slots
                if self._is_open(each, each.sensitivity) and not (self.channel is Channel.PUBLIC and each.is_private)
            ],
            skills=records.skills if self._is_open_level(Sensitivity.INTERNAL) else (),
        )

    def slots_query(self, recipe: Recipe, max_tokens: int, tags: Sequence[str]) -> BriefQuery | None:
        """The query of slots, which are many and short: only those that the channel may load, and no more than fit in
        `max_tokens`. None if the recipe shows none."""
        limits = (section.limits[0] for section in recipe.sections if section.source is SectionSource.SLOTS)
        most = max(limits, default=0)
        if not most:
            return None
        filter = self.policy.narrowed(SlotFilter(), self.channel)
        return BriefQuery(
            size=min(most, 1 + max_tokens // MIN_LINE_TOKENS),
            tags=tuple(sorted(set(tags))),
            sensitivities=filter.sensitivities,
            is_public=filter.is_public,
        )

    def shows(self, decision: Decision) -> bool:
        """Whether the decision is in force and may be shown."""
        stated = decision.stated
        is_in_force = decision.status is DecisionStatus.ACTIVE
        return is_in_force and self._may_load(decision, stated.sensitivity, stated.channel)

    def _events(self, events: Sequence[Event]) -> list[Event]:
        return [
            event
            for event in events
            if self._is_open(event, event.sensitivity) and may_load_event(self.policy, self.channel, event)
        ]

    def _is_shown(self, memory: Row) -> bool:
        is_hidden = self.channel is Channel.PUBLIC and memory.kind in NEVER_IN_PUBLIC
        return not is_hidden and self._is_open(memory, memory.sensitivity)

    def _may_load(self, owned: _Owned, sensitivity: Sensitivity, channel: Channel) -> bool:
        is_open = self._is_open(owned, sensitivity)
        return is_open and self.policy.permits(self.channel, sensitivity, channel)

    def _is_for_here(self, handoff: Handoff, session_id: str) -> bool:
        """Whether a packet is for this conversation and channel: it holds nothing above INTERNAL, and is private to
        agents."""
        is_allowed = Sensitivity.INTERNAL in self.policy.allowed(self.channel)
        is_public = self.channel is Channel.PUBLIC
        return is_allowed and not is_public and handoff.session_id in ("", session_id)

    def _is_open(self, owned: _Owned, sensitivity: Sensitivity) -> bool:
        """Whether a record may be shown: a restricted one only to the agent that owns it."""
        is_own = owned.agent_id == self.scope.agent_id
        if sensitivity is Sensitivity.RESTRICTED and not is_own:
            return False
        return self._is_open_level(sensitivity)

    def _is_open_level(self, sensitivity: Sensitivity) -> bool:
        return sensitivity in self.policy.allowed(self.channel)
