"""Answers and statuses as HTTP has them: JSON as protobuf defines it, `google.rpc.Status` or RFC 9457, streams as lines
or events."""

import json
from collections.abc import Mapping
from functools import cache
from typing import Any, TypeVar

from google.protobuf import json_format
from google.protobuf.message import Message
from google.rpc import error_details_pb2
from google.rpc.code_pb2 import Code
from google.rpc.status_pb2 import Status

Detail = TypeVar("Detail", bound=Message)
JSON = "application/json"
PROBLEM = "application/problem+json"
LINES = "application/x-ndjson"
EVENTS = "text/event-stream"
# As Envoy's transcoder maps them.
HTTP_STATUS: Mapping[str, int] = {
    "OK": 200,
    "CANCELLED": 499,
    "UNKNOWN": 500,
    "INVALID_ARGUMENT": 400,
    "DEADLINE_EXCEEDED": 504,
    "NOT_FOUND": 404,
    "ALREADY_EXISTS": 409,
    "PERMISSION_DENIED": 403,
    "RESOURCE_EXHAUSTED": 429,
    "FAILED_PRECONDITION": 400,
    "ABORTED": 409,
    "OUT_OF_RANGE": 400,
    "UNIMPLEMENTED": 501,
    "INTERNAL": 500,
    "UNAVAILABLE": 503,
    "DATA_LOSS": 500,
    "UNAUTHENTICATED": 401,
}
# By which a stream is resumed: the field of the request, and the one of its messages.
RESUME_FIELDS = (("resume_token", "resume_token"), ("page_token", "next_page_token"))


def http_status(status: Status) -> int:
    """The status of HTTP for one of gRPC."""
    return HTTP_STATUS[Code.Name(status.code)]


def json_bytes(message: Message) -> bytes:
    """A message as protobuf defines its JSON, in one line."""
    as_dict = json_format.MessageToDict(message)
    return json.dumps(as_dict, ensure_ascii=False, separators=(",", ":")).encode()


def status_json(status: Status) -> dict[str, Any]:
    """A status as google.rpc.Status, its details by their types."""
    return json_format.MessageToDict(status)


def problem_json(status: Status) -> dict[str, Any]:
    """A status as RFC 9457 has problems; the reason is what clients tell them apart by."""
    encoded = status_json(status)
    reason = detail_of(status, error_details_pb2.ErrorInfo).reason
    return {
        "type": f"urn:camillo:error:{reason.lower()}" if reason else "about:blank",
        "title": Code.Name(status.code),
        "status": http_status(status),
        "detail": status.message,
        **({"reason": reason} if reason else {}),
        **({"details": encoded["details"]} if "details" in encoded else {}),
    }


def failure(status: Status, accept: str) -> tuple[int, dict[str, str], bytes]:
    """Status, headers and body of an answer that fails, in the form that the caller accepts."""
    is_problem = PROBLEM in accept
    content = problem_json(status) if is_problem else status_json(status)
    headers = {"content-type": PROBLEM if is_problem else JSON}
    retry = detail_of(status, error_details_pb2.RetryInfo)
    if retry.HasField("retry_delay"):
        # In whole seconds, and never sooner than asked for.
        delay = retry.retry_delay
        headers["retry-after"] = str(delay.seconds + (delay.nanos > 0))
    code = http_status(status)
    if code == HTTP_STATUS["UNAUTHENTICATED"]:
        headers["www-authenticate"] = "Bearer"
    return code, headers, json.dumps(content, ensure_ascii=False).encode()


def line_bytes(message: Message) -> bytes:
    """A message of a stream as a line."""
    return json_bytes(message) + b"\n"


def event_bytes(message: Message) -> bytes:
    """A message of a stream as an event, with its resume token as the id."""
    token = resume_token_of(message)
    head = f"id: {token}\n".encode() if token else b""
    return head + b"data: " + json_bytes(message) + b"\n\n"


def failed_event_bytes(status: Status) -> bytes:
    """The end of a stream of events that failed."""
    return b"event: error\ndata: " + json.dumps(status_json(status)).encode() + b"\n\n"


def failed_line_bytes(status: Status) -> bytes:
    """The end of a stream of lines that failed."""
    return json.dumps({"error": status_json(status)}).encode() + b"\n"


def detail_of(status: Status, detail_type: type[Detail]) -> Detail:
    """The detail of this type that a status has, else an empty one."""
    detail = detail_type()
    any(each.Unpack(detail) for each in status.details)
    return detail


def has_tag(header: str, tag: str) -> bool:
    """Whether a list of entity tags names this one, in the weak comparison (RFC 9110, 13.1.2)."""
    named = [each.strip().removeprefix("W/") for each in header.split(",")]
    return tag.removeprefix("W/") in named or "*" in named


def resume_token_of(message: Message) -> str:
    """The token by which a caller goes on behind this message, or nothing."""
    for path in _token_paths(message.DESCRIPTOR):
        at: Any = message
        for name in path:
            at = getattr(at, name)
        if at:
            return str(at)
    return ""


def resumed_field(request_type: Any) -> str:
    """The field of a request that takes the id of the last event, or nothing."""
    return next((name for name, _ in RESUME_FIELDS if name in request_type.fields_by_name), "")


@cache
def _token_paths(message_type: Any) -> tuple[tuple[str, ...], ...]:
    names = [name for _, name in RESUME_FIELDS]
    own = [(name,) for name in names if name in message_type.fields_by_name]
    nested = [
        (field.name, name)
        for field in message_type.fields
        if field.message_type is not None and not field.is_repeated
        for name in names
        if name in field.message_type.fields_by_name
    ]
    return (*own, *nested)
