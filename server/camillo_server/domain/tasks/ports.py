"""What the use cases of tasks need of the outside."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from camillo_server.domain.replay import replay_record
from camillo_server.domain.scope import Scope
from camillo_server.domain.tasks.task import Task, TaskFilter, TaskId
from camillo_server.domain.writes import RequestKey, Written


@dataclass(frozen=True, slots=True)
class TaskCursor:
    """The last task of a page: lists go on behind it."""

    at: datetime
    task_id: TaskId


@replay_record
@dataclass(frozen=True, slots=True)
class TaskReplay:
    """The values of a stored task that its request does not hold."""

    task_id: TaskId
    version: int
    created_at: datetime
    updated_at: datetime


class TaskStore(Protocol):
    """Tasks of one scope. Every write is one transaction that advances the scope's revision by one; a repeated request
    writes nothing and gives the first record. Every method raises StorageUnavailable; writes raise RequestIdReused,
    reads KeyMissing."""

    async def put(
        self,
        scope: Scope,
        task: Task,
        expected_version: int | None,
        replay: TaskReplay,
        request: RequestKey | None,
        *,
        stated: Mapping[str, str],
        now: datetime,
    ) -> Written[TaskReplay]:
        """Stores a new task (None), or puts it in the place of the expected version; `stated` are the texts that are new
        in it, by field. Raises NotFound, VersionConflict, ValueRejected."""
        ...

    async def first_answer(
        self, scope: Scope, request: RequestKey | None, *, now: datetime
    ) -> Written[TaskReplay] | None:
        """What this request was answered when it came first, or None."""
        ...

    async def get(self, scope: Scope, task_ids: Sequence[TaskId]) -> dict[TaskId, Task]:
        """Those that are there, in the scope or in the tenant's shared one."""
        ...

    async def page(
        self, scope: Scope, wanted: TaskFilter, after: TaskCursor | None, size: int
    ) -> Sequence[Task]:
        """Of the scope and the tenant's shared one: the last changed first, behind `after`, at most `size`."""
        ...
