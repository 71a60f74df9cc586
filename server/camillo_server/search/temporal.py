"""How well candidates fit the time that a query names: by when they happened, and by the times in their texts."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import partial

import numpy as np
from numpy.typing import NDArray

from camillo_server.kernel.clock import microseconds, moment
from camillo_server.kernel.off_loop import off_loop
from camillo_server.search.fusion import Column
from camillo_server.text.time_expressions.reading import (
    MAX_QUERY_CHARACTERS,
    TIMES_MICROSECONDS,
    names_time,
    times_in,
    window_of,
)
from camillo_server.text.time_expressions.spans import TimeSpan

# How far beside the window a fit of a half is, as a share of the window's length, within these borders. What happened is told
# later, and seldom before.
BEFORE_SHARE, AFTER_SHARE = 0.25, 0.25
MIN_SCALE, MAX_SCALE = timedelta(days=1), timedelta(days=45)
# Of a window without an end.
OPEN_SCALE = timedelta(days=3)
# Of a longer text the first part is read.
MAX_TEXT_CHARACTERS = 1_000
# In all texts of one recall: more than that of candidates that all name times are not read.
MAX_CHARACTERS = 50_000
# Of memories of which one in six may name a time.
_TEXT_MICROSECONDS = 30.0
Microseconds = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class TimeAnchor:
    """An event by which a text names a time: what it is called, and what was found to tell of it, with its relevance; without an
    id, nothing certain was found."""

    text: str
    id: str = ""
    relevance: float = 0.0


@dataclass(frozen=True, slots=True)
class TimeWindow:
    """The time that a text names, from its begin until before its end, None for without one; and the words that name it, which may
    do so by an event."""

    begin: datetime | None
    end: datetime | None
    text: str
    anchor: TimeAnchor | None = None

    @property
    def is_known(self) -> bool:
        """Whether it is known when that is."""
        return self.anchor is None or bool(self.anchor.id)

    @property
    def length(self) -> timedelta | None:
        if self.begin is None or self.end is None:
            return None
        return self.end - self.begin

    def scale(self, share: float) -> float:
        """How far beside it a fit is a half, in microseconds."""
        length = OPEN_SCALE if self.length is None else self.length * share
        return min(max(length, MIN_SCALE), MAX_SCALE) / timedelta(microseconds=1)


async def time_window(text: str, now: datetime) -> TimeWindow | None:
    """The time that a query names, if any, asked at `now`. One that names none costs two microseconds."""
    if len(text) > MAX_QUERY_CHARACTERS or not names_time(text):
        return None
    named = await off_loop(len(text) * TIMES_MICROSECONDS, partial(window_of, text, now))
    return named and TimeWindow(named.span.begin, named.span.end, named.text)


def fit_of_moments(window: TimeWindow, moments: Microseconds) -> Column:
    """1 within the window; beside it a half at its scale, a quarter at twice that."""
    fit = np.ones(len(moments), np.float32)
    if window.begin is not None:
        early = np.maximum(microseconds(window.begin) - moments, 0)
        fit *= np.exp2(-early / window.scale(BEFORE_SHARE)).astype(np.float32)
    if window.end is not None:
        late = np.maximum(moments - microseconds(window.end) + 1, 0)
        fit *= np.exp2(-late / window.scale(AFTER_SHARE)).astype(np.float32)
    return fit


def texts_microseconds(texts: Sequence[str]) -> float:
    """About what `fit_of_texts` takes."""
    return len(texts) * _TEXT_MICROSECONDS


def fit_of_texts(window: TimeWindow, texts: Sequence[str], said_at: Microseconds) -> Column:
    """Of each text the best fit of a time that it names; 0 where it names none. `said_at`: when each was said."""
    fit = np.zeros(len(texts), np.float32)
    left = MAX_CHARACTERS
    for place, text in enumerate(texts):
        read = text[:MAX_TEXT_CHARACTERS]
        if not names_time(read):
            continue
        left -= len(read)
        if left < 0:
            break
        named = times_in(read, moment(int(said_at[place])))
        fit[place] = max((_fit_of_span(window, each.span) for each in named), default=0.0)
    return fit


def _fit_of_span(window: TimeWindow, span: TimeSpan) -> float:
    """The share of the span that lies in the window: a text that names a whole year says little about a day of it."""
    if span.begin is None or span.end is None:
        return 0.0
    begin = span.begin if window.begin is None else max(span.begin, window.begin)
    end = span.end if window.end is None else min(span.end, window.end)
    return max(0.0, (end - begin) / (span.end - span.begin))
