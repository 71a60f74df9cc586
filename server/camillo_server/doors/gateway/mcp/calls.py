"""How tools reach the contract: one call for one request, whoever carries it; and failures as a model reads them: the
reason, what is wrong, and what to do."""

from collections.abc import AsyncGenerator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any, Protocol

from google.protobuf.message import Message
from google.rpc.code_pb2 import Code
from google.rpc.error_details_pb2 import BadRequest, ErrorInfo, RetryInfo
from google.rpc.status_pb2 import Status

from camillo_server.doors.gateway.http_answers import detail_of


@dataclass(slots=True)
class MemoryCallFailed(Exception):
    """A call that failed, with what the caller may know of it."""

    code: str
    message: str
    # Without the prefix `ERROR_REASON_`; empty where no server answered.
    reason: str = ""
    fields: Sequence[str] = ()
    metadata: Mapping[str, str] = field(default_factory=dict)
    retry_seconds: float | None = None


class MemoryCalls(Protocol):
    """Calls in one scope. The agent and the credential are those of the connection, never of a request."""

    @property
    def person(self) -> str:
        """The space that keeps what a person wants everywhere, read beside the connection's own; empty: the own."""
        ...

    async def call(self, request: Message) -> Any:
        """The answer of the method that takes this request. Raises MemoryCallFailed."""
        ...

    def stream(self, request: Message) -> AsyncGenerator[Any]:
        """The messages of the method that takes this request; close it. Raises MemoryCallFailed."""
        ...


def method_path(request: Message) -> str:
    """The method's path on the wire: `/camillo.v1.MemoryService/Recall`. Raises LookupError if no method takes it."""
    return _path(request.DESCRIPTOR)


def takes_agent(request: Message) -> bool:
    """Whether the request names the agent whose scope it is about."""
    descriptor: Any = request.DESCRIPTOR
    is_administration = descriptor.file.name.endswith("/admin_service.proto")
    return "agent_id" in descriptor.fields_by_name and not is_administration


def refusal_of(status: Status) -> MemoryCallFailed:
    """Converts a status to the error that reports a failed call."""
    info, retry = detail_of(status, ErrorInfo), detail_of(status, RetryInfo)
    delay = retry.retry_delay
    return MemoryCallFailed(
        code=_code_name(status.code),
        message=status.message,
        reason=info.reason,
        fields=[f"{each.field}: {each.description}" for each in detail_of(status, BadRequest).field_violations],
        metadata=dict(info.metadata),
        retry_seconds=delay.seconds + delay.nanos / 1e9 if retry.HasField("retry_delay") else None,
    )


def _code_name(code: int) -> str:
    name: str = Code.Name(code)
    return name


@cache
def _path(request: Any) -> str:
    # The messages of a method stand in the file of its service.
    for service in request.file.services_by_name.values():
        for method in service.methods:
            if method.input_type is request:
                return f"/{service.full_name}/{method.name}"
    raise LookupError(request.full_name)


_HINTS: Mapping[str, str] = {
    "INVALID_FIELD": "correct the argument and call again",
    "INVALID_PAGE_TOKEN": "begin again without page",
    "CREDENTIAL_INVALID": "tell the user that the key of the memory server is missing, wrong or expired",
    "SCOPE_FORBIDDEN": "tell the user that the key does not allow this",
    "MEMORY_NOT_FOUND": "find ids with recall",
    "ARTIFACT_NOT_FOUND": "use the id in a [MemoryRef: …] as it stands",
    "SLOT_NOT_FOUND": "find keys with recall",
    "VERSION_CONFLICT": "read it again, then decide",
    "VALUE_REJECTED": "this was forgotten on request: do not store it again",
    "PROVENANCE_REQUIRED": "say where it comes from",
    "QUOTA_EXCEEDED": "tell the user that the quota is used up",
    "BUDGET_TOO_SMALL": "call again with more max_tokens",
    "RANGE_PAST_END": "ask for earlier lines",
    "NOT_TEXT": "it has no lines: it cannot be read by this tool",
    "PLAN_REQUIRED": "erase fewer at once",
    "STORAGE_UNAVAILABLE": "go on without memory and try again later",
    "OVERLOADED": "wait and call again",
    "SERVER_DRAINING": "wait and call again",
    "DEADLINE_EXCEEDED": "call again with less: a shorter text or a smaller limit",
}
_NO_SERVER = "go on without memory; tell the user that no memory server answers"


def failure_line(error: MemoryCallFailed) -> str:
    """One line, of what the caller may know. Nothing of the server's inside is in it: the contract sees to that."""
    reason = error.reason or ("NO_SERVER" if error.code == "UNAVAILABLE" else error.code)
    fields = [each for each in error.fields if each not in error.message]
    parts = [f"{reason}: {error.message}", *fields]
    hint = _HINTS.get(error.reason, _NO_SERVER if reason == "NO_SERVER" else "")
    if hint:
        parts.append(f"What to do: {hint}")
    if error.retry_seconds:
        parts.append(f"try again after {error.retry_seconds:g} s")
    return ". ".join(parts)
