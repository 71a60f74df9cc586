"""SlotService: converts, calls the use case, converts back."""

from collections.abc import AsyncIterator
from contextlib import aclosing
from functools import partial
from typing import Any

from camillo.v1 import slot_service_pb2 as service
from camillo.v1 import slot_service_pb2_grpc as stubs
from camillo.v1.consistency_pb2 import DURABILITY_COMMITTED

from camillo_server.doors.rpc import tokens
from camillo_server.doors.rpc.call import Call, CallReader
from camillo_server.doors.rpc.field_limits import stated_or_default
from camillo_server.doors.rpc.fields import (
    channel_of,
    redaction_messages_off_loop,
    redactions_cost,
    time_of,
)
from camillo_server.doors.rpc.page_tokens import list_binding
from camillo_server.doors.spool.spooling import Acceptance, Provisional, Spooling, spoolable
from camillo_server.features.slots import messages as requests
from camillo_server.features.slots import stream_messages as streams
from camillo_server.features.slots.messages import slot_message
from camillo_server.features.slots.slot import SlotId
from camillo_server.features.slots.slots import Slots
from camillo_server.features.slots.watch import ExportSlots, WatchSlots
from camillo_server.kernel.off_loop import ROW, off_loop


class SlotServicer(stubs.SlotServiceServicer):
    """The service of proto/camillo/v1/slot_service.proto."""

    def __init__(
        self,
        slots: Slots,
        watch: WatchSlots,
        export: ExportSlots,
        calls: CallReader,
        spooling: Spooling,
    ) -> None:
        self._slots = slots
        self._watch = watch
        self._export = export
        self._calls = calls
        self._id_of = spooling.id_of
        spooling.bind(self, calls)

    @spoolable(cost=requests.parsing_cost)
    async def SetMemory(
        self, call: Call, request: service.SetMemoryRequest, accepted: Acceptance
    ) -> service.SetMemoryResponse:
        draft = requests.slot_draft(request, call)
        (written,), revision = await self._slots.set(
            call.scope, [draft], call.request_key, accepted.at, SlotId(accepted.spool_id)
        )
        return service.SetMemoryResponse(
            slot=slot_message(written.slot),
            revision=call.revision(revision),
            redactions=await redaction_messages_off_loop(written.redactions),
            durability=DURABILITY_COMMITTED,
        )

    @SetMemory.preview
    async def _preview_slot(
        self, call: Call, request: service.SetMemoryRequest, accepted: Acceptance
    ) -> Provisional[service.SetMemoryResponse]:
        draft = requests.slot_draft(request, call)
        left, written = await self._slots.preview(call.scope, draft, accepted.at)
        # A placeholder in the text of JSON could break it: its values were redacted as values.
        request.json_content = left.json_content
        slot = slot_message(written.slot)
        known = self._slots.known_id(call.scope, draft.key)
        slot.slot_id = str(known or self._id_of(call.scope, draft.key, accepted.spool_id))
        response = service.SetMemoryResponse(
            slot=slot, redactions=await redaction_messages_off_loop(written.redactions)
        )
        return Provisional(response)

    async def BatchSetMemory(
        self, request: service.BatchSetMemoryRequest, context: Any
    ) -> service.BatchSetMemoryResponse:
        call = await self._calls.read(request, requests.parsing_cost(request))
        drafts = requests.slot_drafts(request, call)
        written, revision = await self._slots.set(call.scope, drafts, call.request_key)
        redactions = sum(redactions_cost(each.redactions) for each in written)
        return service.BatchSetMemoryResponse(
            results=await off_loop(
                len(written) * ROW + redactions,
                partial(requests.batch_results, written),
            ),
            revision=call.revision(revision),
        )

    async def RestoreSlot(self, request: service.RestoreSlotRequest, context: Any) -> service.RestoreSlotResponse:
        call = await self._calls.read(request)
        slot, revision = await self._slots.restore(
            call.scope,
            call.read[requests.KEY],
            request.version,
            requests.if_version(request),
            channel_of(request.channel),
            call.principal.credential,
            call.request_key,
        )
        return service.RestoreSlotResponse(slot=slot_message(slot), revision=call.revision(revision))

    async def GetSlot(self, request: service.GetSlotRequest, context: Any) -> service.GetSlotResponse:
        call = await self._calls.read(request)
        scope, channel = requests.read_scope(request, call), channel_of(request.channel)
        slot = await self._slots.get(scope, call.read[requests.KEY], channel)
        return service.GetSlotResponse(slot=slot_message(slot))

    async def ListSlots(self, request: service.ListSlotsRequest, context: Any) -> service.ListSlotsResponse:
        call = await self._calls.read(request)
        binding = list_binding(request, call.scope)
        page = await self._slots.list(
            requests.read_scope(request, call),
            call.read[requests.PREFIX],
            requests.slot_filter(request),
            channel_of(request.channel),
            tokens.read_text_page_token(binding, request.page_token) or "",
            stated_or_default(request, "page_size"),
            one_level=request.one_level,
        )
        return requests.list_response(page, binding)

    async def ListSlotHistory(
        self, request: service.ListSlotHistoryRequest, context: Any
    ) -> service.ListSlotHistoryResponse:
        call = await self._calls.read(request)
        binding = list_binding(request, call.scope)
        page = await self._slots.history(
            requests.read_scope(request, call),
            call.read[requests.KEY],
            channel_of(request.channel),
            tokens.read_number_page_token(binding, request.page_token),
            stated_or_default(request, "page_size"),
        )
        return requests.history_response(page, binding)

    async def WatchSlots(
        self, request: service.WatchSlotsRequest, context: Any
    ) -> AsyncIterator[service.WatchSlotsResponse]:
        call = await self._calls.read(request)
        scope = requests.read_scope(request, call)
        watched = self._watch(
            scope,
            call.read[requests.PREFIX],
            channel_of(request.channel),
            streams.watch_start(request, call.revisions, scope),
            time_of(request, "triggers_after"),
        )
        async with aclosing(watched):
            async for each in watched:
                yield streams.watch_response(each, call.revisions, scope)

    async def ExportSlots(
        self, request: service.ExportSlotsRequest, context: Any
    ) -> AsyncIterator[service.ExportSlotsResponse]:
        call = await self._calls.read(request)
        scope, channel = requests.read_scope(request, call), channel_of(request.channel)
        prefix = call.read[requests.PREFIX]
        binding = call.revisions.binding(list_binding(request, call.scope))
        if request.newest_only:
            key = tokens.read_text_page_token(binding, request.page_token) or ""
            pages = self._export.newest(scope, prefix, channel, key)
        else:
            after = streams.read_export_token(binding, request.page_token)
            pages = self._export.versions(scope, prefix, channel, after)
        async with aclosing(pages):
            async for page in pages:
                cost = len(page.versions) * ROW
                revision = call.revisions.revision(scope, page.revision)
                convert = partial(streams.export_responses, page, revision, binding)
                for response in await off_loop(cost, convert):
                    yield response
