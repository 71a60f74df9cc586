"""The search for a query that names a time: rows that fit the time are found, too, and preferred, or found alone."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np
from numpy.typing import NDArray

from camillo_server.kernel.off_loop import off_loop
from camillo_server.kernel.revision import Freshness
from camillo_server.search.candidates import (
    CandidatePool,
    CandidateQuery,
    MemorySearch,
    TermStatistics,
)
from camillo_server.search.collection import combine, counted
from camillo_server.search.fusion import Column, fuse
from camillo_server.search.recall_query import TimeMode
from camillo_server.search.temporal import (
    KnownTimes,
    TimesOfScopes,
    TimeWindow,
    fit_of_moments,
    fit_of_texts,
    texts_cost,
)

_times = TimesOfScopes()


@dataclass(frozen=True, slots=True)
class TimedSearch:
    """`MemorySearch` with a time window: searches everywhere and within the window, by the same statistics, as one pool whose
    candidates fit the window more or less."""

    search: MemorySearch
    window: TimeWindow
    mode: TimeMode

    async def candidates(self, query: CandidateQuery, freshness: Freshness) -> CandidatePool:
        """Raises StorageUnavailable, RevisionBehind."""
        # Otherwise a term would weigh more within the window, where fewer rows have it.
        query, freshness = await counted(self.search, query, freshness)
        anywhere = await self.search.candidates(query, freshness)
        within = await self.search.candidates(_within(query, self.window), freshness)
        pool = combine([anywhere, without(within, anywhere)])
        fit = await _fit(pool, self.window, _times.of(query.scope))
        if self.mode is TimeMode.ONLY:
            rows = np.flatnonzero(fit >= 1)
            pool, fit = selected(pool, rows), fit[rows]
        arms = replace(pool.arms, temporal=fit)
        return replace(pool, arms=arms, fusion=fuse(arms, pool.query))

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


def without(pool: CandidatePool, others: CandidatePool) -> CandidatePool:
    """The candidates that are not among the others."""
    known = _keys(others)
    return selected(pool, np.flatnonzero(~np.isin(_keys(pool), known)))


def _keys(pool: CandidatePool) -> NDArray[np.void]:
    """The ids of the pool, each as one value."""
    return np.ascontiguousarray(pool.memory_ids).view("V16").ravel()


def selected(pool: CandidatePool, rows: NDArray[np.intp]) -> CandidatePool:
    """The pool with these candidates alone; its fusion is still to be made."""

    def at(indices: Sequence[int]) -> list[int]:
        chosen: list[int] = rows[indices].tolist()
        return chosen

    arms = pool.arms
    return replace(
        pool,
        arms=replace(
            arms,
            dense=arms.dense[rows],
            lexical=arms.lexical[rows],
            dense_near=arms.dense_near[rows],
            lexical_near=arms.lexical_near[rows],
            term_counts=None if arms.term_counts is None else arms.term_counts[rows],
            sessions=None if arms.sessions is None else arms.sessions[rows],
            temporal=None,
            linked=None if arms.linked is None else arms.linked[rows],
            speech=None if arms.speech is None else arms.speech.at(rows),
            typed=None if arms.typed is None else arms.typed[rows],
        ),
        relevance=pool.relevance[rows],
        kinds=pool.kinds[rows],
        memory_ids=pool.memory_ids[rows],
        occurred_at=pool.occurred_at[rows],
        importance=pool.importance[rows],
        pinned=pool.pinned[rows],
        memories=lambda indices: pool.memories(at(indices)),
        texts=lambda indices: pool.texts(at(indices)),
        encoded=lambda indices, encode: pool.encoded(at(indices), encode),
        tokens=lambda indices: pool.tokens(at(indices)),
        vectors=lambda indices: pool.vectors(at(indices)),
    )
