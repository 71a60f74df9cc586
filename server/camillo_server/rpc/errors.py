"""The one table from domain errors to the wire."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import grpc
from camillo.v1.error_reason_pb2 import ErrorReason
from google.protobuf.any_pb2 import Any as AnyMessage
from google.protobuf.duration_pb2 import Duration
from google.protobuf.message import Message
from google.rpc.error_details_pb2 import BadRequest, ErrorInfo, RetryInfo
from google.rpc.status_pb2 import Status

from camillo_server.kernel import errors

DOMAIN = "camillo.v1"
Code = grpc.StatusCode
Row = tuple[grpc.StatusCode, str | Callable[[Any], str], Callable[[Any], Mapping[str, object]]]


# gRPC's clients take 8 KiB of headers unless told otherwise, and of a status that is longer they see nothing; base64 makes a third
# more of these bytes.
VIOLATION_BYTES = 3_000

# Nouns of what has a name of its own, and no id.
NAMED = ("view", "recipe")


def _nothing(_: errors.DomainError) -> Mapping[str, object]:
    return {}


def _of_noun(suffix: str) -> Callable[[Any], str]:
    return lambda error: f"{error.noun.upper()}_{suffix}"


def _missing(error: errors.NotFound) -> Mapping[str, object]:
    return {"name" if error.noun in NAMED else f"{error.noun}_id": error.wanted_id}


def _budget(error: errors.BudgetTooSmall) -> Mapping[str, object]:
    return {
        "max_tokens": error.max_tokens,
        "needed_tokens": error.needed_tokens,
        "sections": ",".join(f"{name}={tokens}" for name, tokens in error.sections.items()),
    }


def _taken_reason(error: errors.AlreadyExists) -> str:
    return "MEMORY_ID_TAKEN" if error.noun == "memory" else "ALREADY_EXISTS"


# The class, the code, the reason (or how it follows from the error), the metadata.
TABLE: Mapping[type[errors.DomainError], Row] = {
    errors.InvalidField: (Code.INVALID_ARGUMENT, "INVALID_FIELD", _nothing),
    errors.InvalidPageToken: (Code.INVALID_ARGUMENT, "INVALID_PAGE_TOKEN", _nothing),
    errors.CredentialInvalid: (Code.UNAUTHENTICATED, "CREDENTIAL_INVALID", _nothing),
    errors.ScopeForbidden: (
        Code.PERMISSION_DENIED,
        "SCOPE_FORBIDDEN",
        lambda e: {"required_role": e.required_role.name} if e.required_role else {},
    ),
    errors.NotFound: (
        Code.NOT_FOUND,
        _of_noun("NOT_FOUND"),
        _missing,
    ),
    errors.AlreadyExists: (
        Code.ALREADY_EXISTS,
        _taken_reason,
        lambda e: {f"{e.noun}_id": e.taken_id},
    ),
    errors.VersionConflict: (
        Code.ABORTED,
        "VERSION_CONFLICT",
        lambda e: {"expected_version": e.expected, "actual_version": e.actual},
    ),
    errors.RequestIdReused: (
        Code.ALREADY_EXISTS,
        "REQUEST_ID_REUSED",
        lambda e: {"request_id": e.request_id},
    ),
    errors.QuotaExceeded: (
        Code.RESOURCE_EXHAUSTED,
        "QUOTA_EXCEEDED",
        lambda e: {"quota": e.quota, "limit": e.limit},
    ),
    errors.Overloaded: (Code.RESOURCE_EXHAUSTED, "OVERLOADED", lambda e: {"limit": e.limit}),
    errors.RevisionUnknown: (Code.OUT_OF_RANGE, "REVISION_UNKNOWN", _nothing),
    errors.RevisionBehind: (Code.UNAVAILABLE, "REVISION_BEHIND", _nothing),
    errors.StorageUnavailable: (Code.UNAVAILABLE, "STORAGE_UNAVAILABLE", _nothing),
    errors.ServerDraining: (Code.UNAVAILABLE, "SERVER_DRAINING", _nothing),
    errors.DeadlineExceeded: (Code.DEADLINE_EXCEEDED, "DEADLINE_EXCEEDED", _nothing),
    errors.UploadOffsetMismatch: (
        Code.ABORTED,
        "UPLOAD_OFFSET_MISMATCH",
        lambda e: {"expected_offset": e.expected, "actual_offset": e.actual},
    ),
    errors.ContentMismatch: (
        Code.INVALID_ARGUMENT,
        "CONTENT_MISMATCH",
        lambda e: {"what": e.what, "expected": e.expected, "actual": e.actual},
    ),
    errors.RangePastEnd: (
        Code.OUT_OF_RANGE,
        "RANGE_PAST_END",
        lambda e: {"unit": e.unit, "length": e.length},
    ),
    errors.NotText: (Code.FAILED_PRECONDITION, "NOT_TEXT", _nothing),
    errors.NotJson: (Code.FAILED_PRECONDITION, "NOT_JSON", _nothing),
    errors.JsonValueNotFound: (
        Code.NOT_FOUND,
        "JSON_VALUE_NOT_FOUND",
        lambda e: {"json_pointer": e.pointer},
    ),
    errors.BytesUnavailable: (Code.UNAVAILABLE, "BYTES_UNAVAILABLE", _nothing),
    errors.BytesLost: (Code.DATA_LOSS, "BYTES_LOST", _nothing),
    errors.KeyMissing: (
        Code.FAILED_PRECONDITION,
        "KEY_MISSING",
        lambda e: {"key_id": e.key_id},
    ),
    errors.StorageFull: (Code.RESOURCE_EXHAUSTED, "STORAGE_FULL", _nothing),
    errors.RefNotFound: (Code.FAILED_PRECONDITION, "REF_NOT_FOUND", lambda e: {"ref": e.ref}),
    errors.ProvenanceRequired: (Code.FAILED_PRECONDITION, "PROVENANCE_REQUIRED", _nothing),
    errors.DecisionCycle: (
        Code.FAILED_PRECONDITION,
        "DECISION_CYCLE",
        lambda e: {"decision_id": e.decision_id},
    ),
    errors.BudgetTooSmall: (Code.FAILED_PRECONDITION, "BUDGET_TOO_SMALL", _budget),
    errors.ValueRejected: (
        Code.FAILED_PRECONDITION,
        "VALUE_REJECTED",
        lambda e: {"field": e.field},
    ),
    errors.MemoryRepeated: (
        Code.ALREADY_EXISTS,
        "MEMORY_REPEATED",
        lambda e: {"memory_id": e.memory_id},
    ),
    errors.PlanChanged: (Code.ABORTED, "PLAN_CHANGED", _nothing),
    errors.ConfirmationRequired: (Code.FAILED_PRECONDITION, "CONFIRMATION_REQUIRED", _nothing),
    errors.WrongState: (
        Code.FAILED_PRECONDITION,
        _of_noun("STATE"),
        lambda e: {f"{e.noun}_id": e.wanted_id, "state": e.state},
    ),
    errors.NoNextModel: (Code.FAILED_PRECONDITION, "NO_NEXT_MODEL", _nothing),
    errors.NotShareable: (Code.FAILED_PRECONDITION, "NOT_SHAREABLE", lambda e: {"ref": e.ref}),
}


def status_code(error: errors.DomainError) -> grpc.StatusCode:
    """The canonical code of an error."""
    return TABLE[type(error)][0]


def to_status(error: errors.DomainError) -> Status:
    """The error as google.rpc.Status, with ErrorInfo and, where they apply, BadRequest and RetryInfo."""
    code, reason, metadata = TABLE[type(error)]
    name = reason if isinstance(reason, str) else reason(error)
    ErrorReason.Value(
        f"ERROR_REASON_{name}"
    )  # a reason that the contract does not know is a defect
    info = ErrorInfo(reason=name, domain=DOMAIN)
    info.metadata.update({key: str(value) for key, value in metadata(error).items()})
    return Status(
        code=code.value[0],
        message=str(error),
        details=[_packed(info), *map(_packed, _further_details(error))],
    )


def internal_status(request_id: str) -> Status:
    """All that a caller is told of a defect."""
    info = ErrorInfo(reason="INTERNAL", domain=DOMAIN)
    message = f"internal error; the server's log has it under request id {request_id}"
    return Status(code=Code.INTERNAL.value[0], message=message, details=[_packed(info)])


def _further_details(error: errors.DomainError) -> list[Message]:
    details: list[Message] = []
    if isinstance(error, errors.InvalidField):
        details.append(BadRequest(field_violations=_first(error.violations)))
    retry_after_seconds = getattr(error, "retry_after_seconds", None)
    if retry_after_seconds is not None:
        delay = Duration()
        delay.FromMilliseconds(round(retry_after_seconds * 1000))
        details.append(RetryInfo(retry_delay=delay))
    return details


def _first(violations: Sequence[errors.FieldViolation]) -> Iterator[BadRequest.FieldViolation]:
    """As many as fit; the message says how many there are."""
    left = VIOLATION_BYTES
    for each in violations:
        told = BadRequest.FieldViolation(field=each.field, description=each.description)
        left -= told.ByteSize()
        if left < 0:
            return
        yield told


def _packed(message: Message) -> AnyMessage:
    packed = AnyMessage()
    packed.Pack(message)
    return packed
