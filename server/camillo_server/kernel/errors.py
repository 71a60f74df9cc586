"""What can go wrong, as classes with fields. `rpc/errors.py` maps each to the wire, in one table.

A message is shown to the caller: it names fields and limits, never contents, SQL or paths.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from camillo_server.kernel.scope import Role

# In the text of an error; each has its own place beside it.
TOLD_VIOLATIONS = 5


class DomainError(Exception):
    """Something the caller can understand."""


@dataclass(frozen=True, slots=True)
class FieldViolation:
    """One field that breaks a limit: a path such as `memory.tags[3]`, and what the limit is."""

    field: str
    description: str


class InvalidField(DomainError):
    """One or more fields break a limit."""

    def __init__(self, violations: Sequence[FieldViolation]) -> None:
        told = [f"{v.field}: {v.description}" for v in violations[:TOLD_VIOLATIONS]]
        if more := len(violations) - len(told):
            told.append(f"and {more} more")
        super().__init__("; ".join(told))
        self.violations = tuple(violations)


def invalid_field(field: str, description: str) -> InvalidField:
    """One field that breaks a limit."""
    return InvalidField([FieldViolation(field, description)])


class InvalidPageToken(DomainError):
    """A token this server did not make, or made for another query."""


class CredentialInvalid(DomainError):
    """No credential, or one that is unknown, expired or revoked."""


class ScopeForbidden(DomainError):
    """The credential does not reach that far."""

    def __init__(self, message: str, required_role: Role | None = None) -> None:
        super().__init__(message)
        self.required_role = required_role


class NotFound(DomainError):
    """Missing, or not visible to the caller: the two are told apart nowhere."""

    def __init__(self, noun: str, wanted_id: object) -> None:
        super().__init__(f"{noun} not found")
        self.noun = noun
        self.wanted_id = str(wanted_id)


class AlreadyExists(DomainError):
    """The client-chosen id is taken."""

    def __init__(self, noun: str, taken_id: object) -> None:
        super().__init__(f"{noun} exists already")
        self.noun = noun
        self.taken_id = str(taken_id)


class VersionConflict(DomainError):
    """What is to be changed has moved on since the caller read it."""

    def __init__(self, noun: str, expected: int, actual: int) -> None:
        super().__init__(f"the {noun} has version {actual}, not {expected}")
        self.expected = expected
        self.actual = actual


class RequestIdReused(DomainError):
    """The request id was used for other content within its lifetime."""

    def __init__(self, request_id: str) -> None:
        super().__init__("the request id was used for other content within 24 hours")
        self.request_id = request_id


class QuotaExceeded(DomainError):
    """A bound that protects the server or other callers is reached."""

    def __init__(self, quota: str, limit: int) -> None:
        super().__init__(f"{quota}: the limit is {limit}")
        self.quota = quota
        self.limit = limit


class Overloaded(DomainError):
    """More calls in flight than the server takes."""

    def __init__(self, limit: int, retry_after_seconds: float = 0.1) -> None:
        super().__init__(f"the server has {limit} calls in flight, its limit; try again")
        self.limit = limit
        self.retry_after_seconds = retry_after_seconds


class RevisionUnknown(DomainError):
    """A revision of another database or another scope."""


class RevisionBehind(DomainError):
    """The demanded revision was not reached in time."""

    def __init__(self, retry_after_seconds: float = 0.1) -> None:
        super().__init__("the revision asked for was not reached in time")
        self.retry_after_seconds = retry_after_seconds


class StorageUnavailable(DomainError):
    """Postgres cannot be reached."""

    def __init__(self, retry_after_seconds: float = 1.0) -> None:
        super().__init__("the database cannot be reached; try again")
        self.retry_after_seconds = retry_after_seconds


class DeadlineExceeded(DomainError):
    """The caller's deadline passed while the server worked."""

    def __init__(self) -> None:
        super().__init__("the deadline passed while the server worked; the work was stopped")


class ServerDraining(DomainError):
    """The server is shutting down; another one, or this one restarted, will answer."""

    def __init__(self, retry_after_seconds: float = 1.0) -> None:
        super().__init__("the server is shutting down; connect again")
        self.retry_after_seconds = retry_after_seconds


class UploadOffsetMismatch(DomainError):
    """Bytes of an upload came from another place than where it goes on."""

    def __init__(self, expected: int, actual: int) -> None:
        super().__init__(f"the upload goes on at byte {expected}, not at {actual}")
        self.expected = expected
        self.actual = actual


class ContentMismatch(DomainError):
    """The bytes that came are not those that were announced: `what` is `size` or `sha256`."""

    def __init__(self, what: str, expected: object, actual: object) -> None:
        super().__init__(f"the {what} of what came is {actual}, not {expected}; nothing is kept")
        self.what = what
        self.expected = str(expected)
        self.actual = str(actual)


