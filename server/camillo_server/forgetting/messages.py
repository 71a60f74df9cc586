"""ForgetMemories: the selection of a request, and the receipt as the contract has it."""

from camillo.v1 import memory_pb2 as pb
from camillo.v1 import memory_service_pb2 as service

from camillo_server.forgetting.records import ForgetSelection, ForgottenReplay
from camillo_server.kernel.ids import MemoryId
from camillo_server.memories.memory_filter import MemoryFilter
from camillo_server.memories.messages import memory_filter, memory_ids_of
from camillo_server.rpc.field_limits import rule
from camillo_server.rpc.validate import Checks


@rule(service.ForgetMemoriesRequest)
def check_filter(request: service.ForgetMemoriesRequest, path: str, checks: Checks) -> None:
    """Refuses a filter without a condition: nobody forgets everything by leaving something out."""
    if request.WhichOneof("selector") == "filter" and is_unconditional(request.filter):
        checks.fail("filter", "must hold at least one condition")


def is_unconditional(selector: pb.MemoryFilter) -> bool:
    """Whether everything passes that is not archived."""
    return not (
        selector.tags_any
        or selector.tags_all
        or any(selector.kinds)
        or selector.session_id
        or selector.HasField("occurred_from")
        or selector.HasField("occurred_before")
        or selector.min_importance
        or selector.max_sensitivity
        or selector.archived > pb.ARCHIVED_FILTER_EXCLUDE
        or selector.metadata.fields
    )


def forget_selection(request: service.ForgetMemoriesRequest) -> ForgetSelection:
    if request.WhichOneof("selector") == "filter":
        selector: list[MemoryId] | MemoryFilter = memory_filter(request.filter)
    else:
        selector = memory_ids_of(request.memory_ids)
    return ForgetSelection(
        selector, allow_restating=request.allow_restating, include_events=request.include_events
    )


def receipt_message(receipt: ForgottenReplay) -> pb.ForgetReceipt:
    return pb.ForgetReceipt(
        receipt_id=str(receipt.receipt_id or ""),
        memory_ids=map(str, receipt.memory_ids),
        stores=[
            pb.StoreCount(store=name, rows=rows) for name, rows in sorted(receipt.stores.items())
        ],
        forgotten_at=receipt.forgotten_at,
        blocked_values=receipt.blocked_values,
    )
