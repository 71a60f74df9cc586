"""EventService: converts, calls the use case, converts back."""

from collections.abc import AsyncIterator
from dataclasses import dataclass
from functools import partial
from typing import Any

from camillo.v1 import event_service_pb2 as service
from camillo.v1 import event_service_pb2_grpc as stubs

from camillo_server.domain.events.forget_events import ForgetEvents
from camillo_server.domain.events.get_event import GetEvent
from camillo_server.domain.events.list_events import ListEvents
from camillo_server.domain.events.rebuild_chunks import RebuildChunks
from camillo_server.domain.events.record_events import RecordEvent, RecordEvents
from camillo_server.domain.events.watch_events import WatchEvents
from camillo_server.domain.off_loop import off_loop
from camillo_server.rpc import context_tokens, event_convert, event_queries, limits
from camillo_server.rpc import event_requests as requests
from camillo_server.rpc.artifact_requests import channel_of
from camillo_server.rpc.caller import request_key, scope_of
from camillo_server.rpc.context_reading import read_request
from camillo_server.rpc.event_convert import EventMessages
from camillo_server.rpc.tokens import RevisionTokens
from camillo_server.rpc.validate import Checks


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

    def __init__(self, do: EventUseCases, revisions: RevisionTokens) -> None:
        self._do = do
        self._revisions = revisions

    async def RecordEvent(
        self, request: service.RecordEventRequest, context: Any
    ) -> service.RecordEventResponse:
        scope, draft, key = await read_request(request, requests.event_of)
        recorded, revision = await self._do.record(scope, draft, key)
        return service.RecordEventResponse(
            recorded=event_convert.recorded_message(recorded),
            revision=self._revisions.revision(scope, revision),
        )

    async def BatchRecordEvents(
        self, request: service.BatchRecordEventsRequest, context: Any
    ) -> service.BatchRecordEventsResponse:
        scope, drafts, key = await read_request(request, requests.events_of)
        done = await self._do.record_many(scope, drafts, key)
        return service.BatchRecordEventsResponse(
            results=event_convert.recorded_results(done.results),
            revision=self._revisions.revision(scope, done.revision),
        )

    async def GetEvent(
        self, request: service.GetEventRequest, context: Any
    ) -> service.GetEventResponse:
        checks = Checks()
        scope = scope_of(request, checks)
        event_id = requests.event_id(request.event_id, checks, "event_id")
        channel = channel_of(request.channel, checks, "channel")
        checks.done()
        event, chunk_ids = await self._do.get(scope, event_id, channel)
        messages = EventMessages(scope, self._revisions)
        return service.GetEventResponse(
            event=await off_loop(
                event_convert.messages_cost([event]), partial(messages.event, event)
            ),
            chunk_ids=[str(each) for each in chunk_ids],
        )

    async def ListEvents(
        self, request: service.ListEventsRequest, context: Any
    ) -> service.ListEventsResponse:
        checks = Checks()
        asked = event_queries.list_of(request, checks)
        size = checks.size(
            "page_size", request.page_size, limits.PAGE_SIZE, limits.PAGE_SIZE_DEFAULT
        )
        checks.done()
        binding = context_tokens.list_binding(request, asked.scope)
        after = context_tokens.read_event_token(binding, request.page_token)
        page = await self._do.list(asked, after, size)
        messages = EventMessages(asked.scope, self._revisions)
        cost = event_convert.messages_cost(page.events)
        return await off_loop(cost, partial(messages.listed, page, binding))

    async def WatchEvents(
        self, request: service.WatchEventsRequest, context: Any
    ) -> AsyncIterator[service.WatchEventsResponse]:
        checks = Checks()
        scope = scope_of(request, checks)
        start = event_queries.watch_start(request, scope, self._revisions, checks)
        wanted = event_queries.event_filter(request.filter, checks, "filter")
        channel = channel_of(request.channel, checks, "channel")
        checks.done()
        messages = EventMessages(scope, self._revisions)
        async for page in self._do.watch(scope, wanted, channel, start):
            for change in messages.changed(page):
                yield change

    async def ForgetEvents(
        self, request: service.ForgetEventsRequest, context: Any
    ) -> service.ForgetEventsResponse:
        checks = Checks()
        scope = scope_of(request, checks)
        key = request_key(request, checks)
        selector = event_queries.selector_of(request, checks)
        checks.done()
        done = await self._do.forget(scope, selector, key, dry_run=request.dry_run)
        return service.ForgetEventsResponse(
            forgotten=done.total,
            receipt=event_convert.receipt_message(done),
            revision=self._revisions.revision(scope, done.revision),
        )

    async def RebuildChunks(
        self, request: service.RebuildChunksRequest, context: Any
    ) -> service.RebuildChunksResponse:
        checks = Checks()
        scope = scope_of(request, checks)
        checks.done()
        done = await self._do.rebuild_chunks(scope)
        return service.RebuildChunksResponse(
            dropped=done.dropped,
            made=done.made,
            revision=self._revisions.revision(scope, done.revision),
        )
