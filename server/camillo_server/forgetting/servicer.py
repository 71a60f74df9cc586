"""ForgetMemories of MemoryService: converts, calls the use case, converts back."""

from typing import Any

from camillo.v1 import memory_service_pb2 as service

from camillo_server.forgetting.forgetting import Forgetting
from camillo_server.forgetting.messages import forget_selection, receipt_message
from camillo_server.rpc.call import CallReader


class ForgettingServicer:
    """The method of MemoryService that forgets."""

    def __init__(self, forgetting: Forgetting, calls: CallReader) -> None:
        self._forgetting = forgetting
        self._calls = calls

    async def ForgetMemories(
        self, request: service.ForgetMemoriesRequest, context: Any
    ) -> service.ForgetMemoriesResponse:
        call = await self._calls.read(request)
        receipt, revision = await self._forgetting.forget_memories(
            call.scope, forget_selection(request), call.request_key, dry_run=request.dry_run
        )
        return service.ForgetMemoriesResponse(
            forgotten=receipt.stores["memories"],
            receipt=receipt_message(receipt),
            revision=call.revision(revision),
        )
