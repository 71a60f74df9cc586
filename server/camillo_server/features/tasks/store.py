"""Tasks in Postgres."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from functools import partial
from typing import Any

from camillo_server.features.tasks.task import (
    TASK_TEXTS,
    Task,
    TaskDraft,
    TaskFilter,
    TaskId,
    TaskReplay,
    TaskStatus,
)
from camillo_server.kernel.channel import Channel
from camillo_server.kernel.errors import NotFound, VersionConflict
from camillo_server.kernel.ids import AFTER_ALL, AgentId, PageCursor, TenantId
from camillo_server.kernel.kinds import Sensitivity
from camillo_server.kernel.off_loop import map_off_loop
from camillo_server.kernel.scope import Scope
from camillo_server.kernel.writes import RequestKey, Written
from camillo_server.lib.crypto.keyring import Keyring
from camillo_server.rows.forgettable import Forgettable
from camillo_server.storage.database import Session
from camillo_server.storage.encrypted_json import DraftRows
from camillo_server.storage.scope_writes import ScopeWrites
from camillo_server.storage.statements import scope_parameters, statements

SQL = statements("features/tasks/tasks")
# The columns of what callers state, and how each is read.
COLUMNS = {
    "status": TaskStatus,
    "channel": Channel,
    "sensitivity": Sensitivity,
    "session_id": str,
    "tags": tuple,
    "refs": tuple,
}


class TaskRows:
    """Converts tasks to rows and back; sensitive texts are encrypted in the row."""

    def __init__(self, keyring: Keyring) -> None:
        self._drafts = DraftRows(keyring, TaskDraft, purpose="task", columns=COLUMNS, texts=TASK_TEXTS)

    def parameters(self, scope: Scope, task: Task) -> dict[str, Any]:
        """The parameters that store a task, without the revision. Raises KeyMissing."""
        return {
            **self._drafts.parameters(scope, task.task_id, task.stated),
            "task_id": task.task_id,
            "version": task.version,
            "created_at": task.created_at,
            "updated_at": task.updated_at,
        }

    async def tasks(self, tenant_id: TenantId, rows: Sequence[Any]) -> list[Task]:
        """The tasks in rows with the columns of the fragment `task_columns`. Raises KeyMissing, BytesLost."""
        return await map_off_loop(partial(self._task, tenant_id), rows)

    def _task(self, tenant_id: TenantId, row: Any) -> Task:
        return Task(
            task_id=TaskId(row.task_id),
            agent_id=AgentId(row.agent_id),
            version=row.version,
            stated=self._drafts.draft(tenant_id, row.task_id, row),
            created_at=row.created_at,
            updated_at=row.updated_at,
        )


class TaskStore:
    """Tasks of one scope. Every write is one transaction that advances the scope's revision by one; a repeated request
    writes nothing and gets the first record. Every method raises StorageUnavailable and KeyMissing; writes raise
    RequestIdReused, reads BytesLost."""

    def __init__(self, writes: ScopeWrites, keyring: Keyring) -> None:
        self._writes = writes
        self._database = writes.database
        self._rows = TaskRows(keyring)

    async def put(
        self,
        scope: Scope,
        task: Task,
        expected_version: int | None,
        request: RequestKey | None,
        *,
        texts: Mapping[str, str],
        now: datetime,
    ) -> Written[TaskReplay]:
        """Stores a new task (None), or replaces the expected version; `texts` are those that are new in it, by field.
        Raises NotFound, VersionConflict, ValueRejected."""
        parameters = self._rows.parameters(scope, task)
        replay = TaskReplay(task.task_id, task.version, task.created_at, task.updated_at)

        async def change(session: Session, revision: int) -> TaskReplay:
            values = {**parameters, "revision": revision}
            if expected_version is None:
                await session.execute(SQL["insert"], values)
                return replay
            current = await session.record(SQL["lock"], parameters)
            if current is None:
                raise NotFound("task", task.task_id)
            if current.version != expected_version:
                raise VersionConflict("task", expected_version, current.version)
            await session.execute(SQL["replace"], {**values, "version": expected_version + 1})
            return replay

        return await self._writes.write(scope, request, TaskReplay, change, now, texts=texts, only_added=True)

    async def first_answer(
        self, scope: Scope, request: RequestKey | None, *, now: datetime
    ) -> Written[TaskReplay] | None:
        """The first answer to this request, or None."""
        return await self._writes.first_answer(scope, request, TaskReplay, now)

    async def get(self, scope: Scope, task_ids: Sequence[TaskId]) -> dict[TaskId, Task]:
        """The requested tasks that exist in the scope or in the tenant's shared one."""
        parameters = {**scope_parameters(scope), "task_ids": list(task_ids)}
        return {task.task_id: task for task in await self._read(scope, "get", parameters)}

    async def page(self, scope: Scope, filter: TaskFilter, after: PageCursor | None, size: int) -> Sequence[Task]:
        """At most `size` tasks of the scope and the tenant's shared one that follow `after`, in descending order of
        `updated_at`."""
        cursor = after or AFTER_ALL
        parameters = {
            **scope_parameters(scope),
            "statuses": [int(status) for status in filter.statuses],
            "session_id": filter.session_id or None,
            "sensitivities": [int(level) for level in filter.sensitivities],
            "is_public": filter.is_public,
            "after_at": cursor.at,
            "after_id": cursor.row_id,
            "size": size,
        }
        return await self._read(scope, "page", parameters)

    async def _read(self, scope: Scope, name: str, parameters: dict[str, Any]) -> list[Task]:
        rows = await self._database.records(scope, SQL[name], parameters)
        return await self._rows.tasks(scope.tenant_id, rows)


TASKS = Forgettable("tasks", statements("features/tasks/forgetting"), "task", own_texts=("title",), is_cited=True)
