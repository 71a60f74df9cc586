"""Use cases of decisions: recorded with what they rest on, superseded by one another, read, and queried by a text."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from uuid import UUID

from camillo_server.features.decisions.decision import (
    DECISION_TEXTS,
    Decision,
    DecisionDraft,
    DecisionFilter,
    DecisionId,
    DecisionReplay,
    DecisionStatus,
    Supersession,
    SupersessionReplay,
)
from camillo_server.features.decisions.store import DecisionStore
from camillo_server.kernel.channel import Channel, ChannelPolicy
from camillo_server.kernel.clock import Clock, time_ordered_uuid
from camillo_server.kernel.errors import NotFound, ProvenanceRequired, RefNotFound
from camillo_server.kernel.ids import PageCursor
from camillo_server.kernel.kinds import Source
from camillo_server.kernel.scope import Scope
from camillo_server.kernel.writes import FULLY_CONSISTENT, RequestKey
from camillo_server.lib.redaction.redaction import Redaction, Redactor, redacted_draft_off_loop
from camillo_server.rows.row_filter import Archived, MemoryFilter
from camillo_server.rows.store.refs import RefResolver
from camillo_server.search.recall import Recall, RecallAnswer
from camillo_server.search.recall_query import RecallQuery, over_both_scopes
from camillo_server.search.scoring import PROFILES, TEXT_PROFILE

# Reach and refs are not in the index: with such a filter, this many times as many hits are requested and filtered here.
HITS_PER_DECISION = 4
MAX_HITS = 1_000


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
        draft, redactions = await redacted_draft_off_loop(draft, self._redactor, DECISION_TEXTS)
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
        VersionConflict, SupersessionCycle, ProvenanceRequired, RefNotFound, ValueRejected, RequestIdReused."""
        now = self._clock.now()
        redactions: Sequence[Redaction] = ()
        if isinstance(successor, DecisionDraft):
            draft, redactions = await redacted_draft_off_loop(successor, self._redactor, DECISION_TEXTS)
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
        missing = await self._resolver.missing(scope, draft.refs)
        # A repeat gets the first answer, even if what it cites has been deleted since.
        if missing and not await self._store.first_answer(scope, request, record_type, now=now):
            raise RefNotFound(missing[0])


def decision_may_load(policy: ChannelPolicy, channel: Channel, decision: Decision) -> bool:
    """Whether the channel may load the decision."""
    stated = decision.stated
    return policy.permits(channel, stated.sensitivity, stated.channel)


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


@dataclass(frozen=True, slots=True)
class DecisionQuery:
    """The text that decisions shall match, if any, conditions, and the channel in which they will be shown."""

    scope: Scope
    text: str
    filter: DecisionFilter
    channel: Channel


@dataclass(frozen=True, slots=True)
class DecisionPage:
    """Decisions with their scores, where the next page begins, and what degraded the search."""

    decisions: Sequence[tuple[Decision, float]]
    next_cursor: PageCursor | None
    embedding_failed: bool = False
    vectors_pending: bool = False
    encrypted_not_searched: bool = False
    vector_search_failed: bool = False


class QueryDecisions:
    """Queries the agent's own decisions and the shared ones that the channel may load."""

    def __init__(self, store: DecisionStore, recall: Recall, policy: ChannelPolicy) -> None:
        self._store = store
        self._recall = recall
        self._policy = policy

    async def __call__(self, query: DecisionQuery, after: PageCursor | None, size: int) -> DecisionPage:
        """A page of decisions; a text has only one. Raises KeyMissing, StorageUnavailable, RevisionBehind."""
        filter = self._policy.narrowed(query.filter, query.channel)
        if query.text.strip():
            return await self._best(replace(query, filter=filter), size)
        # One more than requested shows whether there is a next page.
        decisions = await self._store.page(query.scope, filter, after, size + 1)
        page = decisions[:size]
        has_more = len(decisions) > size
        cursor = PageCursor(page[-1].created_at, page[-1].decision_id) if has_more else None
        return DecisionPage([(decision, 0.0) for decision in page], cursor)

    async def _best(self, query: DecisionQuery, size: int) -> DecisionPage:
        recalled = _recall_query(query, size)
        if query.scope.agent_id:
            recalled = over_both_scopes(recalled, FULLY_CONSISTENT, include_shared=True)
        answer = await self._recall(recalled)
        scores = _scores(answer)
        records = await self._store.get(query.scope, list(scores))
        decisions = [
            (record, score)
            for decision_id, score in scores.items()
            if (record := records.get(decision_id)) and self._passes(record, query)
        ]
        return DecisionPage(
            decisions[:size],
            None,
            embedding_failed=answer.embedding_failed,
            vectors_pending=answer.pool.vectors_pending,
            encrypted_not_searched=answer.pool.encrypted_not_searched,
            vector_search_failed=answer.pool.vector_search_failed,
        )

    def _passes(self, record: Decision, query: DecisionQuery) -> bool:
        """Checks the record: it may have changed since it was indexed, and has reach and refs, which the index
        lacks."""
        filter, stated = query.filter, record.stated
        return (
            decision_may_load(self._policy, query.channel, record)
            and stated.sensitivity in filter.sensitivities
            and record.status in filter.statuses
            and (not filter.reaches or stated.reach in filter.reaches)
            and (not filter.ref or filter.ref.lower() in (ref.lower() for ref in stated.refs))
        )


def _recall_query(query: DecisionQuery, size: int) -> RecallQuery:
    filter = query.filter
    return RecallQuery(
        scope=query.scope,
        text=query.text,
        vector=None,
        filter=MemoryFilter(
            tags_any=filter.tags_any,
            session_id=filter.session_id,
            archived=_archived(filter.statuses),
            metadata={"channel": Channel.PUBLIC.name.lower()} if filter.is_public else {},
            sources=(Source.DECISION,),
            sensitivities=filter.sensitivities,
        ),
        limit=min(size * HITS_PER_DECISION, MAX_HITS) if filter.reaches or filter.ref else size,
        profile=PROFILES[TEXT_PROFILE],
        min_score=0.0,
        max_tokens=0,
        freshness=FULLY_CONSISTENT,
        # The filter enforces the channel already; the public channel would hide even decisions of that channel.
        channel=Channel.PRIVATE,
    )


def _archived(statuses: Sequence[DecisionStatus]) -> Archived:
    """The chunks of superseded decisions are archived."""
    if DecisionStatus.SUPERSEDED not in statuses:
        return Archived.EXCLUDE
    return Archived.INCLUDE if DecisionStatus.ACTIVE in statuses else Archived.ONLY


def _scores(answer: RecallAnswer) -> dict[DecisionId, float]:
    """The decisions that the search found with their scores, best first."""
    found = zip(answer.hits, answer.memories(), strict=True)
    return {DecisionId(UUID(chunk.source_refs[0])): hit.relevance for hit, chunk in found}
