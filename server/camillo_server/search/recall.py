"""Recall: find the memories and chunks that answer a query best."""

from collections.abc import Awaitable, Sequence
from dataclasses import dataclass, field, replace
from functools import partial

from camillo_server.embedding.embedder import Vector
from camillo_server.embedding.text_embedding import TextEmbedding
from camillo_server.kernel.channel import Channel, ChannelPolicy
from camillo_server.kernel.clock import Clock
from camillo_server.kernel.kinds import is_chunk
from camillo_server.kernel.off_loop import TimeSlices, off_loop
from camillo_server.kernel.revision import Freshness
from camillo_server.kernel.scope import Scope
from camillo_server.memories.memory_filter import MemoryFilter
from camillo_server.memories.store.access import AccessStatistics
from camillo_server.search.candidates import AnsweredBy, CandidateQuery, MemorySearch
from camillo_server.search.masking.masker import MaskingPolicy, Rules, mask_memory
from camillo_server.search.scoring import (
    WEEK_HOURS,
    ScoredMemory,
    Scores,
    ScoringProfile,
    diverse_order,
    score,
)
from camillo_server.text.index_terms import FUNCTION_TERMS, index_terms
from camillo_server.text.tokens import count_tokens

MIN_CANDIDATES_PER_ARM = 50
# The dense arm takes what exceeds this; for the lexical arm more words only blur what is looked for.
QUERY_TERMS = 64
# Masking one character of a memory.
_MASKING_MICROSECONDS = 0.5
# Cutting one character into terms: of prose a twentieth, of Chinese a third of this, of emoji nearly all.
TERMS_MICROSECONDS = 1.0


@dataclass(frozen=True, slots=True)
class RecallRules:
    """What an operator may choose. `half_life_hours` holds where a profile names none."""

    half_life_hours: float = WEEK_HOURS
    channels: ChannelPolicy = field(default_factory=ChannelPolicy)
    masking: MaskingPolicy = field(default_factory=MaskingPolicy)


DEFAULT_RULES = RecallRules()


@dataclass(frozen=True, slots=True)
class RecallQuery:
    """What is looked for: a text or a vector, one of the two; in the filter's sources, as far as the channel may load.

    What is `masked` is shown by the tenant's rules for its sensitivity, and counted as it is shown.
    """

    scope: Scope
    text: str
    vector: Vector | None
    filter: MemoryFilter
    limit: int
    profile: ScoringProfile
    min_score: float
    max_tokens: int
    freshness: Freshness
    explain: bool = False
    channel: Channel = Channel.PRIVATE
    masked: bool = False


@dataclass(frozen=True, slots=True)
class RecallAnswer:
    """The best hits, and how good an answer it is."""

    hits: Sequence[ScoredMemory]
    revision: int
    embedding_failed: bool
    vectors_pending: bool
    model_id: str
    tokens: int
    answered_by: AnsweredBy
    sealed_not_searched: bool = False


class Recall:
    """Candidates of all arms, scored in one stage, cut to what was asked for."""

    def __init__(
        self,
        search: MemorySearch,
        embedding: TextEmbedding,
        access: AccessStatistics,
        clock: Clock,
        rules: RecallRules = DEFAULT_RULES,
    ) -> None:
        self._rules = rules
        self._search = search
        self._embedding = embedding
        self._access = access
        self._clock = clock

    async def __call__(self, query: RecallQuery) -> RecallAnswer:
        """Raises StorageUnavailable, RevisionBehind."""
        now = self._clock.now()
        if query.vector is not None:
            vector: Vector | None = self._embedding.named(query.vector)
        else:
            vector = await self._embedding.query_vector(query.text, query.scope.tenant_id)
        candidate_query = CandidateQuery(
            scope=query.scope,
            terms=await terms_of_query(query.text),
            vector=vector,
            filter=query.filter.narrowed(self._rules.channels, query.channel),
            candidates_per_arm=max(MIN_CANDIDATES_PER_ARM, 2 * query.limit),
            now=now,
            # A vector is compared with vectors and nothing else.
            with_neighbours=query.vector is None,
            with_vectors=query.profile.diversity > 0,
        )
        profile = query.profile
        if profile.half_life_hours is None:
            profile = replace(profile, half_life_hours=self._rules.half_life_hours)
        pool = await self._search.candidates(candidate_query, query.freshness)
        masking = self._rules.masking.rules_of(query.scope.tenant_id) if query.masked else None
        hits, tokens = await best_hits(score(pool, profile, now), query, masking)
        memories = [hit.memory.memory_id for hit in hits if not is_chunk(hit.memory.kind)]
        self._access.note(query.scope, memories, now)
        return RecallAnswer(
            hits=hits,
            revision=pool.revision,
            embedding_failed=vector is None and bool(candidate_query.terms),
            vectors_pending=pool.vectors_pending,
            model_id=vector.model_id if vector else "",
            tokens=tokens,
            answered_by=pool.answered_by,
            sealed_not_searched=pool.sealed_not_searched,
        )


def query_terms(text: str) -> list[str]:
    """The different index terms of a query, in order, at most 64; function words only if there is nothing else."""
    terms = list(dict.fromkeys(index_terms(text)))
    telling = [term for term in terms if term not in FUNCTION_TERMS]
    return (telling or terms)[:QUERY_TERMS]


def terms_of_query(text: str) -> Awaitable[list[str]]:
    """The same, in a thread where the text is long."""
    return off_loop(len(text) * TERMS_MICROSECONDS, lambda: query_terms(text))


async def best_hits(
    scores: Scores, query: RecallQuery, masking: Rules | None
) -> tuple[list[ScoredMemory], int]:
    """The first hits that score enough, up to the limit and the token budget, and how many tokens they take.

    A hit that does not fit the budget is passed over: a shorter one behind it may.
    """
    hits: list[ScoredMemory] = []
    used, slices = 0, TimeSlices()
    places = _places(scores, query)
    # Texts are fetched for what may become a hit; without a token budget those are the first ones.
    for first in range(0, len(places), query.limit):
        part = places[first : first + query.limit]
        for place, row in zip(part, scores.pool.memories(part), strict=True):
            memory = row
            if masking is not None:
                memory = await slices.run(
                    len(row.content) * _MASKING_MICROSECONDS, partial(mask_memory, row, masking)
                )
            tokens = count_tokens(memory.content)
            if query.max_tokens and used + tokens > query.max_tokens:
                continue
            used += tokens
            breakdown = scores.breakdown(place) if query.explain else None
            hits.append(ScoredMemory(memory, float(scores.score[place]), breakdown))
            if len(hits) == query.limit:
                return hits, used
    return hits, used


def _places(scores: Scores, query: RecallQuery) -> list[int]:
    """The candidates that score enough, in the order in which they are taken."""
    order = scores.order()
    order = order[scores.score[order] >= query.min_score]
    diversity = query.profile.diversity
    if diversity:
        vectors = scores.pool.vectors(order.tolist())
        order = order[diverse_order(scores.score[order], vectors, diversity, query.limit)]
    places: list[int] = order.tolist()
    return places
