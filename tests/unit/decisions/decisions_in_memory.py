"""Decisions in memory, linked as in the store."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any, TypeVar

from camillo_server.decisions.decision import (
    Decision,
    DecisionCursor,
    DecisionFilter,
    DecisionId,
    DecisionReplay,
    DecisionStatus,
    Supersession,
    SupersessionReplay,
)
from camillo_server.kernel.errors import DecisionCycle, NotFound, VersionConflict
from camillo_server.kernel.ids import MemoryId
from camillo_server.kernel.scope import Scope
from camillo_server.kernel.writes import RequestKey, Written
from camillo_server.memories.memory import NewRow

R = TypeVar("R")


@dataclass
class DecisionsInMemory:
    """`DecisionStore` of one scope; repeats are known by their id."""

    decisions: dict[DecisionId, Decision] = field(default_factory=dict)
    rows: dict[MemoryId, NewRow] = field(default_factory=dict)
    answers: dict[str, Written[Any]] = field(default_factory=dict)
    revision: int = 0

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
        if request is not None and request.request_id in self.answers:
            return self.answers[request.request_id]
        self.decisions[decision.decision_id] = decision
        self.rows[row.memory.memory_id] = row
        return self._answered(replay, request)

    async def first_answer(
        self,
        scope: Scope,
        request: RequestKey | None,
        record_type: type[R],
        *,
        now: datetime,
    ) -> Written[R] | None:
        return None if request is None else self.answers.get(request.request_id)

    async def supersede(
        self,
        scope: Scope,
        supersession: Supersession,
        replay: SupersessionReplay,
        request: RequestKey | None,
        *,
        now: datetime,
    ) -> Written[SupersessionReplay]:
        if request is not None and request.request_id in self.answers:
            return self.answers[request.request_id]
        successor = supersession.successor
        if supersession.decision_id in self._successors(successor.decision_id):
            raise DecisionCycle(supersession.decision_id)
        old = self.decisions.get(supersession.decision_id)
        if old is None:
            raise NotFound("decision", supersession.decision_id)
        if old.version != supersession.expected_version or old.superseded_by is not None:
            raise VersionConflict("decision", supersession.expected_version, old.version)
        if supersession.row is None:
            supersedes = (*successor.supersedes, old.decision_id)
            successor = replace(successor, supersedes=supersedes, version=successor.version + 1)
        else:
            self.rows[supersession.row.memory.memory_id] = supersession.row
        self.decisions[successor.decision_id] = successor
        self.decisions[old.decision_id] = replace(
            old,
            status=DecisionStatus.SUPERSEDED,
            superseded_by=successor.decision_id,
            superseded_at=now,
            version=old.version + 1,
        )
        return self._answered(replay, request)

    async def get(
        self, scope: Scope, decision_ids: Sequence[DecisionId]
    ) -> dict[DecisionId, Decision]:
        return {each: self.decisions[each] for each in decision_ids if each in self.decisions}

    async def page(
        self, scope: Scope, wanted: DecisionFilter, after: DecisionCursor | None, size: int
    ) -> Sequence[Decision]:
        found = sorted(
            (each for each in self.decisions.values() if each.status in wanted.statuses),
            key=lambda each: (each.created_at, each.decision_id),
            reverse=True,
        )
        behind = [
            each
            for each in found
            if after is None or (each.created_at, each.decision_id) < (after.at, after.decision_id)
        ]
        return behind[:size]

    def _successors(self, decision_id: DecisionId) -> set[DecisionId]:
        found = {decision_id}
        while (held := self.decisions.get(decision_id)) and held.superseded_by:
            decision_id = held.superseded_by
            found.add(decision_id)
        return found

    def _answered(self, replay: R, request: RequestKey | None) -> Written[R]:
        self.revision += 1
        if request is not None:
            self.answers[request.request_id] = Written(self.revision, replay, is_repeat=True)
        return Written(self.revision, replay)
