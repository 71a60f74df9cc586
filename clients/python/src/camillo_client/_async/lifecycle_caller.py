"""What the parts of a lifecycle client have in common."""

from __future__ import annotations

from typing import Protocol, TypeVar

from grpc.aio import Channel, UnaryUnaryMultiCallable

from camillo.v1.lifecycle_service_pb2_grpc import LifecycleServiceStub
from camillo_client._async.calls import Calls
from camillo_client._async.mutations import Mutations, new_request_id
from camillo_client.freshness import RevisedAnswer
from camillo_client.revisions import WrittenRevisions


class Pass(Protocol):
    """A request that may only ask what would be done."""

    agent_id: str
    request_id: str
    dry_run: bool


PQ = TypeVar("PQ", bound=Pass)
PR = TypeVar("PR", bound=RevisedAnswer)


class LifecycleCaller(Mutations):
    """Calls the service; what changes a scope is among the client's own writes."""

    def __init__(
        self, channel: Channel, calls: Calls, written: WrittenRevisions, agent_id: str
    ) -> None:
        super().__init__(calls, written, agent_id)
        self._lifecycle = LifecycleServiceStub(channel)

    async def _pass(
        self,
        method: UnaryUnaryMultiCallable[PQ, PR],
        request: PQ,
        request_id: str | None,
        timeout: float | None,
    ) -> PR:
        """Carries it out, or only asks: then its revision is none that later reads have to reach."""
        if not request.dry_run:
            return await self._write(method, request, request_id, timeout)
        request.request_id = request_id or new_request_id()
        return await self._calls.unary(method, request, timeout)
