"""Tasks: the work of an agent, across sessions."""

import enum
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import NewType
from uuid import UUID

from camillo_server.kernel.channel import Channel
from camillo_server.kernel.ids import AgentId
from camillo_server.kernel.kinds import Sensitivity
from camillo_server.kernel.writes import replay_record

TaskId = NewType("TaskId", UUID)


class TaskStatus(enum.IntEnum):
    """How far a task has come. The numbers are those of the contract."""

    OPEN = 1
    DOING = 2
    BLOCKED = 3
    DONE = 4
    CANCELLED = 5


UNFINISHED = (TaskStatus.OPEN, TaskStatus.DOING, TaskStatus.BLOCKED)


TASK_TEXTS = ("title", "details", "goal", "plan_step", "constraints")


@dataclass(frozen=True, slots=True)
class TaskDraft:
    """The part of a task that its caller states, validated."""

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
    """A stored task; `stated` is named as in the contract."""

    task_id: TaskId
    agent_id: AgentId
    stated: TaskDraft
    version: int
    created_at: datetime
    updated_at: datetime


@dataclass(frozen=True, slots=True)
class TaskFilter:
    """Conditions that all have to hold. `is_public`: only tasks of the public channel."""

    statuses: Sequence[TaskStatus] = UNFINISHED
    session_id: str = ""
    sensitivities: Sequence[Sensitivity] = tuple(Sensitivity)
    is_public: bool = False


@dataclass(frozen=True, slots=True)
class TaskChange:
    """The task to change, in the version that the caller has read, and which fields of the draft to take (None: all);
    without an id, a new task."""

    task_id: TaskId | None
    expected_version: int
    fields: Sequence[str] | None
    draft: TaskDraft


@replay_record
@dataclass(frozen=True, slots=True)
class TaskReplay:
    """The values of a stored task that its request does not hold."""

    task_id: TaskId
    version: int
    created_at: datetime
    updated_at: datetime
