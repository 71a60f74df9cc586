"""What the use cases of decisions need of the outside."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol, TypeVar

from camillo_server.domain.decisions.decision import Decision, DecisionFilter, DecisionId
from camillo_server.domain.ports import NewRow
from camillo_server.domain.replay import replay_record
from camillo_server.domain.scope import Scope
from camillo_server.domain.writes import RequestKey, Written


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
