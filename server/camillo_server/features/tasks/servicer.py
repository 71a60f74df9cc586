"""TaskService: converts, calls the use case, converts back."""

from typing import Any

from camillo.v1 import task_service_pb2 as service
from camillo.v1 import task_service_pb2_grpc as stubs

from camillo_server.doors.rpc import tokens
from camillo_server.doors.rpc.call import CallReader
from camillo_server.doors.rpc.field_limits import stated_or_default
from camillo_server.doors.rpc.fields import channel_of, redaction_messages_off_loop
from camillo_server.doors.rpc.page_tokens import list_binding
from camillo_server.features.tasks import messages as requests
from camillo_server.features.tasks.messages import list_response, task_message
from camillo_server.features.tasks.tasks import Tasks


class TaskServicer(stubs.TaskServiceServicer):
    """The service of proto/camillo/v1/task_service.proto."""

    def __init__(self, tasks: Tasks, calls: CallReader) -> None:
        self._tasks = tasks
        self._calls = calls

    async def UpsertTask(self, request: service.UpsertTaskRequest, context: Any) -> service.UpsertTaskResponse:
        call = await self._calls.read(request)
        change = requests.task_change(request)
        task, revision, redactions = await self._tasks.upsert(call.scope, change, call.request_key)
        return service.UpsertTaskResponse(
            task=task_message(task),
            revision=call.revision(revision),
            redactions=await redaction_messages_off_loop(redactions),
        )

    async def GetTask(self, request: service.GetTaskRequest, context: Any) -> service.GetTaskResponse:
        call = await self._calls.read(request)
        task_id = requests.task_id(request.task_id)
        task = await self._tasks.get(call.scope, task_id, channel_of(request.channel))
        return service.GetTaskResponse(task=task_message(task))

    async def ListTasks(self, request: service.ListTasksRequest, context: Any) -> service.ListTasksResponse:
        call = await self._calls.read(request)
        binding = list_binding(request, call.scope)
        page = await self._tasks.list(
            call.scope,
            requests.task_filter(request),
            channel_of(request.channel),
            tokens.read_page_token(binding, request.page_token),
            stated_or_default(request, "page_size"),
        )
        return list_response(page, binding)
