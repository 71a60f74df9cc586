"""Decisions: what was decided, on what it rests, and what took its place."""

import enum
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import NewType
from uuid import UUID

from camillo_server.domain.channel import Channel
from camillo_server.domain.ids import AgentId
from camillo_server.domain.memory import Sensitivity

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
    """What a caller states. Already validated."""

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
    """A decision as it is kept; `stated.decided_at` is always set."""

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
    """Conditions that all have to hold. `is_public`: only those made in public."""

    statuses: Sequence[DecisionStatus] = (DecisionStatus.ACTIVE,)
    reaches: Sequence[DecisionReach] = ()
    session_id: str = ""
    tags_any: Sequence[str] = ()
    ref: str = ""
    sensitivities: Sequence[Sensitivity] = tuple(Sensitivity)
    is_public: bool = False
