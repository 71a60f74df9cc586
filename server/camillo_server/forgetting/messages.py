"""ForgetMemories: what a request selects, and the receipt as the contract has it."""

from camillo.v1 import memory_pb2 as pb
from camillo.v1 import memory_service_pb2 as service

from camillo_server.forgetting.forget_memories import Forgotten
from camillo_server.forgetting.ports import Forgetting
from camillo_server.kernel.ids import MemoryId
from camillo_server.memories.memory_filter import MemoryFilter
from camillo_server.memories.messages import memory_filter, memory_ids_of
from camillo_server.rpc.field_limits import rule
from camillo_server.rpc.validate import Checks


@rule(service.ForgetMemoriesRequest)
def check_filter(request: service.ForgetMemoriesRequest, path: str, checks: Checks) -> None:
    """Nobody forgets everything by leaving something out."""
    if request.WhichOneof("selector") == "filter" and is_unconditional(request.filter):
        checks.fail("filter", "must hold at least one condition")


def is_unconditional(wanted: pb.MemoryFilter) -> bool:
    """Whether everything passes that is not archived."""
    return not (
        wanted.tags_any
        or wanted.tags_all
        or any(wanted.kinds)
        or wanted.session_id
        or wanted.HasField("occurred_from")
        or wanted.HasField("occurred_before")
        or wanted.min_importance
        or wanted.max_sensitivity
        or wanted.archived > pb.ARCHIVED_FILTER_EXCLUDE
        or wanted.metadata.fields
    )


def forgetting_of(request: service.ForgetMemoriesRequest) -> Forgetting:
    if request.WhichOneof("selector") == "filter":
        selector: list[MemoryId] | MemoryFilter = memory_filter(request.filter)
    else:
        selector = memory_ids_of(request.memory_ids)
    return Forgetting(
        selector, allow_restating=request.allow_restating, include_events=request.include_events
    )


def receipt_message(done: Forgotten) -> pb.ForgetReceipt:
    return pb.ForgetReceipt(
        receipt_id=str(done.receipt_id or ""),
        memory_ids=map(str, done.memory_ids),
        stores=[pb.StoreCount(store=name, rows=rows) for name, rows in done.stores.items()],
        forgotten_at=done.at,
        blocked_values=done.blocked_values,
    )
