"""Tasks: what an agent is at, across sessions."""

import enum
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import NewType, Protocol
from uuid import UUID

from camillo_server.kernel.channel import Channel
from camillo_server.kernel.ids import AgentId
from camillo_server.kernel.kinds import Sensitivity
from camillo_server.kernel.replay import replay_record
from camillo_server.kernel.scope import Scope
from camillo_server.kernel.writes import RequestKey, Written
from camillo_server.redaction.redaction import FieldRedaction, Redaction, Redactor

TaskId = NewType("TaskId", UUID)


class TaskStatus(enum.IntEnum):
    """How far a task has come. The numbers are those of the contract."""

    OPEN = 1
    DOING = 2
    BLOCKED = 3
    DONE = 4
    CANCELLED = 5


UNFINISHED = (TaskStatus.OPEN, TaskStatus.DOING, TaskStatus.BLOCKED)


@dataclass(frozen=True, slots=True)
class TaskDraft:
    """What a caller states. Already validated."""

    title: str
    details: str = ""
    status: TaskStatus = TaskStatus.OPEN
    goal: str = ""
    plan_step: str = ""
    constraints: Sequence[str] = ()
    refs: Sequence[str] = ()
    session_id: str = ""
    sensitivity: Sensitivity = Sensitivity.INTERNAL
    channel: Channel = Channel.PRIVATE
    tags: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class Task:
    """A task as it is."""

    task_id: TaskId
    agent_id: AgentId
    stated: TaskDraft
    version: int
    created_at: datetime
    updated_at: datetime


@dataclass(frozen=True, slots=True)
class TaskFilter:
    """Conditions that all have to hold. `is_public`: only those that belong in public."""

    statuses: Sequence[TaskStatus] = UNFINISHED
    session_id: str = ""
    sensitivities: Sequence[Sensitivity] = tuple(Sensitivity)
    is_public: bool = False


def redacted_task(draft: TaskDraft, redactor: Redactor) -> tuple[TaskDraft, Sequence[Redaction]]:
    """The draft without secrets, and what was taken out; refs stay as they are, since they name what is there."""
    fields = FieldRedaction(redactor)
    cleaned = replace(
        draft,
        title=fields.text("title", draft.title),
        details=fields.text("details", draft.details),
        goal=fields.text("goal", draft.goal),
        plan_step=fields.text("plan_step", draft.plan_step),
        constraints=fields.texts("constraints", draft.constraints),
        session_id=fields.text("session_id", draft.session_id),
        tags=fields.tags("tags", draft.tags),
    )
    return (cleaned if fields.redactions else draft), fields.redactions


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
