"""What several methods of MemoryService read from their requests in the same way."""

from camillo.v1 import memory_pb2 as pb
from camillo.v1 import memory_service_pb2 as service

from camillo_server.domain.errors import DomainError, InvalidField
from camillo_server.domain.forget_memories import Forgotten
from camillo_server.domain.forgetting.ports import Forgetting
from camillo_server.domain.ids import MemoryId
from camillo_server.domain.memory import MemoryDraft, MemoryFilter
from camillo_server.domain.remember import Remembered
from camillo_server.rpc import convert
from camillo_server.rpc.errors import to_status
from camillo_server.rpc.field_limits import broken_limits, rule
from camillo_server.rpc.validate import Checks, OwnModel


def drafts_of(
    request: service.BatchRememberRequest, own_model: OwnModel
) -> tuple[list[MemoryDraft], dict[int, InvalidField]]:
    """The drafts that can be stored, in order, and what is wrong with the others, by index."""
    drafts, refused = [], {}
    for i, message in enumerate(request.memories):
        problem = broken_limits(message, f"memories[{i}].", own_model)
        if problem is None:
            drafts.append(convert.memory_draft(message))
        else:
            refused[i] = problem
    return drafts, refused


def batch_result(outcome: Remembered | DomainError) -> service.BatchRememberResult:
    if isinstance(outcome, DomainError):
        return service.BatchRememberResult(error=to_status(outcome))
    return service.BatchRememberResult(
        memory=convert.memory_message(outcome.memory),
        redactions=convert.redaction_messages(outcome.redactions),
    )


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
        selector: list[MemoryId] | MemoryFilter = convert.memory_filter(request.filter)
    else:
        selector = memory_ids_of(request.memory_ids)
    return Forgetting(
        selector, allow_restating=request.allow_restating, include_events=request.include_events
    )


def memory_ids_of(message: service.MemoryIds) -> list[MemoryId]:
    return [convert.memory_id(value) for value in message.ids]


def receipt_message(done: Forgotten) -> pb.ForgetReceipt:
    return pb.ForgetReceipt(
        receipt_id=str(done.receipt_id or ""),
        memory_ids=map(str, done.memory_ids),
        stores=[pb.StoreCount(store=name, rows=rows) for name, rows in done.stores.items()],
        forgotten_at=done.at,
        blocked_values=done.blocked_values,
    )
