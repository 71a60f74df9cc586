"""EventService: converts, calls the use case, converts back."""

from collections.abc import AsyncIterator
from dataclasses import dataclass
from functools import partial
from typing import Any

from camillo.v1 import event_service_pb2 as service
from camillo.v1 import event_service_pb2_grpc as stubs

from camillo_server.events import content_messages as event_queries
from camillo_server.events import messages as event_convert
from camillo_server.events import messages as requests
from camillo_server.events import page_tokens as events_page_tokens
from camillo_server.events.forget_events import ForgetEvents
from camillo_server.events.messages import EventMessages
from camillo_server.events.read_events import GetEvent, ListEvents, WatchEvents
from camillo_server.events.rebuild_chunks import RebuildChunks
from camillo_server.events.record_events import RecordEvent, RecordEvents
from camillo_server.kernel.off_loop import off_loop
from camillo_server.rpc import page_tokens
from camillo_server.rpc.call import CallReader, read_request
from camillo_server.rpc.field_limits import stated_or_default
from camillo_server.rpc.fields import channel_of


@dataclass(frozen=True, slots=True)
class EventUseCases:
    """What EventService can do."""

    record: RecordEvent
    record_many: RecordEvents
    get: GetEvent
    list: ListEvents
    watch: WatchEvents
    forget: ForgetEvents
    rebuild_chunks: RebuildChunks


class EventServicer(stubs.EventServiceServicer):
    """The service of proto/camillo/v1/event_service.proto."""

    def __init__(self, do: EventUseCases, calls: CallReader) -> None:
        self._do = do
        self._calls = calls

    async def RecordEvent(
        self, request: service.RecordEventRequest, context: Any
    ) -> service.RecordEventResponse:
        call = await self._calls.read(request)
        draft = await read_request(request, lambda whole: requests.event_draft(whole.event))
        recorded, revision = await self._do.record(call.scope, draft, call.request_key)
        return service.RecordEventResponse(
            recorded=event_convert.recorded_message(recorded),
            revision=call.revision(revision),
        )

    async def BatchRecordEvents(
        self, request: service.BatchRecordEventsRequest, context: Any
    ) -> service.BatchRecordEventsResponse:
        call = await self._calls.read(request)
        drafts = await read_request(request, requests.event_drafts)
        done = await self._do.record_many(call.scope, drafts, call.request_key)
        return service.BatchRecordEventsResponse(
            results=event_convert.recorded_results(done.results),
            revision=call.revision(done.revision),
        )

    async def GetEvent(
        self, request: service.GetEventRequest, context: Any
    ) -> service.GetEventResponse:
        call = await self._calls.read(request)
        event_id = requests.event_id(request.event_id)
        event, chunk_ids = await self._do.get(call.scope, event_id, channel_of(request.channel))
        messages = EventMessages(call.scope, call.revisions)
        return service.GetEventResponse(
            event=await off_loop(
                event_convert.messages_cost([event]), partial(messages.event, event)
            ),
            chunk_ids=[str(each) for each in chunk_ids],
        )

    async def ListEvents(
        self, request: service.ListEventsRequest, context: Any
    ) -> service.ListEventsResponse:
        call = await self._calls.read(request)
        asked = event_queries.list_of(request, call)
        binding = page_tokens.list_binding(request, asked.scope)
        after = events_page_tokens.read_event_token(binding, request.page_token)
        page = await self._do.list(asked, after, stated_or_default(request, "page_size"))
        messages = EventMessages(call.scope, call.revisions)
        cost = event_convert.messages_cost(page.events)
        return await off_loop(cost, partial(messages.listed, page, binding))

    async def WatchEvents(
        self, request: service.WatchEventsRequest, context: Any
    ) -> AsyncIterator[service.WatchEventsResponse]:
        call = await self._calls.read(request)
        start = event_queries.watch_start(request, call)
        wanted = event_queries.event_filter(request.filter)
        messages = EventMessages(call.scope, call.revisions)
        async for page in self._do.watch(call.scope, wanted, channel_of(request.channel), start):
            for change in messages.changed(page):
                yield change

    async def ForgetEvents(
        self, request: service.ForgetEventsRequest, context: Any
    ) -> service.ForgetEventsResponse:
        call = await self._calls.read(request)
        selector = event_queries.selector_of(request)
        done = await self._do.forget(
            call.scope, selector, call.request_key, dry_run=request.dry_run
        )
        return service.ForgetEventsResponse(
            forgotten=done.total,
            receipt=event_convert.receipt_message(done),
            revision=call.revision(done.revision),
        )

    async def RebuildChunks(
        self, request: service.RebuildChunksRequest, context: Any
    ) -> service.RebuildChunksResponse:
        call = await self._calls.read(request)
        done = await self._do.rebuild_chunks(call.scope)
        return service.RebuildChunksResponse(
            dropped=done.dropped,
            made=done.made,
            revision=call.revision(done.revision),
        )
