"""One step along links: what the best candidates are linked with is a candidate, too.

A link says that two things belong together, whether or not they have a word in common. So what it leads to is nearly as relevant as
that from which it leads, and is found where no arm would find it. How this was chosen: docs/adr/0097-links.md.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple
from uuid import UUID

import numpy as np

from camillo_server.kernel.ids import MemoryId
from camillo_server.kernel.kinds import Source, source_of
from camillo_server.kernel.revision import Freshness
from camillo_server.memories.memory import Memory
from camillo_server.search.candidates import (
    CandidatePool,
    CandidateQuery,
    MemorySearch,
    TermStatistics,
)
from camillo_server.search.collection import as_fresh
from camillo_server.search.relevance import MIN_RELEVANCE
from camillo_server.search.store.linked_ends import LinkedEnds, Neighbours

# Candidates from which links are followed, and rows that they lead to at most.
FOLLOWED_CANDIDATES, MAX_LINKED_ROWS = 8, 16
# What a link leads to is not quite what was asked for: of the relevance of that from which it leads.
LINK_SHARE = 0.8


class _Source(NamedTuple):
    """A candidate from which links are followed: its id as a link has it, its relevance, and its ref."""

    id: UUID
    relevance: float
    ref: str


class LinkedSearch:
    """`MemorySearch` that follows the links of what another search finds, and searches again where they lead anywhere."""

    def __init__(self, search: MemorySearch, links: LinkedEnds) -> None:
        self._search = search
        self._links = links

    async def candidates(self, query: CandidateQuery, freshness: Freshness) -> CandidatePool:
        """As the other search finds them, and what these are linked with. Raises StorageUnavailable, RevisionBehind."""
        pool = await self._search.candidates(query, freshness)
        # A query by vector compares vectors and nothing else.
        if not pool.links_revision or not query.follows_links or not query.with_neighbours:
            return pool
        return await self._followed(pool, query, freshness)

    async def statistics(self, query: CandidateQuery, freshness: Freshness) -> TermStatistics:
        """Those of the other search. Raises StorageUnavailable, RevisionBehind."""
        return await self._search.statistics(query, freshness)

    async def _followed(
        self, pool: CandidatePool, query: CandidateQuery, freshness: Freshness
    ) -> CandidatePool:
        sources = _sources(pool)
        ends = [source.id for source in sources]
        neighbours = await self._links.of(query.scope, pool.links_revision, ends)
        led_to = await self._led_to(query, sources, neighbours)
        if not led_to:
            return pool
        again = replace(
            query, linked={each: led_to[each].relevance * LINK_SHARE for each in led_to}
        )
        linked = await self._search.candidates(again, as_fresh(freshness, pool.revision))
        return replace(linked, linked_from={each: source.ref for each, source in led_to.items()})

    async def _led_to(
        self, query: CandidateQuery, sources: Sequence[_Source], neighbours: Neighbours
    ) -> dict[MemoryId, _Source]:
        """The rows that links lead to, each with the most relevant of those from which they do."""
        ends = {end for source in sources for end in neighbours.get(source.id, ())}
        if not ends:
            return {}
        rows = await self._links.rows_of(query.scope, ends)
        led_to: dict[MemoryId, _Source] = {}
        # The most relevant first; of one, in the order of ids, so that any search chooses the same.
        for source in sorted(sources, key=lambda each: (-each.relevance, each.id)):
            for end in sorted(neighbours.get(source.id, ()), key=lambda each: each.id):
                for row in rows.get(end.id, ()):
                    if len(led_to) < MAX_LINKED_ROWS:
                        led_to.setdefault(row, source)
        return led_to


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


def _origin(row: Memory) -> UUID:
    """What a link would name. The ids of artifacts are texts, and no link leads to them."""
    is_named = source_of(row.kind) not in (Source.MEMORY, Source.ARTIFACT)
    return UUID(row.source_refs[0]) if is_named and row.source_refs else row.memory_id
