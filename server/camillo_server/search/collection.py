"""A search over several scopes as over one collection: spaces, and what their tenant shares.

Terms weigh as they do in all of it together, and fusion normalizes over the candidates of all: so a row scores what it
would in one scope that held everything (docs/adr/retrieval-fusion.md)."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import reduce

import numpy as np
from numpy.typing import NDArray

from camillo_server.kernel.background import task_group
from camillo_server.kernel.kinds import Source
from camillo_server.kernel.writes import AtLeastAsFresh, Freshness, FullyConsistent
from camillo_server.search.candidates import (
    CandidatePool,
    MemorySearch,
    ScopeSearch,
    TermStatistics,
    selected,
)
from camillo_server.search.fusion import ArmScores, QueryFacts, fuse
from camillo_server.search.parts import Parts
from camillo_server.search.signals.signal import joined
from camillo_server.search.space_weights import SpaceWeights, with_space_weights


@dataclass(frozen=True, slots=True)
class Collection:
    """Scopes that are searched together, and how much each counts."""

    search: MemorySearch
    scopes: Sequence[ScopeSearch]
    weights: SpaceWeights | None = None

    async def candidates(self) -> CandidatePool:
        """The candidates of all scopes. Raises StorageUnavailable, RevisionBehind."""
        if len(self.scopes) > 1:
            pool = await self.search.together(self.scopes)
        else:
            (only,) = self.scopes
            pool = await self.search.candidates(only.query, only.freshness)
        return with_space_weights(pool, self.weights, [each.query.scope for each in self.scopes])

    async def weighed(self) -> "Collection":
        """The same, with the statistics of the query's terms in all scopes, so that these weigh alike in each search of
        a part of it. Raises StorageUnavailable, RevisionBehind."""
        return replace(self, scopes=await weighed(self.search, self.scopes))

    def of_source(self, source: Source) -> "Collection":
        """The same search in one of its sources alone; terms weigh as before if they have been weighed."""
        scopes = [
            scope._replace(query=replace(scope.query, filter=replace(filter_, sources=(source,))))
            for scope in self.scopes
            if source in (filter_ := scope.query.filter).sources
        ]
        return replace(self, scopes=scopes)


async def weighed(search: MemorySearch, scopes: Sequence[ScopeSearch]) -> Sequence[ScopeSearch]:
    """The searches with the statistics of the query's terms in all of these scopes, where it has terms and none yet.
    Raises StorageUnavailable, RevisionBehind."""
    first = scopes[0].query
    if not first.terms or first.statistics is not None:
        return scopes
    if len(scopes) == 1:
        counted = [await search.statistics(*scopes[0])]
    else:
        async with task_group() as group:
            tasks = [group.create_task(search.statistics(*scope)) for scope in scopes]
        counted = [task.result() for task in tasks]
    known = reduce(_sum, counted)
    return [
        ScopeSearch(replace(scope.query, statistics=known), as_fresh(scope.freshness, own.revision))
        for scope, own in zip(scopes, counted, strict=True)
    ]


async def searched_apart(
    search: MemorySearch, scopes: Sequence[ScopeSearch], together: Sequence[int] = ()
) -> CandidatePool:
    """`MemorySearch.together` by a search of each scope, at once, and by one search of those with these numbers. Raises
    StorageUnavailable, RevisionBehind."""
    scopes = await weighed(search, scopes)
    alone = [[number] for number in range(len(scopes)) if number not in together]
    groups = sorted([*alone, [*together]] if together else alone)
    async with task_group() as group:
        parts = [Collection(search, [scopes[number] for number in numbers]) for numbers in groups]
        tasks = [group.create_task(part.candidates()) for part in parts]
    return _scope_by_scope([task.result() for task in tasks], groups)


def _scope_by_scope(pools: Sequence[CandidatePool], groups: Sequence[Sequence[int]]) -> CandidatePool:
    """One pool of several, each with candidates of the scopes that have these numbers, in the order of the scopes."""
    pool = concatenated(pools)
    scopes = np.concatenate(
        [np.array(numbers)[each.scope_numbers()] for each, numbers in zip(pools, groups, strict=True)]
    )
    order = np.argsort(scopes, kind="stable")
    if len(pools) < sum(map(len, groups)):
        pool = selected(pool, order)
    read_at = {
        number: at
        for each, numbers in zip(pools, groups, strict=True)
        for number, at in zip(numbers, each.scopes_read_at, strict=True)
    }
    return replace(
        pool,
        fusion=fuse(pool.arms, pool.query),
        starts=scopes[order].searchsorted(np.arange(1, len(read_at))).tolist(),
        read_at=[read_at[number] for number in range(len(read_at))],
    )


def _sum(one: TermStatistics, other: TermStatistics) -> TermStatistics:
    return TermStatistics(
        one.memories + other.memories,
        one.term_count + other.term_count,
        tuple(map(sum, zip(one.matches, other.matches, strict=True))),
    )


def as_fresh(demanded: Freshness, counted_at: int) -> Freshness:
    """Everything committed when the call came was counted: Postgres need not be asked for it again."""
    is_all = isinstance(demanded, FullyConsistent)
    return AtLeastAsFresh(counted_at, is_committed=True) if is_all else demanded


def combine(pools: Sequence[CandidatePool]) -> CandidatePool:
    """One pool of the candidates of several, in their order, fused anew. Its revision is that of the first one."""
    if len(pools) == 1:
        return pools[0]
    pool = concatenated(pools)
    return replace(pool, fusion=fuse(pool.arms, pool.query))


def concatenated(pools: Sequence[CandidatePool]) -> CandidatePool:
    """The same as `combine`, with the fusion of the first one: another is still to be made."""
    first = pools[0]
    arms, facts = _joined_arms(pools), _joined_facts(pools)
    parts = Parts(pools, [*map(len, pools)])
    return CandidatePool(
        arms=arms,
        query=facts,
        fusion=first.fusion,
        relevance=np.concatenate([pool.relevance for pool in pools]),
        kinds=np.concatenate([pool.kinds for pool in pools]),
        memory_ids=np.concatenate([pool.memory_ids for pool in pools]),
        occurred_at=np.concatenate([pool.occurred_at for pool in pools]),
        importance=np.concatenate([pool.importance for pool in pools]),
        pinned=np.concatenate([pool.pinned for pool in pools]),
        memories=lambda indices: parts.read(indices, lambda pool, own: pool.memories(own)),
        texts=lambda indices: parts.read(indices, lambda pool, own: pool.texts(own)),
        encoded=lambda indices, encode: parts.read(indices, lambda pool, own: pool.encoded(own, encode)),
        prepared=lambda indices, prepare: parts.read(indices, lambda pool, own: pool.prepared(own, prepare)),
        tokens=lambda indices: parts.read(indices, lambda pool, own: pool.tokens(own)),
        vectors=lambda indices: _stack(parts.read(indices, lambda pool, own: [*pool.vectors(own)])),
        revision=first.revision,
        vectors_pending=any(pool.vectors_pending for pool in pools),
        # The answer is from memory only if all pools are.
        answered_by=max(pool.answered_by for pool in pools),
        encrypted_not_searched=any(pool.encrypted_not_searched for pool in pools),
        vector_search_failed=any(pool.vector_search_failed for pool in pools),
        # If one scope is searched twice, both pools have the same revision of links.
        links_revision=first.links_revision,
        linked_from={id_: ref for pool in pools for id_, ref in (pool.linked_from or {}).items()},
        space_weights=_joined_weights(pools),
    )


def _joined_arms(pools: Sequence[CandidatePool]) -> ArmScores:
    arms = [pool.arms for pool in pools]
    sessions = [each.sessions for each in arms if each.sessions is not None]
    return ArmScores(
        dense=np.concatenate([each.dense for each in arms]),
        lexical=np.concatenate([each.lexical for each in arms]),
        dense_near=np.concatenate([each.dense_near for each in arms]),
        lexical_near=np.concatenate([each.lexical_near for each in arms]),
        # Either all pools of one query have these, or none.
        sessions=np.concatenate(sessions) if sessions else None,
        signals=joined([each.signals for each in arms], [len(each.dense) for each in arms]),
    )


def _joined_weights(pools: Sequence[CandidatePool]) -> NDArray[np.float32] | None:
    weights = [pool.space_weights for pool in pools if pool.space_weights is not None]
    # Either all pools of one query have these, or none.
    return np.concatenate(weights) if weights else None


def _joined_facts(pools: Sequence[CandidatePool]) -> QueryFacts:
    first = pools[0].query
    if len(first.rarities):
        # Each scope's query has the statistics of the collection already.
        return first
    return QueryFacts((), sum(pool.query.memories for pool in pools), first.model_id)


def _stack(vectors: Sequence[NDArray[np.float32]]) -> NDArray[np.float32]:
    """The vectors as rows. Without a query's vector, one that Postgres found has no numbers: it is like nothing."""
    stacked = np.zeros((len(vectors), max(map(len, vectors), default=0)), np.float32)
    for row, vector in zip(stacked, vectors, strict=True):
        row[: len(vector)] = vector
    return stacked
