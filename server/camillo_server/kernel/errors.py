"""The errors, as classes: each has the code, the reason and the details that a caller is told.

A message is shown to the caller: it names fields and limits, never contents, SQL or paths.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

if TYPE_CHECKING:
    from camillo_server.kernel.scope import Role

# In the text of an error; the details list more.
MESSAGE_VIOLATIONS = 5
# Nouns of what has a name of its own, and no id.
NAMED = ("view", "recipe", "slot", "skill")


class DomainError(Exception):
    """Something the caller can understand.

    `code` is the name of a canonical status code (FAILED_PRECONDITION unless a class has its own), `reason` one of the
    contract's `ErrorReason` without its prefix, `details` what that promises; `retry_after_seconds` is set for what
    passes by itself."""

    code: ClassVar[str] = "FAILED_PRECONDITION"
    reason: str
    message: ClassVar[str]
    retry_after_seconds: float | None = None

    def __init__(self, message: str | None = None, **details: Any) -> None:
        """Takes the text of the class where none is given."""
        super().__init__(self.message if message is None else message)
        self.details = details


@dataclass(frozen=True, slots=True)
class FieldViolation:
    """One field that breaks a limit: a path such as `memory.tags[3]`, and what the limit is."""

    field: str
    description: str


class InvalidField(DomainError):
    """One or more fields break a limit."""

    code, reason = "INVALID_ARGUMENT", "INVALID_FIELD"

    def __init__(self, violations: Sequence[FieldViolation]) -> None:
        lines = [f"{v.field}: {v.description}" for v in violations[:MESSAGE_VIOLATIONS]]
        if more := len(violations) - len(lines):
            lines.append(f"and {more} more")
        super().__init__("; ".join(lines))
        self.violations = tuple(violations)


def invalid_field(field: str, description: str) -> InvalidField:
    """One field that breaks a limit."""
    return InvalidField([FieldViolation(field, description)])


class InvalidPageToken(DomainError):
    """A token this server did not make, or made for another query."""

    code, reason = "INVALID_ARGUMENT", "INVALID_PAGE_TOKEN"


class CredentialInvalid(DomainError):
    """No credential, or one that is unknown, expired or revoked."""

    code, reason = "UNAUTHENTICATED", "CREDENTIAL_INVALID"


class ScopeForbidden(DomainError):
    """The credential does not reach that far."""

    code, reason = "PERMISSION_DENIED", "SCOPE_FORBIDDEN"

    def __init__(self, message: str, required_role: Role | None = None) -> None:
        details = {"required_role": required_role.name} if required_role else {}
        super().__init__(message, **details)


class NotFound(DomainError):
    """Missing, or not visible to the caller: the two are told apart nowhere."""

    code = "NOT_FOUND"

    def __init__(self, noun: str, wanted_id: object) -> None:
        key = "name" if noun in NAMED else f"{noun}_id"
        super().__init__(f"{noun} not found", **{key: wanted_id})
        self.reason = f"{noun.upper()}_NOT_FOUND"
        self.noun = noun
        self.wanted_id = str(wanted_id)


class AlreadyExists(DomainError):
    """The client-chosen id is taken."""

    code = "ALREADY_EXISTS"

    def __init__(self, noun: str, taken_id: object) -> None:
        super().__init__(f"{noun} exists already", **{f"{noun}_id": taken_id})
        self.reason = "MEMORY_ID_TAKEN" if noun == "memory" else "ALREADY_EXISTS"


class VersionConflict(DomainError):
    """The record to be changed has a newer version than the caller read."""

    code, reason = "ABORTED", "VERSION_CONFLICT"

    def __init__(self, noun: str, expected: int, actual: int, **which: object) -> None:
        message = f"the {noun} has version {actual}, not {expected}"
        super().__init__(message, expected_version=expected, actual_version=actual, **which)


class RequestIdReused(DomainError):
    """The request id was used for other content within its lifetime."""

    code, reason = "ALREADY_EXISTS", "REQUEST_ID_REUSED"

    def __init__(self, request_id: str) -> None:
        message = "the request id was used for other content within 24 hours"
        super().__init__(message, request_id=request_id)


class QuotaExceeded(DomainError):
    """A bound that protects the server or other callers is reached."""

    code, reason = "RESOURCE_EXHAUSTED", "QUOTA_EXCEEDED"

    def __init__(self, quota: str, limit: int) -> None:
        super().__init__(f"{quota}: the limit is {limit}", quota=quota, limit=limit)


class Overloaded(DomainError):
    """More in flight than the server takes: calls, or bytes of their requests."""

    code, reason = "RESOURCE_EXHAUSTED", "OVERLOADED"

    def __init__(self, limit: int, what: str = "calls in flight", *, retry_after_seconds: float = 0.1) -> None:
        message = f"the limit of the server is {limit} {what}; try again"
        super().__init__(message, limit=limit)
        self.retry_after_seconds = retry_after_seconds


class RevisionUnknown(DomainError):
    """A revision of another database or another scope, or of a history that the database has left."""

    code, reason = "OUT_OF_RANGE", "REVISION_UNKNOWN"


class RevisionBehind(DomainError):
    """The demanded revision was not reached in time."""

    code, reason, retry_after_seconds = "UNAVAILABLE", "REVISION_BEHIND", 0.1
    message = "the revision asked for was not reached in time"


class StorageUnavailable(DomainError):
    """Postgres cannot be reached."""

    code, reason, retry_after_seconds = "UNAVAILABLE", "STORAGE_UNAVAILABLE", 1.0
    message = "the database cannot be reached; try again"


class SpoolUnavailable(StorageUnavailable):
    """The spool takes no write either: it is full, or its disk fails. Callers are told that the database is away."""


class DeadlineExceeded(DomainError):
    """The caller's deadline passed while the server worked."""

    code, reason = "DEADLINE_EXCEEDED", "DEADLINE_EXCEEDED"
    message = "the deadline passed while the server worked; the work was stopped"


