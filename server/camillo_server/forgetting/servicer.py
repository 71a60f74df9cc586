"""The methods of MemoryService and LifecycleService that forget."""

from dataclasses import replace
from typing import Any
from uuid import UUID

from camillo.v1 import lifecycle_pb2, memory_pb2
from camillo.v1 import lifecycle_service_pb2 as lifecycle
from camillo.v1 import memory_service_pb2 as service

from camillo_server.forgetting.forgetting import Forgetting
from camillo_server.forgetting.store import ForgetSelection, ForgottenReplay
from camillo_server.kernel.ids import MemoryId
from camillo_server.kernel.paging import PageCursor
from camillo_server.kernel.plans import PlanRef
from camillo_server.memories.memory_filter import MemoryFilter
from camillo_server.memories.messages import has_condition, memory_filter, memory_ids_of
from camillo_server.rpc import fields
from camillo_server.rpc.call import CallReader
from camillo_server.rpc.field_limits import rule, stated_or_default
from camillo_server.rpc.page_tokens import list_binding
from camillo_server.rpc.plan_tokens import (
    check_plan,
    plan_binding,
    plan_consent,
    plan_token,
)
from camillo_server.rpc.tokens import page_token, read_page_token
from camillo_server.rpc.validate import Checks
from camillo_server.storage.receipts import Receipt


class ForgettingServicer:
    """ForgetMemories of MemoryService; Reset, ListReceipts and LiftValueBlocks of LifecycleService."""

    def __init__(self, forgetting: Forgetting, max_without_plan: int, calls: CallReader) -> None:
        self._forgetting = forgetting
        self._max_without_plan = max_without_plan
        self._calls = calls

    async def ForgetMemories(
        self, request: service.ForgetMemoriesRequest, context: Any
    ) -> service.ForgetMemoriesResponse:
        call = await self._calls.read(request)
        binding = plan_binding(request, call.scope)
        selection = forget_selection(request)
        if request.plan_token or request.WhichOneof("selector") == "filter":
            consent = plan_consent(request, binding, call.principal, self._max_without_plan)
            selection = replace(selection, consent=consent)
        receipt, revision, digest = await self._forgetting.forget_memories(
            call.scope, selection, call.request_key, dry_run=request.dry_run
        )
        plan = PlanRef(receipt.forgotten_at, digest)
        return service.ForgetMemoriesResponse(
            forgotten=receipt.stores["memories"],
            receipt=forget_receipt(receipt),
            revision=call.revision(revision),
            plan_token=plan_token(binding, plan) if request.dry_run else "",
        )

    async def Reset(self, request: lifecycle.ResetRequest, context: Any) -> lifecycle.ResetResponse:
        call = await self._calls.read(request)
        receipt, revision = await self._forgetting.reset(
            call.scope, request.confirm, call.request_key, dry_run=request.dry_run
        )
        return lifecycle.ResetResponse(
            receipt=receipt_message(receipt), revision=call.revision(revision)
        )

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
            receipts=map(receipt_message, found[:size]),
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


rule(service.ForgetMemoriesRequest)(check_plan)


@rule(service.ForgetMemoriesRequest)
def check_filter(request: service.ForgetMemoriesRequest, path: str, checks: Checks) -> None:
    """Refuses a filter without a condition: nobody forgets everything by leaving something out."""
    is_filter = request.WhichOneof("selector") == "filter"
    if is_filter and not has_condition(request.filter, memory_pb2.ARCHIVED_FILTER_EXCLUDE):
        checks.fail("filter", "must hold at least one condition")


@rule(lifecycle.LiftValueBlocksRequest)
def check_blocks(request: lifecycle.LiftValueBlocksRequest, path: str, checks: Checks) -> None:
    """Refuses a request that names no block."""
    if request.WhichOneof("blocks") is None:
        checks.fail("blocks", "must be a content or a receipt_id")


def forget_selection(request: service.ForgetMemoriesRequest) -> ForgetSelection:
    if request.WhichOneof("selector") == "filter":
        selector: list[MemoryId] | MemoryFilter = memory_filter(request.filter)
    else:
        selector = memory_ids_of(request.memory_ids)
    return ForgetSelection(
        selector, allow_restating=request.allow_restating, include_events=request.include_events
    )


def forget_receipt(receipt: ForgottenReplay) -> memory_pb2.ForgetReceipt:
    return memory_pb2.ForgetReceipt(
        receipt_id=str(receipt.receipt_id or ""),
        memory_ids=map(str, receipt.memory_ids),
        stores=fields.store_messages(receipt.stores),
        forgotten_at=receipt.forgotten_at,
        blocked_values=receipt.blocked_values,
    )


def receipt_message(receipt: Receipt) -> lifecycle_pb2.Receipt:
    """A receipt as the contract has it; of a dry run without an id."""
    return lifecycle_pb2.Receipt(
        receipt_id=str(receipt.receipt_id or ""),
        cause=receipt.cause.name.lower(),
        stores=fields.store_messages(receipt.stores),
        blocked_values=receipt.blocked_values,
        at=receipt.at,
    )
