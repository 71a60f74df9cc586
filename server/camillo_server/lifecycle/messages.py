"""Passes, receipts and usage as the contract has them."""

from collections.abc import Mapping, Sequence
from typing import Any
from uuid import UUID

from camillo.v1 import lifecycle_pb2 as pb
from camillo.v1 import lifecycle_service_pb2 as service
from camillo.v1 import memory_pb2
from camillo.v1.memory_pb2 import ARCHIVED_FILTER_INCLUDE, ARCHIVED_FILTER_UNSPECIFIED

from camillo_server.kernel.errors import ScopeForbidden
from camillo_server.kernel.ids import MemoryId, TenantId
from camillo_server.kernel.kinds import MemoryKind
from camillo_server.kernel.scope import Scope
from camillo_server.lifecycle import plan_tokens as lifecycle_tokens
from camillo_server.lifecycle.plan import MemorySelector, PassDone, PlannedItem, PlanRef
from camillo_server.lifecycle.usage import ScopeUsage
from camillo_server.memories.memory_filter import Archived
from camillo_server.rpc import fields, page_tokens
from camillo_server.rpc.call import Call
from camillo_server.rpc.field_limits import rule
from camillo_server.rpc.fields import distinct, member, members, time_of
from camillo_server.rpc.validate import Checks
from camillo_server.storage.receipts import Receipt


def pass_message(done: PassDone, binding: bytes, *, dry_run: bool) -> pb.LifecyclePass:
    """A pass as the contract has it; of a dry run with the token that carries it out."""
    plan = PlanRef(done.at, done.digest)
    message = pb.LifecyclePass(
        receipt_id=str(done.receipt_id or ""),
        plan_token=lifecycle_tokens.plan_token(binding, plan) if dry_run else "",
        items=map(_item, done.items),
        counts=[
            pb.LifecycleCount(action=int(action), reason=int(reason), memories=memories)  # type: ignore[arg-type]
            for (action, reason), memories in done.counts.items()
        ],
        stores=store_messages(done.stores),
    )
    fields.fill_timestamp(message.at, done.at)
    return message


def _item(item: PlannedItem) -> pb.LifecycleItem:
    message = pb.LifecycleItem(
        memory_id=str(item.memory_id),
        action=int(item.action),  # type: ignore[arg-type]
        reason=int(item.reason),  # type: ignore[arg-type]
        decayed_importance=item.decayed_importance,
        kind=int(item.kind),  # type: ignore[arg-type]
    )
    fields.fill_timestamp(message.last_used_at, item.last_used_at)
    return message


def store_messages(stores: Mapping[str, int]) -> Sequence[memory_pb2.StoreCount]:
    """Rows by store, in the order of the stores' names."""
    return [memory_pb2.StoreCount(store=name, rows=rows) for name, rows in sorted(stores.items())]


def receipt_message(receipt: Receipt) -> pb.Receipt:
    """A receipt as the contract has it; of a dry run without an id."""
    message = pb.Receipt(
        receipt_id=str(receipt.receipt_id or ""),
        cause=receipt.cause.name.lower(),
        stores=store_messages(receipt.stores),
        blocked_values=receipt.blocked_values,
    )
    fields.fill_timestamp(message.at, receipt.at)
    return message


def receipts_response(
    found: Sequence[Receipt], size: int, binding: bytes
) -> service.ListReceiptsResponse:
    """A page of what was found, which is one more where another page follows."""
    last = found[size - 1] if len(found) > size else None
    return service.ListReceiptsResponse(
        receipts=map(receipt_message, found[:size]),
        next_page_token=page_tokens.moment_token(binding, last.at, last.receipt_id)
        if last and last.receipt_id
        else "",
    )


def usage_response(
    found: Sequence[ScopeUsage], size: int, binding: bytes
) -> service.GetUsageResponse:
    """A page of what was found, which is one more where another page follows."""
    return service.GetUsageResponse(
        scopes=map(usage_message, found[:size]),
        next_page_token=lifecycle_tokens.agent_token(binding, found[size - 1].agent_id)
        if len(found) > size
        else "",
    )


