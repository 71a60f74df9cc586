"""Conversion of gRPC statuses to typed errors: the only module that knows the wire form of errors."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace
from typing import Any
from urllib.parse import unquote

import grpc
from google.protobuf import any_pb2
from google.protobuf.duration_pb2 import Duration
from google.protobuf.message import DecodeError, Message
from google.rpc.error_details_pb2 import (  # type: ignore[import-untyped, unused-ignore]
    BadRequest,
    ErrorInfo,
    RetryInfo,
)
from google.rpc.status_pb2 import Status  # type: ignore[import-untyped, unused-ignore]

from camillo_client import errors
from camillo_client.errors import CamilloError, Failure, FieldViolation

DOMAIN = "camillo.v1"
DETAILS_KEY = "grpc-status-details-bin"

BY_REASON: dict[str, type[CamilloError]] = {
    "INVALID_FIELD": errors.InvalidField,
    "INVALID_PAGE_TOKEN": errors.InvalidPageToken,
    "CREDENTIAL_INVALID": errors.CredentialInvalid,
    "SCOPE_FORBIDDEN": errors.ScopeForbidden,
    "MEMORY_NOT_FOUND": errors.MemoryNotFound,
    "VERSION_CONFLICT": errors.VersionConflict,
    "REQUEST_ID_REUSED": errors.RequestIdReused,
    "QUOTA_EXCEEDED": errors.QuotaExceeded,
    "OVERLOADED": errors.Overloaded,
    "REVISION_BEHIND": errors.RevisionBehind,
    "REVISION_UNKNOWN": errors.RevisionUnknown,
    "STORAGE_UNAVAILABLE": errors.StorageUnavailable,
    "INTERNAL": errors.InternalError,
    "DEADLINE_EXCEEDED": errors.DeadlineExceeded,
    "TENANT_NOT_FOUND": errors.TenantNotFound,
    "AGENT_NOT_FOUND": errors.AgentNotFound,
    "KEY_NOT_FOUND": errors.KeyNotFound,
    "ALREADY_EXISTS": errors.AlreadyExists,
    "MEMORY_ID_TAKEN": errors.MemoryIdTaken,
    "STREAM_IDLE": errors.StreamIdle,
    "SERVER_DRAINING": errors.ServerDraining,
    "PROVENANCE_REQUIRED": errors.ProvenanceRequired,
    "VALUE_REJECTED": errors.ValueRejected,
    "ARTIFACT_NOT_FOUND": errors.ArtifactNotFound,
    "UPLOAD_NOT_FOUND": errors.UploadNotFound,
    "UPLOAD_OFFSET_MISMATCH": errors.UploadOffsetMismatch,
    "CONTENT_MISMATCH": errors.ContentMismatch,
    "RANGE_PAST_END": errors.RangePastEnd,
    "NOT_TEXT": errors.NotText,
    "DOCUMENT_UNREADABLE": errors.DocumentUnreadable,
    "NOT_JSON": errors.NotJson,
    "JSON_VALUE_NOT_FOUND": errors.JsonValueNotFound,
    "BYTES_UNAVAILABLE": errors.BytesUnavailable,
    "BYTES_LOST": errors.BytesLost,
    "KEY_MISSING": errors.KeyMissing,
    "STORAGE_FULL": errors.StorageFull,
    "EVENT_NOT_FOUND": errors.EventNotFound,
    "DECISION_NOT_FOUND": errors.DecisionNotFound,
    "TASK_NOT_FOUND": errors.TaskNotFound,
    "SLOT_NOT_FOUND": errors.SlotNotFound,
    "DOCUMENT_NOT_FOUND": errors.DocumentNotFound,
    "SKILL_NOT_FOUND": errors.SkillNotFound,
    "VIEW_NOT_FOUND": errors.ViewNotFound,
    "RECIPE_NOT_FOUND": errors.RecipeNotFound,
    "REF_NOT_FOUND": errors.RefNotFound,
    "DECISION_CYCLE": errors.DecisionCycle,
    "BUDGET_TOO_SMALL": errors.BudgetTooSmall,
    "NOT_SHAREABLE": errors.NotShareable,
    "MEMORY_REPEATED": errors.MemoryRepeated,
    "PLAN_CHANGED": errors.PlanChanged,
    "PLAN_REQUIRED": errors.PlanRequired,
    "HANDOFF_REFUSED": errors.HandoffRefused,
    "CONFIRMATION_REQUIRED": errors.ConfirmationRequired,
    "COMPACTION_NOT_FOUND": errors.CompactionNotFound,
    "COMPACTION_STATE": errors.CompactionInWrongState,
    "JOB_NOT_FOUND": errors.JobNotFound,
    "RUN_NOT_FOUND": errors.RunNotFound,
    "RECEIPT_NOT_FOUND": errors.ReceiptNotFound,
    "DISTILLATION_NOT_FOUND": errors.DistillationNotFound,
    "DISTILLATION_STATE": errors.DistillationInWrongState,
    "DISTILLATION_OFF": errors.DistillationOff,
    "DISTILLATION_UNDER_WAY": errors.DistillationUnderWay,
    "PROPOSAL_NOT_FOUND": errors.ProposalNotFound,
    "PROPOSAL_STATE": errors.ProposalInWrongState,
    "MODEL_UNAVAILABLE": errors.ModelUnavailable,
    "NO_NEXT_MODEL": errors.NoNextModel,
    "PROFILER_UNAVAILABLE": errors.ProfilerUnavailable,
}

# For failures without a known reason: from gRPC itself, from a proxy, or from a newer server.
BY_CODE: dict[grpc.StatusCode, type[CamilloError]] = {
    grpc.StatusCode.INVALID_ARGUMENT: errors.InvalidArgument,
    grpc.StatusCode.UNAUTHENTICATED: errors.CredentialInvalid,
    grpc.StatusCode.PERMISSION_DENIED: errors.ScopeForbidden,
    grpc.StatusCode.NOT_FOUND: errors.NotFound,
    grpc.StatusCode.ALREADY_EXISTS: errors.AlreadyExists,
    grpc.StatusCode.RESOURCE_EXHAUSTED: errors.ResourceExhausted,
    grpc.StatusCode.FAILED_PRECONDITION: errors.FailedPrecondition,
    grpc.StatusCode.UNAVAILABLE: errors.Unavailable,
    grpc.StatusCode.DEADLINE_EXCEEDED: errors.DeadlineExceeded,
    grpc.StatusCode.INTERNAL: errors.InternalError,
    grpc.StatusCode.UNIMPLEMENTED: errors.MethodUnknown,
}

# Text that grpc.aio gives in place of the server's when a stream ends while it sends.
BROKEN_WHILE_SENDING = "Internal error from Core"
# Text of gRPC for a stream that a proxy ends because the server behind it is gone; the server itself never says so.
RESET = "RST_STREAM"
# Texts of gRPC for calls that were cancelled here; a server's CANCELLED means that it stopped before it took the
# call, or before it had finished it.
CANCELLED_HERE = ("Locally cancelled by application!", "Channel closed!")

# Text of gRPC, with the address, for a listener that does not speak HTTP/2, such as a server's port for HTTP.
NOT_HTTP2 = re.compile(r"\bipv[46]:(\S+): Failed parsing HTTP/2 \(Expected SETTINGS frame")

_CODES = {code.value[0]: code for code in grpc.StatusCode}


def from_rpc_error(error: grpc.RpcError, request_id: str = "", refusal: str = "") -> CamilloError:
    """The typed error of a failed call, of `grpc` or `grpc.aio`; `refusal` is its message where the key is refused."""
    code, message = error.code(), error.details() or ""
    if code is grpc.StatusCode.UNAUTHENTICATED:
        message = refusal or message
    if code is grpc.StatusCode.INTERNAL and message == BROKEN_WHILE_SENDING:
        code, message = grpc.StatusCode.UNAVAILABLE, "the connection broke while bytes were sent"
    elif code is grpc.StatusCode.INTERNAL and RESET in message:
        code = grpc.StatusCode.UNAVAILABLE
    elif code is grpc.StatusCode.UNAVAILABLE and (foreign := NOT_HTTP2.search(message)):
        message = _not_a_server(unquote(foreign[1]))
    elif code is grpc.StatusCode.CANCELLED and message not in CANCELLED_HERE:
        code, message = grpc.StatusCode.UNAVAILABLE, "the server went away"
    failure = Failure(code, message=message, request_id=request_id)
    return _typed(failure, _details(error))


def _not_a_server(address: str) -> str:
    """Says in the words of the command line that no Camillo server listens there."""
    return (
        f"what listens at {address} is not a Camillo server, or is its port for HTTP: the one for gRPC is by "
        f"default 7070"
    )


def from_status(status: Status, request_id: str = "") -> CamilloError:
    """The typed error of one item of a batch."""
    code = _CODES.get(status.code, grpc.StatusCode.UNKNOWN)
    return _typed(Failure(code, message=status.message, request_id=request_id), status.details)


def _details(error: grpc.RpcError) -> Iterable[any_pb2.Any]:
    # Pairs, in a tuple from `grpc` and in a Metadata from `grpc.aio`.
    metadata: Any = error.trailing_metadata() or ()
    status = Status()
    try:
        status.ParseFromString(dict(metadata).get(DETAILS_KEY, b""))
    except DecodeError:
        # Whatever mangled it on the way: the code and the message still stand.
        status.Clear()
    details: Iterable[any_pb2.Any] = status.details
    return details


def _typed(failure: Failure, details: Iterable[any_pb2.Any]) -> CamilloError:
    failure, domain = _with_details(failure, details)
    known = BY_REASON.get(failure.reason) if domain == DOMAIN else None
    return (known or BY_CODE.get(failure.code, CamilloError))(failure)


def _with_details(failure: Failure, details: Iterable[any_pb2.Any]) -> tuple[Failure, str]:
    """The failure with what its details say, and the domain of its reason."""
    info, bad_request, retry = ErrorInfo(), BadRequest(), RetryInfo()
    for detail in details:
        _unpack(detail, info, bad_request, retry)
    return replace(
        failure,
        reason=info.reason,
        metadata=dict(info.metadata),
        field_violations=tuple(
            FieldViolation(violation.field, violation.description) for violation in bad_request.field_violations
        ),
        retry_after_seconds=_seconds(retry),
    ), info.domain


def _unpack(detail: any_pb2.Any, *targets: Message) -> None:
    for target in targets:
        try:
            # Does nothing to a target of another type.
            detail.Unpack(target)
        except DecodeError:
            target.Clear()


def _seconds(retry: RetryInfo) -> float | None:
    if not retry.HasField("retry_delay"):
        return None
    delay: Duration = retry.retry_delay
    # There is no waiting backwards.
    return max(0.0, delay.seconds + delay.nanos / 1e9)
