"""What becomes of memories with time: archived, removed, put together, counted."""

from __future__ import annotations

from collections.abc import AsyncGenerator

from camillo.v1.lifecycle_pb2 import Receipt
from camillo.v1.lifecycle_service_pb2 import LiftValueBlocksRequest, ListReceiptsRequest
from camillo_client._async.compactions import Compactions
from camillo_client._async.mutations import new_request_id
from camillo_client._async.passes import Passes
from camillo_client._async.upkeep import Upkeep


class AsyncLifecycle(Passes, Compactions, Upkeep):
    """`agent_id` and `timeout` of a method stand for that call in place of the client's own. Failures are CamilloError."""

    async def receipts(
        self, *, page_size: int = 0, agent_id: str | None = None, timeout: float | None = None
    ) -> AsyncGenerator[Receipt]:
        """What was removed, newest first; the timeout is that of each page."""
        request = ListReceiptsRequest(agent_id=self._agent(agent_id), page_size=page_size)
        pages = self._calls.pages(
            lambda page: self._calls.unary(self._lifecycle.ListReceipts, page, timeout), request
        )
        async for page in pages:
            for receipt in page.receipts:
                yield receipt

    async def lift(
        self,
        content: str | None = None,
        *,
        receipt_id: str | None = None,
        agent_id: str | None = None,
        request_id: str | None = None,
        timeout: float | None = None,
    ) -> int:
        """Lets a text that was forgotten be stated again, or all that one receipt tells of; how many values."""
        if (content is None) == (receipt_id is None):
            raise ValueError("a block is lifted by its content or by a receipt_id")
        request = LiftValueBlocksRequest(
            agent_id=self._agent(agent_id),
            request_id=request_id or new_request_id(),
            content=content,
            receipt_id=receipt_id,
        )
        answer = await self._calls.unary(self._lifecycle.LiftValueBlocks, request, timeout)
        return answer.lifted
