"""GetTask: one task by its id."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from camillo_server.events.loading import may_load
from camillo_server.events.refs import RefResolver, check_refs
from camillo_server.kernel.channel import Channel, ChannelPolicy
from camillo_server.kernel.clock import Clock
from camillo_server.kernel.errors import NotFound, RefNotFound, VersionConflict
from camillo_server.kernel.ids import time_ordered_uuid
from camillo_server.kernel.scope import Scope
from camillo_server.kernel.writes import RequestKey
from camillo_server.redaction.redaction import Redaction, Redactor
from camillo_server.tasks.task import (
    Task,
    TaskCursor,
    TaskDraft,
    TaskFilter,
    TaskId,
    TaskReplay,
    TaskStore,
    redacted_task,
)
from camillo_server.text.value_fingerprints import OF_TASKS, stated_in


class GetTask:
    """Reads a task that the channel may load, of the agent's own or shared."""

    def __init__(self, store: TaskStore, policy: ChannelPolicy) -> None:
        self._store = store
        self._policy = policy

    async def __call__(self, scope: Scope, task_id: TaskId, channel: Channel) -> Task:
        """Raises NotFound, KeyMissing, StorageUnavailable."""
        task = (await self._store.get(scope, [task_id])).get(task_id)
        if task is None or not may_load(
            self._policy, channel, task.stated.sensitivity, task.stated.channel
        ):
            raise NotFound("task", task_id)
        return task


@dataclass(frozen=True, slots=True)
class TaskPage:
    """A page, and where the next one begins (None after the last)."""

    tasks: Sequence[Task]
    next_cursor: TaskCursor | None


class ListTasks:
    """Reads one page of what the channel may load."""

    def __init__(self, store: TaskStore, policy: ChannelPolicy) -> None:
        self._store = store
        self._policy = policy

    async def __call__(
        self,
        scope: Scope,
        wanted: TaskFilter,
        channel: Channel,
        after: TaskCursor | None,
        size: int,
    ) -> TaskPage:
        """Raises KeyMissing, StorageUnavailable."""
        allowed = self._policy.allowed(channel) & frozenset(wanted.sensitivities)
        narrowed = replace(
            wanted, sensitivities=tuple(sorted(allowed)), is_public=channel is Channel.PUBLIC
        )
        # One more than asked for tells whether there is a next page.
        found = await self._store.page(scope, narrowed, after, size + 1)
        page = found[:size]
        more = len(found) > size
        cursor = TaskCursor(page[-1].updated_at, page[-1].task_id) if more else None
        return TaskPage(page, cursor)


@dataclass(frozen=True, slots=True)
class TaskChange:
    """The task to change, in the version that the caller has seen, and which fields of the draft to take (None: all);
    without an id, a new one."""

    task_id: TaskId | None
    expected_version: int
    fields: Sequence[str] | None
    draft: TaskDraft


class UpsertTask:
    """Stores a task without its secrets, as it is from now on."""

    def __init__(
        self, store: TaskStore, resolver: RefResolver, redactor: Redactor, clock: Clock
    ) -> None:
        self._store = store
        self._resolver = resolver
        self._redactor = redactor
        self._clock = clock

    async def __call__(
        self, scope: Scope, change: TaskChange, request: RequestKey | None
    ) -> tuple[Task, int, Sequence[Redaction]]:
        """With the revision that holds it, and what was taken out. A repeat has the id, version and time of the first
        answer. Raises NotFound, VersionConflict, RefNotFound, ValueRejected, RequestIdReused, KeyMissing,
        StorageUnavailable."""
        now = self._clock.now()
        draft, redactions = redacted_task(change.draft, self._redactor)
        current = await self._current(scope, change)
        if current is not None and current.version != change.expected_version:
            first = await self._store.first_answer(scope, request, now=now)
            if first is None:
                raise VersionConflict("task", change.expected_version, current.version)
            task = _changed(current, change, draft, now)
            return _as_answered(task, first.record), first.revision, redactions
        task = (
            Task(TaskId(time_ordered_uuid(now)), scope.agent_id, draft, 1, now, now)
            if current is None
            else _changed(current, change, draft, now)
        )
        taken = _taken(change, draft)
        try:
            await check_refs(self._resolver, scope, tuple(taken.get("refs", ())))
        except RefNotFound:
            # A repeat is answered as it was, whatever it cites has gone since.
            if await self._store.first_answer(scope, request, now=now) is None:
                raise
        expected = None if current is None else change.expected_version
        replay = TaskReplay(task.task_id, task.version, task.created_at, task.updated_at)
        # What was said of the task before stays: who marks it as done states none of it.
        stated = stated_in({name: taken[name] for name in OF_TASKS if name in taken})
        written = await self._store.put(
            scope, task, expected, replay, request, stated=stated, now=now
        )
        return _as_answered(task, written.record), written.revision, redactions

    async def _current(self, scope: Scope, change: TaskChange) -> Task | None:
        if change.task_id is None:
            return None
        current = (await self._store.get(scope, [change.task_id])).get(change.task_id)
        # What is shared is changed in the shared scope.
        if current is None or current.agent_id != scope.agent_id:
            raise NotFound("task", change.task_id)
        return current


def _changed(current: Task, change: TaskChange, draft: TaskDraft, now: datetime) -> Task:
    stated = draft if change.fields is None else replace(current.stated, **_taken(change, draft))
    return replace(current, stated=stated, version=change.expected_version + 1, updated_at=now)


def _taken(change: TaskChange, draft: TaskDraft) -> dict[str, Any]:
    """The values that the caller states, by the names of the fields."""
    names = change.fields if change.task_id is not None else None
    return {name: getattr(draft, name) for name in (names or TaskDraft.__slots__)}


def _as_answered(task: Task, record: TaskReplay) -> Task:
    return replace(
        task,
        task_id=record.task_id,
        version=record.version,
        created_at=record.created_at,
        updated_at=record.updated_at,
    )
