"""TaskService: converts, calls the use case, converts back."""

from collections.abc import Callable, Sequence
from typing import Any
from uuid import UUID

from camillo.v1 import task_pb2 as pb
from camillo.v1 import task_service_pb2 as service
from camillo.v1 import task_service_pb2_grpc as stubs

from camillo_server.doors.rpc import fields, tokens
from camillo_server.doors.rpc.call import CallReader
from camillo_server.doors.rpc.field_limits import rule, stated_or_default
from camillo_server.doors.rpc.fields import (
    channel_of,
    check_mask,
    distinct,
    member,
    members,
    redaction_messages_off_loop,
    sensitivity_of,
    tags_of,
)
from camillo_server.doors.rpc.page_tokens import list_binding, page_of
from camillo_server.doors.rpc.validate import Checks
from camillo_server.features.tasks.task import (
    UNFINISHED,
    Task,
    TaskChange,
    TaskDraft,
    TaskFilter,
    TaskId,
    TaskStatus,
)
from camillo_server.features.tasks.tasks import Tasks
from camillo_server.kernel.channel import Channel
from camillo_server.kernel.ids import PageCursor


class TaskServicer(stubs.TaskServiceServicer):
    """The service of proto/camillo/v1/task_service.proto."""

    def __init__(self, tasks: Tasks, calls: CallReader) -> None:
        self._tasks = tasks
        self._calls = calls

    async def UpsertTask(self, request: service.UpsertTaskRequest, context: Any) -> service.UpsertTaskResponse:
        call = await self._calls.read(request)
        change = task_change(request)
        task, revision, redactions = await self._tasks.upsert(call.scope, change, call.request_key)
        return service.UpsertTaskResponse(
            task=task_message(task),
            revision=call.revision(revision),
            redactions=await redaction_messages_off_loop(redactions),
        )

    async def GetTask(self, request: service.GetTaskRequest, context: Any) -> service.GetTaskResponse:
        call = await self._calls.read(request)
        task = await self._tasks.get(call.scope, task_id(request.task_id), channel_of(request.channel))
        return service.GetTaskResponse(task=task_message(task))

    async def ListTasks(self, request: service.ListTasksRequest, context: Any) -> service.ListTasksResponse:
        call = await self._calls.read(request)
        size, binding = stated_or_default(request, "page_size"), list_binding(request, call.scope)
        tasks = await self._tasks.list(
            call.scope,
            task_filter(request),
            channel_of(request.channel),
            tokens.read_page_token(binding, request.page_token),
            size,
        )
        return list_response(tasks, size, binding)


# The fields of a task that a caller states, and how each is read.
FIELDS: dict[str, Callable[[pb.NewTask], Any]] = {
    "title": lambda m: m.title,
    "details": lambda m: m.details,
    "status": lambda m: member(m.status, TaskStatus.OPEN),
    "goal": lambda m: m.goal,
    "plan_step": lambda m: m.plan_step,
    "constraints": lambda m: tuple(m.constraints),
    "refs": lambda m: distinct(m.refs),
    "session_id": lambda m: m.session_id,
    "sensitivity": lambda m: sensitivity_of(m.sensitivity),
    "channel": lambda m: member(m.channel, Channel.PRIVATE),
    "tags": lambda m: tags_of(m.tags),
}


def task_message(task: Task) -> pb.Task:
    """A task as the contract has it."""
    message = pb.Task(
        task_id=str(task.task_id),
        agent_id=task.agent_id,
        version=task.version,
        stated=pb.NewTask(**fields.draft_fields(task.stated)),
    )
    fields.fill_timestamp(message.created_at, task.created_at)
    fields.fill_timestamp(message.updated_at, task.updated_at)
    return message


def list_response(tasks: Sequence[Task], size: int, binding: bytes) -> service.ListTasksResponse:
    """A page as `page_of` makes it."""

    def token_of(last: Task) -> str:
        return tokens.page_token(binding, PageCursor(last.updated_at, last.task_id))

    messages, token = page_of(tasks, size, task_message, token_of)
    return service.ListTasksResponse(tasks=messages, next_page_token=token)


@rule(service.UpsertTaskRequest)
def check_task_change(request: service.UpsertTaskRequest, path: str, checks: Checks) -> None:
    """A new task has no version yet, and nothing that a mask could leave as it is."""
    has_mask = request.HasField("update_mask")
    if request.task_id:
        if request.expected_version < 1:
            checks.fail("expected_version", "must be 1 or more: the version that you have read")
        if has_mask:
            if_empty = "must name at least one field, or be absent for all"
            check_mask(request.update_mask.paths, FIELDS, checks, if_empty)
        return
    if request.expected_version:
        checks.fail("expected_version", "must be 0 without a task_id: a new task has no version")
    if has_mask:
        checks.fail("update_mask", "must be absent without a task_id: a new task takes all fields")


def task_change(request: service.UpsertTaskRequest) -> TaskChange:
    """The task to open, or what is to be changed."""
    named = None
    if request.HasField("update_mask"):
        named = list(dict.fromkeys(request.update_mask.paths))
    values = {name: FIELDS[name](request.task) for name in (FIELDS if named is None else named)}
    known_id = task_id(request.task_id) if request.task_id else None
    return TaskChange(known_id, request.expected_version, named, TaskDraft(**{"title": "", **values}))


def task_id(value: str) -> TaskId:
    return TaskId(UUID(value))


def task_filter(request: service.ListTasksRequest) -> TaskFilter:
    """The filter of a list of tasks; without a status it selects those that are not finished."""
    return TaskFilter(
        statuses=members(request.statuses, TaskStatus) or UNFINISHED,
        session_id=request.session_id,
    )
