"""ForgetMemories of MemoryService: converts, calls the use case, converts back."""

from typing import Any

from camillo.v1 import memory_service_pb2 as service

from camillo_server.forgetting.forget_memories import ForgetMemories
from camillo_server.forgetting.messages import forgetting_of, receipt_message
from camillo_server.rpc.call import CallReader


class ForgettingServicer:
    """The method of MemoryService that forgets."""

    def __init__(self, forget: ForgetMemories, calls: CallReader) -> None:
        self._forget = forget
        self._calls = calls

    async def ForgetMemories(
        self, request: service.ForgetMemoriesRequest, context: Any
    ) -> service.ForgetMemoriesResponse:
        call = await self._calls.read(request)
        what = forgetting_of(request)
        done = await self._forget(call.scope, what, call.request_key, dry_run=request.dry_run)
        return service.ForgetMemoriesResponse(
            forgotten=done.memories,
            receipt=receipt_message(done),
            revision=call.revision(done.revision),
        )
