"""Tasks."""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

from camillo_server.crypto.keyring import Keyring
from camillo_server.kernel.channel import Channel
from camillo_server.kernel.errors import NotFound, VersionConflict
from camillo_server.kernel.ids import AgentId, TenantId
from camillo_server.kernel.kinds import Sensitivity
from camillo_server.kernel.off_loop import off_loop
from camillo_server.kernel.scope import Scope
from camillo_server.kernel.writes import RequestKey, Written
from camillo_server.memories.store.encrypted_rows import MIN_ENCRYPTED
from camillo_server.storage.blocklist import marked_aside
from camillo_server.storage.database import Session
from camillo_server.storage.encrypted_json import JsonPlace, SealedJson
from camillo_server.storage.scope_writes import ScopeWrites
from camillo_server.storage.statements import scope_parameters, statements
from camillo_server.tasks.task import (
    Task,
    TaskCursor,
    TaskDraft,
    TaskFilter,
    TaskId,
    TaskReplay,
    TaskStatus,
)

Row = Sequence[Any]
PURPOSE = "task"
# Reading one, most of it decryption and JSON.
TASK_MICROSECONDS = 30.0


class TaskRows:
    """Turns tasks into rows and back; what is sensitive is encrypted on the way."""

    def __init__(self, keyring: Keyring) -> None:
        self._sealed = SealedJson(keyring)

    def parameters(self, scope: Scope, task: Task) -> dict[str, Any]:
        """Everything that a statement stores of a task, but for the revision. Raises KeyMissing."""
        stated = task.stated
        details = {
            "title": stated.title,
            "details": stated.details,
            "goal": stated.goal,
            "plan_step": stated.plan_step,
            "constraints": list(stated.constraints),
        }
        place = _place(scope.tenant_id, scope.agent_id, task.task_id)
        return {
            **scope_parameters(scope),
            "task_id": task.task_id,
            "version": task.version,
            "status": int(stated.status),
            "channel": int(stated.channel),
            "sensitivity": int(stated.sensitivity),
            "session_id": stated.session_id,
            "tags": list(stated.tags),
            "refs": list(stated.refs),
            "created_at": task.created_at,
            "updated_at": task.updated_at,
            **self._sealed.columns(details, place, is_sealed=stated.sensitivity >= MIN_ENCRYPTED),
        }

    async def tasks(self, tenant_id: TenantId, rows: Sequence[Row]) -> list[Task]:
        """The tasks in the columns of the fragment `task_columns`. Raises KeyMissing, BytesLost."""
        return await off_loop(
            len(rows) * TASK_MICROSECONDS,
            lambda: [self.task(tenant_id, row) for row in rows],
        )

    def task(self, tenant_id: TenantId, row: Row) -> Task:
        """The task of one row. Raises KeyMissing, BytesLost."""
        place = _place(tenant_id, row[1], row[0])
        details = self._sealed.read((row[11], row[12], row[13]), place)
        return Task(
            task_id=TaskId(row[0]),
            agent_id=AgentId(row[1]),
            version=row[2],
            stated=TaskDraft(
                title=details["title"],
                details=details["details"],
                status=TaskStatus(row[3]),
                goal=details["goal"],
                plan_step=details["plan_step"],
                constraints=tuple(details["constraints"]),
                refs=tuple(row[8]),
                session_id=row[6],
                sensitivity=Sensitivity(row[5]),
                channel=Channel(row[4]),
                tags=tuple(row[7]),
            ),
            created_at=row[9],
            updated_at=row[10],
        )


def _place(tenant_id: str, agent_id: str, task_id: object) -> JsonPlace:
    return JsonPlace(tenant_id, PURPOSE, f"{agent_id}\0{task_id}")


SQL = statements("tasks/tasks")
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
