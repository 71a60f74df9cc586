"""What a call can fail with: one class per reason of `error_reason.proto`, grouped by gRPC code."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from grpc import StatusCode

from camillo_client.convert import number_in


@dataclass(frozen=True, slots=True)
class FieldViolation:
    """One field of a request that breaks a limit."""

    field: str
    description: str


@dataclass(frozen=True, slots=True)
class Failure:
    """What the server said about a call that failed."""

    code: StatusCode
    message: str = ""
    # Without the prefix `ERROR_REASON_`; empty where the failure did not come from Camillo.
    reason: str = ""
    metadata: Mapping[str, str] = field(default_factory=dict)
    field_violations: tuple[FieldViolation, ...] = ()
    retry_after_seconds: float | None = None
    # Of the mutation that failed: sent again with it, the mutation happens once at most.
    request_id: str = ""


class CamilloError(Exception):
    """Every failure of a call. Subclasses say why; an unknown reason is kept in `reason`."""

    def __init__(self, failure: Failure) -> None:
        # The one argument keeps errors picklable.
        super().__init__(failure)
        self.code = failure.code
        self.message = failure.message
        self.reason = failure.reason
        self.metadata = failure.metadata
        self.field_violations = failure.field_violations
        self.retry_after_seconds = failure.retry_after_seconds
        self.request_id = failure.request_id

    def __str__(self) -> str:
        told = (
            f"{violation.field}: {violation.description}" for violation in self.field_violations
        )
        # Servers say it in their message, too.
        fields = "".join(f"; {text}" for text in told if text not in self.message)
        return f"{self.reason or self.code.name}: {self.message}{fields}"

    def _number(self, key: str) -> int | None:
        return number_in(self.metadata.get(key, ""))


class InvalidArgument(CamilloError):
    """The request cannot be right, whatever the server's state."""


class InvalidField(InvalidArgument):
    """A field breaks a limit; `field_violations` names each."""


class InvalidPageToken(InvalidArgument):
    """A page token or resume token that this server did not make, or made for another query."""


class ContentMismatch(InvalidArgument):
    """The bytes are not those that were announced: `what` is `size`, `sha256` or `prefix_sha256`."""

    @property
    def what(self) -> str:
        return self.metadata.get("what", "")

    @property
    def expected(self) -> str:
        return self.metadata.get("expected", "")

    @property
    def actual(self) -> str:
        return self.metadata.get("actual", "")


class CredentialInvalid(CamilloError):
    """No credential, or one that is unknown, expired or revoked."""


class ScopeForbidden(CamilloError):
    """The credential does not reach this scope, or lacks `required_role`."""

    @property
    def required_role(self) -> str:
        return self.metadata.get("required_role", "")


class NotFound(CamilloError):
    """Not there, or not visible to the caller."""


class MemoryNotFound(NotFound):
    """No such memory."""


class CompactionNotFound(NotFound):
    """No such compaction, or a proposal that is too old."""


class JobNotFound(NotFound):
    """No such job of the tenant."""


class RunNotFound(NotFound):
    """No such run, or it has ended."""


class ReceiptNotFound(NotFound):
    """No such receipt."""


class TenantNotFound(NotFound):
    """No such tenant."""


class AgentNotFound(NotFound):
    """No such agent in the tenant."""


class KeyNotFound(NotFound):
    """No such key in the tenant."""


class ArtifactNotFound(NotFound):
    """No such artifact, or none that may be shown in this channel."""


class UploadNotFound(NotFound):
    """No such upload, or it is older than 24 hours: begin anew."""


class JsonValueNotFound(NotFound):
    """The JSON pointer names nothing, or no array where a slice is asked for."""

    @property
    def json_pointer(self) -> str:
        return self.metadata.get("json_pointer", "")


class EventNotFound(NotFound):
    """No such event, or none that may be shown in this channel."""


class DecisionNotFound(NotFound):
    """No such decision, or none that may be shown in this channel."""


class TaskNotFound(NotFound):
    """No such task, or none that may be shown in this channel."""


class ViewNotFound(NotFound):
    """No text of this name, neither the agent's nor the tenant's."""


class RecipeNotFound(NotFound):
    """No recipe of this name."""


class VersionConflict(CamilloError):
    """What was to be changed has moved on since the version that the caller saw."""

    @property
    def expected(self) -> int | None:
        return self._number("expected_version")

    @property
    def actual(self) -> int | None:
        return self._number("actual_version")


class UploadOffsetMismatch(CamilloError):
    """Bytes of an upload do not follow those before: it goes on at `expected`."""

    @property
    def expected(self) -> int | None:
        return self._number("expected_offset")

    @property
    def actual(self) -> int | None:
        return self._number("actual_offset")


