"""Tasks: what an agent is at, across sessions."""

import enum
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import NewType
from uuid import UUID

from camillo_server.domain.channel import Channel
from camillo_server.domain.ids import AgentId
from camillo_server.domain.memory import Sensitivity

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
