"""Splits text into passages at the strongest border near a length in tokens, in any script. They overlap where a
paragraph is split."""

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass
from string import ascii_letters, digits

from camillo_formats.characters import border_at_or_before
from camillo_formats.markdown import (
    INNER_BORDERS,
    SENTENCE_END,
    WORD_END,
    Cut,
    last_border,
    may_cut,
)

from camillo_server.lib.text.tokens import count_tokens, fits

MAX_PASSAGES = 1_024
# Small embedding models see 256 word pieces; a text that is hardly longer stays whole.
PASSAGE_TOKENS = 256
WHOLE_TOKENS = 300
MAX_TOKENS = 400
# The most characters that two passages share where a paragraph had to be split.
OVERLAP = 160
_STRETCH = 1.15
_MAX_INDENT = 100
# Average bytes of a token: in words and spaces, in digits, in other scripts; a punctuation mark mostly is one.
_BYTES_OF_WORDS, _BYTES_OF_DIGITS, _BYTES_OF_OTHERS = 6.0, 2.4, 3.5
_WORDS = (ascii_letters + " \t").encode()
_DIGITS = digits.encode()
_OTHERS = bytes(range(128, 256))
# Prose and code have more spaces; the tokens of a text with fewer are counted exactly.
_CHARACTERS_PER_SPACE = 12
_MAX_BYTES_PER_CHARACTER = 1.05
_BORDERS = (
    # A heading of Markdown, unless it opens a comment in code: then it is as good.
    re.compile(r"\n(?= {0,3}#{1,6}[ \t]+\S)"),
    # A definition at the margin.
    re.compile(
        r"\n(?=(?:@\w|(?:(?:export|default|public|private|static|pub|async|abstract) )*"
        r"(?:def|class|function|func|fn|interface|impl|struct|enum|trait|module|diff --git)\b))"
    ),
    re.compile(r"\n[ \t\r]*\n+"),
    # An entry of a log, or a point of a list at the margin.
    re.compile(r"\n(?=\[?\d{4}-\d\d-\d\d[T ]|[-*•] |\d{1,3}[.)] )"),
    *INNER_BORDERS,
)
_NOT_SPACE = re.compile(r"\S")


@dataclass(frozen=True, slots=True)
class PassageSize:
    """How large passages become, in tokens, how much two may share, in characters, and how many there may be."""

    tokens: int = PASSAGE_TOKENS
    # A text that is hardly longer stays whole.
    whole_tokens: int = WHOLE_TOKENS
    max_tokens: int = MAX_TOKENS
    overlap: int = OVERLAP
    max_passages: int = MAX_PASSAGES


OF_CHUNKS = PassageSize()


def passages(text: str, room: int, size: PassageSize = OF_CHUNKS) -> Iterator[tuple[int, int]]:
    """Start and end of each passage: none has more than `room` characters, and all that is not white space is in one.

    There are at most `max_passages` where the text has at most half as many characters as those have room for.
    """
    end, left = len(text.rstrip()), size.max_passages
    start = first_line(text, 0)
    while start < end:
        min_length = math.ceil((end - start) / max(left, 1))
        is_last = end - start <= room
        # The character behind the room tells whether one that several code points make ends there.
        window = text[start : end if is_last else start + room + 1]
        cut = _cut(window, size, is_last=is_last, min_length=min(min_length, room))
        stop = start + cut.at
        yield start, stop
        resumed = _overlapped(text, max(start + min_length, stop - size.overlap), stop) if cut.is_inside else stop
        start, left = first_line(text, resumed), left - 1


def _cut(window: str, size: PassageSize, *, is_last: bool, min_length: int) -> Cut:
    """Where the passage ends that begins with the window; behind it all where the text ends with it and is short. If
    the text goes on, the last character of the window is not for this passage."""
    tokens = _rough_tokens(window)
    if is_last and tokens <= size.whole_tokens and _is_short(window, size.max_tokens):
        return Cut(len(window), is_inside=False)
    parts = max(math.ceil(tokens / size.tokens) if is_last else tokens / size.tokens, 1)
    reach = len(window) / parts
    while True:
        cut = _best_cut(window, len(window) - (not is_last), int(reach), min_length)
        if reach <= min_length or reach < 2 or _is_short(window[: cut.at], size.max_tokens):
            return cut
        reach = min(0.9 * reach, cut.at * size.max_tokens / count_tokens(window[: cut.at]))


def _best_cut(window: str, max_length: int, reach: int, min_length: int) -> Cut:
    """The last of the strongest borders between three fifths of the reach and a little behind it."""
    highest = min(max_length, max(math.ceil(reach * _STRETCH), min_length + OVERLAP))
    lowest = max(reach * 3 // 5, min_length, 1)
    if cut := last_border(window, lowest, highest, _BORDERS):
        return cut
    return Cut(border_at_or_before(window, highest, lowest), is_inside=highest < len(window))


def _overlapped(text: str, first: int, stop: int) -> int:
    """Where the next passage begins, so that it can be understood: at a sentence before the cut, else at a word."""
    for border in (SENTENCE_END, WORD_END):
        found = (match.end() for match in border.finditer(text, first, stop))
        good = (at for at in found if first < at < stop and may_cut(text, at))
        if at := next(good, 0):
            return at
    return stop


def first_line(text: str, start: int) -> int:
    """Where the next text begins behind white space: with the indentation of its line."""
    found = _NOT_SPACE.search(text, start)
    if found is None:
        return len(text)
    begun = max(text.rfind("\n", start, found.start()) + 1, start)
    return begun if found.start() - begun <= _MAX_INDENT else found.start()


def _rough_tokens(text: str) -> float:
    """An estimate a hundred times as fast as counting."""
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


def _is_short(text: str, max_tokens: int) -> bool:
    """Whether it has at most so many tokens, counted only where that is in doubt."""
    size = len(text) if text.isascii() else len(text.encode("utf-8", "replace"))
    is_spaced = text.count(" ") * _CHARACTERS_PER_SPACE >= len(text)
    return size <= max_tokens or (
        (is_spaced and size <= len(text) * _MAX_BYTES_PER_CHARACTER) or fits(text, max_tokens)
    )
