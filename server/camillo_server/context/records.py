"""Records that bundles are built from beside retrieval: how many a recipe needs, and the candidates of each section."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from camillo_server.context import candidates
from camillo_server.context.bundle import Candidate
from camillo_server.context.recipe import Recipe, SectionRecipe, SectionSource
from camillo_server.context.view import Handoff, View
from camillo_server.decisions.decision import Decision
from camillo_server.events.event import Event
from camillo_server.kernel.clock import earlier
from camillo_server.memories.memory import Memory
from camillo_server.tasks.task import Task

# What the policy or the conversation leaves out is made up for by reading more.
_MORE = 3
_MAX = 200


@dataclass(frozen=True, slots=True)
class RecordsQuery:
    """How much of each is needed; 0 for nothing."""

    session_id: str
    recent_events: int
    decisions: int
    tasks: int
    handoffs: int
    views: bool
    recent_memories: int = 0
    recent_memories_hours: float = 24.0
    pinned: int = 0


@dataclass(frozen=True, slots=True)
class ContextRecords:
    """What a bundle is made from beside retrieval, of the scope and of the tenant's shared one, before any policy.

    `recent_events`: the last of the session in the order of recording. `decisions`: those in force, the latest made first.
    `tasks`: unfinished ones, the last changed first. `handoffs`: unexpired ones to this agent, the latest first. `views`: by name, the
    agent's before the tenant's. `recent_memories`: the latest first; `pinned`: by importance, the most important first.
    `is_stale`: Postgres is away, and this is what it said before.
    """

    revision: int
    views: Sequence[View] = ()
    tasks: Sequence[Task] = ()
    decisions: Sequence[Decision] = ()
    handoffs: Sequence[Handoff] = ()
    recent_events: Sequence[Event] = ()
    recent_memories: Sequence[Memory] = ()
    pinned: Sequence[Memory] = ()
    is_stale: bool = False


def records_query(recipe: Recipe, session_id: str) -> RecordsQuery:
    """What is to be read for all sections together."""

    def most(source: SectionSource) -> int:
        limits = [section.limits[0] for section in recipe.sections if section.source is source]
        return min(_MAX, _MORE * max(limits, default=0))

    hours = [
        section.hours
        for section in recipe.sections
        if section.source is SectionSource.RECENT_MEMORIES
    ]
    return RecordsQuery(
        session_id=session_id,
        recent_events=most(SectionSource.RECENT_EVENTS) if session_id else 0,
        decisions=most(SectionSource.DECISIONS),
        tasks=most(SectionSource.TASKS),
        handoffs=most(SectionSource.HANDOFFS),
        views=most(SectionSource.VIEW) > 0,
        recent_memories=most(SectionSource.RECENT_MEMORIES),
        recent_memories_hours=max(hours, default=24.0),
        pinned=most(SectionSource.PINNED),
    )


def is_nothing(wanted: RecordsQuery) -> bool:
    """Nothing has to be read."""
    counts = (wanted.recent_events, wanted.decisions, wanted.tasks, wanted.handoffs)
    return not (any(counts) or wanted.views or wanted.recent_memories or wanted.pinned)


def section_candidates(
    section: SectionRecipe, records: ContextRecords, now: datetime
) -> list[Candidate]:
    """The candidates of a section that needs no retrieval, the most important first."""
    match section.source:
        case SectionSource.VIEW:
            named = [view for view in records.views if view.name == section.view]
            # The tenant's first: an agent adds to what its tenant says, and does not push it out.
            return [candidates.of_view(v) for v in sorted(named, key=lambda view: view.agent_id)]
        case SectionSource.TASKS:
            found = [candidates.of_task(task) for task in records.tasks]
        case SectionSource.DECISIONS:
            found = [candidates.of_decision(decision) for decision in records.decisions]
        case SectionSource.HANDOFFS:
            handed = [each for each in records.handoffs if each.expires_at > now]
            found = [candidates.of_handoff(handoff) for handoff in handed]
        case SectionSource.RECENT_EVENTS:
            found = [candidates.of_event(event) for event in reversed(records.recent_events)]
        case SectionSource.RECENT_MEMORIES:
            since = earlier(now, timedelta(hours=section.hours))
            recent = [each for each in records.recent_memories if each.occurred_at >= since]
            found = [candidates.of_memory(memory) for memory in recent]
        case SectionSource.PINNED:
            found = [candidates.of_memory(memory) for memory in records.pinned]
        case _:
            return []
    return found[: section.limits[0]]
