"""One step along links: what the best candidates are linked with is a candidate, too.

A link says that two things belong together, whether or not they have a word in common. So what it leads to is nearly as relevant as
that from which it leads, and is found where no arm would find it. How this was chosen: docs/adr/links.md.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple
from uuid import UUID

import numpy as np

from camillo_server.kernel.ids import MemoryId
from camillo_server.kernel.kinds import Source, source_of
from camillo_server.kernel.revision import Freshness
from camillo_server.kernel.scope import Scope, shared_scope
from camillo_server.rows.row import Row
from camillo_server.search.candidates import (
    CandidatePool,
    CandidateQuery,
    MemorySearch,
    TermStatistics,
)
from camillo_server.search.collection import Collection, as_fresh
from camillo_server.search.relevance import MIN_RELEVANCE
from camillo_server.search.store.linked_ends import LinkedEnd, LinkedEnds

# Candidates from which links are followed, and rows that they lead to at most.
FOLLOWED_CANDIDATES, MAX_LINKED_ROWS = 8, 16
# A linked row has this share of the relevance of the candidate that links to it: it is not quite what was asked for.
LINK_SHARE = 0.8


class _Source(NamedTuple):
    """A candidate from which links are followed: its id as a link has it, its relevance, and its ref."""

    id: UUID
    relevance: float
    ref: str


_Searched = tuple[CandidateQuery, CandidatePool]
# Rows that links lead to, each with the most relevant candidate that links to it.
_Leads = dict[MemoryId, _Source]


class LinkedSearch:
    """`MemorySearch` that follows the links of what another search finds within one scope, and searches again where they lead
    anywhere."""

    def __init__(self, search: MemorySearch, links: LinkedEnds) -> None:
        self._search = search
        self._links = links

    async def candidates(self, query: CandidateQuery, freshness: Freshness) -> CandidatePool:
        """The other search's candidates and the rows linked with them. Raises StorageUnavailable, RevisionBehind."""
        pool = await self._search.candidates(query, freshness)
        # A query by vector compares vectors and nothing else.
        if not pool.links_revision or not query.follows_links or not query.with_neighbours:
            return pool
        return await self._followed(pool, query, freshness)

    async def statistics(self, query: CandidateQuery, freshness: Freshness) -> TermStatistics:
        """The statistics of the other search. Raises StorageUnavailable, RevisionBehind."""
        return await self._search.statistics(query, freshness)

    async def _followed(self, pool: CandidatePool, query: CandidateQuery, freshness: Freshness) -> CandidatePool:
        (led_to,) = await _led_to(self._links, [(query, pool)])
        if not led_to:
            return pool
        return await _searched_again(self._search, query, freshness, pool, led_to)


async def follow_links(
    links: LinkedEnds, collection: Collection, pools: Sequence[CandidatePool]
) -> list[CandidatePool]:
    """The pools of the collection's scopes; those of scopes into which links lead, from candidates of any of them, searched again.
    Raises StorageUnavailable, RevisionBehind."""
    searched = [(scope.query, pool) for scope, pool in zip(collection.scopes, pools, strict=True)]
    found = []
    for scope, pool, led_to in zip(collection.scopes, pools, await _led_to(links, searched), strict=True):
        if led_to:
            again = _searched_again(collection.search, scope.query, scope.freshness, pool, led_to)
            found.append(await again)
        else:
            found.append(pool)
    return found


async def _led_to(links: LinkedEnds, searched: Sequence[_Searched]) -> list[_Leads]:
    """The rows of each of these scopes that links lead to."""
    # The most relevant first; ties in the order of ids, so that any search chooses the same.
    sources = sorted(
        (source for _, pool in searched for source in _sources(pool)),
        key=lambda each: (-each.relevance, each.id),
    )
    ids = [source.id for source in sources]
    steps: dict[Scope, list[tuple[_Source, LinkedEnd]]] = {query.scope: [] for query, _ in searched}
    for query, pool in searched:
        if not pool.links_revision:
            continue
        neighbours = await links.of(query.scope, pool.links_revision, ids)
        for source in sources:
            for end in sorted(neighbours.get(source.id, ()), key=lambda each: each.id):
                steps.get(_home_of(end, query.scope), []).append((source, end))
    return [await _rows(links, scope, steps[scope]) for scope in steps]


def _home_of(end: LinkedEnd, scope: Scope) -> Scope:
    """The scope with the rows of an end of this scope's links: documents are in the tenant's shared scope."""
    return shared_scope(scope) if end.source is Source.DOCUMENT else scope


async def _rows(links: LinkedEnds, scope: Scope, steps: Sequence[tuple[_Source, LinkedEnd]]) -> _Leads:
    led_to: _Leads = {}
    if steps:
        rows = await links.rows_of(scope, {end for _, end in steps})
        for source, end in sorted(steps, key=lambda each: -each[0].relevance):
            for row in rows.get(end.id, ()):
                if len(led_to) < MAX_LINKED_ROWS:
                    led_to.setdefault(row, source)
    return led_to


async def _searched_again(
    search: MemorySearch,
    query: CandidateQuery,
    freshness: Freshness,
    pool: CandidatePool,
    led_to: _Leads,
) -> CandidatePool:
    again = replace(query, linked={each: led_to[each].relevance * LINK_SHARE for each in led_to})
    linked = await search.candidates(again, as_fresh(freshness, pool.revision))
    return replace(linked, linked_from={each: source.ref for each, source in led_to.items()})


def _sources(pool: CandidatePool) -> list[_Source]:
    """The best candidates that are relevant at all."""
    ids = pool.memory_ids
    best = np.lexsort((ids[:, 1], ids[:, 0], -pool.fusion.similarity))[:FOLLOWED_CANDIDATES]
    relevant = [int(each) for each in best if pool.relevance[each] >= MIN_RELEVANCE]
    sources = [
        _Source(_origin(row), float(pool.relevance[index]), str(row.memory_id))
        for index, row in zip(relevant, pool.memories(relevant), strict=True)
    ]
    return list({source.id: source for source in reversed(sources)}.values())


def _origin(row: Row) -> UUID:
    """The id by which a link names this row. The ids of artifacts are texts, and no link leads to them."""
    is_named = source_of(row.kind) not in (Source.MEMORY, Source.ARTIFACT)
    return UUID(row.source_refs[0]) if is_named and row.source_refs else row.memory_id
