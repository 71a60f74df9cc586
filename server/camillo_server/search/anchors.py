"""The time that a query names. An event by which it does is looked for in what is searched, and taken only where there
is no doubt when it was."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from functools import partial

import numpy as np
from numpy.typing import NDArray

from camillo_server.kernel.clock import in_zone, moment
from camillo_server.kernel.off_loop import off_loop
from camillo_server.lib.text.query_parts import SHORT, query_parts
from camillo_server.lib.text.time_expressions.anchors import anchor_of, may_name_time, window_at
from camillo_server.lib.text.time_expressions.grammar import (
    MAX_QUERY_CHARACTERS,
    TIMES_COST,
    names_time,
    times_in,
)
from camillo_server.lib.text.time_expressions.spans import TimeSpan
from camillo_server.models.embedding.embedder import Vector
from camillo_server.search.candidates import CandidatePool, CandidateQuery
from camillo_server.search.duplicates import row_ref
from camillo_server.search.fusion import Column
from camillo_server.search.signals.temporal import (
    MAX_TEXT_CHARACTERS,
    Microseconds,
    TimeAnchor,
    TimeWindow,
    time_window,
)

# A candidate below this relevance is not about the event.
MIN_EVENT_RELEVANCE = 0.5
# A candidate with at least this share of the best one's odds is a rival. Rivals must have happened at about the same
# time: otherwise the event happened more than once, or its time is unclear. Odds are compared, not relevance: in a
# script that a model knows little of, the relevance of every text in that script is nearly 1.
RIVAL_SHARE, MAX_APART = 0.05, timedelta(days=3)
# Single precision does not tell relevances above this from one another.
MAX_RELEVANCE = 1 - 1e-6
CANDIDATES_PER_ARM = 16
# A text that names a longer time does not say when the event was.
MAX_NAMED = timedelta(days=7)


def event_query(query: CandidateQuery, terms: Sequence[str], vector: Vector | None) -> CandidateQuery:
    """The search for texts about an event itself, without neighbours and linked rows."""
    return replace(
        query,
        terms=terms,
        vector=vector,
        candidates_per_arm=CANDIDATES_PER_ARM,
        with_neighbours=False,
        with_vectors=False,
        follows_links=False,
        signals={},
    )


async def query_window(
    text: str, now: datetime, event_candidates: Callable[[str], Awaitable[CandidatePool | None]]
) -> TimeWindow | None:
    """The time that a query asked at `now` names, if any: by a date, or else by an event. `event_candidates` finds
    texts about an event, or returns None if nothing can be searched. Raises what it raises."""
    if len(text) > SHORT:
        # The times of what was pasted are not those that are asked about.
        text = next(iter(query_parts(text)), text)
    if len(text) > MAX_QUERY_CHARACTERS or not may_name_time(text):
        return None
    if (window := await time_window(text, now)) is not None:
        return window
    return await _anchored_window(text, in_zone(now, UTC), event_candidates)


async def _anchored_window(
    text: str, now: datetime, event_candidates: Callable[[str], Awaitable[CandidatePool | None]]
) -> TimeWindow | None:
    cost = TIMES_COST * len(text)
    anchor = await off_loop(cost, partial(anchor_of, text))
    if anchor is None:
        return None
    pool = await event_candidates(anchor.text)
    relevance = 0.0 if pool is None else float(pool.relevance.max(initial=0.0))
    told = TimeAnchor(anchor.text, relevance=relevance)
    unknown = TimeWindow(None, None, text[anchor.begin : anchor.end], told)
    if pool is None:
        return unknown
    best = certain_event(pool.relevance, pool.occurred_at, pool.memory_ids)
    if best is None:
        return unknown
    content = pool.texts([best])[0][:MAX_TEXT_CHARACTERS]
    happened = moment(int(pool.occurred_at[best]))
    read = partial(time_of_event, content, happened)
    span = await off_loop(TIMES_COST * len(content), read)
    named = await off_loop(cost, partial(window_at, text, anchor, span, now))
    if named is None:
        return unknown
    told = replace(told, id=row_ref(pool.memories([best])[0]))
    return TimeWindow(named.span.begin, named.span.end, named.text, told)


def certain_event(relevance: Column, occurred_at: Microseconds, memory_ids: NDArray[np.uint64]) -> int | None:
    """The index of the candidate that is about the event; None if none is likely to be, or if rivals happened at
    another time. Ties go to the lowest id."""
    if not len(relevance):
        return None
    best = int(np.lexsort((memory_ids[:, 1], memory_ids[:, 0], -relevance))[0])
    if relevance[best] < MIN_EVENT_RELEVANCE:
        return None
    likely = np.minimum(relevance.astype(np.float64), MAX_RELEVANCE)
    odds = likely / (1 - likely)
    rivals = occurred_at[odds >= RIVAL_SHARE * odds[best]]
    apart = np.abs(rivals - occurred_at[best]).max()
    return best if apart <= MAX_APART / timedelta(microseconds=1) else None


def time_of_event(text: str, happened: datetime) -> TimeSpan:
    """The time of the event in a text: the one other time that the text names, or else when it happened."""
    told = TimeSpan(happened, happened)
    if not names_time(text):
        return told
    spans = [each.span for each in times_in(text, happened) if each.span.is_closed]
    return spans[0] if len(spans) == 1 and _is_another_time(spans[0], happened) else told


def _is_another_time(span: TimeSpan, happened: datetime) -> bool:
    if span.begin is None or span.end is None or span.end - span.begin > MAX_NAMED:
        return False
    return not span.begin <= happened < span.end
