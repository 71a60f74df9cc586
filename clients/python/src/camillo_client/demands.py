"""The freshness that a read demands, so that it sees the client's own writes."""

from __future__ import annotations

from camillo.v1.consistency_pb2 import Revision
from camillo.v1.memory_service_pb2 import RecallRequest
from camillo_client.call_metadata import SHARED
from camillo_client.freshness import FreshRead
from camillo_client.queries import reads_shared
from camillo_client.revisions import Ticket, WrittenRevisions


class Demands:
    """The demands of one read, put into its request; none where nothing was written, or where they are the caller's
    own."""

    def __init__(self, written: WrittenRevisions, request: FreshRead) -> None:
        self._written = written
        self._request = request
        self._own = self._put("freshness", request.agent_id)
        self._shared: Ticket | None = None
        if isinstance(request, RecallRequest) and reads_shared(request):
            self._shared = self._put("shared_freshness", SHARED)

    def __bool__(self) -> bool:
        return self._own is not None or self._shared is not None

    def met(self, revision: Revision, answer: object) -> None:
        """The read was answered so, at this revision of the agent's scope."""
        if self._own is not None:
            self._written.read(self._own, revision)
        if self._shared is not None:
            self._written.read(self._shared, getattr(answer, "shared_revision", Revision()))

    def drop(self) -> None:
        """One of them is void: the database was restored, or the scope removed."""
        for ticket in (self._own, self._shared):
            if ticket is not None:
                self._written.drop(ticket)
        self.take_back()

    def take_back(self) -> None:
        """Takes them out of the request."""
        if self._own is not None:
            self._request.ClearField("freshness")
        if self._shared is not None:
            self._request.ClearField("shared_freshness")

    def _put(self, field: str, agent_id: str) -> Ticket | None:
        if self._request.HasField(field):
            return None
        ticket = self._written.begin(agent_id)
        demand = self._written.demand(ticket)
        if demand is None:
            return None
        getattr(self._request, field).CopyFrom(demand)
        return ticket
