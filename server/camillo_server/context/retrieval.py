"""Retrieval for a bundle: what answers its query, section by section, within bounds that hold for all of them together."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from uuid import UUID

import numpy as np

from camillo_server.context.bundle import Degraded
from camillo_server.context.policy import Loading
from camillo_server.context.recipe import SectionRecipe, SectionSource
from camillo_server.embedding.embedder import Vector
from camillo_server.embedding.text_embedding import TextEmbedding
from camillo_server.events.chunks import chunk_id
from camillo_server.kernel.errors import StorageUnavailable
from camillo_server.kernel.kinds import MemoryKind, Source
from camillo_server.kernel.revision import (
    MINIMIZE_LATENCY,
    AtLeastAsFresh,
    Freshness,
    FullyConsistent,
)
from camillo_server.kernel.scope import Scope, shared_scope
from camillo_server.memories.memory import Memory
from camillo_server.memories.memory_filter import MemoryFilter
from camillo_server.search.candidates import CandidatePool, CandidateQuery, MemorySearch
from camillo_server.search.recall import terms_of_query
from camillo_server.search.scoring import PROFILES, WEEK_HOURS, Scores, ScoringProfile, score

POOL = 2_000
SCORED = 200
CANDIDATES_PER_ARM = 200
# What is found has up to two neighbours, and there are two arms.
_ROWS_OF_A_CANDIDATE = 6
_DECISIONS_PER_ARM = 50
_DECISIONS_SCORED = 20
# More of a query than this is no question any more; the embedder would cut it as well.
_QUERY_CHARACTERS = 8_000
EVIDENCE = PROFILES["evidence"]
_DECISIONS_PROFILE = PROFILES["relevance"]
Found = tuple[Memory, float]


@dataclass(frozen=True, slots=True)
class Wanted:
    """A query, and the sections that ask for its answers."""

    loading: Loading
    query: str
    sections: Sequence[SectionRecipe]
    freshness: Freshness
    now: datetime


@dataclass(frozen=True, slots=True)
class Retrieved:
    """What was found, by section, the best first; decisions as their chunks."""

    found: Mapping[str, Sequence[Found]]
    terms: Sequence[str] = ()
    pool_size: int = 0
    scored: int = 0
    model_id: str = ""
    profile: ScoringProfile = EVIDENCE
    revision: int | None = None
    degraded: frozenset[Degraded] = frozenset()


NOTHING_RETRIEVED = Retrieved({})


@dataclass(frozen=True, slots=True)
class _SectionSearch:
    """One search for one section, in the agent's own scope or the tenant's shared one."""

    section: SectionRecipe
    scope: Scope
    filter: MemoryFilter
    profile: ScoringProfile
    per_arm: int
    scored: int
    freshness: Freshness


class Retrieval:
    """Searches for all sections of a bundle at once."""

    def __init__(
        self,
        search: MemorySearch,
        embedding: TextEmbedding,
        half_life_hours: float = WEEK_HOURS,
    ) -> None:
        """`half_life_hours` holds where a profile names none."""
        self._search = search
        self._embedding = embedding
        self._half_life_hours = half_life_hours

    async def __call__(self, wanted: Wanted) -> Retrieved:
        """What Postgres would have to tell and cannot is left out, and marked. Raises RevisionBehind and, where
        everything committed is demanded, StorageUnavailable."""
        searches = [
            search for section in wanted.sections for search in self._searches(wanted, section)
        ]
        query = wanted.query[:_QUERY_CHARACTERS]
        if not searches or not query.strip():
            return NOTHING_RETRIEVED
        scope, terms = wanted.loading.scope, await terms_of_query(query)
        vector = await self._embedding.query_vector(query, scope.tenant_id)
        found = await asyncio.gather(
            *(self._pool(search, terms, vector, wanted.now) for search in searches)
        )
        pools = [
            (search, pool) for search, pool in zip(searches, found, strict=True) if pool is not None
        ]
        degraded = {flag for _, pool in pools for flag in _degraded(pool)}
        if vector is None and terms:
            degraded.add(Degraded.EMBEDDING_UNAVAILABLE)
        if len(pools) < len(searches):
            degraded.add(Degraded.STORAGE_UNAVAILABLE)
        by_section: dict[str, list[Found]] = {section.name: [] for section in wanted.sections}
        for search, pool in pools:
            by_section[search.section.name] += _best(
                score(pool, search.profile, wanted.now), search
            )
        return Retrieved(
            found={
                name: sorted(each, key=lambda one: -one[1]) for name, each in by_section.items()
            },
            terms=terms,
            pool_size=sum(len(pool) for _, pool in pools),
            scored=sum(min(len(pool), search.scored) for search, pool in pools),
            model_id=vector.model_id if vector else "",
            profile=_told_profile(searches),
            revision=min((p.revision for s, p in pools if s.scope == scope), default=None),
            degraded=frozenset(degraded),
        )

    async def _pool(
        self, search: _SectionSearch, terms: Sequence[str], vector: Vector | None, now: datetime
    ) -> CandidatePool | None:
        """None while Postgres is away and the scope is not in memory, if less than everything committed will do."""
        spec = CandidateQuery(
            scope=search.scope,
            terms=terms,
            vector=vector,
            filter=search.filter,
            candidates_per_arm=search.per_arm,
            now=now,
            with_neighbours=search.section.source is SectionSource.RECALL,
        )
        try:
            return await self._search.candidates(spec, search.freshness)
        except StorageUnavailable:
            if isinstance(search.freshness, FullyConsistent):
                raise
            return None

    def _searches(self, wanted: Wanted, section: SectionRecipe) -> list[_SectionSearch]:
        if section.source is SectionSource.DECISIONS:
            return self._decision_searches(wanted, section)
        of_decisions = 2 * _DECISIONS_PER_ARM, 2 * _DECISIONS_SCORED
        asking = [each.source for each in wanted.sections]
        recalls = asking.count(SectionSource.RECALL)
        has_decisions = SectionSource.DECISIONS in asking
        room = (POOL - 2 * of_decisions[0] * has_decisions) // (_ROWS_OF_A_CANDIDATE * recalls)
        filter_ = MemoryFilter(sources=section.sources, kinds=section.kinds, tags_any=section.tags)
        return [
            _SectionSearch(
                section,
                wanted.loading.scope,
                wanted.loading.filter(filter_),
                self._aged(section.profile or EVIDENCE),
                min(CANDIDATES_PER_ARM, room),
                (SCORED - of_decisions[1] * has_decisions) // recalls,
                wanted.freshness,
            )
        ]

    def _decision_searches(self, wanted: Wanted, section: SectionRecipe) -> list[_SectionSearch]:
        """In the agent's own scope and in the tenant's shared one."""
        own = wanted.loading.scope
        shared = shared_scope(own)
        # A revision of the one is none of the other.
        fresh = wanted.freshness
        of_shared = MINIMIZE_LATENCY if isinstance(fresh, AtLeastAsFresh) else fresh
        filter_ = MemoryFilter(sources=(Source.DECISION,))
        return [
            _SectionSearch(
                section,
                scope,
                wanted.loading.filter(filter_, is_shared=scope != own),
                self._aged(_DECISIONS_PROFILE),
                _DECISIONS_PER_ARM,
                _DECISIONS_SCORED,
                fresh if scope == own else of_shared,
            )
            for scope in dict.fromkeys((own, shared))
        ]

    def _aged(self, profile: ScoringProfile) -> ScoringProfile:
        if profile.half_life_hours is not None:
            return profile
        return replace(profile, half_life_hours=self._half_life_hours)


def _best(scores: Scores, search: _SectionSearch) -> list[Found]:
    """Those most like the query, by their scores; before a summary, what it cites."""
    pool, ids = scores.pool, scores.pool.memory_ids
    by_similarity = np.lexsort((ids[:, 1], ids[:, 0], -scores.fusion.similarity))
    scored = by_similarity[: search.scored]
    order = np.lexsort((ids[scored, 1], ids[scored, 0], -scores.score[scored]))
    places: list[int] = scored[order].tolist()
    memories = dict(zip(places, pool.memories(places), strict=True))
    return _with_ground_truth(scores, places, memories)


def _with_ground_truth(
    scores: Scores, places: Sequence[int], memories: Mapping[int, Memory]
) -> list[Found]:
    """The passages of the events that a summary cites stand before it, and score at least as much."""
    pool = scores.pool
    found: dict[int, Found] = {}
    for place in places:
        memory, own = memories[place], float(scores.score[place])
        if memory.kind is MemoryKind.SUMMARY:
            cited = [each for each in _cited(pool, memory) if each not in found]
            for each, truth in zip(cited, _made(pool, cited, memories), strict=True):
                found[each] = (truth, max(own, float(scores.score[each])))
        found.setdefault(place, (memory, own))
    return list(found.values())[: len(places)]


def _cited(pool: CandidatePool, summary: Memory) -> list[int]:
    """The places of chunks whose event, which is half of their id, is among the refs."""
    halves = [chunk_id(event, 0).int >> 64 for ref in summary.source_refs if (event := _uuid(ref))]
    is_cited = np.isin(pool.memory_ids[:, 0], np.array(halves, np.uint64))
    places: list[int] = np.flatnonzero(is_cited & (pool.kinds > len(MemoryKind))).tolist()
    return places


def _made(pool: CandidatePool, places: Sequence[int], known: Mapping[int, Memory]) -> list[Memory]:
    made = {place: known[place] for place in places if place in known}
    missing = [place for place in places if place not in made]
    made.update(zip(missing, pool.memories(missing) if missing else (), strict=True))
    return [made[place] for place in places]


def _uuid(ref: str) -> UUID | None:
    try:
        return UUID(ref)
    except ValueError:
        return None


def _degraded(pool: CandidatePool) -> list[Degraded]:
    flags = []
    if pool.vectors_pending:
        flags.append(Degraded.VECTORS_PENDING)
    if pool.sealed_not_searched:
        flags.append(Degraded.SEALED_NOT_SEARCHED)
    return flags


def _told_profile(searches: Sequence[_SectionSearch]) -> ScoringProfile:
    """That of the first section that recalls, if one does."""
    recalls = [each for each in searches if each.section.source is SectionSource.RECALL]
    return (recalls or searches)[0].profile