class ServerDraining(DomainError):
    """The server is shutting down; another one, or this one restarted, will answer."""

    code, reason, retry_after_seconds = "UNAVAILABLE", "SERVER_DRAINING", 1.0
    message = "the server is shutting down; connect again"


class StreamIdle(DomainError):
    """The caller of a stream took no message, or sent none, for too long."""

    code, reason, retry_after_seconds = "UNAVAILABLE", "STREAM_IDLE", 0.1

    def __init__(self, seconds: float) -> None:
        message = f"the stream was idle for {seconds:g} seconds and has ended; resume it"
        super().__init__(message, seconds=f"{seconds:g}")


class UploadOffsetMismatch(DomainError):
    """Bytes of an upload begin at another offset than where it goes on."""

    code, reason = "ABORTED", "UPLOAD_OFFSET_MISMATCH"

    def __init__(self, expected: int, actual: int) -> None:
        message = f"the upload goes on at byte {expected}, not at {actual}"
        super().__init__(message, expected_offset=expected, actual_offset=actual)
        self.expected, self.actual = expected, actual


class ContentMismatch(DomainError):
    """The bytes that came are not those that were announced: `what` is `size` or `sha256`."""

    code, reason = "INVALID_ARGUMENT", "CONTENT_MISMATCH"

    def __init__(self, what: str, expected: object, actual: object) -> None:
        message = f"the {what} of what came is {actual}, not {expected}; nothing is kept"
        super().__init__(message, what=what, expected=expected, actual=actual)


class RangePastEnd(DomainError):
    """A range that begins behind the end. `unit` is `bytes` or `lines`, `length` how many there are."""

    code, reason = "OUT_OF_RANGE", "RANGE_PAST_END"

    def __init__(self, unit: str, length: int) -> None:
        message = f"the range begins behind the end: there are {length} {unit}"
        super().__init__(message, unit=unit, length=length)


class NotText(DomainError):
    """Lines are asked of what has none."""

    reason = "NOT_TEXT"
    message = "the artifact is not text that has lines; read it by bytes"


class NotJson(DomainError):
    """A JSON value is asked of what is no JSON."""

    reason = "NOT_JSON"
    message = "the artifact is not one JSON document"


class DocumentUnreadable(DomainError):
    """Bytes that cannot be read as the document they are said to be. `limit`: how much of it is read, where it has
    more."""

    reason = "DOCUMENT_UNREADABLE"

    def __init__(self, why: str, limit: int | None, message: str) -> None:
        super().__init__(message, why=why, **({} if limit is None else {"limit": limit}))


class JsonValueNotFound(DomainError):
    """A JSON pointer that names nothing, or a slice of what is no array."""

    code, reason = "NOT_FOUND", "JSON_VALUE_NOT_FOUND"

    def __init__(self, pointer: str) -> None:
        message = "the JSON pointer names nothing in the artifact, or no array to slice"
        super().__init__(message, json_pointer=pointer)


