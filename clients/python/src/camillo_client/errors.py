"""Errors of calls: one class for each reason of `error_reason.proto`, grouped by gRPC code."""

from __future__ import annotations

from camillo_client.convert import number_in
from camillo_client.failure import AlreadyExists as AlreadyExists
from camillo_client.failure import CamilloError as CamilloError
from camillo_client.failure import FailedPrecondition as FailedPrecondition
from camillo_client.failure import Failure as Failure
from camillo_client.failure import FieldViolation as FieldViolation
from camillo_client.failure import InvalidArgument as InvalidArgument
from camillo_client.failure import NotFound as NotFound
from camillo_client.failure import Unavailable as Unavailable


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


class HandoffRefused(ScopeForbidden):
    """The agent `agent_id` accepts no handoffs from this one."""

    @property
    def agent_id(self) -> str:
        return self.metadata.get("agent_id", "")


class MemoryNotFound(NotFound):
    """No such memory."""


class DistillationNotFound(NotFound):
    """No such distillation."""


class ProposalNotFound(NotFound):
    """No such proposal of a distillation, or an event that it rests on was forgotten."""


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
    """The JSON pointer finds nothing, or no array where a slice is asked for."""

    @property
    def json_pointer(self) -> str:
        return self.metadata.get("json_pointer", "")


class EventNotFound(NotFound):
    """No such event, or none that may be shown in this channel."""


class DecisionNotFound(NotFound):
    """No such decision, or none that may be shown in this channel."""


class TaskNotFound(NotFound):
    """No such task, or none that may be shown in this channel."""


class SlotNotFound(NotFound):
    """No such slot or version of one, or none that may be shown in this channel."""


class DocumentNotFound(NotFound):
    """No such document or version of one, or none that this key may read in this channel."""


class SkillNotFound(NotFound):
    """No such skill, or no such version of one."""


class ViewNotFound(NotFound):
    """No text of this name, neither the agent's nor the tenant's."""


class RecipeNotFound(NotFound):
    """No recipe of this name."""


class VersionConflict(CamilloError):
    """The object has changed since the version that the caller saw."""

    @property
    def expected(self) -> int | None:
        return self._number("expected_version")

    @property
    def actual(self) -> int | None:
        return self._number("actual_version")


class UploadOffsetMismatch(CamilloError):
    """Bytes of an upload do not follow those before: it has to continue at `expected`."""

    @property
    def expected(self) -> int | None:
        return self._number("expected_offset")

    @property
    def actual(self) -> int | None:
        return self._number("actual_offset")


class RequestIdReused(AlreadyExists):
    """The request id was used for other content within 24 hours."""


class MemoryIdTaken(AlreadyExists):
    """The memory id chosen by the client is taken in this scope."""


class MemoryRepeated(AlreadyExists):
    """Another memory of the scope, `memory_id`, says exactly this."""

    @property
    def memory_id(self) -> str:
        return self.metadata.get("memory_id", "")


class DistillationUnderWay(CamilloError):
    """Another distillation of the space has not ended."""


class PlanChanged(CamilloError):
    """The plan no longer fits what it was made for, or is over an hour old: make a new one."""


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


class ProvenanceRequired(FailedPrecondition):
    """The record has to cite its sources and cites none."""


class ValueRejected(FailedPrecondition):
    """A value that was forgotten in this scope would be stored again, in `field`; `lifecycle.lift` allows it."""

    @property
    def field(self) -> str:
        return self.metadata.get("field", "")


class ConfirmationRequired(FailedPrecondition):
    """The confirmation does not name the scope that would be emptied."""


class DistillationInWrongState(FailedPrecondition):
    """The distillation is `state`, in which this call is not possible."""

    @property
    def state(self) -> str:
        return self.metadata.get("state", "")


class ProposalInWrongState(FailedPrecondition):
    """The proposal is `state`, in which this call is not possible."""

    @property
    def state(self) -> str:
        return self.metadata.get("state", "")


class DistillationOff(FailedPrecondition):
    """No model may be asked about this space."""


class CompactionInWrongState(FailedPrecondition):
    """The compaction is in `state`, in which this call is not possible."""

    @property
    def state(self) -> str:
        return self.metadata.get("state", "")


class NoNextModel(FailedPrecondition):
    """The server has no next embedding model configured."""


class ProfilerUnavailable(FailedPrecondition):
    """No profiler is installed beside the server, or it may not look into it; the message says which."""


class NotText(FailedPrecondition):
    """The call asks for lines or pages of an artifact that is not text."""


class DocumentUnreadable(FailedPrecondition):
    """The bytes cannot be read as the document that they are said to be: `why` is `damaged`, `encrypted`, `too_large`
    and the like."""

    @property
    def why(self) -> str:
        return self.metadata.get("why", "")

    @property
    def limit(self) -> int | None:
        return self._number("limit")


class NotJson(FailedPrecondition):
    """The call asks for a JSON value of an artifact that is not one JSON document."""


class KeyMissing(FailedPrecondition):
    """The server lacks the encryption key `key_id`; empty where it has no key at all."""

    @property
    def key_id(self) -> str:
        return self.metadata.get("key_id", "")


class RefNotFound(FailedPrecondition):
    """`ref`, which is cited, does not exist or is not visible to the caller."""

    @property
    def ref(self) -> str:
        return self.metadata.get("ref", "")


class DecisionCycle(FailedPrecondition):
    """A decision or a memory would supersede itself."""


class BudgetTooSmall(FailedPrecondition):
    """The parts that are never cut take `needed_tokens`, more than the budget."""

    @property
    def max_tokens(self) -> int | None:
        return self._number("max_tokens")

    @property
    def needed_tokens(self) -> int | None:
        return self._number("needed_tokens")

    @property
    def sections(self) -> dict[str, int]:
        """Tokens of the parts that are never cut, by section."""
        parts = (part.partition("=") for part in self.metadata.get("sections", "").split(","))
        told = ((name.strip(), number_in(tokens)) for name, _, tokens in parts)
        return {name: tokens for name, tokens in told if tokens is not None}


class PlanRequired(FailedPrecondition):
    """`memories` would go, and without the `plan_token` of a dry run only `allowed` go; both in `metadata`."""


class NotShareable(FailedPrecondition):
    """`ref` is too sensitive for another agent."""

    @property
    def ref(self) -> str:
        return self.metadata.get("ref", "")


class RevisionBehind(Unavailable):
    """The replica did not reach the demanded revision in time."""


class StorageUnavailable(Unavailable):
    """Postgres cannot be reached."""


class BytesUnavailable(Unavailable):
    """The store of artifact bytes cannot be reached."""


class ModelUnavailable(Unavailable):
    """The model that distils gave no answer."""


class StreamIdle(Unavailable):
    """No message of a stream was taken or sent for longer than the server waits."""


class ServerDraining(Unavailable):
    """The server is shutting down."""


class RevisionUnknown(CamilloError):
    """The revision is of another database or of another scope."""


class RangePastEnd(CamilloError):
    """The range begins behind the end: there are `length` of `unit`, which is `bytes` or `lines`."""

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
    """The server has a defect."""


class MethodUnknown(CamilloError):
    """The server does not know the method: it is older than this client."""
