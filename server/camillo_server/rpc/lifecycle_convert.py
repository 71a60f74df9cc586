"""Passes, receipts and usage as the contract has them."""

from collections.abc import Mapping, Sequence

from camillo.v1 import lifecycle_pb2 as pb
from camillo.v1 import lifecycle_service_pb2 as service
from camillo.v1 import memory_pb2

from camillo_server.domain.forgetting.receipt import Receipt
from camillo_server.domain.lifecycle.plan import PassDone, PlannedItem, PlanRef
from camillo_server.domain.lifecycle.usage import ScopeUsage
from camillo_server.rpc import context_tokens, convert, lifecycle_tokens


def pass_message(done: PassDone, binding: bytes, *, dry_run: bool) -> pb.LifecyclePass:
    """What a pass did, or would do: then with a token that carries it out."""
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
    convert.fill_timestamp(message.at, done.at)
    return message


def _item(item: PlannedItem) -> pb.LifecycleItem:
    message = pb.LifecycleItem(
        memory_id=str(item.memory_id),
        action=int(item.action),  # type: ignore[arg-type]
        reason=int(item.reason),  # type: ignore[arg-type]
        decayed_importance=item.decayed_importance,
        kind=int(item.kind),  # type: ignore[arg-type]
    )
    convert.fill_timestamp(message.last_used_at, item.last_used_at)
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
    convert.fill_timestamp(message.at, receipt.at)
    return message


def receipts_response(
    found: Sequence[Receipt], size: int, binding: bytes
) -> service.ListReceiptsResponse:
    """A page of what was found, which is one more where another page follows."""
    last = found[size - 1] if len(found) > size else None
    return service.ListReceiptsResponse(
        receipts=map(receipt_message, found[:size]),
        next_page_token=context_tokens.moment_token(binding, last.at, last.receipt_id)
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
    """What a scope takes, as the contract has it."""
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
        convert.fill_timestamp(message.oldest_at, usage.oldest_at)
    if usage.newest_at is not None:
        convert.fill_timestamp(message.newest_at, usage.newest_at)
    return message