class BytesUnavailable(DomainError):
    """The store of the bytes of artifacts cannot be reached, or fails."""

    code, reason, retry_after_seconds = "UNAVAILABLE", "BYTES_UNAVAILABLE", 1.0
    message = "the store of artifact bytes cannot be reached; try again"


class BytesLost(DomainError):
    """Bytes of an artifact are gone or damaged in their store."""

    code, reason = "DATA_LOSS", "BYTES_LOST"
    message = "bytes of the artifact are missing or damaged in their store"


class KeyMissing(DomainError):
    """The encryption key is not among those that the server has. An empty id: it has none at all."""

    reason = "KEY_MISSING"

    def __init__(self, key_id: str) -> None:
        named = f"the encryption key {key_id} is" if key_id else "an encryption key is"
        super().__init__(f"{named} missing on the server", key_id=key_id)
        self.key_id = key_id


class StorageFull(DomainError):
    """There is no room left where the bytes would go."""

    code, reason = "RESOURCE_EXHAUSTED", "STORAGE_FULL"
    message = "the store has no room left; nothing of this call is kept"


class RefNotFound(DomainError):
    """An id among the refs names nothing that the caller may see."""

    reason = "REF_NOT_FOUND"

    def __init__(self, ref: str) -> None:
        super().__init__("a ref names nothing that is there", ref=ref)
        self.ref = ref


class ProvenanceRequired(DomainError):
    """Something that has to cite its sources cites none."""

    reason = "PROVENANCE_REQUIRED"


class SupersessionCycle(DomainError):
    """A decision or a memory, as `noun` says, would take its own place."""

    reason = "DECISION_CYCLE"

    def __init__(self, noun: str, superseded_id: object) -> None:
        message = f"a {noun} cannot take its own place, nor that of one whose place it took"
        super().__init__(message, **{f"{noun}_id": superseded_id})


class BudgetTooSmall(DomainError):
    """The budget is less than what may not be cut: `sections` names that, with its tokens."""

    reason = "BUDGET_TOO_SMALL"

    def __init__(self, max_tokens: int, needed_tokens: int, sections: Mapping[str, int]) -> None:
        listed = ",".join(f"{name}={tokens}" for name, tokens in sections.items())
        text = f"the budget of {max_tokens} tokens is less than the {needed_tokens} of what may not be cut ({listed})"
        self.needed_tokens, self.sections = needed_tokens, dict(sections)
        super().__init__(text, max_tokens=max_tokens, needed_tokens=needed_tokens, sections=listed)


class ValueRejected(DomainError):
    """A value that was forgotten in this scope is being stated again, in `field`."""

    reason = "VALUE_REJECTED"

    def __init__(self, field: str) -> None:
        message = f"{field}: was forgotten in this space and may not be stated again"
        super().__init__(message, field=field)
        self.field = field


class MemoryRepeated(DomainError):
    """Another memory of the scope says exactly this."""

    code, reason = "ALREADY_EXISTS", "MEMORY_REPEATED"

    def __init__(self, memory_id: object) -> None:
        message = "another memory says exactly this; update or forget that one"
        super().__init__(message, memory_id=memory_id)


class HandoffRefused(DomainError):
    """The agent accepts no handoffs from this one."""

    code, reason = "PERMISSION_DENIED", "HANDOFF_REFUSED"

    def __init__(self, agent_id: object) -> None:
        super().__init__("the agent does not accept handoffs from this one", agent_id=agent_id)


class ConfirmationRequired(DomainError):
    """The name of what is to be emptied was not typed out."""

    reason = "CONFIRMATION_REQUIRED"

    def __init__(self, what: str) -> None:
        super().__init__(f"confirm: must be the name of what is emptied, {what}")


class WrongState(DomainError):
    """A compaction, a distillation or a proposal is not in a state for what is asked of it."""

    def __init__(self, noun: str, wanted_id: object, state: str) -> None:
        super().__init__(f"the {noun} is {state}", **{f"{noun}_id": wanted_id, "state": state})
        self.reason = f"{noun.upper()}_STATE"


class NoNextModel(DomainError):
    """No model is configured to serve next."""

    reason = "NO_NEXT_MODEL"
    message = "no model is configured to serve next: set memory.next_embedding_model"


class ProfilerUnavailable(DomainError):
    """No profiler is installed, or it may not look into this process."""

    reason = "PROFILER_UNAVAILABLE"


class NotShareable(DomainError):
    """Something too sensitive for another agent."""

    reason = "NOT_SHAREABLE"

    def __init__(self, ref: str) -> None:
        super().__init__("too sensitive for another agent", ref=ref)
