"""Use cases of decisions: recorded with what they rest on, superseded by one another, and read."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from camillo_server.decisions.decision import (
    Decision,
    DecisionDraft,
    DecisionId,
    DecisionReplay,
    DecisionStatus,
    Supersession,
    SupersessionReplay,
    redacted_decision,
)
from camillo_server.decisions.store import DecisionStore
from camillo_server.events.loading import may_load
from camillo_server.events.store.refs import RefResolver
from camillo_server.kernel.channel import Channel, ChannelPolicy
from camillo_server.kernel.clock import Clock
from camillo_server.kernel.errors import NotFound, ProvenanceRequired, RefNotFound
from camillo_server.kernel.ids import time_ordered_uuid
from camillo_server.kernel.scope import Scope
from camillo_server.kernel.writes import RequestKey
from camillo_server.redaction.redaction import Redaction, Redactor


@dataclass(frozen=True, slots=True)
class Superseded:
    """The decision in force, the one that it superseded, the revision that holds both, and what was redacted."""

    decision: Decision
    superseded: Decision
    revision: int
    redactions: Sequence[Redaction]


class Decisions:
    """Decisions of a scope. Every method raises KeyMissing and StorageUnavailable."""

    def __init__(
        self,
        store: DecisionStore,
        resolver: RefResolver,
        redactor: Redactor,
        policy: ChannelPolicy,
        clock: Clock,
    ) -> None:
        self._store = store
        self._resolver = resolver
        self._redactor = redactor
        self._policy = policy
        self._clock = clock

    async def get(self, scope: Scope, decision_id: DecisionId, channel: Channel) -> Decision:
        """A decision that the channel may load, of the agent's own or shared. Raises NotFound."""
        decision = (await self._store.get(scope, [decision_id])).get(decision_id)
        if decision is None or not decision_may_load(self._policy, channel, decision):
            raise NotFound("decision", decision_id)
        return decision

    async def record(
        self, scope: Scope, draft: DecisionDraft, request: RequestKey | None
    ) -> tuple[Decision, int, Sequence[Redaction]]:
        """Stores a decision without its secrets; with the revision that holds it, and what was redacted. Raises
        ProvenanceRequired, RefNotFound, ValueRejected, RequestIdReused."""
        now = self._clock.now()
        draft, redactions = redacted_decision(draft, self._redactor)
        await self._check_provenance(scope, draft, request, DecisionReplay, now)
        decision = _new(scope, draft, DecisionId(time_ordered_uuid(now)), now)
        written = await self._store.record(scope, decision, request, now=now)
        if written.is_repeat:
            first = written.record
            decision = _new(scope, draft, first.decision_id, first.at)
        return decision, written.revision, redactions

    async def supersede(
        self,
        scope: Scope,
        decision_id: DecisionId,
        expected_version: int,
        successor: DecisionDraft | DecisionId,
        request: RequestKey | None,
    ) -> Superseded:
        """Links two decisions; the successor is a new one, or one that is in force already. Raises NotFound,
        VersionConflict, DecisionCycle, ProvenanceRequired, RefNotFound, ValueRejected, RequestIdReused."""
        now = self._clock.now()
        redactions: Sequence[Redaction] = ()
        if isinstance(successor, DecisionDraft):
            draft, redactions = redacted_decision(successor, self._redactor)
            await self._check_provenance(scope, draft, request, SupersessionReplay, now)
            new = _new(scope, draft, DecisionId(time_ordered_uuid(now)), now)
            supersession = Supersession(decision_id, expected_version, new, is_new=True)
        else:
            existing = _required(await self._store.get(scope, [successor]), successor)
            supersession = Supersession(decision_id, expected_version, existing, is_new=False)
        written = await self._store.supersede(scope, supersession, request, now=now)
        first = written.record
        both = await self._store.get(scope, [decision_id, first.decision_id])
        return Superseded(
            _as_answered(_required(both, first.decision_id), first),
            _required(both, decision_id),
            written.revision,
            redactions,
        )

    async def _check_provenance(
        self,
        scope: Scope,
        draft: DecisionDraft,
        request: RequestKey | None,
        record_type: type[DecisionReplay | SupersessionReplay],
        now: datetime,
    ) -> None:
        if not draft.refs:
            raise ProvenanceRequired("a decision has to cite what it rests on")
        try:
            await self._resolver.check(scope, draft.refs)
        except RefNotFound:
            # A repeat gets the first answer, even if what it cites has been deleted since.
            if await self._store.first_answer(scope, request, record_type, now=now) is None:
                raise


def decision_may_load(policy: ChannelPolicy, channel: Channel, decision: Decision) -> bool:
    """Whether the channel may load the decision."""
    stated = decision.stated
    return may_load(policy, channel, stated.sensitivity, stated.channel)


def _new(scope: Scope, draft: DecisionDraft, decision_id: DecisionId, now: datetime) -> Decision:
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


def _required(decisions: dict[DecisionId, Decision], decision_id: DecisionId) -> Decision:
    if decision_id not in decisions:
        raise NotFound("decision", decision_id)
    return decisions[decision_id]


def _as_answered(successor: Decision, record: SupersessionReplay) -> Decision:
    """The successor as it was in the first answer: another may have superseded it since. Nothing else of a decision
    ever changes."""
    return replace(
        successor,
        status=DecisionStatus.ACTIVE,
        supersedes=record.supersedes,
        superseded_by=None,
        superseded_at=None,
        version=record.version,
    )
