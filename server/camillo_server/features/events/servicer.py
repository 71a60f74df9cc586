"""EventService, but for its method that forgets (across/forgetting/servicer.py)."""

from collections.abc import AsyncIterator
from contextlib import aclosing
from dataclasses import replace
from functools import partial
from typing import Any

from camillo.v1 import event_service_pb2 as service
from camillo.v1.consistency_pb2 import DURABILITY_COMMITTED

from camillo_server.doors.rpc import page_tokens, tokens
from camillo_server.doors.rpc.call import Call, CallReader, read_request
from camillo_server.doors.rpc.field_limits import stated_or_default
from camillo_server.doors.rpc.fields import channel_of, redactions_cost
from camillo_server.doors.spool.spooling import Acceptance, Provisional, Spooling, spoolable
from camillo_server.features.events import messages, query_messages
from camillo_server.features.events.event import EventDraft
from camillo_server.features.events.events import Events, RebuildChunks
from camillo_server.features.events.messages import EventMessages
from camillo_server.features.events.record_events import RecordEvents
from camillo_server.kernel.off_loop import off_loop


class EventServicer:
    """The service of proto/camillo/v1/event_service.proto."""

    def __init__(
        self,
        events: Events,
        record: RecordEvents,
        rebuild: RebuildChunks,
        calls: CallReader,
        spooling: Spooling,
    ) -> None:
        self._events = events
        self._record = record
        self._rebuild = rebuild
        self._calls = calls
        spooling.bind(self, calls)

    @spoolable()
    async def RecordEvent(
        self, call: Call, request: service.RecordEventRequest, accepted: Acceptance
    ) -> service.RecordEventResponse:
        recorded, revision = await self._record.one(
            call.scope,
            await _draft(call, request),
            call.request_key,
            omit_forgotten=request.omit_forgotten,
            now=accepted.at,
            event_ids=[accepted.spool_id],
        )
        return service.RecordEventResponse(
            recorded=await off_loop(redactions_cost(recorded.redactions), partial(messages.recorded_message, recorded)),
            revision=call.revision(revision),
            durability=DURABILITY_COMMITTED,
        )

    @RecordEvent.preview
    async def _preview_event(
        self, call: Call, request: service.RecordEventRequest, accepted: Acceptance
    ) -> Provisional[service.RecordEventResponse]:
        recorded, rows = await self._record.preview(
            call.scope, await _draft(call, request), accepted.spool_id, accepted.at
        )
        message = await off_loop(redactions_cost(recorded.redactions), partial(messages.recorded_message, recorded))
        return Provisional(service.RecordEventResponse(recorded=message), rows)

    async def BatchRecordEvents(
        self, request: service.BatchRecordEventsRequest, context: Any
    ) -> service.BatchRecordEventsResponse:
        call = await self._calls.read(request)
        drafts = await read_request(request, partial(messages.event_drafts, agent_id=call.scope.agent_id))
        done = await self._record(
            call.scope,
            [messages.attributed(draft, call.principal) for draft in drafts],
            call.request_key,
            omit_forgotten=request.omit_forgotten,
        )
        return service.BatchRecordEventsResponse(
            results=await off_loop(
                messages.results_cost(done.results),
                partial(messages.recorded_results, done.results),
            ),
            revision=call.revision(done.revision),
        )

    async def GetEvent(self, request: service.GetEventRequest, context: Any) -> service.GetEventResponse:
        call = await self._calls.read(request)
        event_id = messages.event_id(request.event_id)
        event, chunk_ids = await self._events.get(call.scope, event_id, channel_of(request.channel))
        converted = EventMessages(call.scope, call.revisions)
        return service.GetEventResponse(
            event=await off_loop(messages.messages_cost([event]), partial(converted.event, event)),
            chunk_ids=[str(each) for each in chunk_ids],
        )

    async def ListEvents(self, request: service.ListEventsRequest, context: Any) -> service.ListEventsResponse:
        call = await self._calls.read(request)
        query = query_messages.list_of(request, call)
        binding = call.revisions.binding(page_tokens.list_binding(request, query.scope))
        after = query_messages.read_event_token(binding, request.page_token)
        page = await self._events.list(query, after, stated_or_default(request, "page_size"))
        converted = EventMessages(call.scope, call.revisions)
        cost = messages.messages_cost(page.events)
        return await off_loop(cost, partial(converted.listed, page, binding))

    async def ListWorkflow(self, request: service.ListWorkflowRequest, context: Any) -> service.ListWorkflowResponse:
        call = await self._calls.read(request)
        query = query_messages.workflow_of(request, call)
        binding = page_tokens.list_binding(request, query.scope)
        after = tokens.read_page_token(binding, request.page_token)
        page = await self._events.workflow(query, after, stated_or_default(request, "page_size"))
        converted = EventMessages(call.scope, call.revisions)
        cost = messages.messages_cost(page.events)
        return await off_loop(cost, partial(converted.workflow, page, binding))

    async def WatchEvents(
        self, request: service.WatchEventsRequest, context: Any
    ) -> AsyncIterator[service.WatchEventsResponse]:
        call = await self._calls.read(request)
        start = query_messages.watch_start(request, call)
        filter = query_messages.event_filter(request.filter)
        converted = EventMessages(call.scope, call.revisions)
        pages = self._events.watch(call.scope, filter, channel_of(request.channel), start)
        async with aclosing(pages):
            async for page in pages:
                for change in converted.changed(page):
                    yield change

    async def RebuildChunks(self, request: service.RebuildChunksRequest, context: Any) -> service.RebuildChunksResponse:
        call = await self._calls.read(request)
        done = await self._rebuild(call.scope)
        return service.RebuildChunksResponse(
            dropped=done.dropped,
            made=done.created,
            revision=call.revision(done.revision),
        )


async def _draft(call: Call, request: service.RecordEventRequest) -> EventDraft:
    agent_id = call.scope.agent_id
    draft = await read_request(request, lambda whole: messages.event_draft(whole.event, agent_id))
    return replace(draft, actor=draft.actor.named_by(call.principal))
