"""Requests and answers of MemoryService, converted."""

from camillo.v1 import memory_pb2 as pb
from camillo.v1 import memory_service_pb2 as service
from camillo.v1 import supersession_pb2

from camillo_server.doors.rpc import fields
from camillo_server.doors.rpc.errors import to_status
from camillo_server.doors.rpc.field_limits import check_message, rule
from camillo_server.doors.rpc.fields import (
    check_mask,
    time_of,
)
from camillo_server.doors.rpc.validate import Checks, OwnModel
from camillo_server.features.memories.memories import Remembered
from camillo_server.features.memories.update_memory import MemoryUpdate
from camillo_server.kernel.attribution import TrustLevel, attributed
from camillo_server.kernel.errors import DomainError, InvalidField, ScopeForbidden
from camillo_server.kernel.scope import Principal
from camillo_server.rows.merging import MemorySupersession
from camillo_server.rows.messages import (
    FIELDS,
    checked_vector,
    memory_draft,
    memory_message,
    read_memory_id,
)
from camillo_server.rows.row import MemoryDraft


def drafts_of(
    request: service.BatchRememberRequest, own_model: OwnModel, caller: Principal
) -> tuple[list[MemoryDraft], dict[int, DomainError]]:
    """The drafts that can be stored, in order, and what is wrong with the others, by index."""
    drafts, refused = [], dict[int, DomainError]()
    for i, message in enumerate(request.memories):
        draft = draft_or_problem(message, f"memories[{i}].", own_model, caller)
        if isinstance(draft, DomainError):
            refused[i] = draft
        else:
            drafts.append(draft)
    return drafts, refused


def draft_or_problem(
    message: pb.NewMemory | pb.Memory, path: str, own_model: OwnModel, caller: Principal
) -> MemoryDraft | DomainError:
    """One of many memories, which fail alone."""
    checks = Checks(own_model)
    check_message(message, checks, path)
    if checks.violations:
        return InvalidField(checks.violations)
    given = checked_vector(message, path, checks.read, own_model)
    try:
        return memory_draft(message, caller, given)
    except ScopeForbidden as refusal:
        return refusal


def batch_result(outcome: Remembered | DomainError) -> service.BatchRememberResult:
    if isinstance(outcome, DomainError):
        return service.BatchRememberResult(error=to_status(outcome))
    return service.BatchRememberResult(
        memory=memory_message(outcome.memory),
        redactions=fields.redaction_messages(outcome.redactions),
        omitted=fields.omitted_messages(outcome.omitted),
    )


@rule(service.UpdateMemoryRequest)
def check_update(request: service.UpdateMemoryRequest, path: str, checks: Checks) -> None:
    """Checks that every named field can be changed, and that a field without a default has a value."""
    names, memory = request.update_mask.paths, request.memory
    check_mask(names, FIELDS, checks, "must name at least one field")
    if "occurred_at" in names and not memory.HasField("occurred_at"):
        checks.fail("memory.occurred_at", "must be given where update_mask names it")
    if "vector" in names and not memory.HasField("vector"):
        check_message(memory.vector, checks, "memory.vector.")


def supersession(request: supersession_pb2.SupersedeMemoryRequest) -> MemorySupersession:
    return MemorySupersession(
        memory_id=read_memory_id(request.memory_id),
        expected_version=request.expected_version,
        successor_id=read_memory_id(request.successor_id),
        since=time_of(request, "since"),
    )


def memory_update(request: service.UpdateMemoryRequest, caller: Principal) -> MemoryUpdate:
    """Raises ScopeForbidden where the caller may not name the actor."""
    values = {name: FIELDS[name](request.memory) for name in request.update_mask.paths}
    vector = values.pop("vector", None)
    own = attributed(caller, values.get("actor", ""))
    values |= own.at_most(values.get("trust_level", TrustLevel.UNKNOWN))._asdict()
    return MemoryUpdate(
        memory_id=read_memory_id(request.memory_id),
        expected_version=request.expected_version,
        values=values,
        vector=vector,
        omit_forgotten=request.omit_forgotten,
    )
