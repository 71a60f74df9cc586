"""QueryDecisions: the decisions that match a text best, or the latest first."""

import asyncio
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from uuid import UUID

from camillo_server.decisions.decision import (
    Decision,
    DecisionCursor,
    DecisionFilter,
    DecisionId,
    DecisionStatus,
)
from camillo_server.decisions.decisions import decision_may_load
from camillo_server.decisions.store import DecisionStore
from camillo_server.kernel.channel import Channel, ChannelPolicy
from camillo_server.kernel.kinds import Source
from camillo_server.kernel.revision import FULLY_CONSISTENT
from camillo_server.kernel.scope import Scope, shared_scope
from camillo_server.memories.memory_filter import Archived, MemoryFilter
from camillo_server.search.recall import Recall, RecallAnswer, RecallQuery
from camillo_server.search.scoring import PROFILES, TEXT_PROFILE

# Reach and refs are not in the index: with such a filter, this many times as many hits are requested and filtered here.
HITS_PER_DECISION = 4
MAX_HITS = 1_000


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
    next_cursor: DecisionCursor | None
    embedding_failed: bool = False
    vectors_pending: bool = False
    sealed_not_searched: bool = False


class QueryDecisions:
    """Queries the agent's own decisions and the shared ones that the channel may load."""

    def __init__(self, store: DecisionStore, recall: Recall, policy: ChannelPolicy) -> None:
        self._store = store
        self._recall = recall
        self._policy = policy

    async def __call__(
        self, query: DecisionQuery, after: DecisionCursor | None, size: int
    ) -> DecisionPage:
        """With a text there is one page. Raises KeyMissing, StorageUnavailable, RevisionBehind."""
        allowed = self._policy.allowed(query.channel) & frozenset(query.filter.sensitivities)
        filter = replace(
            query.filter,
            sensitivities=tuple(sorted(allowed)),
            is_public=query.channel is Channel.PUBLIC,
        )
        if query.text.strip():
            return await self._best(replace(query, filter=filter), size)
        # One more than requested shows whether there is a next page.
        decisions = await self._store.page(query.scope, filter, after, size + 1)
        page = decisions[:size]
        more = len(decisions) > size
        cursor = DecisionCursor(page[-1].created_at, page[-1].decision_id) if more else None
        return DecisionPage([(decision, 0.0) for decision in page], cursor)

    async def _best(self, query: DecisionQuery, size: int) -> DecisionPage:
        scopes = dict.fromkeys((query.scope, shared_scope(query.scope)))
        answers = await asyncio.gather(
            *(self._recall(_recall_query(query, scope, size)) for scope in scopes)
        )
        scores = _scores(answers)
        records = await self._store.get(query.scope, list(scores))
        decisions = [
            (record, score)
            for decision_id, score in scores.items()
            if (record := records.get(decision_id)) and self._passes(record, query)
        ]
        return DecisionPage(
            decisions[:size],
            None,
            embedding_failed=any(answer.embedding_failed for answer in answers),
            vectors_pending=any(answer.pool.vectors_pending for answer in answers),
            sealed_not_searched=any(answer.pool.sealed_not_searched for answer in answers),
        )

    def _passes(self, record: Decision, query: DecisionQuery) -> bool:
        """Checks the record: it may have changed since it was indexed, and has reach and refs, which the index lacks."""
        filter, stated = query.filter, record.stated
        return (
            decision_may_load(self._policy, query.channel, record)
            and stated.sensitivity in filter.sensitivities
            and record.status in filter.statuses
            and (not filter.reaches or stated.reach in filter.reaches)
            and (not filter.ref or filter.ref.lower() in (ref.lower() for ref in stated.refs))
        )


def _recall_query(query: DecisionQuery, scope: Scope, size: int) -> RecallQuery:
    filter = query.filter
    return RecallQuery(
        scope=scope,
        text=query.text,
        vector=None,
        filter=MemoryFilter(
            tags_any=filter.tags_any,
            session_id=filter.session_id,
            archived=_archived(filter.statuses),
            metadata={"channel": Channel.PUBLIC.name.lower()} if filter.is_public else {},
            sources=(Source.DECISION,) if filter.sensitivities else (),
            sensitivities=filter.sensitivities,
        ),
        limit=min(size * HITS_PER_DECISION, MAX_HITS) if filter.reaches or filter.ref else size,
        profile=PROFILES[TEXT_PROFILE],
        min_score=0.0,
        max_tokens=0,
        freshness=FULLY_CONSISTENT,
        # The filter enforces the channel already; the public channel would hide even the decisions made in public.
        channel=Channel.PRIVATE,
    )


def _archived(statuses: Sequence[DecisionStatus]) -> Archived:
    """The chunks of superseded decisions are archived."""
    if DecisionStatus.SUPERSEDED not in statuses:
        return Archived.EXCLUDE
    return Archived.INCLUDE if DecisionStatus.ACTIVE in statuses else Archived.ONLY


def _scores(answers: Iterable[RecallAnswer]) -> dict[DecisionId, float]:
    """The decisions that the search found with their scores, best first."""
    hits = [hit for answer in answers for hit in answer.hits]
    hits.sort(key=lambda hit: -hit.score)
    return {DecisionId(UUID(hit.memory.source_refs[0])): hit.score for hit in hits}
