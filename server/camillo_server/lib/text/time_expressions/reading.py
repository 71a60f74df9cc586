"""Times that a text names: in a question, as one window to search in; in a memory, each by itself."""

import re
from datetime import datetime
from typing import NamedTuple

from camillo_server.lib.text.time_expressions.grammar import parse
from camillo_server.lib.text.time_expressions.spans import TimeSpan
from camillo_server.lib.text.time_expressions.symbols import tokens_of
from camillo_server.lib.text.time_expressions.vocabulary import vocabulary

# A longer query is a text to compare with, and no question: what it names is not when something was.
MAX_QUERY_CHARACTERS = 1_000
# Reading a character of a text that names a time, in characters that are looked through for secrets
# (kernel/off_loop.py); looking for a word of time takes a fiftieth.
TIMES_COST = 32
_FRENCH = re.compile(
    r"\b(?:le|les|une|est|que|qu|nous|je|j|ai|avons|vous|il|elle|avec|pour|fait|quoi|qui|mon|ma|sur|où|à|c|soir|matin)\b",
    re.IGNORECASE,
)


class NamedTime(NamedTuple):
    """A time that a text names, and the words that name it."""

    span: TimeSpan
    text: str


class _Place(NamedTuple):
    """A time, and where it begins and ends in the text."""

    span: TimeSpan
    place: int
    end: int


def names_time(text: str) -> bool:
    """Whether a text may name a time: told in a microsecond or two, so that one that does not costs no more."""
    return vocabulary().hint.search(text.lower()) is not None


def times_in(text: str, now: datetime) -> list[NamedTime]:
    """All times that a text names, said at `now`."""
    return [NamedTime(each.span, text[each.place : each.end]) for each in _times(text, now)]


def window_of(text: str, now: datetime) -> NamedTime | None:
    """The one time that a question names, asked at `now`: from the first to the last of several.

    A date counts before what is relative to a moment: in "what did he finish last Friday, on 23 January 2022", the
    Friday was not that before now."""
    times = _times(text, now)
    dates = [each for each in times if not each.span.is_relative] or times
    if not dates:
        return None
    begins = [each.span.begin for each in dates if each.span.begin is not None]
    ends = [each.span.end for each in dates if each.span.end is not None]
    span = TimeSpan(
        min(begins) if len(begins) == len(dates) else None,
        max(ends) if len(ends) == len(dates) else None,
        dates[0].span.is_relative,
    )
    return NamedTime(span, text[dates[0].place : dates[-1].end])


def _times(text: str, now: datetime) -> list[_Place]:
    tokens = tokens_of(text, vocabulary())
    if any(token.kind == "h" for token in tokens):
        is_french = _FRENCH.search(text) is not None or len(tokens) == 1
        kind = "D" if is_french else "."
        tokens = [token._replace(kind=kind) if token.kind == "h" else token for token in tokens]
    return [
        _Place(token.value, token.begin, token.end) for token in parse(tokens, now) if isinstance(token.value, TimeSpan)
    ]
