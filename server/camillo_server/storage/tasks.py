"""Tasks."""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

from camillo_server.contents.keyring import Keyring
from camillo_server.domain.errors import NotFound, VersionConflict
from camillo_server.domain.scope import Scope
from camillo_server.domain.tasks.ports import TaskCursor, TaskReplay
from camillo_server.domain.tasks.task import Task, TaskFilter, TaskId
from camillo_server.domain.writes import RequestKey, Written
from camillo_server.storage.database import Session
from camillo_server.storage.rows import scope_parameters
from camillo_server.storage.scope_writes import ScopeWrites
from camillo_server.storage.statements import statements
from camillo_server.storage.task_rows import TaskRows
from camillo_server.storage.value_blocks import marked_aside

SQL = statements("tasks")
BEHIND_ALL = TaskCursor(datetime.max.replace(tzinfo=UTC), TaskId(UUID(int=2**128 - 1)))


class PostgresTaskStore:
    """`TaskStore` on Postgres. Writes raise KeyMissing, too, and reads BytesLost."""

    def __init__(self, writes: ScopeWrites, keyring: Keyring) -> None:
        self._writes = writes
        self._database = writes.database
        self._rows = TaskRows(keyring)

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
        parameters = self._rows.parameters(scope, task)
        marks = await marked_aside(scope, stated)

        async def change(session: Session, revision: int) -> TaskReplay:
            values = {**parameters, "revision": revision}
            if expected_version is None:
                await session.execute(SQL["insert"], values)
                return replay
            found = await session.row(SQL["lock"], parameters)
            if found is None:
                raise NotFound("task", task.task_id)
            if found[0] != expected_version:
                raise VersionConflict("task", expected_version, found[0])
            await session.execute(SQL["replace"], {**values, "version": expected_version + 1})
            return replay

        return await self._writes.write(scope, request, TaskReplay, change, now, stated=marks)

    async def first_answer(
        self, scope: Scope, request: RequestKey | None, *, now: datetime
    ) -> Written[TaskReplay] | None:
        return await self._writes.first_answer(scope, request, TaskReplay, now)

    async def get(self, scope: Scope, task_ids: Sequence[TaskId]) -> dict[TaskId, Task]:
        parameters = {**scope_parameters(scope), "task_ids": list(task_ids)}

        async def work(session: Session) -> list[tuple[Any, ...]]:
            return await session.rows(SQL["get"], parameters)

        rows = await self._database.read(scope.tenant_id, work)
        return {task.task_id: task for task in await self._rows.tasks(scope.tenant_id, rows)}

    async def page(
        self, scope: Scope, wanted: TaskFilter, after: TaskCursor | None, size: int
    ) -> Sequence[Task]:
        """Changed: as `updated_at` tells."""
        behind = after or BEHIND_ALL
        parameters = {
            **scope_parameters(scope),
            "statuses": [int(status) for status in wanted.statuses],
            "session_id": wanted.session_id or None,
            "sensitivities": [int(level) for level in wanted.sensitivities],
            "is_public": wanted.is_public,
            "after_at": behind.at,
            "after_id": behind.task_id,
            "size": size,
        }

        async def work(session: Session) -> list[tuple[Any, ...]]:
            return await session.rows(SQL["page"], parameters)

        rows = await self._database.read(scope.tenant_id, work)
        return await self._rows.tasks(scope.tenant_id, rows)
