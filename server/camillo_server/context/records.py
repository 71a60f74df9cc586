"""How much ground truth the sections of a recipe need, and what each of them makes of it."""

from datetime import datetime, timedelta

from camillo_server.context import candidates
from camillo_server.context.bundle import Candidate
from camillo_server.context.ports import Ground, GroundWanted
from camillo_server.context.recipe import Recipe, SectionRecipe, SectionSource
from camillo_server.kernel.clock import earlier

# What the policy or the conversation leaves out is made up for by reading more.
_MORE = 3
_MOST = 200


def ground_wanted(recipe: Recipe, session_id: str) -> GroundWanted:
    """What is to be read for all sections together."""

    def most(source: SectionSource) -> int:
        limits = [section.limits[0] for section in recipe.sections if section.source is source]
        return min(_MOST, _MORE * max(limits, default=0))

    hours = [
        section.hours
        for section in recipe.sections
        if section.source is SectionSource.RECENT_MEMORIES
    ]
    return GroundWanted(
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


def is_nothing(wanted: GroundWanted) -> bool:
    """Nothing has to be read."""
    counts = (wanted.recent_events, wanted.decisions, wanted.tasks, wanted.handoffs)
    return not (any(counts) or wanted.views or wanted.recent_memories or wanted.pinned)


def of_ground(section: SectionRecipe, ground: Ground, now: datetime) -> list[Candidate]:
    """The candidates of a section that needs no retrieval, the most important first."""
    match section.source:
        case SectionSource.VIEW:
            named = [view for view in ground.views if view.name == section.view]
            # The tenant's first: an agent adds to what its tenant says, and does not push it out.
            return [candidates.of_view(v) for v in sorted(named, key=lambda view: view.agent_id)]
        case SectionSource.TASKS:
            found = [candidates.of_task(task) for task in ground.tasks]
        case SectionSource.DECISIONS:
            found = [candidates.of_decision(decision) for decision in ground.decisions]
        case SectionSource.HANDOFFS:
            handed = [each for each in ground.handoffs if each.expires_at > now]
            found = [candidates.of_handoff(handoff) for handoff in handed]
        case SectionSource.RECENT_EVENTS:
            found = [candidates.of_event(event) for event in reversed(ground.recent_events)]
        case SectionSource.RECENT_MEMORIES:
            since = earlier(now, timedelta(hours=section.hours))
            recent = [each for each in ground.recent_memories if each.occurred_at >= since]
            found = [candidates.of_memory(memory) for memory in recent]
        case SectionSource.PINNED:
            found = [candidates.of_memory(memory) for memory in ground.pinned]
        case _:
            return []
    return found[: section.limits[0]]
