"""SupersedeDecision: put a decision in the place of another one; both stay, linked to each other."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from camillo_server.domain.clock import Clock
from camillo_server.domain.decisions.chunks import decision_row
from camillo_server.domain.decisions.decision import (
    Decision,
    DecisionDraft,
    DecisionId,
    DecisionStatus,
)
from camillo_server.domain.decisions.ports import DecisionStore, Supersession, SupersessionReplay
from camillo_server.domain.decisions.record_decision import check_provenance, new_decision
from camillo_server.domain.decisions.redaction import redacted_decision
from camillo_server.domain.errors import NotFound, RefNotFound
from camillo_server.domain.events.ports import RefResolver
from camillo_server.domain.ids import time_ordered_uuid
from camillo_server.domain.redaction import Redaction, Redactor
from camillo_server.domain.scope import Scope
from camillo_server.domain.writes import RequestKey


@dataclass(frozen=True, slots=True)
class Superseded:
    """The decision in force, the one whose place it took, the revision that holds both, and what was taken out."""

    decision: Decision
    superseded: Decision
    revision: int
    redactions: Sequence[Redaction]


class SupersedeDecision:
    """Links two decisions; the successor is a new one, or one that is in force already."""

    def __init__(
        self, store: DecisionStore, resolver: RefResolver, redactor: Redactor, clock: Clock
    ) -> None:
        self._store = store
        self._resolver = resolver
        self._redactor = redactor
        self._clock = clock

    async def __call__(
        self,
        scope: Scope,
        decision_id: DecisionId,
        expected_version: int,
        successor: DecisionDraft | DecisionId,
        request: RequestKey | None,
    ) -> Superseded:
        """Raises NotFound, VersionConflict, DecisionCycle, ProvenanceRequired, RefNotFound, ValueRejected, RequestIdReused,
        KeyMissing, StorageUnavailable."""
        now = self._clock.now()
        redactions: Sequence[Redaction] = ()
        if isinstance(successor, DecisionDraft):
            draft, redactions = redacted_decision(successor, self._redactor)
            try:
                await check_provenance(self._resolver, scope, draft)
            except RefNotFound:
                # A repeat is answered as it was, whatever it cites has gone since.
                if not await self._store.first_answer(scope, request, SupersessionReplay, now=now):
                    raise
            made = new_decision(scope, draft, DecisionId(time_ordered_uuid(now)), now)
            made = replace(made, supersedes=(decision_id,))
            after, row = made, decision_row(made)
        else:
            made = await self._found(scope, successor)
            after, row = _one_more(made, decision_id), None
        replay = SupersessionReplay(after.decision_id, after.version, tuple(after.supersedes))
        supersession = Supersession(decision_id, expected_version, made, row)
        written = await self._store.supersede(scope, supersession, replay, request, now=now)
        first_id = written.record.decision_id
        both = await self._store.get(scope, [decision_id, first_id])
        return Superseded(
            _as_answered(_of(both, first_id), written.record),
            _of(both, decision_id),
            written.revision,
            redactions,
        )

    async def _found(self, scope: Scope, decision_id: DecisionId) -> Decision:
        return _of(await self._store.get(scope, [decision_id]), decision_id)


def _of(found: dict[DecisionId, Decision], decision_id: DecisionId) -> Decision:
    if decision_id not in found:
        raise NotFound("decision", decision_id)
    return found[decision_id]


def _one_more(successor: Decision, decision_id: DecisionId) -> Decision:
    return replace(
        successor,
        supersedes=(*successor.supersedes, decision_id),
        version=successor.version + 1,
    )


def _as_answered(successor: Decision, record: SupersessionReplay) -> Decision:
    """The successor as it was then, when it was in force; of what was superseded, nothing ever changes."""
    return replace(
        successor,
        status=DecisionStatus.ACTIVE,
        supersedes=record.supersedes,
        superseded_by=None,
        superseded_at=None,
        version=record.version,
    )
