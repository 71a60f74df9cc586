"""Where a long text is cut: at the strongest border near the length that suits dense models, in any script."""

import math
import re
from collections.abc import Iterator
from string import ascii_letters, digits
from typing import NamedTuple

from camillo_server.domain.tokens import count_tokens, fits
from camillo_server.domain.written_characters import border_at_or_before, is_border

MOST_PASSAGES = 1_024
# Small embedding models see 256 word pieces; what is hardly longer stays whole.
PASSAGE_TOKENS = 256
WHOLE_TOKENS = 300
MOST_TOKENS = 400
# What two passages share where a paragraph had to be cut, in characters at most.
OVERLAP = 160
_STRETCH = 1.15

# What a token has on average, in bytes: of words and spaces, of digits, of other scripts; a mark mostly is one.
_BYTES_OF_WORDS, _BYTES_OF_DIGITS, _BYTES_OF_OTHERS = 6.0, 2.4, 3.5
_WORDS = (ascii_letters + " \t").encode()
_DIGITS = digits.encode()
_OTHERS = bytes(range(128, 256))
# Prose and code have more spaces; what has fewer is counted exactly.
_CHARACTERS_PER_SPACE = 12
_MOST_BYTES_PER_CHARACTER = 1.05
_NOT_WHITE = re.compile(r"\S")
_LONGEST_INDENT = 100

SENTENCE_END = re.compile(
    r"(?<=[.!?…])[\"'”’»)\]]*\s+|(?<=[。！？；｡．॥।؟۔።։။៖།])[」』”’）]*\s*",
)
_WORD = re.compile(r"\s+|(?<=[、，,،;])")
# From the strongest to the weakest; the place to cut is where a match ends.
_BORDERS = (
    # A heading of Markdown, unless it opens a comment in code: then it is as good.
    re.compile(r"\n(?= {0,3}#{1,6}[ \t]+\S)"),
    # What is defined at the margin.
    re.compile(
        r"\n(?=(?:@\w|(?:(?:export|default|public|private|static|pub|async|abstract) )*"
        r"(?:def|class|function|func|fn|interface|impl|struct|enum|trait|module|diff --git)\b))"
    ),
    re.compile(r"\n[ \t\r]*\n+"),
    # An entry of a log, or a point of a list at the margin.
    re.compile(r"\n(?=\[?\d{4}-\d\d-\d\d[T ]|[-*•] |\d{1,3}[.)] )"),
    re.compile(r"\n"),
    SENTENCE_END,
    _WORD,
)
_WITHIN_A_PARAGRAPH = 5


class Cut(NamedTuple):
    """A place to cut, and whether a paragraph goes on behind it."""

    at: int
    is_inside: bool


def passages(text: str, room: int) -> Iterator[tuple[int, int]]:
    """From where to where each passage goes: none has more than `room` characters, and all that is not white is in one.

    There are at most MOST_PASSAGES where the text has at most half as many characters as those have room for.
    """
    end, left = len(text.rstrip()), MOST_PASSAGES
    start = _first_line(text, 0)
    while start < end:
        least = math.ceil((end - start) / max(left, 1))
        is_last = end - start <= room
        # What comes behind tells whether a character ends there.
        window = text[start : end if is_last else start + room + 1]
        cut = _cut(window, is_last=is_last, least=min(least, room))
        stop = start + cut.at
        yield start, stop
        resumed = _overlapped(text, start + least, stop) if cut.is_inside else stop
        start, left = _first_line(text, resumed), left - 1


def _cut(window: str, *, is_last: bool, least: int) -> Cut:
    """Where the passage ends that begins with the window; behind it all, where the text ends with it and is short. If it
    goes on, the last character is not for this passage."""
    tokens = _rough_tokens(window)
    if is_last and tokens <= WHOLE_TOKENS and _is_short(window):
        return Cut(len(window), is_inside=False)
    parts = max(math.ceil(tokens / PASSAGE_TOKENS) if is_last else tokens / PASSAGE_TOKENS, 1)
    reach = len(window) / parts
    while True:
        cut = _best(window, len(window) - (not is_last), int(reach), least)
        if reach <= least or reach < 2 or _is_short(window[: cut.at]):
            return cut
        reach = min(0.9 * reach, cut.at * MOST_TOKENS / count_tokens(window[: cut.at]))


def _best(window: str, most: int, reach: int, least: int) -> Cut:
    """The last place of the strongest border between three fifths of the reach and a little behind it."""
    highest = min(most, max(math.ceil(reach * _STRETCH), least + OVERLAP))
    lowest = max(reach * 3 // 5, least, 1)
    for strength, border in enumerate(_BORDERS):
        places = [found.end() for found in border.finditer(window, lowest - 1, highest)]
        good = (at for at in reversed(places) if at >= lowest and _may_cut(window, at))
        if place := next(good, 0):
            return Cut(place, is_inside=strength >= _WITHIN_A_PARAGRAPH)
    return Cut(border_at_or_before(window, highest, lowest), is_inside=highest < len(window))


def _overlapped(text: str, earliest: int, stop: int) -> int:
    """Where the next passage begins, so that what was cut can be understood: at a sentence before, else at a word."""
    first = max(earliest, stop - OVERLAP)
    for border in (SENTENCE_END, _WORD):
        places = (found.end() for found in border.finditer(text, first, stop))
        good = (at for at in places if first < at < stop and _may_cut(text, at))
        if place := next(good, 0):
            return place
    return stop


def _may_cut(text: str, at: int) -> bool:
    return at >= len(text) or is_border(text, at)


def _first_line(text: str, start: int) -> int:
    """Where what is not white begins: with the indentation of its line."""
    found = _NOT_WHITE.search(text, start)
    if found is None:
        return len(text)
    begun = max(text.rfind("\n", start, found.start()) + 1, start)
    return begun if found.start() - begun <= _LONGEST_INDENT else found.start()


def _rough_tokens(text: str) -> float:
    """Counted a hundred times as fast as it is counted exactly."""
    encoded = text.encode("utf-8", "replace")
    no_words = encoded.translate(None, _WORDS)
    no_others = no_words.translate(None, _OTHERS)
    marks = no_others.translate(None, _DIGITS)
    # A word is a token at least; spaces in a row are none.
    words = encoded.count(b" ") - 2 * encoded.count(b"  ")
    return (
        max((len(encoded) - len(no_words)) / _BYTES_OF_WORDS, words)
        + (len(no_words) - len(no_others)) / _BYTES_OF_OTHERS
        + (len(no_others) - len(marks)) / _BYTES_OF_DIGITS
        + 0.9 * len(marks)
    )


def _is_short(text: str) -> bool:
    """Whether it has at most MOST_TOKENS, counted only where that is in doubt."""
    size = len(text) if text.isascii() else len(text.encode("utf-8", "replace"))
    is_spaced = text.count(" ") * _CHARACTERS_PER_SPACE >= len(text)
    return size <= MOST_TOKENS or (
        (is_spaced and size <= len(text) * _MOST_BYTES_PER_CHARACTER) or fits(text, MOST_TOKENS)
    )