class AlreadyExists(CamilloError):
    """The tenant or agent is there already."""


class RequestIdReused(AlreadyExists):
    """The request id was used for other content within 24 hours."""


class MemoryIdTaken(AlreadyExists):
    """The memory id chosen by the client is taken in this scope."""


class MemoryRepeated(AlreadyExists):
    """Another memory of the scope, `memory_id`, says exactly this."""

    @property
    def memory_id(self) -> str:
        return self.metadata.get("memory_id", "")


class PlanChanged(CamilloError):
    """What a plan was made for has changed since, or the plan is over an hour old: make a new one."""


class ResourceExhausted(CamilloError):
    """A limit of the server or of the transport."""

    @property
    def limit(self) -> int | None:
        return self._number("limit")


class QuotaExceeded(ResourceExhausted):
    """A quota or budget is used up."""

    @property
    def quota(self) -> str:
        return self.metadata.get("quota", "")


class Overloaded(ResourceExhausted):
    """More calls in flight than the server takes."""


class StorageFull(ResourceExhausted):
    """The server's store has no room left; nothing of the call is kept."""


class FailedPrecondition(CamilloError):
    """Right in form, but not in the state things are in."""


class ProvenanceRequired(FailedPrecondition):
    """Something that has to cite its sources cites none."""


class ValueRejected(FailedPrecondition):
    """A value that was forgotten in this scope is being stated again, in `field`; `lifecycle.lift` allows it."""

    @property
    def field(self) -> str:
        return self.metadata.get("field", "")


class ConfirmationRequired(FailedPrecondition):
    """The name of what is to be emptied was not typed out."""


class CompactionInWrongState(FailedPrecondition):
    """The compaction is `state`, and not in one for what was asked of it."""

    @property
    def state(self) -> str:
        return self.metadata.get("state", "")


class NoNextModel(FailedPrecondition):
    """The server has no model that is to serve next."""


class NotText(FailedPrecondition):
    """Lines or pages of text are asked of what is no text that has lines."""


class NotJson(FailedPrecondition):
    """A JSON value is asked of what is not one JSON document."""


class KeyMissing(FailedPrecondition):
    """The server lacks the encryption key `key_id`; empty where it has no key at all."""

    @property
    def key_id(self) -> str:
        return self.metadata.get("key_id", "")


class RefNotFound(FailedPrecondition):
    """`ref`, which is cited, names nothing that the caller may see."""

    @property
    def ref(self) -> str:
        return self.metadata.get("ref", "")


class DecisionCycle(FailedPrecondition):
    """A decision would take its own place."""


class BudgetTooSmall(FailedPrecondition):
    """What may not be cut takes `needed_tokens`, more than the budget."""

    @property
    def max_tokens(self) -> int | None:
        return self._number("max_tokens")

    @property
    def needed_tokens(self) -> int | None:
        return self._number("needed_tokens")

    @property
    def sections(self) -> dict[str, int]:
        """What may not be cut, in tokens, by section."""
        parts = (part.partition("=") for part in self.metadata.get("sections", "").split(","))
        told = ((name.strip(), number_in(tokens)) for name, _, tokens in parts)
        return {name: tokens for name, tokens in told if tokens is not None}


class NotShareable(FailedPrecondition):
    """`ref` is too sensitive for another agent."""

    @property
    def ref(self) -> str:
        return self.metadata.get("ref", "")


class Unavailable(CamilloError):
    """The server, or what it needs, cannot be reached at the moment."""


class RevisionBehind(Unavailable):
    """The demanded revision was not reached in time."""


class StorageUnavailable(Unavailable):
    """Postgres cannot be reached."""


class BytesUnavailable(Unavailable):
    """The store of artifact bytes cannot be reached."""


class ServerDraining(Unavailable):
    """The server is shutting down."""


class RevisionUnknown(CamilloError):
    """A revision of another database or of another scope."""


class RangePastEnd(CamilloError):
    """A range that begins behind the end: there are `length` of `unit`, which is `bytes` or `lines`."""

    @property
    def unit(self) -> str:
        return self.metadata.get("unit", "")

    @property
    def length(self) -> int | None:
        return self._number("length")


class BytesLost(CamilloError):
    """Bytes of the artifact are missing or damaged in the server's store."""


class DeadlineExceeded(CamilloError):
    """The call took longer than its timeout. A mutation may have happened: repeat it with its `request_id`."""


class InternalError(CamilloError):
    """A defect of the server."""


class MethodUnknown(CamilloError):
    """The server does not know the method: it is older than this client."""
