"""Recall: find the memories and chunks that answer a query best."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from camillo_server.embedding.embedder import Vector
from camillo_server.embedding.text_embedding import TextEmbedding
from camillo_server.kernel.channel import Channel, ChannelPolicy
from camillo_server.kernel.clock import Clock
from camillo_server.kernel.kinds import KINDS_OF_A_SOURCE
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
    Hit,
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
    """The best hits with their tokens, the pool of candidates that they are from, and the model of the query's vector.

    `altered`: the hits' memories where those of the pool are not what is shown: masked, or with what made them stale.
    """

    hits: Sequence[Hit]
    tokens: int
    pool: CandidatePool
    model_id: str
    embedding_failed: bool
    altered: Sequence[Memory] | None = None
    # Only of a query that is to be explained.
    left_out: Sequence[Memory] = ()

    @property
    def has_no_match(self) -> bool:
        """Whether there is probably no answer in what was searched."""
        return all(hit.relevance < MIN_RELEVANCE for hit in self.hits)

    @property
    def candidates(self) -> list[int]:
        """The hits' indices in the pool."""
        return [hit.candidate for hit in self.hits]

    def memories(self) -> Sequence[Memory]:
        """The hits as they are shown."""
        return self.pool.memories(self.candidates) if self.altered is None else self.altered


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
            # A query by vector compares vectors and nothing else.
            terms=() if query.vector is not None else await terms_of_query(query.text),
            vector=vector,
            filter=query.filter.narrowed(self._rules.channels, query.channel),
            candidates_per_arm=max(MIN_CANDIDATES_PER_ARM, 2 * query.limit),
            now=now,
            with_neighbours=query.vector is None,
            with_vectors=query.profile.diversity > 0,
        )
        answer = await self._answer(query, candidates)
        if query.filter.archived is not Archived.EXCLUDE:
            marked = await self._stale_marks.added_to(query.scope, answer.memories())
            answer = replace(answer, altered=marked)
        elif query.explain:
            answer = replace(answer, left_out=await self._left_out(query, candidates))
        self._access.note(query.scope, _memory_ids(answer), now)
        return answer

    async def _answer(self, query: RecallQuery, candidates: CandidateQuery) -> RecallAnswer:
        profile = query.profile
        if profile.half_life_hours is None:
            profile = replace(profile, half_life_hours=self._rules.half_life_hours)
        pool = await self._search.candidates(candidates, query.freshness)
        masking = self._rules.masking.rules_of(query.scope.tenant_id) if query.masked else None
        vector = candidates.vector
        model_id = vector.model_id if vector else ""
        scores = score(pool, profile, candidates.now, model_id)
        best = await _best(scores, query, masking)
        return RecallAnswer(
            hits=_hits(scores, best.candidates, query.explain),
            tokens=best.tokens,
            pool=pool,
            model_id=model_id,
            embedding_failed=vector is None and bool(candidates.terms),
            altered=best.masked,
        )

    async def _left_out(self, query: RecallQuery, candidates: CandidateQuery) -> list[Memory]:
        """What would have been found, but is archived since it cites what has changed."""
        archived = replace(candidates.filter, archived=Archived.ONLY)
        answer = await self._answer(query, replace(candidates, filter=archived))
        marked = await self._stale_marks.added_to(query.scope, answer.memories())
        return [memory for memory in marked if memory.stale is not None]


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


class _Best(NamedTuple):
    """The candidates that become hits, best first, and the tokens of what is shown of them; with their memories where a mask
    applies."""

    candidates: Sequence[int]
    tokens: int
    masked: Sequence[Memory] | None = None


async def _best(scores: Scores, query: RecallQuery, masking: Rules | None) -> _Best:
    """The best candidates within the limit and the token budget.

    One that does not fit the budget is skipped: a shorter one after it may fit.
    """
    pool, ranking = scores.pool, _ranking(scores, query)
    if masking is None and not query.max_tokens:
        first_ones = ranking[: query.limit]
        return _Best(first_ones, sum(pool.tokens(first_ones)))
    chosen: list[int] = []
    shown: list[Memory] = []
    used, slices = 0, TimeSlices()
    for candidate, tokens, row in _possible_hits(pool, ranking, query.limit, masking is not None):
        memory = row
        if masking is not None and row is not None:
            memory = await slices.run(
                len(row.content) * _MASKING_MICROSECONDS, partial(mask_memory, row, masking)
            )
            if memory is not row:
                tokens = count_tokens(memory.content)
        if query.max_tokens and used + tokens > query.max_tokens:
            continue
        used += tokens
        chosen.append(candidate)
        if memory is not None:
            shown.append(memory)
        if len(chosen) == query.limit:
            break
    return _Best(chosen, used, None if masking is None else shown)


def _possible_hits(
    pool: CandidatePool, ranking: Sequence[int], at_once: int, with_memories: bool
) -> Iterator[tuple[int, int, Memory | None]]:
    """Candidates with their tokens, and their memories if requested, read as far as they are taken: without a token budget
    those are the first ones."""
    for first in range(0, len(ranking), at_once):
        part = ranking[first : first + at_once]
        memories = pool.memories(part) if with_memories else [None] * len(part)
        yield from zip(part, pool.tokens(part), memories, strict=True)


def _hits(scores: Scores, candidates: Sequence[int], explain: bool) -> list[Hit]:
    relevances, order_scores = scores.relevance(candidates), scores.score[candidates]
    hits = map(Hit, candidates, relevances.tolist(), order_scores.tolist())
    if not explain:
        return [*hits]
    return [hit._replace(breakdown=scores.breakdown(hit.candidate)) for hit in hits]


def _memory_ids(answer: RecallAnswer) -> NDArray[np.uint64]:
    """Of the hits that are memories, as the pool has them."""
    hits = np.array(answer.candidates, np.intp)
    ids: NDArray[np.uint64] = answer.pool.memory_ids[hits]
    return ids[answer.pool.kinds[hits] < KINDS_OF_A_SOURCE]


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
