"""Temporal: how well candidates fit the time that a query names, by when they happened, and by the times in their
texts.

Rows that fit the time are found, too, and preferred, or found alone.
"""

import enum
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import partial

import numpy as np
from numpy.typing import NDArray

from camillo_server.kernel.clock import in_zone, microseconds, moment
from camillo_server.kernel.off_loop import ROW, off_loop
from camillo_server.kernel.scope import Scope
from camillo_server.lib.text.time_expressions.grammar import (
    MAX_QUERY_CHARACTERS,
    TIMES_COST,
    names_time,
    times_in,
    window_of,
)
from camillo_server.lib.text.time_expressions.spans import TimeSpan
from camillo_server.search.signals.signal import Column, Part, Raw, Signal, Weights

# The distance from the window at which the fit is a half, as a share of the window's length, between these bounds.
# People tell of events afterwards, and seldom before.
BEFORE_SHARE, AFTER_SHARE = 0.25, 0.25
MIN_SCALE, MAX_SCALE = timedelta(days=1), timedelta(days=45)
# The scale of a window without an end.
OPEN_SCALE = timedelta(days=3)
# Only the beginning of a longer text is read.
MAX_TEXT_CHARACTERS = 1_000
# The most characters that one recall reads of candidates that name times.
MAX_CHARACTERS = 50_000
# Texts and scopes whose times are known: at most 20 MB.
MAX_KNOWN_TEXTS, MAX_KNOWN_SCOPES = 40_000, 256
Microseconds = NDArray[np.int64]
# More than any other signal.
TEMPORAL_WEIGHT = 3.0
# The times that a text names, by when it was said and its hash, which differs from process to process. None: it has no
# word of time.
KnownTimes = dict[tuple[int, int], Sequence[TimeSpan] | None]


class TimeMode(enum.IntEnum):
    """The effect of a time that a query names. The numbers are those of the contract."""

    PREFER = 1
    IGNORE = 2
    ONLY = 3


@dataclass(frozen=True, slots=True)
class TimeAnchor:
    """An event by which a text names a time: what it is called, and what was found to tell of it, with its relevance;
    without an id, nothing certain was found."""

    text: str
    id: str = ""
    relevance: float = 0.0


@dataclass(frozen=True, slots=True)
class TimeWindow:
    """The time that a text names, from its begin until before its end, None for without one; and the words that name
    it, which may do so by an event."""

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
    """The time that a query names, if any, asked at `now`, whose time zone says when a day begins. One that names none
    costs two microseconds."""
    if len(text) > MAX_QUERY_CHARACTERS or not names_time(text):
        return None
    zone = now.tzinfo
    # The calendar is read in UTC: as its clock shows the hour there, and back.
    shown = now.replace(tzinfo=UTC)
    named = await off_loop(TIMES_COST * len(text), partial(window_of, text, shown))
    if named is None:
        return None
    begin, end = (each and in_zone(each.replace(tzinfo=zone), UTC) for each in named.span[:2])
    return TimeWindow(begin, end, named.text)


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


class TimesOfScopes:
    """The times of texts that were read lately, by scope: to read a text takes a hundred times as long as to look it
    up.

    The scope belongs to it: how long an answer takes must not tell what another agent has stored.
    """

    def __init__(self) -> None:
        self._known: OrderedDict[Scope, KnownTimes] = OrderedDict()

    def of(self, scope: Scope) -> KnownTimes:
        """The known times of a scope, to be read and added to. The least recently used scopes are dropped first."""
        known = self._known.setdefault(scope, {})
        self._known.move_to_end(scope)
        count = sum(map(len, self._known.values()))
        while count > MAX_KNOWN_TEXTS or len(self._known) > MAX_KNOWN_SCOPES:
            oldest, dropped = next(iter(self._known.items()))
            count -= len(dropped)
            if dropped is known:
                dropped.clear()
            else:
                del self._known[oldest]
        return known


def texts_cost(texts: Sequence[str], said_at: Microseconds, known: KnownTimes) -> float:
    """The estimated cost of `fit_of_texts`: `python -m bench.decisions.temporal --data DIR`."""
    keys = zip(said_at.tolist(), map(hash, texts), strict=True)
    unread = sum(key not in known for key in keys)
    return len(texts) * ROW / 16 + unread * 10 * ROW


def fit_of_texts(window: TimeWindow, texts: Sequence[str], said_at: Microseconds, known: KnownTimes) -> Column:
    """The best fit of a time that each text names; 0 where it names none. `said_at`: when each was said. Texts that are
    not in `known` are read and added to it."""
    fit = np.zeros(len(texts), np.float32)
    left = MAX_CHARACTERS
    for index, (text, said) in enumerate(zip(texts, said_at.tolist(), strict=True)):
        key = said, hash(text)
        try:
            named = known[key]
        except KeyError:
            # Threads may drop what is known at any time.
            named = known[key] = _times_of(text, said)
        if named is None:
            continue
        # Known texts count, too, so that the same query has the same answer.
        left -= min(len(text), MAX_TEXT_CHARACTERS)
        if left < 0:
            break
        fit[index] = max((_fit_of_span(window, each) for each in named), default=0.0)
    return fit


def _times_of(text: str, said: int) -> Sequence[TimeSpan] | None:
    read = text[:MAX_TEXT_CHARACTERS]
    if not names_time(read):
        return None
    return tuple(each.span for each in times_in(read, moment(said)))


def _fit_of_span(window: TimeWindow, span: TimeSpan) -> float:
    """The share of the span that lies in the window: a text that names a whole year says little about a day of it."""
    if span.begin is None or span.end is None:
        return 0.0
    begin = span.begin if window.begin is None else max(span.begin, window.begin)
    end = span.end if window.end is None else min(span.end, window.end)
    return max(0.0, (end - begin) / (span.end - span.begin))


def _weigh(fit: Raw, weights: Weights) -> Part:
    return Part(fit, TEMPORAL_WEIGHT)


TEMPORAL = Signal("temporal", 2, _weigh)
"""Raw values, set by the search below: how well each fits the time that the query names, 0 to 1."""
