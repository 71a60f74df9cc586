"""TaskService: converts, calls the use case, converts back."""

from dataclasses import dataclass
from typing import Any

from camillo.v1 import task_service_pb2 as service
from camillo.v1 import task_service_pb2_grpc as stubs

from camillo_server.domain.tasks.get_task import GetTask
from camillo_server.domain.tasks.list_tasks import ListTasks
from camillo_server.domain.tasks.ports import TaskCursor
from camillo_server.domain.tasks.task import TaskId
from camillo_server.domain.tasks.upsert_task import UpsertTask
from camillo_server.rpc import context_tokens, limits
from camillo_server.rpc import task_requests as requests
from camillo_server.rpc.artifact_requests import channel_of
from camillo_server.rpc.caller import request_key, scope_of
from camillo_server.rpc.convert import redaction_messages
from camillo_server.rpc.task_convert import list_response, task_message
from camillo_server.rpc.tokens import RevisionTokens
from camillo_server.rpc.validate import Checks


@dataclass(frozen=True, slots=True)
class TaskUseCases:
    """What TaskService can do."""

    upsert: UpsertTask
    get: GetTask
    list: ListTasks


class TaskServicer(stubs.TaskServiceServicer):
    """The service of proto/camillo/v1/task_service.proto."""

    def __init__(self, do: TaskUseCases, revisions: RevisionTokens) -> None:
        self._do = do
        self._revisions = revisions

    async def UpsertTask(
        self, request: service.UpsertTaskRequest, context: Any
    ) -> service.UpsertTaskResponse:
        checks = Checks()
        scope = scope_of(request, checks)
        key = request_key(request, checks)
        change = requests.task_change(request, checks)
        checks.done()
        task, revision, redactions = await self._do.upsert(scope, change, key)
        return service.UpsertTaskResponse(
            task=task_message(task),
            revision=self._revisions.revision(scope, revision),
            redactions=redaction_messages(redactions),
        )

    async def GetTask(
        self, request: service.GetTaskRequest, context: Any
    ) -> service.GetTaskResponse:
        checks = Checks()
        scope = scope_of(request, checks)
        task_id = requests.task_id(request.task_id, checks, "task_id")
        channel = channel_of(request.channel, checks, "channel")
        checks.done()
        task = await self._do.get(scope, task_id, channel)
        return service.GetTaskResponse(task=task_message(task))

    async def ListTasks(
        self, request: service.ListTasksRequest, context: Any
    ) -> service.ListTasksResponse:
        checks = Checks()
        scope = scope_of(request, checks)
        wanted = requests.task_filter(request, checks)
        channel = channel_of(request.channel, checks, "channel")
        size = checks.size(
            "page_size", request.page_size, limits.RECORD_PAGE_SIZE, limits.PAGE_SIZE_DEFAULT
        )
        checks.done()
        binding = context_tokens.list_binding(request, scope)
        place = context_tokens.read_moment_token(binding, request.page_token)
        after = TaskCursor(place[0], TaskId(place[1])) if place else None
        page = await self._do.list(scope, wanted, channel, after, size)
        return list_response(page, binding)
