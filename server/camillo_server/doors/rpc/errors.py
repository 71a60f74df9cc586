"""Domain errors as statuses on the wire."""

from collections.abc import Iterator, Sequence
from typing import Any, NoReturn

import grpc
from camillo.v1.error_reason_pb2 import ErrorReason
from google.protobuf.any_pb2 import Any as AnyMessage
from google.protobuf.duration_pb2 import Duration
from google.protobuf.message import Message
from google.rpc.error_details_pb2 import BadRequest, ErrorInfo, RetryInfo
from google.rpc.status_pb2 import Status
from grpc_status import rpc_status

from camillo_server.kernel import errors

DOMAIN = "camillo.v1"
Code = grpc.StatusCode

# gRPC's clients take 8 KiB of headers unless told otherwise, and of a status that is longer they see nothing; base64
# makes a third more of these bytes.
VIOLATION_BYTES = 3_000


def status_code(error: errors.DomainError) -> grpc.StatusCode:
    """The canonical code of an error."""
    code: grpc.StatusCode = getattr(Code, error.code)
    return code


def to_status(error: errors.DomainError) -> Status:
    """The error as google.rpc.Status, with ErrorInfo and, where they apply, BadRequest and RetryInfo. Raises ValueError
    for a reason that the contract does not know, which is a defect."""
    ErrorReason.Value(f"ERROR_REASON_{error.reason}")
    info = ErrorInfo(reason=error.reason, domain=DOMAIN)
    info.metadata.update({key: str(value) for key, value in error.details.items()})
    return Status(
        code=status_code(error).value[0],
        message=str(error),
        details=[_packed(info), *map(_packed, _further_details(error))],
    )


async def abort(context: Any, status: Status) -> NoReturn:
    """Ends a call with this status. Not where an exception is handled, nor beside a request: gRPC keeps the exception
    that this raises, and what is reachable from it, until the next collection of garbage."""
    answer = rpc_status.to_status(status)
    await context.abort(answer.code, answer.details, answer.trailing_metadata)
    raise AssertionError("gRPC ends a call that is aborted")


def internal_status(request_id: str) -> Status:
    """All that a caller is told of a defect."""
    info = ErrorInfo(reason="INTERNAL", domain=DOMAIN)
    message = f"internal error; the server's log has it under request id {request_id}"
    return Status(code=Code.INTERNAL.value[0], message=message, details=[_packed(info)])


def _further_details(error: errors.DomainError) -> list[Message]:
    details: list[Message] = []
    if isinstance(error, errors.InvalidField):
        details.append(BadRequest(field_violations=_first(error.violations)))
    if error.retry_after_seconds is not None:
        delay = Duration()
        delay.FromMilliseconds(round(error.retry_after_seconds * 1000))
        details.append(RetryInfo(retry_delay=delay))
    return details


def _first(violations: Sequence[errors.FieldViolation]) -> Iterator[BadRequest.FieldViolation]:
    """The first violations, as many as fit; the message says how many there are."""
    left = VIOLATION_BYTES
    for each in violations:
        violation = BadRequest.FieldViolation(field=each.field, description=each.description)
        left -= violation.ByteSize()
        if left < 0:
            return
        yield violation


def _packed(message: Message) -> AnyMessage:
    packed = AnyMessage()
    packed.Pack(message)
    return packed
