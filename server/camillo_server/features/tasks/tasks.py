"""Use cases of tasks: opened, changed by who has read the version in force, read and listed."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

from camillo_server.features.tasks.store import TaskStore
from camillo_server.features.tasks.task import (
    TASK_TEXTS,
    Task,
    TaskChange,
    TaskDraft,
    TaskFilter,
    TaskId,
    TaskReplay,
)
from camillo_server.kernel.channel import Channel, ChannelPolicy
from camillo_server.kernel.clock import Clock, time_ordered_uuid
from camillo_server.kernel.errors import NotFound, RefNotFound, VersionConflict
from camillo_server.kernel.ids import PageCursor
from camillo_server.kernel.scope import Scope
from camillo_server.kernel.writes import RequestKey
from camillo_server.lib.redaction.redaction import Redaction, Redactor, redacted_draft_off_loop
from camillo_server.lib.text.json_lines import texts_in
from camillo_server.rows.store.refs import RefResolver


class Tasks:
    """Tasks of a scope. Every method raises KeyMissing and StorageUnavailable."""

    def __init__(
        self,
        store: TaskStore,
        resolver: RefResolver,
        redactor: Redactor,
        policy: ChannelPolicy,
        clock: Clock,
    ) -> None:
        self._store = store
        self._resolver = resolver
        self._redactor = redactor
        self._policy = policy
        self._clock = clock

    async def get(self, scope: Scope, task_id: TaskId, channel: Channel) -> Task:
        """A task that the channel may load, of the agent's own or shared. Raises NotFound."""
        task = (await self._store.get(scope, [task_id])).get(task_id)
        if task is None or not self._policy.permits(channel, task.stated.sensitivity, task.stated.channel):
            raise NotFound("task", task_id)
        return task

    async def list(
        self,
        scope: Scope,
        filter: TaskFilter,
        channel: Channel,
        after: PageCursor | None,
        size: int,
    ) -> Sequence[Task]:
        """A page of what the channel may load, the last changed first, and one more where there is a next page."""
        return await self._store.page(scope, self._policy.narrowed(filter, channel), after, size + 1)

    async def upsert(
        self, scope: Scope, change: TaskChange, request: RequestKey | None
    ) -> tuple[Task, int, Sequence[Redaction]]:
        """Opens or changes a task; with the revision that holds it, and what was redacted. A repeated request has the
        id, version and times of the first answer. Raises NotFound, VersionConflict, RefNotFound, ValueRejected,
        RequestIdReused."""
        now = self._clock.now()
        draft, redactions = await redacted_draft_off_loop(change.draft, self._redactor, TASK_TEXTS)
        values = _stated_values(change, draft)
        current = await self._current(scope, change)
        task = _new(scope, draft, now) if current is None else _changed(current, values, now)
        if current is not None and current.version != change.expected_version:
            # A repeat finds the version that its first call wrote.
            first = await self._store.first_answer(scope, request, now=now)
            if first is None:
                raise VersionConflict("task", change.expected_version, current.version)
            return _as_answered(task, first.record), first.revision, redactions
        missing = await self._resolver.missing(scope, values.get("refs", ()))
        # A repeat gets the first answer, even if what it cites has been deleted since.
        if missing and await self._store.first_answer(scope, request, now=now) is None:
            raise RefNotFound(missing[0])
        # Only new texts are checked against forgotten values: marking a task as done repeats none of them.
        texts = texts_in(values)
        expected = None if current is None else change.expected_version
        written = await self._store.put(scope, task, expected, request, texts=texts, now=now)
        return _as_answered(task, written.record), written.revision, redactions

    async def _current(self, scope: Scope, change: TaskChange) -> Task | None:
        if change.task_id is None:
            return None
        current = (await self._store.get(scope, [change.task_id])).get(change.task_id)
        # Shared tasks are changed in the shared scope.
        if current is None or current.agent_id != scope.agent_id:
            raise NotFound("task", change.task_id)
        return current


def _stated_values(change: TaskChange, draft: TaskDraft) -> dict[str, Any]:
    """The values that the caller states, by the names of the fields."""
    names = change.fields if change.task_id is not None else None
    return {name: getattr(draft, name) for name in (names or TaskDraft.__slots__)}


def _new(scope: Scope, draft: TaskDraft, now: datetime) -> Task:
    return Task(TaskId(time_ordered_uuid(now)), scope.agent_id, draft, 1, now, now)


def _changed(current: Task, values: dict[str, Any], now: datetime) -> Task:
    stated = replace(current.stated, **values)
    return replace(current, stated=stated, version=current.version + 1, updated_at=now)


def _as_answered(task: Task, record: TaskReplay) -> Task:
    return replace(
        task,
        task_id=record.task_id,
        version=record.version,
        created_at=record.created_at,
        updated_at=record.updated_at,
    )
