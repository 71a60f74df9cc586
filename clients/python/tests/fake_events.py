"""Events in memory: a small service that takes every call."""

from __future__ import annotations

from collections.abc import AsyncIterator

import grpc
from clients.python.tests.fake_records import not_found
from clients.python.tests.fake_service import UNAVAILABLE, Context, Desk, FakeMemories, abort, redactions_of, status

from camillo.v1 import event_service_pb2
from camillo.v1.actor_pb2 import EventKind
from camillo.v1.channel_pb2 import Channel
from camillo.v1.event_pb2 import Event, EventChange, EventReceipt, NewEvent
from camillo.v1.event_service_pb2_grpc import EventServiceServicer
from camillo.v1.memory_pb2 import StoreCount


class FakeEvents(EventServiceServicer):
    """Events in order, whoever asks; public ones alone in public. The revisions are those of the memories."""

    def __init__(self, desk: Desk, memories: FakeMemories) -> None:
        self.desk = desk
        self.memories = memories
        self.events: list[Event] = []
        # After how many changes a connection of a watch breaks; the one after the last ends in good order.
        self.breaks: list[int] = []

    def _store(self, agent_id: str, stated: NewEvent) -> event_service_pb2.RecordedEvent:
        event = Event(event_id=f"e{len(self.events)}", agent_id=agent_id, stated=stated)
        event.stated.kind = stated.kind or EventKind.EVENT_KIND_MESSAGE
        event.stated.channel = stated.channel or Channel.CHANNEL_PRIVATE
        self.events.append(event)
        is_long = len(stated.tool_result.excerpt_text) > 100
        return event_service_pb2.RecordedEvent(
            event_id=event.event_id,
            chunk_ids=[f"{event.event_id}-0"],
            artifact_id="whole_1" if is_long else "",
            redactions=redactions_of(stated.text),
        )

    def _write(self, agent_id: str) -> None:
        self.memories.counters[agent_id] += 1

    async def RecordEvent(
        self, request: event_service_pb2.RecordEventRequest, context: Context
    ) -> event_service_pb2.RecordEventResponse:
        await self.desk.enter("RecordEvent", request, context)
        recorded = self._store(request.agent_id, request.event)
        written = self.memories.write(request.agent_id)
        return event_service_pb2.RecordEventResponse(recorded=recorded, **written)

    async def BatchRecordEvents(
        self, request: event_service_pb2.BatchRecordEventsRequest, context: Context
    ) -> event_service_pb2.BatchRecordEventsResponse:
        await self.desk.enter("BatchRecordEvents", request, context)
        self._write(request.agent_id)
        missing = status(grpc.StatusCode.FAILED_PRECONDITION, "REF_NOT_FOUND", metadata={"ref": "r0"})
        results = [
            event_service_pb2.RecordedEventResult(error=missing)
            if "r0" in event.refs
            else event_service_pb2.RecordedEventResult(recorded=self._store(request.agent_id, event))
            for event in request.events
        ]
        return event_service_pb2.BatchRecordEventsResponse(
            results=results, revision=self.memories.revision(request.agent_id)
        )

    async def GetEvent(
        self, request: event_service_pb2.GetEventRequest, context: Context
    ) -> event_service_pb2.GetEventResponse:
        await self.desk.enter("GetEvent", request, context)
        found = [event for event in self.events if event.event_id == request.event_id]
        if not found:
            await abort(context, not_found("event", request.event_id))
        return event_service_pb2.GetEventResponse(event=found[0], chunk_ids=[f"{request.event_id}-0"])

    async def ListEvents(
        self, request: event_service_pb2.ListEventsRequest, context: Context
    ) -> event_service_pb2.ListEventsResponse:
        await self.desk.enter("ListEvents", request, context)
        session = request.filter.session_id
        found = [e for e in self.events if not session or e.stated.session_id == session]
        if request.newest_first:
            found.reverse()
        start = int(request.page_token or 0)
        end = start + (request.page_size or 50)
        return event_service_pb2.ListEventsResponse(
            events=found[start:end], next_page_token=str(end) if end < len(found) else ""
        )

    async def ListWorkflow(
        self, request: event_service_pb2.ListWorkflowRequest, context: Context
    ) -> event_service_pb2.ListWorkflowResponse:
        await self.desk.enter("ListWorkflow", request, context)
        found = [e for e in self.events if e.stated.workflow_step.workflow == request.workflow]
        start = int(request.page_token or 0)
        end = start + (request.page_size or 50)
        return event_service_pb2.ListWorkflowResponse(
            steps=found[start:end], next_page_token=str(end) if end < len(found) else ""
        )

    async def WatchEvents(
        self, request: event_service_pb2.WatchEventsRequest, context: Context
    ) -> AsyncIterator[event_service_pb2.WatchEventsResponse]:
        await self.desk.enter("WatchEvents", request, context)
        start = int(request.resume_token or 0)
        is_broken = bool(self.breaks)
        count = self.breaks.pop(0) if self.breaks else len(self.events)
        for place, event in list(enumerate(self.events, 1))[start : start + count]:
            change = EventChange(resume_token=str(place), recorded=event)
            yield event_service_pb2.WatchEventsResponse(change=change)
        if is_broken:
            await abort(context, UNAVAILABLE)

    async def ForgetEvents(
        self, request: event_service_pb2.ForgetEventsRequest, context: Context
    ) -> event_service_pb2.ForgetEventsResponse:
        await self.desk.enter("ForgetEvents", request, context)
        ids = set(request.event_ids.ids)
        gone = [
            event
            for event in self.events
            if event.event_id in ids or event.stated.session_id == (request.session_id or None)
        ]
        if not request.dry_run:
            self._write(request.agent_id)
            self.events = [event for event in self.events if event not in gone]
        receipt = EventReceipt(
            receipt_id="" if request.dry_run else "receipt_1",
            event_ids=[event.event_id for event in gone],
            stores=[StoreCount(store="chunks", rows=len(gone))],
        )
        return event_service_pb2.ForgetEventsResponse(
            forgotten=len(gone), receipt=receipt, revision=self.memories.revision(request.agent_id)
        )

    async def RebuildChunks(
        self, request: event_service_pb2.RebuildChunksRequest, context: Context
    ) -> event_service_pb2.RebuildChunksResponse:
        await self.desk.enter("RebuildChunks", request, context)
        self._write(request.agent_id)
        count, revision = len(self.events), self.memories.revision(request.agent_id)
        return event_service_pb2.RebuildChunksResponse(dropped=count, made=count, revision=revision)
