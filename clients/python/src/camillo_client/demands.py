"""The freshness that a read demands, so that it sees the client's own writes."""

from __future__ import annotations

from typing import Any

from camillo.v1.consistency_pb2 import Revision, SpaceRead
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
        # Each with the message and the field that has it.
        self._made: list[tuple[Ticket, Any, str]] = []
        self._put(request, "freshness", request.agent_id)
        if isinstance(request, RecallRequest) and reads_shared(request):
            self._put(request, "shared_freshness", SHARED)
        for each in getattr(request, "spaces", ()):
            self._put(each, "freshness", each.space)

    def __bool__(self) -> bool:
        return bool(self._made)

    def met(self, revision: Revision, answer: object) -> None:
        """The read was answered so, at this revision of the agent's scope."""
        # A bundle says it itself.
        read_of = getattr(answer, "bundle", answer)
        of_spaces = {each.space: each.revision for each in getattr(read_of, "spaces", ())}
        for ticket, message, field in self._made:
            if isinstance(message, SpaceRead):
                read = of_spaces.get(message.space, Revision())
            else:
                read = revision if field == "freshness" else getattr(answer, "shared_revision", Revision())
            self._written.read(ticket, read)

    def drop(self) -> None:
        """One of them is void: the database was restored, or the scope removed."""
        for ticket, _, _ in self._made:
            self._written.drop(ticket)
        self.take_back()

    def take_back(self) -> None:
        """Takes them out of the request."""
        for _, message, field in self._made:
            message.ClearField(field)

    def _put(self, message: Any, field: str, agent_id: str) -> None:
        if message.HasField(field):
            return
        ticket = self._written.begin(agent_id)
        demand = self._written.demand(ticket)
        if demand is not None:
            getattr(message, field).CopyFrom(demand)
            self._made.append((ticket, message, field))
