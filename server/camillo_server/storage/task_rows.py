"""Tasks as rows: what goes into a statement, what comes out of one."""

from collections.abc import Sequence
from typing import Any

from camillo_server.contents.keyring import Keyring
from camillo_server.domain.channel import Channel
from camillo_server.domain.ids import AgentId, TenantId
from camillo_server.domain.memory import Sensitivity
from camillo_server.domain.off_loop import off_loop
from camillo_server.domain.scope import Scope
from camillo_server.domain.tasks.task import Task, TaskDraft, TaskId, TaskStatus
from camillo_server.storage.rows import scope_parameters
from camillo_server.storage.sealed_json import JsonPlace, SealedJson
from camillo_server.storage.sealed_rows import LEAST_SEALED

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
            **self._sealed.columns(details, place, is_sealed=stated.sensitivity >= LEAST_SEALED),
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
