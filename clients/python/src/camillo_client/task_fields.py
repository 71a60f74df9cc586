"""Keyword arguments that describe a task."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from typing import Any, Literal, TypeAlias, TypedDict, Unpack

from google.protobuf.field_mask_pb2 import FieldMask

from camillo.v1.memory_pb2 import Sensitivity
from camillo.v1.task_pb2 import NewTask, TaskStatus
from camillo_client.artifact_fields import ChannelLike
from camillo_client.convert import SensitivityLevel, to_enum
from camillo_client.keyword_fields import Conversions, to_enums, wire_values

TaskStatusName: TypeAlias = Literal["open", "doing", "blocked", "done", "cancelled"]
TaskStatusLike: TypeAlias = TaskStatusName | TaskStatus


class TaskFields(TypedDict, total=False):
    """A field that is left out has its default; None is the same as left out."""

    details: str
    # Default: open.
    status: TaskStatusLike
    # The goal that it serves, and where its plan stands.
    goal: str
    plan_step: str
    # Constraints that it has to respect.
    constraints: Iterable[str]
    # Ids of the items that it rests on.
    refs: Iterable[str]
    session_id: str
    # Default: internal.
    sensitivity: SensitivityLevel | Sensitivity
    # Where it belongs; default: private.
    channel: ChannelLike | None
    tags: Iterable[str]


class ChangedTaskFields(TaskFields, total=False):
    """Fields that can be changed. A field given as None, or empty, gets its default."""

    title: str


def new_task(title: str, **fields: Unpack[TaskFields]) -> NewTask:
    """A task to open; the limits are those of `NewTask`."""
    values = wire_values(fields, TaskFields.__optional_keys__, "a task", _CONVERSIONS)
    return NewTask(title=title, **values)


def changed_task(**fields: Unpack[ChangedTaskFields]) -> tuple[NewTask, FieldMask]:
    """The new values, and a mask with the names of all fields given; one given as None goes back to its default."""
    values = wire_values(fields, ChangedTaskFields.__optional_keys__, "a task", _CONVERSIONS)
    return NewTask(**values), FieldMask(paths=list(fields))


def task_statuses(statuses: Iterable[TaskStatusLike]) -> list[Any]:
    """The numbers of the statuses of a list."""
    return to_enums(TaskStatus, statuses)


_CONVERSIONS: Conversions = {"status": partial(to_enum, TaskStatus)}
