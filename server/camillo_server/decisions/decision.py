"""Decisions: what was decided, on what it rests, and what took its place."""

import enum
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import NewType, Protocol, TypeVar
from uuid import UUID

from camillo_server.kernel.channel import Channel
from camillo_server.kernel.ids import AgentId
from camillo_server.kernel.kinds import Sensitivity
from camillo_server.kernel.replay import replay_record
from camillo_server.kernel.scope import Scope
from camillo_server.kernel.writes import RequestKey, Written
from camillo_server.memories.memory import NewRow
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


def redacted_decision(
    draft: DecisionDraft, redactor: Redactor
) -> tuple[DecisionDraft, Sequence[Redaction]]:
    """The draft without secrets, and what was taken out; refs stay as they are, since they name what is there."""
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
    """The last decision of a page: lists go on behind it."""

    at: datetime
    decision_id: DecisionId


@dataclass(frozen=True, slots=True)
class Supersession:
    """Which decision loses its place, in which version the caller has seen it, and which one takes it.

    `row` is the chunk of the new one; None where that one is there already.
    """

    decision_id: DecisionId
    expected_version: int
    successor: Decision
    row: NewRow | None


@replay_record
@dataclass(frozen=True, slots=True)
class DecisionReplay:
    """The values of a recorded decision that its request does not hold."""

    decision_id: DecisionId
    at: datetime


@replay_record
@dataclass(frozen=True, slots=True)
class SupersessionReplay:
    """The successor as it was after the first call: it may have superseded others since."""

    decision_id: DecisionId
    version: int
    supersedes: tuple[DecisionId, ...]


R = TypeVar("R")


class DecisionStore(Protocol):
    """Decisions of one scope. Every write is one transaction that advances the scope's revision by one; a repeated request
    writes nothing and gives the first record. Every method raises StorageUnavailable; writes raise RequestIdReused,
    reads KeyMissing."""

    async def record(
        self,
        scope: Scope,
        decision: Decision,
        row: NewRow,
        replay: DecisionReplay,
        request: RequestKey | None,
        *,
        now: datetime,
    ) -> Written[DecisionReplay]:
        """Stores a new decision and its chunk. Raises ValueRejected."""
        ...

    async def supersede(
        self,
        scope: Scope,
        supersession: Supersession,
        replay: SupersessionReplay,
        request: RequestKey | None,
        *,
        now: datetime,
    ) -> Written[SupersessionReplay]:
        """Links both, archives the chunk of the one that lost its place. Raises NotFound, VersionConflict, DecisionCycle,
        and ValueRejected for a new one."""
        ...

    async def first_answer(
        self,
        scope: Scope,
        request: RequestKey | None,
        record_type: type[R],
        *,
        now: datetime,
    ) -> Written[R] | None:
        """What this request was answered when it came first, or None."""
        ...

    async def get(
        self, scope: Scope, decision_ids: Sequence[DecisionId]
    ) -> dict[DecisionId, Decision]:
        """Those that are there, in the scope or in the tenant's shared one."""
        ...

    async def page(
        self, scope: Scope, wanted: DecisionFilter, after: DecisionCursor | None, size: int
    ) -> Sequence[Decision]:
        """Of the scope and the tenant's shared one: the latest made first, behind `after`, at most `size`."""
        ...
