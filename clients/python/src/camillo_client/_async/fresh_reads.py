"""Reads that see the client's own writes."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from grpc.aio import UnaryUnaryMultiCallable

from camillo.v1.consistency_pb2 import Revision
from camillo_client._async.caller import Caller
from camillo_client.errors import RevisionUnknown
from camillo_client.freshness import FreshRead, RevisedAnswer
from camillo_client.revisions import Ticket

FQ = TypeVar("FQ", bound=FreshRead)
FR = TypeVar("FR", bound=RevisedAnswer)
R = TypeVar("R")


class FreshReads(Caller):
    """Demands the revision of the last write, unless the caller demands something itself."""

    async def _read(
        self, method: UnaryUnaryMultiCallable[FQ, FR], request: FQ, timeout: float | None
    ) -> FR:
        return await self._read_at(method, request, lambda answer: answer.revision, timeout)

    async def _read_at(
        self,
        method: UnaryUnaryMultiCallable[FQ, R],
        request: FQ,
        revision_of: Callable[[R], Revision],
        timeout: float | None,
    ) -> R:
        """As `_read`, of an answer that keeps its revision somewhere else."""
        ticket, deadline = self._carry(request), self._calls.deadline(timeout)
        try:
            answer = await self._calls.unary_until(method, request, deadline)
        except RevisionUnknown:
            if ticket is None:
                raise
            # Not the caller's demand but ours, and void: the database was restored, or the scope removed.
            self._drop(ticket, request)
            return await self._calls.unary_until(method, request, deadline)
        if ticket is not None:
            self._written.read(ticket, revision_of(answer))
            # The next page of a list is asked for with the same message.
            request.ClearField("freshness")
        return answer

    def _carry(self, request: FreshRead) -> Ticket | None:
        """Puts the client's demand into the request; None if there is none, or the caller's own."""
        if request.HasField("freshness"):
            return None
        ticket = self._written.begin(request.agent_id)
        demand = self._written.demand(ticket)
        if demand is None:
            return None
        request.freshness.CopyFrom(demand)
        return ticket

    def _drop(self, ticket: Ticket, request: FreshRead) -> None:
        self._written.drop(ticket)
        request.ClearField("freshness")
