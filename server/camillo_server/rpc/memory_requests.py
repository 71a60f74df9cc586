"""What several methods of MemoryService read from their requests in the same way."""

from camillo.v1 import memory_pb2 as pb
from camillo.v1 import memory_service_pb2 as service

from camillo_server.domain.errors import DomainError, InvalidField
from camillo_server.domain.forget_memories import Forgotten
from camillo_server.domain.forgetting.ports import Forgetting
from camillo_server.domain.ids import MemoryId
from camillo_server.domain.memory import MemoryDraft, MemoryFilter
from camillo_server.domain.remember import Remembered
from camillo_server.rpc import convert, limits
from camillo_server.rpc.errors import to_status
from camillo_server.rpc.validate import Checks, OwnModel


def drafts_of(
    request: service.BatchRememberRequest, own_model: OwnModel
) -> tuple[list[MemoryDraft], dict[int, InvalidField]]:
    """The drafts that can be stored, in order, and what is wrong with the others, by place."""
    drafts = []
    refused = {}
    for i, message in enumerate(request.memories):
        checks = Checks(own_model)
        draft = convert.memory_draft(message, checks, f"memories[{i}]")
        if checks.violations:
            refused[i] = InvalidField(checks.violations)
        else:
            drafts.append(draft)
    return drafts, refused


def batch_result(outcome: Remembered | DomainError) -> service.BatchRememberResult:
    if isinstance(outcome, DomainError):
        return service.BatchRememberResult(error=to_status(outcome))
    return service.BatchRememberResult(
        memory=convert.memory_message(outcome.memory),
        redactions=convert.redaction_messages(outcome.redactions),
    )


def forgetting_of(request: service.ForgetMemoriesRequest, checks: Checks) -> Forgetting:
    return Forgetting(
        _selector_of(request, checks),
        allow_restating=request.allow_restating,
        include_events=request.include_events,
    )


def _selector_of(
    request: service.ForgetMemoriesRequest, checks: Checks
) -> list[MemoryId] | MemoryFilter:
    if request.WhichOneof("selector") != "filter":
        return memory_ids_of(request.memory_ids, checks)
    wanted = convert.memory_filter(request.filter, checks, "filter")
    if wanted.is_empty:
        checks.fail("filter", "must hold at least one condition")
    return wanted


def memory_ids_of(message: service.MemoryIds, checks: Checks) -> list[MemoryId]:
    if not 1 <= len(message.ids) <= limits.FORGET_IDS:
        checks.fail("memory_ids.ids", f"must have 1 to {limits.FORGET_IDS} values")
        return []
    return [
        convert.memory_id(value, checks, f"memory_ids.ids[{i}]")
        for i, value in enumerate(message.ids)
    ]


def receipt_message(done: Forgotten) -> pb.ForgetReceipt:
    return pb.ForgetReceipt(
        receipt_id=str(done.receipt_id or ""),
        memory_ids=map(str, done.memory_ids),
        stores=[pb.StoreCount(store=name, rows=rows) for name, rows in done.stores.items()],
        forgotten_at=done.at,
        blocked_values=done.blocked_values,
    )
