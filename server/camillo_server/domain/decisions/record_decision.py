"""RecordDecision: store what was decided, and on what it rests."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

from camillo_server.domain.clock import Clock
from camillo_server.domain.decisions.chunks import decision_row
from camillo_server.domain.decisions.decision import (
    Decision,
    DecisionDraft,
    DecisionId,
    DecisionStatus,
)
from camillo_server.domain.decisions.ports import DecisionReplay, DecisionStore
from camillo_server.domain.decisions.redaction import redacted_decision
from camillo_server.domain.errors import ProvenanceRequired, RefNotFound
from camillo_server.domain.events.ports import RefResolver
from camillo_server.domain.events.refs import check_refs
from camillo_server.domain.ids import time_ordered_uuid
from camillo_server.domain.redaction import Redaction, Redactor
from camillo_server.domain.scope import Scope
from camillo_server.domain.writes import RequestKey


class RecordDecision:
    """Stores a decision without its secrets, and the chunk by which it is found."""

    def __init__(
        self, store: DecisionStore, resolver: RefResolver, redactor: Redactor, clock: Clock
    ) -> None:
        self._store = store
        self._resolver = resolver
        self._redactor = redactor
        self._clock = clock

    async def __call__(
        self, scope: Scope, draft: DecisionDraft, request: RequestKey | None
    ) -> tuple[Decision, int, Sequence[Redaction]]:
        """With the revision that holds it, and what was taken out. Raises ProvenanceRequired, RefNotFound,
        ValueRejected, RequestIdReused, KeyMissing, StorageUnavailable."""
        now = self._clock.now()
        draft, redactions = redacted_decision(draft, self._redactor)
        try:
            await check_provenance(self._resolver, scope, draft)
        except RefNotFound:
            # A repeat is answered as it was, whatever it cites has gone since.
            if not await self._store.first_answer(scope, request, DecisionReplay, now=now):
                raise
        decision = new_decision(scope, draft, DecisionId(time_ordered_uuid(now)), now)
        replay = DecisionReplay(decision.decision_id, now)
        written = await self._store.record(
            scope, decision, decision_row(decision), replay, request, now=now
        )
        if written.is_repeat:
            first = written.record
            decision = new_decision(scope, draft, first.decision_id, first.at)
        return decision, written.revision, redactions


async def check_provenance(resolver: RefResolver, scope: Scope, draft: DecisionDraft) -> None:
    """Raises ProvenanceRequired for a decision that rests on nothing, RefNotFound for one that rests on what is not
    there."""
    if not draft.refs:
        raise ProvenanceRequired("a decision has to cite what it rests on")
    await check_refs(resolver, scope, tuple(draft.refs))


def new_decision(
    scope: Scope, draft: DecisionDraft, decision_id: DecisionId, now: datetime
) -> Decision:
    """The decision that a draft becomes when it is stored now."""
    return Decision(
        decision_id=decision_id,
        agent_id=scope.agent_id,
        stated=replace(draft, decided_at=draft.decided_at or now),
        status=DecisionStatus.ACTIVE,
        supersedes=(),
        superseded_by=None,
        version=1,
        created_at=now,
    )
