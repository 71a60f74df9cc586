"""Distillations and their proposals: what a model was asked, what it proposed, and what became of that."""

import enum
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import NewType
from uuid import UUID

from camillo_server.features.distillation.statement import DropReason, Operation, RecordType, Statement
from camillo_server.features.events.event import EventId
from camillo_server.kernel.errors import DomainError
from camillo_server.kernel.ids import EventCursor, MemoryId
from camillo_server.kernel.kinds import Sensitivity
from camillo_server.kernel.writes import replay_record

DistillationId = NewType("DistillationId", UUID)
ProposalId = NewType("ProposalId", UUID)
# Who wrote a memory that came of a distillation.
ACTOR = "system:distillation"
MAX_PROPOSALS = 100


class DistillationOff(DomainError):
    """No model may be asked about this space."""

    reason = "DISTILLATION_OFF"
    message = "distillation is off here: set distillation.litellm_model and distillation.spaces"


class DistillationUnderWay(DomainError):
    """Another distillation of the space has not ended, or its turns were sent by one that was faster."""

    code, reason = "ABORTED", "DISTILLATION_UNDER_WAY"
    message = "another distillation of this space is under way"


class ModelUnavailable(DomainError):
    """A language model gave no answer."""

    code, reason, retry_after_seconds = "UNAVAILABLE", "MODEL_UNAVAILABLE", 10.0


class ProposalState(enum.IntEnum):
    """The state of a proposal. The numbers are those of the contract."""

    PENDING = 1
    ACCEPTED = 2
    REJECTED = 3
    STALE = 4
    REFUSED = 5
    REVERTED = 6


class DistillationState(enum.IntEnum):
    """Whether a distillation holds. The numbers are those of the contract."""

    DONE = 1
    REVERTED = 2


class DistillationTrigger(enum.IntEnum):
    """The cause of a distillation. The numbers are those of the contract."""

    REQUEST = 1
    IDLE = 2
    TURNS = 3


@dataclass(frozen=True, slots=True)
class Proposal:
    """A statement and what became of it. `memory_version` is the version of `stated.memory_id` that the model was
    shown. `result_id` is the record that it became, and `is_new` tells whether that was not there before."""

    proposal_id: ProposalId
    distillation_id: DistillationId
    place: int
    state: ProposalState
    stated: Statement
    created_at: datetime
    memory_version: int | None = None
    result_id: UUID | None = None
    is_new: bool = False
    edited: bool = False
    reviewer: str = ""
    credential: str = ""
    reviewed_at: datetime | None = None

    @property
    def is_of_memory(self) -> bool:
        """Whether it becomes or changes a memory; a change of one stays one, whatever it says."""
        return self.stated.record_type is RecordType.MEMORY or self.stated.operation is not Operation.ADD

    @property
    def event_ids(self) -> Sequence[EventId]:
        """The events that it rests on, each once."""
        return list(dict.fromkeys(quote.event_id for quote in self.stated.quotes))


@dataclass(frozen=True, slots=True)
class ReviewOutcome:
    """The end of a proposal: its state, and the record that it became, if any."""

    state: ProposalState
    result_id: UUID | None = None
    is_new: bool = False


@dataclass(frozen=True, slots=True)
class ModelRequest:
    """One request to the model, as far as its answer can be checked again: the turns as they were sent and the versions
    of memories that it was about, the seed of the prompt, and the answer."""

    event_ids: Sequence[EventId]
    texts: Sequence[str]
    memories: Sequence[tuple[MemoryId, int]]
    seed: bytes
    answer: str


@dataclass(frozen=True, slots=True)
class Distillation:
    """One pass over turns: what it sent, what that cost, and what came of it."""

    distillation_id: DistillationId
    state: DistillationState
    trigger: DistillationTrigger
    session_id: str
    model_id: str
    prompt_digest: bytes
    turns: int
    turns_sent: int
    said_tokens: int
    sent_tokens: int
    input_tokens: int
    output_tokens: int
    nano_usd: int
    requests: int
    first_event_id: EventId
    last_event_id: EventId
    dropped: Mapping[DropReason, int]
    left_out: Mapping[str, int]
    created_at: datetime
    reverted_at: datetime | None = None
    proposals: int = 0
    accepted: int = 0

    def with_rejected(self, statements: int) -> "Distillation":
        """The distillation with so many more statements dropped for a forgotten value."""
        dropped = Counter(self.dropped)
        dropped[DropReason.VALUE_REJECTED] += statements
        return replace(self, dropped=+dropped)


@dataclass(frozen=True, slots=True)
class FinishedDistillation:
    """A distillation with its proposals and answers, as it is to be stored; `cursor` is where the scope's one stands
    behind it, None where it stays."""

    distillation: Distillation
    proposals: Sequence[Proposal]
    requests: Sequence[ModelRequest]
    event_ids: Sequence[EventId]
    sensitivity: Sensitivity
    cursor: EventCursor | None
    has_more: bool


@replay_record
@dataclass(frozen=True, slots=True)
class DistilledReplay:
    """The distillation that a request made, and whether another one would read further turns."""

    distillation_id: DistillationId
    proposals: int
    has_more: bool


@replay_record
@dataclass(frozen=True, slots=True)
class ReviewReplay:
    """The proposals of a review, in the order of the request; and those whose records somebody has changed."""

    proposal_ids: tuple[ProposalId, ...]
    changed_ids: tuple[ProposalId, ...] = ()
    reverted: int = 0