def usage_message(usage: ScopeUsage) -> pb.ScopeUsage:
    """The size of a scope as the contract has it."""
    message = pb.ScopeUsage(
        agent_id=usage.agent_id,
        stores=[
            pb.StoreUsage(store=each.store, rows=each.rows, bytes=each.bytes)
            for each in usage.stores
        ],
        active_memories=usage.active_memories,
        archived_memories=usage.archived_memories,
        expired_memories=usage.expired_memories,
        pinned_memories=usage.pinned_memories,
        memory_quota=usage.memory_quota,
        is_in_memory=usage.is_in_memory,
        memory_bytes=usage.memory_bytes,
    )
    if usage.oldest_at is not None:
        fields.fill_timestamp(message.oldest_at, usage.oldest_at)
    if usage.newest_at is not None:
        fields.fill_timestamp(message.newest_at, usage.newest_at)
    return message


def check_plan(request: Any, path: str, checks: Checks) -> None:
    """A dry run makes a plan, and carries none out."""
    if request.dry_run and request.plan_token:
        checks.fail("plan_token", "must be empty with dry_run, which makes a new one")


for _planned in (service.RunMaintenanceRequest, service.PruneRequest, service.ArchiveRequest):
    rule(_planned)(check_plan)


def plan_of(request: Any, scope: Scope) -> tuple[bytes, PlanRef | None]:
    """The binding of plans of this request, and the plan that it brings. Raises InvalidField."""
    binding = lifecycle_tokens.plan_binding(request, scope)
    return binding, lifecycle_tokens.read_plan_token(binding, request.plan_token)


@rule(service.LifecycleSelector)
def check_selector(message: service.LifecycleSelector, path: str, checks: Checks) -> None:
    """Nobody removes everything by leaving something out."""
    if not (
        message.memory_ids
        or message.HasField("unused_since")
        or message.HasField("created_before")
        or message.tags_any
        or message.tags_all
        or any(message.kinds)
        or message.HasField("max_access_count")
        or message.HasField("importance_below")
        or message.archived not in (ARCHIVED_FILTER_UNSPECIFIED, ARCHIVED_FILTER_INCLUDE)
    ):
        checks.fail(path.removesuffix("."), "must hold at least one condition")


def selector_of(message: service.LifecycleSelector) -> MemorySelector:
    """The selector of a request."""
    return MemorySelector(
        memory_ids=tuple(MemoryId(UUID(value)) for value in dict.fromkeys(message.memory_ids)),
        unused_since=time_of(message, "unused_since"),
        created_before=time_of(message, "created_before"),
        tags_any=distinct(message.tags_any),
        tags_all=distinct(message.tags_all),
        kinds=members(message.kinds, MemoryKind),
        max_access_count=message.max_access_count if message.HasField("max_access_count") else None,
        importance_below=message.importance_below if message.HasField("importance_below") else None,
        archived=member(message.archived, Archived.INCLUDE),
    )


def check_all_scopes(request: Any, path: str, checks: Checks) -> None:
    """All scopes are not one."""
    if request.all_scopes and request.agent_id:
        checks.fail("agent_id", "must be empty with all_scopes")


for _of_scopes in (
    service.GetUsageRequest,
    service.StartReembeddingRequest,
    service.GetReembeddingRequest,
):
    rule(_of_scopes)(check_all_scopes)


def scope_or_tenant(request: Any, call: Call) -> tuple[TenantId, Scope | None]:
    """The tenant, and its requested scope; None for all. Raises ScopeForbidden."""
    if not request.all_scopes:
        return call.scope.tenant_id, call.scope
    if call.principal.agent_id is not None:
        raise ScopeForbidden("all_scopes needs a credential that reaches any agent")
    return call.principal.tenant_id, None


@rule(service.LiftValueBlocksRequest)
def check_blocks(request: service.LiftValueBlocksRequest, path: str, checks: Checks) -> None:
    """Which blocks are lifted has to be said."""
    if request.WhichOneof("blocks") is None:
        checks.fail("blocks", "must be a content or a receipt_id")


def lifted_of(request: service.LiftValueBlocksRequest) -> str | UUID:
    """The text whose block is lifted, or the receipt."""
    if request.WhichOneof("blocks") == "receipt_id":
        return UUID(request.receipt_id)
    return request.content
