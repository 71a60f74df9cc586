"""Decisions: their text, what they rest on, what superseded them, and the chunk in which a search finds each."""

import enum
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import NewType
from uuid import UUID

from camillo_formats.characters import border_at_or_before
from camillo_formats.rendering import fields

from camillo_server.kernel.channel import Channel
from camillo_server.kernel.ids import AgentId, chunk_id
from camillo_server.kernel.kinds import MAX_CHUNK_CHARACTERS, ChunkKind, Sensitivity
from camillo_server.kernel.scope import TrustLevel
from camillo_server.kernel.writes import replay_record
from camillo_server.rows.row import NewRow, Row

DecisionId = NewType("DecisionId", UUID)
IMPORTANCE_OF_DECISIONS = 0.9


class DecisionStatus(enum.IntEnum):
    """Whether a decision is in force. The numbers are those of the contract."""

    ACTIVE = 1
    SUPERSEDED = 2


class DecisionReach(enum.IntEnum):
    """How far a decision reaches. The numbers are those of the contract."""

    PROJECT = 1
    USER = 2
    GLOBAL = 3


DECISION_TEXTS = ("decision", "rationale", "constraints", "alternatives", "consequences")


@dataclass(frozen=True, slots=True)
class DecisionDraft:
    """The part of a decision that its caller states, validated."""

    decision: str
    refs: Sequence[str]
    reach: DecisionReach = DecisionReach.PROJECT
    rationale: Sequence[str] = ()
    constraints: Sequence[str] = ()
    alternatives: Sequence[str] = ()
    consequences: Sequence[str] = ()
    session_id: str = ""
    channel: Channel = Channel.PRIVATE
    sensitivity: Sensitivity = Sensitivity.INTERNAL
    tags: Sequence[str] = ()
    decided_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class Decision:
    """A stored decision; `stated` is named as in the contract, and its `decided_at` is always set."""

    decision_id: DecisionId
    agent_id: AgentId
    stated: DecisionDraft
    status: DecisionStatus
    supersedes: Sequence[DecisionId]
    superseded_by: DecisionId | None
    version: int
    created_at: datetime
    superseded_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class DecisionFilter:
    """Conditions that all have to hold. `is_public`: only decisions of the public channel."""

    statuses: Sequence[DecisionStatus] = (DecisionStatus.ACTIVE,)
    reaches: Sequence[DecisionReach] = ()
    session_id: str = ""
    tags_any: Sequence[str] = ()
    ref: str = ""
    sensitivities: Sequence[Sensitivity] = tuple(Sensitivity)
    is_public: bool = False


@dataclass(frozen=True, slots=True)
class Supersession:
    """The decision to supersede, in the version that the caller has read, and the one that supersedes it: a new one, or
    one that is in force already."""

    decision_id: DecisionId
    expected_version: int
    successor: Decision
    is_new: bool


@replay_record
@dataclass(frozen=True, slots=True)
class DecisionReplay:
    """The values of a recorded decision that its request does not hold."""

    decision_id: DecisionId
    at: datetime


@replay_record
@dataclass(frozen=True, slots=True)
class SupersessionReplay:
    """The successor as it was after the first call; it may have superseded others since."""

    decision_id: DecisionId
    version: int
    supersedes: tuple[DecisionId, ...]


def decision_row(decision: Decision) -> NewRow:
    """The one chunk of a decision; archived if the decision is superseded."""
    stated = decision.stated
    return NewRow(
        Row(
            memory_id=chunk_id(decision.decision_id, 0),
            agent_id=decision.agent_id,
            content=decision_text(decision),
            kind=ChunkKind.DECISION,
            session_id=stated.session_id,
            occurred_at=stated.decided_at or decision.created_at,
            tags=stated.tags,
            sensitivity=stated.sensitivity,
            importance=IMPORTANCE_OF_DECISIONS,
            metadata={
                "channel": stated.channel.name.lower(),
                "reach": stated.reach.name.lower(),
                "place": 0,
            },
            expires_at=None,
            pinned=False,
            archived=decision.status is DecisionStatus.SUPERSEDED,
            version=1,
            source_refs=(str(decision.decision_id), *stated.refs),
            created_at=decision.created_at,
            updated_at=decision.created_at,
            vector_model_id="",
            trust_level=TrustLevel.AGENT,
        ),
        vector=None,
    )


def decision_text(decision: Decision) -> str:
    """The text that is searched: the decision, then as much of its reasons as fits in a chunk."""
    stated = decision.stated
    names = ("rationale", "constraints", "consequences", "alternatives")
    text = fields(stated.decision, ((name.capitalize(), getattr(stated, name)) for name in names))
    return text[: border_at_or_before(text, MAX_CHUNK_CHARACTERS, 0)]
