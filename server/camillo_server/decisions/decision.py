"""Decisions: their text, what they rest on, and what superseded them."""

import enum
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import NewType
from uuid import UUID

from camillo_server.kernel.channel import Channel
from camillo_server.kernel.ids import AgentId
from camillo_server.kernel.kinds import Sensitivity
from camillo_server.kernel.writes import replay_record
from camillo_server.redaction.redaction import FieldRedaction, Redaction, Redactor

DecisionId = NewType("DecisionId", UUID)


class DecisionStatus(enum.IntEnum):
    """Whether a decision is in force. The numbers are those of the contract."""

    ACTIVE = 1
    SUPERSEDED = 2


class DecisionReach(enum.IntEnum):
    """How far a decision reaches. The numbers are those of the contract."""

    PROJECT = 1
    USER = 2
    GLOBAL = 3


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


def redacted_decision(
    draft: DecisionDraft, redactor: Redactor
) -> tuple[DecisionDraft, Sequence[Redaction]]:
    """The draft without secrets, and what was removed; refs stay, since they name existing records."""
    fields = FieldRedaction(redactor)
    cleaned = replace(
        draft,
        decision=fields.text("decision", draft.decision),
        rationale=fields.texts("rationale", draft.rationale),
        constraints=fields.texts("constraints", draft.constraints),
        alternatives=fields.texts("alternatives", draft.alternatives),
        consequences=fields.texts("consequences", draft.consequences),
        session_id=fields.text("session_id", draft.session_id),
        tags=fields.tags("tags", draft.tags),
    )
    return (cleaned if fields.redactions else draft), fields.redactions


@dataclass(frozen=True, slots=True)
class DecisionCursor:
    """The last decision of a page; the next page begins after it."""

    at: datetime
    decision_id: DecisionId


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
