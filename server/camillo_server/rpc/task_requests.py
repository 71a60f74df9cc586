"""Tasks as callers state them and ask for them."""

from collections.abc import Callable, Sequence
from typing import Any

from camillo.v1 import task_pb2 as pb
from camillo.v1 import task_service_pb2 as service

from camillo_server.domain.channel import Channel
from camillo_server.domain.tasks.task import UNFINISHED, TaskDraft, TaskFilter, TaskId, TaskStatus
from camillo_server.domain.tasks.upsert_task import TaskChange
from camillo_server.rpc import context_fields as fields
from camillo_server.rpc import convert, limits
from camillo_server.rpc.validate import Checks

# What a caller states of a task, and how it is read and checked.
FIELDS: dict[str, Callable[[pb.NewTask, Checks], Any]] = {
    "title": lambda m, c: c.text("task.title", m.title, 1, limits.TITLE_CHARACTERS),
    "details": lambda m, c: c.text("task.details", m.details, 0, limits.DETAILS_CHARACTERS),
    "status": lambda m, c: fields.value_known(m.status, c, "task.status", TaskStatus.OPEN),
    "goal": lambda m, c: fields.statement(m.goal, c, "task.goal"),
    "plan_step": lambda m, c: fields.statement(m.plan_step, c, "task.plan_step"),
    "constraints": lambda m, c: fields.statements(m.constraints, c, "task.constraints"),
    "refs": lambda m, c: fields.refs(m.refs, c, "task.refs"),
    "session_id": lambda m, c: convert.session_id(m.session_id, c, "task.session_id"),
    "sensitivity": lambda m, c: convert.sensitivity(m.sensitivity, c, "task.sensitivity"),
    "channel": lambda m, c: fields.value_known(m.channel, c, "task.channel", Channel.PRIVATE),
    "tags": lambda m, c: fields.tags(m.tags, c, "task.tags"),
}


def task_change(request: service.UpsertTaskRequest, checks: Checks) -> TaskChange:
    """The task to open, or what is to be changed. Adds to the checks what is wrong with it."""
    if request.task_id:
        known_id = task_id(request.task_id, checks, "task_id")
        version = fields.expected_version(request.expected_version, checks)
        named = _masked(request, checks)
    else:
        known_id, version, named = None, 0, None
        _refuse_of_a_change(request, checks)
    names = FIELDS if named is None else named
    values = {name: FIELDS[name](request.task, checks) for name in names}
    return TaskChange(known_id, version, named, TaskDraft(**{"title": "", **values}))


def _masked(request: service.UpsertTaskRequest, checks: Checks) -> Sequence[str] | None:
    """The fields that the mask names; None without a mask."""
    if not request.HasField("update_mask"):
        return None
    paths = request.update_mask.paths
    if not paths:
        checks.fail("update_mask", "must name at least one field, or be absent for all")
    if any(path not in FIELDS for path in paths):
        checks.fail("update_mask", f"may name {', '.join(FIELDS)}")
    return [path for path in dict.fromkeys(paths) if path in FIELDS]


def _refuse_of_a_change(request: service.UpsertTaskRequest, checks: Checks) -> None:
    """A new task has no version yet, and nothing that a mask could leave as it is."""
    if request.expected_version:
        checks.fail("expected_version", "must be 0 without a task_id: a new task has no version")
    if request.HasField("update_mask"):
        checks.fail("update_mask", "must be absent without a task_id: a new task takes all fields")


def task_id(value: str, checks: Checks, field: str) -> TaskId:
    return TaskId(checks.uuid(field, value))


def task_filter(request: service.ListTasksRequest, checks: Checks) -> TaskFilter:
    """Which tasks are to be listed; no status is those that are not finished."""
    statuses = fields.values_known(request.statuses, checks, "statuses", TaskStatus)
    return TaskFilter(
        statuses=statuses or UNFINISHED,
        session_id=convert.session_id(request.session_id, checks, "session_id"),
    )
