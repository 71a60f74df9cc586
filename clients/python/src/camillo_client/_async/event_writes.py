"""Recording events, one or many."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Unpack

from grpc.aio import Channel

from camillo.v1.event_pb2 import NewEvent
from camillo.v1.event_service_pb2 import (
    BatchRecordEventsRequest,
    EventIds,
    ForgetEventsRequest,
    ForgetEventsResponse,
    RebuildChunksRequest,
    RebuildChunksResponse,
    RecordedEvent,
    RecordedEventResult,
    RecordEventRequest,
)
from camillo.v1.event_service_pb2_grpc import EventServiceStub
from camillo_client._async.calls import Calls
from camillo_client._async.mutations import Mutations, new_request_id
from camillo_client.convert import to_strings
from camillo_client.errors import CamilloError
from camillo_client.event_fields import NewEventFields, new_event
from camillo_client.event_sizes import Sendable, too_large
from camillo_client.failures import from_status
from camillo_client.packing import packs
from camillo_client.redactions import warn_of
from camillo_client.revisions import WrittenRevisions

MAX_BATCH = 1000
# Below the 4 MiB that a gRPC server takes in one message unless told otherwise; what is larger travels alone.
MAX_BATCH_BYTES = 3 * 1024 * 1024


class EventWrites(Mutations):
    """Secrets are never stored: of each one taken out, a SecretRedacted warning tells."""

    def __init__(
        self, channel: Channel, calls: Calls, written: WrittenRevisions, agent_id: str
    ) -> None:
        super().__init__(calls, written, agent_id)
        self._events = EventServiceStub(channel)

    async def record(
        self,
        text: str | None = None,
        *,
        agent_id: str | None = None,
        request_id: str | None = None,
        timeout: float | None = None,
        **fields: Unpack[NewEventFields],
    ) -> RecordedEvent:
        """Stores one event; see NewEventFields for the rest. EventTooLarge, before it is sent, where it should be an
        artifact."""
        event = new_event(text, **fields)
        if (refusal := too_large(event)) is not None:
            raise refusal
        request = RecordEventRequest(agent_id=self._agent(agent_id), event=event)
        answer = await self._write(self._events.RecordEvent, request, request_id, timeout)
        warn_of(answer.recorded.redactions)
        return answer.recorded

    async def record_many(
        self,
        events: Iterable[NewEvent],
        *,
        agent_id: str | None = None,
        request_id: str | None = None,
        timeout: float | None = None,
    ) -> list[RecordedEvent | CamilloError]:
        """What was stored or an error for each, in the order given; `new_event` makes them.

        Sent in batches of up to 1,000 while they are taken from the iterable, each one transaction with the timeout for
        itself. If one fails as a whole, its error is raised and those before it stay stored; repeated with the same events
        and the `request_id` of that error, the call stores the rest and returns everything.
        """
        first_id = request_id or new_request_id()
        sendable = Sendable(events)
        outcomes: list[RecordedEvent | CamilloError] = []
        try:
            for number, pack in enumerate(packs(sendable, MAX_BATCH, MAX_BATCH_BYTES)):
                request = BatchRecordEventsRequest(
                    agent_id=self._agent(agent_id),
                    request_id=f"{first_id}.{number}" if number else first_id,
                    events=pack,
                )
                answer = await self._write(
                    self._events.BatchRecordEvents, request, request_id, timeout
                )
                outcomes += map(_outcome, answer.results)
        except CamilloError as error:
            error.request_id = first_id
            raise
        for place, refusal in sendable.refused:
            outcomes.insert(place, refusal)
        return outcomes

    async def forget(
        self,
        ids: Iterable[str] | None = None,
        *,
        session_id: str = "",
        dry_run: bool = False,
        agent_id: str | None = None,
        request_id: str | None = None,
        timeout: float | None = None,
    ) -> ForgetEventsResponse:
        """Removes events for good, and what was derived from them; with `dry_run` only tells which."""
        if (ids is None) == (not session_id):
            raise ValueError("forget takes either ids or a session")
        request = ForgetEventsRequest(
            agent_id=self._agent(agent_id),
            event_ids=None if ids is None else EventIds(ids=to_strings(ids, "ids")),
            session_id=session_id or None,
            dry_run=dry_run,
        )
        if dry_run:
            # Not a write: its revision is none that later reads have to reach.
            request.request_id = request_id or new_request_id()
            return await self._calls.unary(self._events.ForgetEvents, request, timeout)
        return await self._write(self._events.ForgetEvents, request, request_id, timeout)

    async def rebuild_chunks(
        self, *, agent_id: str | None = None, timeout: float | None = None
    ) -> RebuildChunksResponse:
        """Drops every chunk of the scope and makes it again; allow a large scope more time."""
        request = RebuildChunksRequest(agent_id=self._agent(agent_id))
        ticket = self._written.begin(request.agent_id)
        answer = await self._calls.unary(self._events.RebuildChunks, request, timeout)
        self._written.wrote(ticket, answer.revision)
        return answer


def _outcome(result: RecordedEventResult) -> RecordedEvent | CamilloError:
    if result.HasField("error"):
        return from_status(result.error)
    warn_of(result.recorded.redactions)
    return result.recorded
