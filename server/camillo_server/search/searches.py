"""The searches of a recall, one around the other: each is a `MemorySearch`, searches by the one before it, and changes
what that found.

In the order in which their results come about:

1. `CachedMemorySearch` (search/index/engine.py) finds candidates in memory; where it cannot, `PostgresMemorySearch`
   (search/store/recall.py) does;
2. `LinkedSearch` follows links from the best of them;
3. `PastSearch`, of a recall of what was known at a moment, adds versions that were replaced since;
4. `TimedSearch`, of a query that names a time, adds what fits it, and prefers that; the time may be that of an event,
   which search/query_text.py finds by the searches above;
5. `Collection` (search/collection.py), of a recall of several scopes or sources, searches them as one, and follows
   links across;
6. `Reader` (search/readings.py) reads the query in several ways, and has each candidate by the reading that it fits
   best.

The rows that they find are scored (search/scoring.py), preferred by the context and read again
(search/reordering.py), and cut to the best hits (search/best_hits.py): precise, without repeats, and masked."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import partial
from typing import NamedTuple
from uuid import UUID

import numpy as np

from camillo_server.kernel.ids import AgentId, MemoryId
from camillo_server.kernel.kinds import Source, source_of
from camillo_server.kernel.off_loop import ROW, off_loop
from camillo_server.kernel.scope import Scope, shared_scope
from camillo_server.kernel.writes import Freshness
from camillo_server.models.embedding.text_embedding import TextEmbedding
from camillo_server.rows.row import NewRow, Row
from camillo_server.search.candidates import (
    CandidatePool,
    CandidateQuery,
    MemorySearch,
    ReadAt,
    ScopeSearch,
    TermStatistics,
    selected,
    without,
)
from camillo_server.search.collection import Collection, as_fresh, combine, searched_apart, weighed
from camillo_server.search.fusion import MIN_RELEVANCE, fuse
from camillo_server.search.index.candidate_search import find_candidates, search_cost
from camillo_server.search.index.scope_index import IndexBuilder
from camillo_server.search.index.snapshot import IndexSnapshot
from camillo_server.search.signals.linked import LINKED
from camillo_server.search.signals.signal import Column
from camillo_server.search.signals.temporal import (
    TEMPORAL,
    KnownTimes,
    TimeMode,
    TimesOfScopes,
    TimeWindow,
    fit_of_moments,
    fit_of_texts,
    texts_cost,
)
from camillo_server.search.store.linked_ends import LinkedEnd, LinkedEnds
from camillo_server.search.store.recall_reads import PastVersions
from camillo_server.search.store.scope_rows import ScopeFacts, to_columns

# Candidates from which links are followed, and rows that they lead to at most.
FOLLOWED_CANDIDATES, MAX_LINKED_ROWS = 8, 16
# A linked row has this share of the relevance of the candidate that links to it: it is not quite what was asked for.
LINK_SHARE = 0.8
# Texts that say something else now, and have no vector any more. More of them are found by their words alone.
MAX_EMBEDDED = 256
_times = TimesOfScopes()


class _Source(NamedTuple):
    """A candidate from which links are followed: its id as a link has it, its relevance, and its ref."""

    id: UUID
    relevance: float
    ref: str


# Rows that links lead to, each with the most relevant candidate that links to it.
_Leads = dict[MemoryId, _Source]


class LinkedSearch:
    """`MemorySearch` that follows the links of what another search finds within one scope, and searches again where
    they lead anywhere.

    A link says that two things belong together, whether or not they have a word in common. So what it leads to is
    nearly as relevant as that from which it leads, and is found where no arm would find it (docs/adr/links.md)."""

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

    async def together(self, scopes: Sequence[ScopeSearch]) -> CandidatePool:
        """The other search's candidates: over several scopes, `follow_links` follows links, which may lead from one
        into another. Raises StorageUnavailable, RevisionBehind."""
        return await self._search.together(scopes)

    async def _followed(self, pool: CandidatePool, query: CandidateQuery, freshness: Freshness) -> CandidatePool:
        return await follow_links(self._links, Collection(self._search, [ScopeSearch(query, freshness)]), pool)


async def follow_links(links: LinkedEnds, collection: Collection, pool: CandidatePool) -> CandidatePool:
    """The candidates of the collection, and of all its scopes those rows into which links lead from its candidates.
    Raises StorageUnavailable, RevisionBehind."""
    read_at = pool.scopes_read_at
    led_to = await _led_to(links, collection.scopes, read_at, pool)
    if not any(led_to):
        return pool
    again = [_with_leads(*each) for each in zip(collection.scopes, read_at, led_to, strict=True)]
    linked = await replace(collection, scopes=again).candidates()
    return replace(linked, linked_from={row: source.ref for leads in led_to for row, source in leads.items()})


def _with_leads(scope: ScopeSearch, read_at: ReadAt, led_to: _Leads) -> ScopeSearch:
    query = scope.query
    if led_to:
        query = query.asking(LINKED, {each: led_to[each].relevance * LINK_SHARE for each in led_to})
    return ScopeSearch(query, as_fresh(scope.freshness, read_at.revision))


async def _led_to(
    links: LinkedEnds, scopes: Sequence[ScopeSearch], read_at: Sequence[ReadAt], pool: CandidatePool
) -> list[_Leads]:
    """The rows of each of these scopes that links lead to."""
    steps: dict[Scope, list[tuple[_Source, LinkedEnd]]] = {each.query.scope: [] for each in scopes}
    if any(each.links_revision for each in read_at):
        # The most relevant first; ties in the order of ids, so that any search chooses the same.
        sources = sorted(_sources(pool), key=lambda each: (-each.relevance, each.id))
        ids = [source.id for source in sources]
        for scope, each in zip(steps, read_at, strict=True):
            if not each.links_revision:
                continue
            neighbours = await links.of(scope, each.links_revision, ids)
            for source in sources:
                for end in sorted(neighbours.get(source.id, ()), key=lambda each: each.id):
                    steps.get(_home_of(end, scope), []).append((source, end))
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


@dataclass(frozen=True, slots=True)
class PastSearch:
    """`MemorySearch` as of a moment, for one recall; its queries' filters let nothing through that was stored or
    changed after it.

    The versions that were replaced since are few as a rule, and no index holds them: one is built of them for the call
    (docs/adr/time.md). Terms weigh as they do in the scope as it is now. A version that has been replaced is no
    neighbour of others of its session."""

    search: MemorySearch
    versions: PastVersions
    embedding: TextEmbedding
    known_at: datetime
    # The snapshots by scope and model; None if nothing has been replaced.
    _snapshots: dict[tuple[Scope, str], IndexSnapshot | None] = field(default_factory=dict)

    async def candidates(self, query: CandidateQuery, freshness: Freshness) -> CandidatePool:
        """Raises StorageUnavailable, RevisionBehind, QuotaExceeded, KeyMissing, BytesLost."""
        ((query, freshness),) = await weighed(self.search, [ScopeSearch(query, freshness)])
        pool = await self.search.candidates(query, freshness)
        key = query.scope, query.model_id
        if key not in self._snapshots:
            # Afterwards: what is replaced meanwhile is found twice, and not missed.
            self._snapshots[key] = await self._snapshot(query)
        snapshot = self._snapshots[key]
        if snapshot is None:
            return pool
        find = partial(find_candidates, snapshot, query)
        past = await off_loop(search_cost(snapshot, query), find)
        return combine([pool, without(past, pool)])

    async def together(self, scopes: Sequence[ScopeSearch]) -> CandidatePool:
        """Raises what `candidates` does."""
        return await searched_apart(self, scopes)

    async def statistics(self, query: CandidateQuery, freshness: Freshness) -> TermStatistics:
        """The statistics of the scope as it is now. Raises StorageUnavailable, RevisionBehind."""
        return await self.search.statistics(query, freshness)

    async def _snapshot(self, query: CandidateQuery) -> IndexSnapshot | None:
        scope = query.scope
        rows = await self.versions.of(scope, self.known_at, query.now, query.model_id)
        if not rows:
            return None
        if query.model_id == self.embedding.model_id:
            rows = await self._embedded(rows, scope)
        characters = sum(len(row.memory.content) for row in rows)
        cost = 4 * (characters + len(rows) * ROW)
        dimensions = len(query.vector.values) if query.vector else 1
        build = partial(_index_of, rows, scope.agent_id, query.model_id, dimensions)
        return await off_loop(cost, build)

    async def _embedded(self, rows: Sequence[NewRow], scope: Scope) -> Sequence[NewRow]:
        """The rows with vectors, as far as they have none and are not too many."""
        bare = [index for index, row in enumerate(rows) if row.vector is None][:MAX_EMBEDDED]
        if not bare:
            return rows
        texts = [rows[index].text() for index in bare]
        vectors = await self.embedding.vectors(texts, scope)
        made = dict(zip(bare, vectors or (), strict=False))
        return [row.with_vector(made[i]) if i in made else row for i, row in enumerate(rows)]


def _index_of(rows: Sequence[NewRow], agent_id: AgentId, model_id: str, dimensions: int) -> IndexSnapshot:
    columns = to_columns(rows, 0, model_id, dimensions)
    builder = IndexBuilder(dimensions, len(rows))
    builder.add(columns)
    terms = int(columns.fixed["term_count"].sum())
    return builder.build(agent_id, model_id, ScopeFacts(0, len(rows), terms)).snapshot


@dataclass(frozen=True, slots=True)
class TimedSearch:
    """`MemorySearch` with a time window: searches everywhere and within the window, by the same statistics, as one pool
    whose candidates fit the window more or less."""

    search: MemorySearch
    window: TimeWindow
    mode: TimeMode

    async def candidates(self, query: CandidateQuery, freshness: Freshness) -> CandidatePool:
        """Raises StorageUnavailable, RevisionBehind."""
        # Otherwise a term would weigh more within the window, where fewer rows have it.
        ((query, freshness),) = await weighed(self.search, [ScopeSearch(query, freshness)])
        anywhere = await self.search.candidates(query, freshness)
        within = await self.search.candidates(_within(query, self.window), freshness)
        pool = combine([anywhere, without(within, anywhere)])
        fit = await _fit(pool, self.window, _times.of(query.scope))
        if self.mode is TimeMode.ONLY:
            rows = np.flatnonzero(fit >= 1)
            pool, fit = selected(pool, rows), fit[rows]
        arms = replace(pool.arms, signals={**pool.arms.signals, TEMPORAL: fit})
        return replace(pool, arms=arms, fusion=fuse(arms, pool.query))

    async def together(self, scopes: Sequence[ScopeSearch]) -> CandidatePool:
        """Raises what `candidates` does."""
        return await searched_apart(self, scopes)

    async def statistics(self, query: CandidateQuery, freshness: Freshness) -> TermStatistics:
        """The statistics of all rows, in the window or not. Raises StorageUnavailable, RevisionBehind."""
        return await self.search.statistics(query, freshness)


async def _fit(pool: CandidatePool, window: TimeWindow, known: KnownTimes) -> Column:
    """The fit of each candidate: by when it happened or by the times that its text names, whichever is better."""
    fit = fit_of_moments(window, pool.occurred_at)
    beside = np.flatnonzero(fit < 1)
    texts, said_at = pool.texts(beside.tolist()), pool.occurred_at[beside]
    cost = texts_cost(texts, said_at, known)
    read = partial(fit_of_texts, window, texts, said_at, known)
    fit[beside] = np.maximum(fit[beside], await off_loop(cost, read))
    return fit


def _within(query: CandidateQuery, window: TimeWindow) -> CandidateQuery:
    """The query for rows that happened in the window."""
    filter_ = query.filter
    begins = [each for each in (filter_.occurred_from, window.begin) if each is not None]
    ends = [each for each in (filter_.occurred_before, window.end) if each is not None]
    narrowed = replace(
        filter_,
        occurred_from=max(begins, default=None),
        occurred_before=min(ends, default=None),
    )
    return replace(query, filter=narrowed)
