"""How calls fail: the answers that all operations share."""

from collections.abc import Iterable, Mapping
from typing import Any

from camillo.v1.error_reason_pb2 import ErrorReason
from camillo_server.doors.gateway.http_answers import HTTP_STATUS, JSON, PROBLEM
from google.rpc.code_pb2 import Code

from tools.openapi.comments import Comments
from tools.openapi.schemas import STATUS

PREFIX = "ERROR_REASON_"
DETAIL = "ErrorDetail"
PROBLEM_SCHEMA = "Problem"
# Statuses of HTTP by the name of their answer, and what is said of them beside their reasons.
ANSWERS: Mapping[str, tuple[int, str]] = {
    "InvalidRequest": (400, "The request breaks a limit, or the state of what it is about."),
    "Unauthenticated": (401, "No credential, or one that is unknown, expired or revoked."),
    "Forbidden": (403, "The credential does not reach this scope, or lacks the role."),
    "NotFound": (404, "What the request names is not there, or not to be seen by the caller."),
    "Conflict": (409, "It is there already, or has changed since the caller read it."),
    "Exhausted": (
        429,
        "A quota is used up, or more calls are in flight than the server takes.",
    ),
    "Unavailable": (503, "The server cannot answer now: call again after `retry-after`."),
    "DeadlineExceeded": (504, "The deadline passed; the work was stopped."),
}
_RETRIED = {429, 503}
_HEADERS: Mapping[str, Any] = {
    "x-request-id": {
        "description": "That of the request, or one that the server made: its log has it.",
        "schema": {"type": "string", "maxLength": 128},
    },
    "retry-after": {
        "description": "Seconds after which to call again; only where that helps.",
        "schema": {"type": "integer", "minimum": 0},
    },
    "www-authenticate": {
        "description": "The scheme that a credential is sent by.",
        "schema": {"const": "Bearer"},
    },
}


def error_headers() -> dict[str, Any]:
    """The headers that answers refer to."""
    return dict(_HEADERS)


def error_references(*, is_write: bool) -> dict[str, Any]:
    """The failures of an operation by status. An operation that only reads has no conflicts."""
    named = {
        str(status): _reference(f"responses/{name}")
        for name, (status, _) in ANSWERS.items()
        if is_write or name != "Conflict"
    }
    return named | {"default": _reference("responses/Error")}


def error_responses(comments: Comments) -> dict[str, Any]:
    """The answers that operations refer to, with the reasons of each."""
    reasons = [
        (value.name.removeprefix(PREFIX), comments[f"camillo.v1.ErrorReason.{value.name}"])
        for value in ErrorReason.DESCRIPTOR.values
        if value.number
    ]
    answers = {
        name: _response("\n".join([words, "", *_lines(reasons, status)]), _headers_of(status))
        for name, (status, words) in ANSWERS.items()
    }
    return answers | {"Error": _response("The call failed.", ["retry-after", "x-request-id"])}


def error_schemas() -> dict[str, Any]:
    """The schemas of failures, which are none of the contract's messages."""
    names = [value.name.removeprefix(PREFIX) for value in ErrorReason.DESCRIPTOR.values]
    known = ", ".join(f"`{name}`" for name in names[1:])
    reason = _text(f"What clients tell failures apart by. Later versions may have more than {known}.")
    details = {
        "type": "array",
        "description": "An ErrorInfo with the reason, and what else is known of the failure.",
        "items": _reference(f"schemas/{DETAIL}"),
    }
    return {
        STATUS: _status(details),
        DETAIL: _detail(reason),
        PROBLEM_SCHEMA: _problem(reason, details),
    }


def _status(details: Any) -> dict[str, Any]:
    codes = ", ".join(f"{code} {name}" for name, code in Code.items() if code)
    return {
        "type": "object",
        "description": "A failure. Branch on the reason in its details, else on the code, never on the message.",
        "properties": {
            "code": {"type": "integer", "description": f"A code of gRPC: {codes}."},
            "message": _text("For people; it may change."),
            "details": details,
        },
    }


def _detail(reason: Any) -> dict[str, Any]:
    return {
        "type": "object",
        "description": "One of `google.rpc.ErrorInfo` (reason, domain, metadata), `google.rpc.BadRequest` "
        "(fieldViolations), "
        "`google.rpc.RetryInfo` (retryDelay) and others, as `@type` says.",
        "required": ["@type"],
        "properties": {
            "@type": _text("`type.googleapis.com/` and the name of the message."),
            "reason": reason,
            "domain": _text("`camillo.v1`."),
            "metadata": {
                "type": "object",
                "description": "What the reason is about; its keys are named at the reason.",
                "additionalProperties": {"type": "string"},
            },
            "fieldViolations": {
                "type": "array",
                "description": "The fields that break a limit.",
                "items": _violation(),
            },
            "retryDelay": _text("When to call again, in seconds: `1.5s`.") | {"pattern": r"^[0-9]+(\.[0-9]{1,9})?s$"},
        },
        "additionalProperties": True,
    }


def _problem(reason: Any, details: Any) -> dict[str, Any]:
    return {
        "type": "object",
        "description": "A failure as RFC 9457 has it; sent to callers who accept `application/problem+json`.",
        "required": ["type", "title", "status", "detail"],
        "properties": {
            "type": _text("`urn:camillo:error:` and the reason in lower case, or `about:blank`."),
            "title": _text("The name of the code of gRPC."),
            "status": {"type": "integer", "description": "The status of HTTP."},
            "detail": _text("For people; it may change."),
            "reason": reason,
            "details": details,
        },
    }


def _text(description: str) -> dict[str, Any]:
    return {"type": "string", "description": description}


def _violation() -> dict[str, Any]:
    return {
        "type": "object",
        "properties": {
            "field": _text("Its path, as in the contract."),
            "description": _text("The limit."),
        },
    }


def _lines(reasons: Iterable[tuple[str, str]], status: int) -> list[str]:
    """A line for each reason of a status; the comment of a reason begins with its code."""
    return [f"- `{name}`: {text}" for name, text in reasons if HTTP_STATUS.get(text.partition(":")[0]) == status]


def _headers_of(status: int) -> set[str]:
    retry = {"retry-after"} if status in _RETRIED else set()
    credential = {"www-authenticate"} if status == HTTP_STATUS["UNAUTHENTICATED"] else set()
    return {"x-request-id"} | retry | credential


def _response(words: str, headers: Iterable[str]) -> dict[str, Any]:
    return {
        "description": words,
        "headers": {name: _reference(f"headers/{name}") for name in sorted(headers)},
        "content": {
            JSON: {"schema": _reference(f"schemas/{STATUS}")},
            PROBLEM: {"schema": _reference(f"schemas/{PROBLEM_SCHEMA}")},
        },
    }


def _reference(path: str) -> dict[str, Any]:
    return {"$ref": f"#/components/{path}"}
