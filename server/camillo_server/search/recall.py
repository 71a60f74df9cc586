"""Recall: find the memories and chunks that answer a query best."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import lru_cache, partial
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from camillo_server.kernel.channel import ChannelPolicy
from camillo_server.kernel.clock import Clock, in_zone
from camillo_server.kernel.ids import AgentId, MemoryId
from camillo_server.kernel.kinds import KINDS_OF_A_SOURCE, Source
from camillo_server.kernel.scope import Scope
from camillo_server.lib.text.speech import speakers_in
from camillo_server.models.embedding.embedder import Vector
from camillo_server.models.embedding.text_embedding import TextEmbedding
from camillo_server.rows.row import Row
from camillo_server.rows.row_filter import Archived
from camillo_server.rows.store.access import AccessStatistics
from camillo_server.rows.store.removal import StaleMarks
from camillo_server.search.best_hits import Duplicates, SourceBest, best_hits, hits_of, source_bests
from camillo_server.search.candidates import CandidatePool, CandidateQuery, MemorySearch, ScopeSearch
from camillo_server.search.collection import Collection
from camillo_server.search.fusion import MIN_RELEVANCE
from camillo_server.search.masking import MaskingPolicy
from camillo_server.search.query_text import event_query, query_window, terms_of_query
from camillo_server.search.readings import Find, Reader
from camillo_server.search.recall_query import RecallQuery
from camillo_server.search.reordering import RecallContext, RerankFailure, Reranking, considered, context_boost
from camillo_server.search.scoring import (
    Hit,
    Scores,
    ScoringProfile,
    score,
)
from camillo_server.search.searches import PastSearch, TimedSearch, follow_links
from camillo_server.search.signals.speech import SPEECH
from camillo_server.search.signals.temporal import TimeMode, TimeWindow
from camillo_server.search.store.linked_ends import LinkedEnds
from camillo_server.search.store.recall_reads import AcceptedSenders, PastVersions

MIN_CANDIDATES_PER_ARM = 50


@dataclass(frozen=True, slots=True)
class RecallRules:
    """Settings of an operator. `half_life_hours` applies where a profile names none."""

    half_life_hours: float
    channels: ChannelPolicy
    masking: MaskingPolicy


class SearchedScope(NamedTuple):
    """A scope that was searched, and the revision at which it was read."""

    scope: Scope
    revision: int


@dataclass(frozen=True, slots=True)
class RecallAnswer:
    """The best hits with their tokens, the pool of candidates that they are from, and the model of the query's vector.

    `altered`: the hits' memories where those of the pool are not what is shown: masked, or with what made them stale.
    `scopes`: those that were searched, in the order of the pool's `starts`; empty where it was one alone.
    """

    hits: Sequence[Hit]
    tokens: int
    pool: CandidatePool
    model_id: str
    embedding_failed: bool
    altered: Sequence[Row] | None = None
    # Filled only if the query is to be explained.
    left_out: Sequence[Row] = ()
    source_bests: Sequence[SourceBest] = ()
    scopes: Sequence[SearchedScope] = ()
    # The number of hits within the limit that a precise recall left out.
    beside_the_point: int = 0
    time_window: TimeWindow | None = None
    rerank_failure: RerankFailure | None = None

    @property
    def has_no_match(self) -> bool:
        """Whether there is probably no answer in what was searched."""
        return max([hit.relevance for hit in self.hits], default=0.0) < MIN_RELEVANCE

    @property
    def candidates(self) -> list[int]:
        """The hits' indices in the pool."""
        return [hit.candidate for hit in self.hits]

    def memories(self) -> Sequence[Row]:
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
        reranking: Reranking,
        links: LinkedEnds,
        versions: PastVersions,
        senders: AcceptedSenders,
    ) -> None:
        self._rules = rules
        self._senders = senders
        self._links = links
        self._versions = versions
        self._stale_marks = stale_marks
        self._search = search
        self._embedding = embedding
        self._reader = Reader(embedding)
        self._access = access
        self._clock = clock
        self._reranking = reranking

    async def __call__(self, query: RecallQuery) -> RecallAnswer:
        """The best hits; they are counted as accessed, but for those of a moment in the past. Raises
        StorageUnavailable, RevisionBehind; for such a moment QuotaExceeded, KeyMissing, BytesLost as well."""
        now = self._clock.now()
        if query.beside and query.shared is not None and Source.AUDIT in query.shared.filter.sources:
            query = query.with_actions_of(await self._senders.of(query.scope))
        if query.vector is not None:
            vector: Vector | None = self._embedding.named(query.vector)
        else:
            vector = await self._embedding.query_vector(query.text, query.scope)
        # A query by vector compares vectors and nothing else.
        terms = () if query.vector is not None else await terms_of_query(query.text)
        search = self._search
        known_at = query.filter.known_at
        if known_at is not None:
            search = PastSearch(search, self._versions, self._embedding, known_at)
        candidates = CandidateQuery(
            scope=query.scope,
            terms=terms,
            vector=vector,
            filter=query.filter.narrowed(self._rules.channels, query.channel),
            candidates_per_arm=max(MIN_CANDIDATES_PER_ARM, 2 * query.limit),
            now=now,
            with_neighbours=query.vector is None,
            with_vectors=query.compares_hits,
            # Over several scopes, links are followed from one into another as well.
            follows_links=query.follows_links and not query.beside,
            signals={SPEECH: speakers_in(query.text, terms)} if query.weighs_speech and terms else {},
        )
        # A query by vector compares vectors and nothing else.
        window = None if query.vector is not None else await self._window_of(search, query, candidates)
        answer = await self._answer(search, query, candidates, window)
        if query.filter.archived is not Archived.EXCLUDE:
            answer = replace(answer, altered=await self._with_stale_marks(query, answer))
        elif query.explain:
            left_out = await self._left_out(search, query, candidates, window)
            answer = replace(answer, left_out=left_out)
        if known_at is not None:
            return answer
        if not answer.scopes:
            self._access.note(query.scope, _memory_ids(answer.pool, answer.candidates), now)
        else:
            self._note_each(answer, now)
        return answer

    async def _answer(
        self,
        search: MemorySearch,
        query: RecallQuery,
        candidates: CandidateQuery,
        window: TimeWindow | None,
    ) -> RecallAnswer:
        is_timed = window is not None and window.is_known
        if window is not None and is_timed:
            search = TimedSearch(search, window, query.time_mode)
        profile = _with_half_life(query.profile, self._rules.half_life_hours)
        sources = query.sources if query.beside else query.filter.sources
        weights = query.profile.space_weights
        is_collection = bool(query.beside) or weights is not None or (query.explain and len(sources) > 1)
        collections: list[tuple[Collection, Sequence[SearchedScope]]] = []

        async def find_in_all(asked: CandidateQuery) -> CandidatePool:
            collection = Collection(search, self._scopes(query, asked), weights)
            if query.explain:
                collection = await collection.weighed()
            pool, scopes = await self._found_in(collection, query)
            collections.append((collection, scopes))
            return pool

        find: Find = partial(search.candidates, freshness=query.freshness)
        if is_collection:
            find = find_in_all
        if query.vector is not None:
            pool = await find(candidates)
        else:
            count = partial(self._count, search, query)
            pool = await self._reader.candidates(query.text, candidates, find, count)
        masking = self._rules.masking.rules_of(query.scope.tenant_id) if query.masked else None
        scores, failure = score(pool, profile, candidates.now), None
        if query.context is not None:
            scores = await self._in_context(scores, query, query.context, candidates.model_id)
        if query.rerank is not None:
            scores, failure = await self._reranking(scores, query.rerank, query.text, query.scope, query.min_score)
        duplicates = Duplicates(pool) if len(sources) > 1 or (query.beside and query.has_spaces) else None
        best = await best_hits(scores, query, candidates, masking, duplicates)
        answer = RecallAnswer(
            hits=hits_of(scores, best.candidates, query.explain, duplicates),
            tokens=best.tokens,
            pool=pool,
            model_id=candidates.model_id,
            embedding_failed=candidates.vector is None and bool(candidates.terms),
            altered=best.masked,
            beside_the_point=best.beside_the_point,
            scopes=collections[0][1] if collections else (),
            time_window=window if is_timed or query.explain else None,
            rerank_failure=failure,
        )
        if query.explain and len(sources) > 1:
            bests = await source_bests(scores, collections[0][0], sources)
            answer = replace(answer, source_bests=[each.masked(masking) for each in bests])
        return answer

    async def _found_in(
        self, collection: Collection, query: RecallQuery
    ) -> tuple[CandidatePool, Sequence[SearchedScope]]:
        """The candidates of all scopes, and these scopes."""
        pool = await collection.candidates()
        if not query.beside:
            return pool, ()
        # A query by vector compares vectors and nothing else.
        if query.follows_links and query.vector is None:
            pool = await follow_links(self._links, collection, pool)
        read = zip(collection.scopes, pool.scopes_read_at, strict=True)
        return pool, [SearchedScope(each.query.scope, at.revision) for each, at in read]

    async def _count(self, search: MemorySearch, query: RecallQuery, candidates: CandidateQuery) -> Sequence[int]:
        """How many rows of all scopes that are searched have each term."""
        scopes = self._scopes(query, candidates)
        counted = [await search.statistics(each.query, each.freshness) for each in scopes]
        if len(counted) == 1:
            return counted[0].matches
        return [*map(sum, zip(*(each.matches for each in counted), strict=True))]

    async def _window_of(
        self, search: MemorySearch, query: RecallQuery, candidates: CandidateQuery
    ) -> TimeWindow | None:
        """The time that the query names, by a date or by an event, where that counts."""
        if query.time_mode is TimeMode.IGNORE:
            return None
        now = query.query_time or candidates.now
        if query.time_zone is not None:
            now = in_zone(now, query.time_zone)
        return await query_window(query.text, now, partial(self._event_candidates, search, query, candidates))

    async def _event_candidates(
        self, search: MemorySearch, query: RecallQuery, candidates: CandidateQuery, event: str
    ) -> CandidatePool:
        """The candidates about an event in the same scopes, by the same filter."""
        vector = await self._embedding.query_vector(event, query.scope)
        candidates = event_query(candidates, await terms_of_query(event), vector)
        if not query.beside:
            return await search.candidates(candidates, query.freshness)
        return await Collection(search, self._scopes(query, candidates)).candidates()

    async def _in_context(self, scores: Scores, query: RecallQuery, context: RecallContext, model_id: str) -> Scores:
        """The scores with the boost of candidates that belong to the context. Turns add nothing if the candidates'
        vectors are of another model than the server's."""
        turns = None
        if context.turns and model_id == self._embedding.model_id:
            turns = await self._embedding.query_vector(context.joined_turns, query.scope)
        best = considered(scores.order(), query.limit)
        return replace(scores, context_boost=context_boost(scores.pool, best, context, turns))

    def _scopes(self, query: RecallQuery, candidates: CandidateQuery) -> list[ScopeSearch]:
        """The scopes that are searched, each by its own filter."""
        own = [ScopeSearch(candidates, query.freshness)]
        scopes = own if query.filter.sources or not query.beside else []
        asked, narrowed = None, candidates.filter
        for each in query.beside:
            # Spaces have one filter, as a rule.
            if each.filter is not asked:
                asked = each.filter
                filter_ = replace(asked, archived=candidates.filter.archived)
                narrowed = filter_.narrowed(self._rules.channels, query.channel)
            scopes.append(ScopeSearch(replace(candidates, scope=each.scope, filter=narrowed), each.freshness))
        return scopes

    async def _with_stale_marks(self, query: RecallQuery, answer: RecallAnswer) -> Sequence[Row]:
        """The hits' memories; those that are stale say so."""
        memories = answer.memories()
        if not answer.scopes:
            return await self._stale_marks.added_to(query.scope, memories)
        marked: dict[tuple[AgentId, MemoryId], Row] = {}
        for scope, _ in answer.scopes:
            own = [each for each in memories if each.agent_id == scope.agent_id]
            for each in await self._stale_marks.added_to(scope, own):
                marked[each.agent_id, each.memory_id] = each
        return [marked[each.agent_id, each.memory_id] for each in memories]

    def _note_each(self, answer: RecallAnswer, now: datetime) -> None:
        """Counts each hit in its own scope."""
        starts = [0, *answer.pool.starts, len(answer.pool)]
        candidates = answer.candidates
        for (scope, _), (start, end) in zip(answer.scopes, pairwise(starts), strict=True):
            if hits := [each for each in candidates if start <= each < end]:
                self._access.note(scope, _memory_ids(answer.pool, hits), now)

    async def _left_out(
        self,
        search: MemorySearch,
        query: RecallQuery,
        candidates: CandidateQuery,
        window: TimeWindow | None,
    ) -> list[Row]:
        """The memories that would have been found, but are archived since their sources have changed."""
        archived = replace(candidates.filter, archived=Archived.ONLY)
        answer = await self._answer(
            search,
            replace(query, explain=False, rerank=None),
            replace(candidates, filter=archived),
            window,
        )
        return [each for each in await self._with_stale_marks(query, answer) if each.stale is not None]


@lru_cache(maxsize=100)
def _with_half_life(profile: ScoringProfile, default_hours: float) -> ScoringProfile:
    """The profile with the default half life, unless it names one."""
    return profile if profile.half_life_hours is not None else replace(profile, half_life_hours=default_hours)


def _memory_ids(pool: CandidatePool, candidates: Sequence[int]) -> NDArray[np.uint64]:
    """The ids of the candidates that are memories, as the pool has them."""
    hits = np.array(candidates, np.intp)
    ids: NDArray[np.uint64] = pool.memory_ids[hits]
    return ids[pool.kinds[hits] < KINDS_OF_A_SOURCE]
