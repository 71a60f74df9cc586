# Generated from _async/fresh_reads.py by tools/generate_sync.py: do not edit.
"""Reads that see the client's own writes."""

from __future__ import annotations

from typing import TypeVar

from grpc import UnaryUnaryMultiCallable

from camillo_client._sync.connection import Connection
from camillo_client.errors import RevisionUnknown
from camillo_client.freshness import FreshRead, RevisedAnswer
from camillo_client.revisions import Ticket

FQ = TypeVar("FQ", bound=FreshRead)
FR = TypeVar("FR", bound=RevisedAnswer)


class FreshReads(Connection):
    """Demands the revision of the last write, unless the caller demands something itself."""

    def _read(
        self, method: UnaryUnaryMultiCallable[FQ, FR], request: FQ, timeout: float | None
    ) -> FR:
        ticket = self._carry(request)
        try:
            answer = self._calls.unary(method, request, timeout)
        except RevisionUnknown:
            if ticket is None:
                raise
            # Not the caller's demand but ours, and void: the database was restored, or the scope removed.
            self._drop(ticket, request)
            return self._calls.unary(method, request, timeout)
        if ticket is not None:
            self._written.read(ticket, answer.revision)
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
