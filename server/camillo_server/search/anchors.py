"""The event by which a query names a time: looked for in what is searched, and taken only where there is no doubt when it was."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from functools import partial

import numpy as np

from camillo_server.embedding.embedder import Vector
from camillo_server.kernel.clock import moment
from camillo_server.kernel.off_loop import off_loop
from camillo_server.search.candidates import CandidatePool, CandidateQuery
from camillo_server.search.duplicates import row_ref
from camillo_server.search.temporal import MAX_TEXT_CHARACTERS, TimeAnchor, TimeWindow
from camillo_server.text.time_expressions.anchors import anchor_of, may_name_event, window_at
from camillo_server.text.time_expressions.reading import (
    MAX_QUERY_CHARACTERS,
    TIMES_MICROSECONDS,
    names_time,
    times_in,
)
from camillo_server.text.time_expressions.spans import TimeSpan

# What is less likely tells of something else.
MIN_EVENT_RELEVANCE = 0.5
# What is nearly as relevant must have happened at about the same time: else the event was more than once, or it is not clear when.
RIVAL_SHARE, MAX_APART = 0.7, timedelta(days=3)
CANDIDATES_PER_ARM = 16
# A text that names a longer time does not say when the event was.
MAX_NAMED = timedelta(days=7)


def event_query(
    query: CandidateQuery, terms: Sequence[str], vector: Vector | None
) -> CandidateQuery:
    """The search for what tells of an event itself: not what stands beside that, or is linked with it."""
    return replace(
        query,
        terms=terms,
        vector=vector,
        candidates_per_arm=CANDIDATES_PER_ARM,
        with_neighbours=False,
        with_vectors=False,
        follows_links=False,
    )


async def anchored_window(
    text: str, now: datetime, told_of: Callable[[str], Awaitable[CandidatePool | None]]
) -> TimeWindow | None:
    """The time that a query names by an event, if it does; `told_of` finds what tells of one, unless nothing can be searched. Raises
    what that raises."""
    if len(text) > MAX_QUERY_CHARACTERS or not may_name_event(text):
        return None
    read_microseconds = len(text) * TIMES_MICROSECONDS
    anchor = await off_loop(read_microseconds, partial(anchor_of, text))
    if anchor is None:
        return None
    pool = await told_of(anchor.text)
    relevance = 0.0 if pool is None else float(pool.relevance.max(initial=0.0))
    told = TimeAnchor(anchor.text, relevance=relevance)
    unknown = TimeWindow(None, None, text[anchor.begin : anchor.end], told)
    if pool is None or (best := _certain(pool)) is None:
        return unknown
    span = await _time_of(pool, best)
    named = await off_loop(read_microseconds, partial(window_at, text, anchor, span, now))
    if named is None:
        return unknown
    told = replace(told, id=row_ref(pool.memories([best])[0]))
    return TimeWindow(named.span.begin, named.span.end, named.text, told)


def _certain(pool: CandidatePool) -> int | None:
    """The candidate that tells of the event; None where none is likely to, or others do of another time."""
    if not len(pool):
        return None
    ids = pool.memory_ids
    best = int(np.lexsort((ids[:, 1], ids[:, 0], -pool.relevance))[0])
    relevance = pool.relevance[best]
    if relevance < MIN_EVENT_RELEVANCE:
        return None
    rivals = pool.occurred_at[pool.relevance >= RIVAL_SHARE * relevance]
    apart = np.abs(rivals - pool.occurred_at[best]).max()
    return best if apart <= MAX_APART / timedelta(microseconds=1) else None


async def _time_of(pool: CandidatePool, index: int) -> TimeSpan:
    """When the event was that a candidate tells of: the one other time that its text names, or when it happened."""
    happened = moment(int(pool.occurred_at[index]))
    told = TimeSpan(happened, happened)
    text = pool.texts([index])[0][:MAX_TEXT_CHARACTERS]
    if not names_time(text):
        return told
    times = await off_loop(len(text) * TIMES_MICROSECONDS, partial(times_in, text, happened))
    spans = [each.span for each in times if each.span.is_closed]
    return spans[0] if len(spans) == 1 and _is_another_time(spans[0], happened) else told


def _is_another_time(span: TimeSpan, happened: datetime) -> bool:
    if span.begin is None or span.end is None or span.end - span.begin > MAX_NAMED:
        return False
    return not span.begin <= happened < span.end
