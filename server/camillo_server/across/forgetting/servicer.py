"""The methods of MemoryService, EventService and LifecycleService that forget."""

from dataclasses import replace
from datetime import datetime
from typing import Any
from uuid import UUID

from camillo.v1 import event_service_pb2 as events
from camillo.v1 import forgetting_pb2
from camillo.v1 import lifecycle_service_pb2 as lifecycle
from camillo.v1 import memory_service_pb2 as memories

from camillo_server.across.forgetting import messages
from camillo_server.across.forgetting.forgetting import Forgetting
from camillo_server.across.forgetting.records import ForgetSelection
from camillo_server.doors.rpc.call import Call, CallReader, read_request
from camillo_server.doors.rpc.field_limits import stated_or_default
from camillo_server.doors.rpc.page_tokens import list_binding, plan_binding, plan_consent, plan_token, read_plan_token
from camillo_server.doors.rpc.tokens import page_token, read_page_token
from camillo_server.kernel.ids import PageCursor
from camillo_server.kernel.scope import Role
from camillo_server.kernel.writes import PlanConsent, PlanRef
from camillo_server.storage.receipts import Cause

# The selectors that name no records.
SELECTS_MANY = ("filter", "session_id", "value")


class ForgettingServicer:
    """ForgetMemories of MemoryService, ForgetEvents of EventService; Forget, Reset, ListReceipts and LiftValueBlocks of
    LifecycleService."""

    def __init__(self, forgetting: Forgetting, max_without_plan: int, calls: CallReader) -> None:
        self._forgetting = forgetting
        self._max_without_plan = max_without_plan
        self._calls = calls

    def _agreed(
        self, request: Any, call: Call, binding: bytes, selection: ForgetSelection, *, needs_plan: bool = False
    ) -> ForgetSelection:
        """The selection with the request's plan, which it has to have if it names no records and takes many, or in any
        case."""
        if needs_plan:
            return replace(selection, consent=PlanConsent(read_plan_token(binding, request.plan_token), 0))
        if not request.plan_token and request.WhichOneof("selector") not in SELECTS_MANY:
            return selection
        consent = plan_consent(request, binding, call.principal, self._max_without_plan)
        return replace(selection, consent=consent)

    async def ForgetMemories(
        self, request: memories.ForgetMemoriesRequest, context: Any
    ) -> memories.ForgetMemoriesResponse:
        call = await self._calls.read(request)
        binding = plan_binding(request, call.scope)
        selection = self._agreed(request, call, binding, messages.memory_selection(request))
        done = await self._forgetting.forget(
            call.scope,
            selection,
            call.request_key,
            dry_run=request.dry_run,
            cause=Cause.FORGET_MEMORIES,
        )
        token = _token(binding, done.receipt.forgotten_at, done.plan_digest)
        return memories.ForgetMemoriesResponse(
            forgotten=done.receipt.stores.get("memories", 0),
            receipt=messages.forget_receipt(done, selection, token),
            revision=call.revision(done.revision),
            plan_token=token,
        )

    async def ForgetEvents(self, request: events.ForgetEventsRequest, context: Any) -> events.ForgetEventsResponse:
        call = await self._calls.read(request)
        binding = plan_binding(request, call.scope)
        selection = self._agreed(request, call, binding, messages.event_selection(request))
        receipt, revision, digest = await self._forgetting.forget_events(
            call.scope,
            selection,
            call.request_key,
            dry_run=request.dry_run,
        )
        return events.ForgetEventsResponse(
            forgotten=receipt.total,
            receipt=messages.event_receipt_message(receipt),
            revision=call.revision(revision),
            plan_token=_token(binding, receipt.forgotten_at, digest),
        )

    async def Forget(self, request: lifecycle.ForgetRequest, context: Any) -> lifecycle.ForgetResponse:
        call = await self._calls.read(request)
        binding = plan_binding(request, call.scope)
        selection = await read_request(request, messages.record_selection)
        if request.HasField("excerpts"):
            selection = replace(selection, excerpts=messages.excerpt_query(request, call, self._calls.channels))
        # Nobody knows beforehand what goes with a subject.
        is_subject = bool(request.aliases or request.include_linked or request.include_merged)
        needs_plan = is_subject and not request.all_scopes
        selection = self._agreed(request, call, binding, selection, needs_plan=needs_plan)
        if selection.all_scopes:
            call.principal.require(Role.TENANT_ADMIN)
            call.principal.require_agent(None)
        done = await self._forgetting.forget(
            call.scope,
            selection,
            call.request_key,
            dry_run=request.dry_run,
            cause=Cause.FORGET,
        )
        token = _token(binding, done.receipt.forgotten_at, done.plan_digest)
        return lifecycle.ForgetResponse(
            receipt=messages.forget_receipt(done, selection, token),
            revision=call.revision(done.revision),
        )

    async def Reset(self, request: lifecycle.ResetRequest, context: Any) -> lifecycle.ResetResponse:
        call = await self._calls.read(request)
        receipt, revision = await self._forgetting.reset(
            call.scope, request.confirm, call.request_key, dry_run=request.dry_run
        )
        return lifecycle.ResetResponse(receipt=messages.receipt_message(receipt), revision=call.revision(revision))

    async def ListReceipts(
        self, request: lifecycle.ListReceiptsRequest, context: Any
    ) -> lifecycle.ListReceiptsResponse:
        call = await self._calls.read(request)
        size = stated_or_default(request, "page_size")
        binding = list_binding(request, call.scope)
        after = read_page_token(binding, request.page_token)
        # One more than requested shows whether there is a next page.
        found = await self._forgetting.list_receipts(call.scope, after, size + 1)
        last = found[size - 1] if len(found) > size else None
        cursor = PageCursor(last.at, last.receipt_id) if last and last.receipt_id else None
        return lifecycle.ListReceiptsResponse(
            receipts=map(messages.receipt_message, found[:size]),
            next_page_token=page_token(binding, cursor),
        )

    async def ListValueRefusals(
        self, request: forgetting_pb2.ListValueRefusalsRequest, context: Any
    ) -> forgetting_pb2.ListValueRefusalsResponse:
        call = await self._calls.read(request)
        size = stated_or_default(request, "page_size")
        binding = list_binding(request, call.scope)
        after = read_page_token(binding, request.page_token)
        # One more than requested shows whether there is a next page.
        found = await self._forgetting.list_refusals(call.scope, after, size + 1)
        last = found[size - 1] if len(found) > size else None
        cursor = PageCursor(last.at, last.refusal_id) if last else None
        return forgetting_pb2.ListValueRefusalsResponse(
            refusals=map(messages.refusal_message, found[:size]),
            next_page_token=page_token(binding, cursor),
        )

    async def LiftValueBlocks(
        self, request: lifecycle.LiftValueBlocksRequest, context: Any
    ) -> lifecycle.LiftValueBlocksResponse:
        call = await self._calls.read(request)
        is_receipt = request.WhichOneof("blocks") == "receipt_id"
        blocked = UUID(request.receipt_id) if is_receipt else request.content
        lifted = await self._forgetting.lift_blocks(call.scope, blocked, call.request_key)
        return lifecycle.LiftValueBlocksResponse(lifted=lifted)


def _token(binding: bytes, at: datetime, digest: bytes) -> str:
    """Plan token of a dry run; empty otherwise."""
    return plan_token(binding, PlanRef(at, digest)) if digest else ""
