"""Records of several spaces as those of one, for a bundle that reads them together (docs/spaces.md)."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from heapq import merge
from itertools import islice
from typing import Any, TypeVar

from camillo_server.across.context.records import (
    MAX_PREFERENCES,
    MAX_RECENT_BYTES,
    ContextRecords,
    RecordsQuery,
    recent,
    standing,
)
from camillo_server.across.context.view import View
from camillo_server.features.events.event import Event, contents_cost
from camillo_server.kernel.clock import FIRST
from camillo_server.kernel.ids import AgentId
from camillo_server.kernel.kinds import MemoryKind, Sensitivity
from camillo_server.kernel.scope import Scope
from camillo_server.rows.row import Row

T = TypeVar("T")
# Who the agent is, its own space and its tenant say alone.
IDENTITY = "identity"


def beside_query(query: RecordsQuery) -> RecordsQuery:
    """The query for another space: packets are handed to one agent, and skills are the tenant's."""
    return replace(query, handoffs=0, skills=None)


def as_one(own: ContextRecords, others: Mapping[Scope, ContextRecords | None], query: RecordsQuery) -> ContextRecords:
    """The records of the own space and of the others, as many of each as the query asks for, in the order that they
    would have in one space. Restricted records of others are left out. None: a space that could not be read."""
    read = [(scope, records) for scope, records in others.items() if records is not None]
    spaces = [own, *(_of_space(scope, records) for scope, records in read)]

    def latest(rows: Callable[[ContextRecords], Sequence[T]], key: Callable[[T], Any], most: int) -> list[T]:
        return [*islice(merge(*map(rows, spaces), key=key, reverse=True), most)]

    unasked = [row for each in spaces for row in each.pinned]
    recalled = [row for each in spaces for row in each.recent_memories]
    return replace(
        own,
        views=[*own.views, *(view for each in spaces[1:] for view in each.views)],
        tasks=latest(lambda each: each.tasks, lambda task: (task.updated_at, task.task_id), query.tasks),
        decisions=latest(
            lambda each: each.decisions, lambda made: (made.created_at, made.decision_id), query.decisions
        ),
        recent_events=_within(_recorded((each.recent_events for each in spaces), query.recent_events)),
        earlier_events=_recorded((each.earlier_events for each in spaces), query.earlier_events),
        recent_memories=recent(recalled, FIRST)[: query.recent_memories],
        pinned=_preferred(standing(unasked))[: query.pinned],
        slots=latest(lambda each: each.slots, lambda slot: slot.updated_at, query.slots.size if query.slots else 0),
        is_stale=any(each.is_stale for each in spaces),
        has_decisions=any(each.has_decisions for each in spaces),
        spaces={scope: None if each is None else each.revision for scope, each in others.items()},
    )


def _of_space(scope: Scope, records: ContextRecords) -> ContextRecords:
    """The records of the space itself that others may be shown; those of the tenant's shared one were read beside the
    own space, too."""

    def own(rows: Sequence[Any], level: Callable[[Any], Sensitivity] = lambda row: row.sensitivity) -> list[Any]:
        return [row for row in rows if row.agent_id == scope.agent_id and level(row) is not Sensitivity.RESTRICTED]

    views: list[View] = own(records.views)
    return replace(
        records,
        views=[view for view in views if view.name != IDENTITY],
        tasks=own(records.tasks, lambda task: task.stated.sensitivity),
        decisions=own(records.decisions, lambda made: made.stated.sensitivity),
        recent_events=own(records.recent_events),
        earlier_events=own(records.earlier_events),
        recent_memories=own(records.recent_memories),
        pinned=own(records.pinned),
        slots=own(records.slots),
    )


def _recorded(events: Iterable[Sequence[Event]], most: int) -> list[Event]:
    """The last events of several spaces in the order of recording."""
    merged = [*merge(*events, key=lambda event: (event.recorded_at, event.event_id))]
    return merged[-most:] if most else []


def _within(events: Sequence[Event]) -> Sequence[Event]:
    """The last of these whose contents are not too large together."""
    left = MAX_RECENT_BYTES
    for count, event in enumerate(reversed(events)):
        if left <= 0:
            return events[-count:]
        left -= contents_cost((event.content,), MAX_RECENT_BYTES)
    return events


def _preferred(memories: Sequence[Row]) -> list[Row]:
    """The standing memories with as many preferences of all spaces as are shown of one."""
    kept, left = list[Row](), MAX_PREFERENCES
    for each in memories:
        is_preference = each.kind is MemoryKind.PREFERENCE and not (each.pinned or "pinned" in each.tags)
        # The tenant's are counted beside those of the spaces.
        if is_preference and each.agent_id:
            left -= 1
        if not (is_preference and each.agent_id and left < 0):
            kept.append(each)
    return kept


def known_revisions(beside: Iterable[Scope], *read: Mapping[Scope, int | None]) -> dict[Scope, int | None]:
    """The revision that all reads of a space hold; 0 where nothing of it was needed, None where nothing of it could be
    read."""
    revisions: dict[Scope, int | None] = {}
    for scope in beside:
        found = [each[scope] for each in read if scope in each]
        known = [each for each in found if each is not None]
        revisions[scope] = min(known) if known else (None if found else 0)
    return revisions


def farness(agent_id: AgentId, own: AgentId) -> int:
    """How far a space is from the one that reads it: its own, a person's, a project's, a team's, another agent's, the
    tenant's."""
    if agent_id == own:
        return 0
    if not agent_id:
        return len(_FAR) + 2
    return _FAR.get(agent_id.partition("/")[0] if "/" in agent_id else "", len(_FAR) + 1)


_FAR = {"users": 1, "projects": 2, "teams": 3}
