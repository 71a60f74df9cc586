"""QueryDecisions: decisions that answer a text best, or the latest first."""

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
    DecisionStore,
)
from camillo_server.decisions.decisions import decision_may_load
from camillo_server.kernel.channel import Channel, ChannelPolicy
from camillo_server.kernel.kinds import Source
from camillo_server.kernel.revision import FULLY_CONSISTENT
from camillo_server.kernel.scope import Scope, shared_scope
from camillo_server.memories.memory_filter import Archived, MemoryFilter
from camillo_server.search.recall import Recall, RecallAnswer, RecallQuery
from camillo_server.search.scoring import PROFILES, TEXT_PROFILE

# What the index does not know of a decision is looked at afterwards: so many times as many are asked for.
BEYOND = 4
MOST_HITS = 1_000


@dataclass(frozen=True, slots=True)
class DecisionsAsked:
    """What the decisions should be about, if anything, which, and where they will be shown."""

    scope: Scope
    text: str
    filter: DecisionFilter
    channel: Channel


@dataclass(frozen=True, slots=True)
class FoundDecisions:
    """Decisions with their scores, where the next page begins, and how good an answer it is."""

    decisions: Sequence[tuple[Decision, float]]
    next_cursor: DecisionCursor | None
    embedding_failed: bool = False
    vectors_pending: bool = False
    sealed_not_searched: bool = False


class QueryDecisions:
    """Of the agent's own decisions and the shared ones, those that the channel may load."""

    def __init__(self, store: DecisionStore, recall: Recall, policy: ChannelPolicy) -> None:
        self._store = store
        self._recall = recall
        self._policy = policy

    async def __call__(
        self, asked: DecisionsAsked, after: DecisionCursor | None, size: int
    ) -> FoundDecisions:
        """With a text there is one page. Raises KeyMissing, StorageUnavailable, RevisionBehind."""
        allowed = self._policy.allowed(asked.channel) & frozenset(asked.filter.sensitivities)
        wanted = replace(
            asked.filter,
            sensitivities=tuple(sorted(allowed)),
            is_public=asked.channel is Channel.PUBLIC,
        )
        if asked.text.strip():
            return await self._best(replace(asked, filter=wanted), size)
        found = await self._store.page(asked.scope, wanted, after, size + 1)
        page = found[:size]
        more = len(found) > size
        cursor = DecisionCursor(page[-1].created_at, page[-1].decision_id) if more else None
        return FoundDecisions([(decision, 0.0) for decision in page], cursor)

    async def _best(self, asked: DecisionsAsked, size: int) -> FoundDecisions:
        scopes = dict.fromkeys((asked.scope, shared_scope(asked.scope)))
        answers = await asyncio.gather(
            *(self._recall(_query(asked, scope, size)) for scope in scopes)
        )
        scores = _scores(answers)
        records = await self._store.get(asked.scope, list(scores))
        decisions = [
            (record, score)
            for decision_id, score in scores.items()
            if (record := records.get(decision_id)) and self._passes(record, asked)
        ]
        return FoundDecisions(
            decisions[:size],
            None,
            embedding_failed=any(answer.embedding_failed for answer in answers),
            vectors_pending=any(answer.vectors_pending for answer in answers),
            sealed_not_searched=any(answer.sealed_not_searched for answer in answers),
        )

    def _passes(self, record: Decision, asked: DecisionsAsked) -> bool:
        """The record tells: it may have changed since it was found, and says what the index does not know."""
        wanted, stated = asked.filter, record.stated
        return (
            decision_may_load(self._policy, asked.channel, record)
            and stated.sensitivity in wanted.sensitivities
            and record.status in wanted.statuses
            and (not wanted.reaches or stated.reach in wanted.reaches)
            and (not wanted.ref or wanted.ref.lower() in (ref.lower() for ref in stated.refs))
        )


def _query(asked: DecisionsAsked, scope: Scope, size: int) -> RecallQuery:
    wanted = asked.filter
    return RecallQuery(
        scope=scope,
        text=asked.text,
        vector=None,
        filter=MemoryFilter(
            tags_any=wanted.tags_any,
            session_id=wanted.session_id,
            archived=_archived(wanted.statuses),
            metadata={"channel": Channel.PUBLIC.name.lower()} if wanted.is_public else {},
            sources=(Source.DECISION,) if wanted.sensitivities else (),
            sensitivities=wanted.sensitivities,
        ),
        limit=min(size * BEYOND, MOST_HITS) if wanted.reaches or wanted.ref else size,
        profile=PROFILES[TEXT_PROFILE],
        min_score=0.0,
        max_tokens=0,
        freshness=FULLY_CONSISTENT,
        # The filter holds what the channel asks for; a public one would hide the decisions made in public, too.
        channel=Channel.PRIVATE,
    )


def _archived(statuses: Sequence[DecisionStatus]) -> Archived:
    """The chunks of superseded decisions are archived."""
    if DecisionStatus.SUPERSEDED not in statuses:
        return Archived.EXCLUDE
    return Archived.INCLUDE if DecisionStatus.ACTIVE in statuses else Archived.ONLY


def _scores(answers: Iterable[RecallAnswer]) -> dict[DecisionId, float]:
    """The decisions that were found, best first."""
    hits = [hit for answer in answers for hit in answer.hits]
    hits.sort(key=lambda hit: -hit.score)
    return {DecisionId(UUID(hit.memory.source_refs[0])): hit.score for hit in hits}
