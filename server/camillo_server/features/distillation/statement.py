"""Distillation: what a model states out of what was said, each statement with quotes that the server has found."""

import enum
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from camillo_server.features.events.event import EventId
from camillo_server.kernel.ids import MemoryId
from camillo_server.kernel.kinds import ActorType, MemoryKind, Sensitivity
from camillo_server.kernel.scope import TrustLevel


class Operation(enum.IntEnum):
    """The change that a statement proposes. The numbers are those of the contract."""

    ADD = 1
    SUPERSEDE = 2
    CONFIRM = 3


class RecordType(enum.IntEnum):
    """The record that a statement becomes. The numbers are those of the contract."""

    MEMORY = 1
    DECISION = 2
    TASK = 3


class DropReason(enum.IntEnum):
    """Why a statement was dropped. The numbers are those of the contract."""

    MALFORMED = 1
    UNKNOWN_EVENT = 2
    QUOTE_NOT_FOUND = 3
    WRONG_SPEAKER = 4
    NOT_IN_QUOTES = 5
    UNKNOWN_MEMORY = 6
    CANARY = 7
    UNTRUSTED_INSTRUCTION = 8
    VALUE_REJECTED = 9
    ALREADY_KNOWN = 10
    TOO_MANY = 11


@dataclass(frozen=True, slots=True)
class Turn:
    """An event's text, and who said it."""

    event_id: EventId
    speaker: ActorType
    speaker_id: str
    text: str
    occurred_at: datetime
    session_id: str = ""
    trust_level: TrustLevel = TrustLevel.UNKNOWN
    sensitivity: Sensitivity = Sensitivity.INTERNAL


@dataclass(frozen=True, slots=True)
class Known:
    """A memory that a passage may touch; `cosine` of its vector with the passage's, 0 where there is none."""

    memory_id: MemoryId
    version: int
    kind: MemoryKind
    content: str
    occurred_at: datetime
    cosine: float = 0.0


@dataclass(frozen=True, slots=True)
class Passage:
    """Turns that are sent in one request, in order, with the memories that they may touch."""

    turns: Sequence[Turn]
    known: Sequence[Known]


@dataclass(frozen=True, slots=True)
class Quote:
    """Words of an event, as the event has them."""

    event_id: EventId
    text: str


@dataclass(frozen=True, slots=True)
class Statement:
    """A checked statement: every quote stands in its event, and what it names stands in the quotes.

    `memory_id` is what it supersedes or confirms. `trust_level` is the least of the quoted events, `sensitivity` the
    highest.
    """

    operation: Operation
    record_type: RecordType
    content: str
    kind: MemoryKind
    subject: str
    names: Sequence[str]
    quotes: Sequence[Quote]
    confidence: float
    trust_level: TrustLevel
    sensitivity: Sensitivity
    occurred_at: datetime
    valid_from: datetime | None = None
    valid_until: datetime | None = None
    memory_id: MemoryId | None = None


@dataclass(frozen=True, slots=True)
class Checked:
    """The statements of a model's answer that hold, and the number of the dropped ones by reason."""

    statements: Sequence[Statement]
    dropped: Counter[DropReason]
