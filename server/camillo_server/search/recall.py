"""Recall: find the memories and chunks that answer a query best."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import partial

from camillo_server.embedding.embedder import Vector
from camillo_server.embedding.text_embedding import TextEmbedding
from camillo_server.kernel.channel import Channel, ChannelPolicy
from camillo_server.kernel.clock import Clock
from camillo_server.kernel.kinds import is_chunk
from camillo_server.kernel.off_loop import TimeSlices
from camillo_server.kernel.revision import Freshness
from camillo_server.kernel.scope import Scope
from camillo_server.memories.memory import Memory
from camillo_server.memories.memory_filter import Archived, MemoryFilter
from camillo_server.memories.store.access import AccessStatistics
from camillo_server.memories.store.staleness import StaleMarks
from camillo_server.search.candidates import CandidatePool, CandidateQuery, MemorySearch
from camillo_server.search.masking import MaskingPolicy, Rules, mask_memory
from camillo_server.search.relevance import MIN_RELEVANCE
from camillo_server.search.scoring import (
    ScoredMemory,
    Scores,
    ScoringProfile,
    diverse_order,
    score,
)
from camillo_server.text.index_terms import (
    FUNCTION_TERMS,
    MAX_WHOLE_CHARACTERS,
    index_terms,
    slices_of,
)
from camillo_server.text.tokens import count_tokens

MIN_CANDIDATES_PER_ARM = 50
# Longer queries are left to the dense arm: in the lexical arm more terms only blur the result.
QUERY_TERMS = 64
# Masking one character of a memory.
_MASKING_MICROSECONDS = 0.5
# Cutting one character into terms: of prose a twentieth, of Chinese a third of this, of emoji nearly all.
TERMS_MICROSECONDS = 1.0


@dataclass(frozen=True, slots=True)
class RecallRules:
    """Settings of an operator. `half_life_hours` applies where a profile names none."""

    half_life_hours: float
    channels: ChannelPolicy
    masking: MaskingPolicy


@dataclass(frozen=True, slots=True)
class RecallQuery:
    """A recall as the caller requests it: by a text or a vector, of rows that pass the filter and that the channel may load.

    With `masked`, hits are masked by the tenant's rules for their sensitivity, and their tokens counted as shown.
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
    """The best hits with their tokens, the pool of candidates that they are from, and the model of the query's vector."""

    hits: Sequence[ScoredMemory]
    tokens: int
    pool: CandidatePool
    model_id: str
    embedding_failed: bool
    # Only of a query that is to be explained.
    left_out: Sequence[Memory] = ()

    @property
    def has_no_match(self) -> bool:
        """Whether there is probably no answer in what was searched."""
        return all(hit.relevance < MIN_RELEVANCE for hit in self.hits)


class Recall:
    """Finds candidates by all arms, scores them in one stage, and cuts them to the limits of the query."""

    def __init__(
        self,
        search: MemorySearch,
        embedding: TextEmbedding,
        access: AccessStatistics,
        stale_marks: StaleMarks,
        clock: Clock,
        rules: RecallRules,
    ) -> None:
        self._rules = rules
        self._stale_marks = stale_marks
        self._search = search
        self._embedding = embedding
        self._access = access
        self._clock = clock

    async def __call__(self, query: RecallQuery) -> RecallAnswer:
        """The best hits; they are counted as accessed. Raises StorageUnavailable, RevisionBehind."""
        now = self._clock.now()
        if query.vector is not None:
            vector: Vector | None = self._embedding.named(query.vector)
        else:
            vector = await self._embedding.query_vector(query.text, query.scope.tenant_id)
        candidates = CandidateQuery(
            scope=query.scope,
            terms=await terms_of_query(query.text),
            vector=vector,
            filter=query.filter.narrowed(self._rules.channels, query.channel),
            candidates_per_arm=max(MIN_CANDIDATES_PER_ARM, 2 * query.limit),
            now=now,
            # A query by vector compares vectors and nothing else.
            with_neighbours=query.vector is None,
            with_vectors=query.profile.diversity > 0,
        )
        answer = await self._answer(query, candidates)
        if query.filter.archived is not Archived.EXCLUDE:
            answer = replace(answer, hits=await self._with_stale_marks(query.scope, answer.hits))
        elif query.explain:
            answer = replace(answer, left_out=await self._left_out(query, candidates))
        memories = [hit.memory.memory_id for hit in answer.hits if not is_chunk(hit.memory.kind)]
        self._access.note(query.scope, memories, now)
        return answer

    async def _answer(self, query: RecallQuery, candidates: CandidateQuery) -> RecallAnswer:
        profile = query.profile
        if profile.half_life_hours is None:
            profile = replace(profile, half_life_hours=self._rules.half_life_hours)
        pool = await self._search.candidates(candidates, query.freshness)
        masking = self._rules.masking.rules_of(query.scope.tenant_id) if query.masked else None
        vector = candidates.vector
        model_id = vector.model_id if vector else ""
        hits, tokens = await best_hits(
            score(pool, profile, candidates.now, model_id), query, masking
        )
        return RecallAnswer(
            hits=hits,
            tokens=tokens,
            pool=pool,
            model_id=model_id,
            embedding_failed=vector is None and bool(candidates.terms),
        )

    async def _with_stale_marks(
        self, scope: Scope, hits: Sequence[ScoredMemory]
    ) -> list[ScoredMemory]:
        memories = await self._stale_marks.added_to(scope, [hit.memory for hit in hits])
        return [replace(hit, memory=memory) for hit, memory in zip(hits, memories, strict=True)]

    async def _left_out(self, query: RecallQuery, candidates: CandidateQuery) -> list[Memory]:
        """What would have been found, but is archived since it cites what has changed."""
        archived = replace(candidates.filter, archived=Archived.ONLY)
        answer = await self._answer(query, replace(candidates, filter=archived))
        marked = await self._with_stale_marks(query.scope, answer.hits)
        return [hit.memory for hit in marked if hit.memory.stale is not None]


