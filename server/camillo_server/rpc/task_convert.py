"""Tasks as the contract has them."""

from camillo.v1 import task_pb2 as pb
from camillo.v1 import task_service_pb2 as service

from camillo_server.domain.tasks.list_tasks import TaskPage
from camillo_server.domain.tasks.ports import TaskCursor
from camillo_server.domain.tasks.task import Task, TaskDraft
from camillo_server.rpc import context_tokens, convert
from camillo_server.rpc.context_pages import fitting


def task_message(task: Task) -> pb.Task:
    """A task as the contract has it."""
    message = pb.Task(task_id=str(task.task_id), agent_id=task.agent_id, version=task.version)
    _fill_stated(message.stated, task.stated)
    convert.fill_timestamp(message.created_at, task.created_at)
    convert.fill_timestamp(message.updated_at, task.updated_at)
    return message


def _fill_stated(message: pb.NewTask, stated: TaskDraft) -> None:
    for name in ("title", "details", "goal", "plan_step", "session_id"):
        setattr(message, name, getattr(stated, name))
    for name in ("constraints", "refs", "tags"):
        getattr(message, name).extend(getattr(stated, name))
    message.status = int(stated.status)  # type: ignore[assignment]
    message.sensitivity = int(stated.sensitivity)  # type: ignore[assignment]
    message.channel = int(stated.channel)  # type: ignore[assignment]


def list_response(page: TaskPage, binding: bytes) -> service.ListTasksResponse:
    """The page, or so much of its beginning as fits in a message: the rest is on the next one."""
    messages = fitting(page.tasks, task_message)
    cursor = page.next_cursor
    if len(messages) < len(page.tasks):
        last = page.tasks[len(messages) - 1]
        cursor = TaskCursor(last.updated_at, last.task_id)
    token = context_tokens.moment_token(binding, cursor.at, cursor.task_id) if cursor else ""
    return service.ListTasksResponse(tasks=messages, next_page_token=token)