class RangePastEnd(DomainError):
    """A range that begins behind the end. `unit` is `bytes` or `lines`, `length` how many there are."""

    def __init__(self, unit: str, length: int) -> None:
        super().__init__(f"the range begins behind the end: there are {length} {unit}")
        self.unit = unit
        self.length = length


class NotText(DomainError):
    """Lines are asked of what has none."""

    def __init__(self) -> None:
        super().__init__("the artifact is not text that has lines; read it by bytes")


class NotJson(DomainError):
    """A JSON value is asked of what is no JSON."""

    def __init__(self) -> None:
        super().__init__("the artifact is not one JSON document")


class JsonValueNotFound(DomainError):
    """A JSON pointer that names nothing, or a slice of what is no array."""

    def __init__(self, pointer: str) -> None:
        super().__init__("the JSON pointer names nothing in the artifact, or no array to slice")
        self.pointer = pointer


class BytesUnavailable(DomainError):
    """The store of the bytes of artifacts cannot be reached, or fails."""

    def __init__(self, retry_after_seconds: float = 1.0) -> None:
        super().__init__("the store of artifact bytes cannot be reached; try again")
        self.retry_after_seconds = retry_after_seconds


class BytesLost(DomainError):
    """Bytes of an artifact are gone or damaged in their store."""

    def __init__(self) -> None:
        super().__init__("bytes of the artifact are missing or damaged in their store")


class KeyMissing(DomainError):
    """The encryption key is not among those that the server has. An empty id: it has none at all."""

    def __init__(self, key_id: str) -> None:
        named = f"the encryption key {key_id} is" if key_id else "an encryption key is"
        super().__init__(f"{named} missing on the server")
        self.key_id = key_id


class StorageFull(DomainError):
    """There is no room left where the bytes would go."""

    def __init__(self) -> None:
        super().__init__("the store has no room left; nothing of this call is kept")


class RefNotFound(DomainError):
    """An id among the refs names nothing that the caller may see."""

    def __init__(self, ref: str) -> None:
        super().__init__("a ref names nothing that is there")
        self.ref = ref


class ProvenanceRequired(DomainError):
    """Something that has to cite its sources cites none."""


class DecisionCycle(DomainError):
    """A decision would take its own place."""

    def __init__(self, decision_id: object) -> None:
        super().__init__(
            "a decision cannot take its own place, nor that of one whose place it took"
        )
        self.decision_id = str(decision_id)


class BudgetTooSmall(DomainError):
    """The budget is less than what may not be cut: `sections` names that, with its tokens."""

    def __init__(self, max_tokens: int, needed_tokens: int, sections: Mapping[str, int]) -> None:
        told = ", ".join(f"{name} {tokens}" for name, tokens in sections.items())
        super().__init__(
            f"the budget of {max_tokens} tokens is less than the {needed_tokens} of what may not be cut ({told})"
        )
        self.max_tokens = max_tokens
        self.needed_tokens = needed_tokens
        self.sections = dict(sections)


class ValueRejected(DomainError):
    """A value that was forgotten in this scope is being stated again, in `field`."""

    def __init__(self, field: str) -> None:
        super().__init__(f"{field}: was forgotten in this scope and may not be stated again")
        self.field = field


class MemoryRepeated(DomainError):
    """Another memory of the scope says exactly this."""

    def __init__(self, memory_id: object) -> None:
        super().__init__("another memory says exactly this; update or forget that one")
        self.memory_id = str(memory_id)


class PlanChanged(DomainError):
    """What a plan was made for is not as it was, or the plan is too old."""

    def __init__(self) -> None:
        super().__init__("what the plan was made for has changed, or it is old; make a new one")


class ConfirmationRequired(DomainError):
    """The name of what is to be emptied was not typed out."""

    def __init__(self, what: str) -> None:
        super().__init__(f"confirm: must be the name of what is emptied, {what}")


class WrongState(DomainError):
    """A compaction is not in a state for what is asked of it."""

    def __init__(self, noun: str, wanted_id: object, state: str) -> None:
        super().__init__(f"the {noun} is {state}")
        self.noun = noun
        self.wanted_id = str(wanted_id)
        self.state = state


class NoNextModel(DomainError):
    """No model is configured to serve next."""

    def __init__(self) -> None:
        super().__init__("no model is configured to serve next: set memory.next_embedding_model")


class NotShareable(DomainError):
    """Something too sensitive for another agent."""

    def __init__(self, ref: str) -> None:
        super().__init__("too sensitive for another agent")
        self.ref = ref