def query_terms(text: str) -> list[str]:
    """The different index terms of a query, in order, at most 64; function words only if there is nothing else."""
    return _chosen(dict.fromkeys(index_terms(text)))


async def terms_of_query(text: str) -> list[str]:
    """`query_terms`; a long text is read slice by slice, until there are enough."""
    if len(text) <= MAX_WHOLE_CHARACTERS:
        return query_terms(text)
    terms: dict[str, None] = {}
    slices = TimeSlices()
    for part in slices_of(text):
        terms |= dict.fromkeys(index_terms(part))
        if len(terms.keys() - FUNCTION_TERMS) >= QUERY_TERMS:
            break
        await slices.spend(len(part) * TERMS_MICROSECONDS)
    return _chosen(terms)


def _chosen(terms: Iterable[str]) -> list[str]:
    content_terms = [term for term in terms if term not in FUNCTION_TERMS]
    return (content_terms or [*terms])[:QUERY_TERMS]


async def best_hits(
    scores: Scores, query: RecallQuery, masking: Rules | None
) -> tuple[list[ScoredMemory], int]:
    """The best hits within the limit and the token budget, and their tokens.

    A hit that does not fit the budget is skipped: a shorter one after it may fit.
    """
    hits: list[ScoredMemory] = []
    used, slices = 0, TimeSlices()
    ranking = _ranking(scores, query)
    # Memories are loaded for possible hits only; without a token budget those are the first ones.
    for first in range(0, len(ranking), query.limit):
        part = ranking[first : first + query.limit]
        memories, relevances = scores.pool.memories(part), scores.relevance(part).tolist()
        counts = scores.pool.tokens(part, memories)
        for candidate, row, tokens, relevance in zip(
            part, memories, counts, relevances, strict=True
        ):
            memory = row
            if masking is not None:
                memory = await slices.run(
                    len(row.content) * _MASKING_MICROSECONDS, partial(mask_memory, row, masking)
                )
                if memory is not row:
                    tokens = count_tokens(memory.content)
            if query.max_tokens and used + tokens > query.max_tokens:
                continue
            used += tokens
            breakdown = scores.breakdown(candidate) if query.explain else None
            order_score = float(scores.score[candidate])
            hits.append(ScoredMemory(memory, relevance, order_score, breakdown))
            if len(hits) == query.limit:
                return hits, used
    return hits, used


def _ranking(scores: Scores, query: RecallQuery) -> list[int]:
    """The candidates that reach the minimum relevance, best first, or in order of diversity where that is requested."""
    order = scores.order()
    if query.min_score:
        order = order[scores.relevance(order) >= query.min_score]
    diversity = query.profile.diversity
    if diversity:
        vectors = scores.pool.vectors(order.tolist())
        order = order[diverse_order(scores.score[order], vectors, diversity, query.limit)]
    ranking: list[int] = order.tolist()
    return ranking
