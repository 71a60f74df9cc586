"""GetDecision: one decision by its id."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from camillo_server.decisions.chunks import decision_row
from camillo_server.decisions.decision import (
    Decision,
    DecisionDraft,
    DecisionId,
    DecisionReplay,
    DecisionStatus,
    DecisionStore,
    Supersession,
    SupersessionReplay,
    redacted_decision,
)
from camillo_server.events.loading import may_load
from camillo_server.events.refs import RefResolver, check_refs
from camillo_server.kernel.channel import Channel, ChannelPolicy
from camillo_server.kernel.clock import Clock
from camillo_server.kernel.errors import NotFound, ProvenanceRequired, RefNotFound
from camillo_server.kernel.ids import time_ordered_uuid
from camillo_server.kernel.scope import Scope
from camillo_server.kernel.writes import RequestKey
from camillo_server.redaction.redaction import Redaction, Redactor


class GetDecision:
    """Reads a decision that the channel may load, of the agent's own or shared."""

    def __init__(self, store: DecisionStore, policy: ChannelPolicy) -> None:
        self._store = store
        self._policy = policy

    async def __call__(self, scope: Scope, decision_id: DecisionId, channel: Channel) -> Decision:
        """Raises NotFound, KeyMissing, StorageUnavailable."""
        decision = (await self._store.get(scope, [decision_id])).get(decision_id)
        if decision is None or not decision_may_load(self._policy, channel, decision):
            raise NotFound("decision", decision_id)
        return decision


def decision_may_load(policy: ChannelPolicy, channel: Channel, decision: Decision) -> bool:
    """Whether the channel may load it."""
    stated = decision.stated
    return may_load(policy, channel, stated.sensitivity, stated.channel)


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
