"""Splits text into passages at the strongest border near a length, in any script, and finds the Markdown headings above
each of them.

Chunks of events have a length in tokens and overlap where a paragraph is split (`passages`); memories of files have a
length in characters and begin with their headings (`markdown_passages`, `plain_passages`).
"""

import math
import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice, pairwise
from string import ascii_letters, digits
from typing import NamedTuple

from camillo_server.lib.text.characters import border_at_or_before, is_border
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
# In characters: the most that a memory may hold, and the length up to which short paragraphs of a section are joined.
MAX_MEMORY = 2_000
COMFORTABLE_MEMORY = 1_000
PARAGRAPH_SEPARATOR = "\n\n"
MAX_TRAIL = 200
TRAIL_SEPARATOR = " > "
_ELLIPSIS = "\N{HORIZONTAL ELLIPSIS}"
# Average bytes of a token: in words and spaces, in digits, in other scripts; a punctuation mark mostly is one.
_BYTES_OF_WORDS, _BYTES_OF_DIGITS, _BYTES_OF_OTHERS = 6.0, 2.4, 3.5
_WORDS = (ascii_letters + " \t").encode()
_DIGITS = digits.encode()
_OTHERS = bytes(range(128, 256))
# Prose and code have more spaces; the tokens of a text with fewer are counted exactly.
_CHARACTERS_PER_SPACE = 12
_MAX_BYTES_PER_CHARACTER = 1.05
SENTENCE_END = re.compile(
    r"(?<=[.!?…])[\"'”’»)\]]*\s+|(?<=[。！？；｡．॥।؟۔።։។៖།])[」』”’）]*\s*",
)
_WORD = re.compile(r"\s+|(?<=[、，,،;])")
# The borders within a paragraph or a block of code, from the strongest to the weakest; each is where a match ends.
_INNER_BORDERS = (re.compile(r"\n"), SENTENCE_END, _WORD)
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
    *_INNER_BORDERS,
)
_SENTENCE_STRENGTH = _BORDERS.index(SENTENCE_END)
# As in CommonMark: a fence is closed by one of the same kind, as long or longer, with nothing behind it. The possessive
# quantifiers keep the time linear in hostile texts.
_FENCED = (
    r"(?P<fence>`{3,}+(?![^\n]*`)|~{3,}+)[^\n]*+"
    r"(?:\n(?! {0,3}(?P=fence)[`~]*+[ \t\r]*+$)[^\n]*+)*+(?:\n[^\n]*+)?"
)
FENCED_BLOCK = re.compile(rf"^ {{0,3}}{_FENCED}", re.MULTILINE)
_HEADING_OR_FENCED = re.compile(rf"^ {{0,3}}(?:(?P<level>#{{1,6}})[ \t]++(?P<name>\S[^\n]*+)|{_FENCED})", re.MULTILINE)
# The id and the classes that Pandoc, kramdown and MkDocs read at the end of a heading: `{#setup .wide}`.
_ATTRIBUTES = re.compile(r"\{[#.][\w:.-]+(?: [#.][\w:.-]+)*\}")
MAX_ATTRIBUTES = 200
BLANK_LINES = re.compile(r"\n\s*\n")
_NEWLINES = re.compile(r"\n*")
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


class Cut(NamedTuple):
    """Where a passage ends, and whether a paragraph goes on behind it."""

    at: int
    is_inside: bool


@dataclass(frozen=True, slots=True)
class HeadedSection:
    """A part of a Markdown text: where its heading begins, where its body does, and all headings above the body."""

    start: int
    body: int
    trail: tuple[str, ...]


class Passage(NamedTuple):
    """Text for one memory, which begins with the headings above it."""

    heading: str
    text: str


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


def sections(text: str) -> Sequence[HeadedSection]:
    """The sections of a Markdown text in order; the first is what comes before any heading."""
    found = [HeadedSection(0, 0, ())]
    names: dict[int, str] = {}
    for match in _HEADING_OR_FENCED.finditer(text):
        if match["name"]:
            level = len(match["level"])
            names = {above: name for above, name in names.items() if above < level}
            # No more of it than a trail shows: each section below would join it again.
            names[level] = _without_closing(match["name"].rstrip())[: MAX_TRAIL + 1]
            found.append(HeadedSection(match.start(), match.end(), tuple(names.values())))
    return found


def has_more_headings(text: str, limit: int) -> bool:
    """Whether a Markdown text has more headings than this; it keeps none of them."""
    headings = (match for match in _HEADING_OR_FENCED.finditer(text) if match["name"])
    return next(islice(headings, limit, None), None) is not None


def trail_at(found: Sequence[HeadedSection], at: int) -> str:
    """The headings above an offset, outermost first; at a heading, those above it."""
    section = found[bisect_right(found, at, key=lambda each: each.start) - 1]
    return joined_trail(section.trail[:-1] if section.start == at else section.trail)


def markdown_passages(text: str) -> Iterator[Passage]:
    """Memories of a Markdown document; short blocks of a section are joined, and a block that fits is not split."""
    text = "\n".join(text.splitlines())
    found = sections(text)
    for section, following in pairwise([*found, HeadedSection(len(text), len(text), ())]):
        body = text[section.body : following.start]
        yield from _memories(joined_trail(section.trail), _blocks(body))


def plain_passages(text: str) -> Iterator[Passage]:
    """Memories of a text without headings."""
    yield from _memories("", _paragraphs(text))


def split_at_length(text: str, longest: int) -> Iterator[str]:
    """Pieces of at most `longest` characters, split at line ends, else sentences, else words, else characters."""
    end = len(text.rstrip())
    start = _behind_newlines(text, 0)
    while end - start > longest:
        highest = start + longest
        cut = _last_border(text, start + longest // 2 + 1, highest, _INNER_BORDERS)
        cut = cut or _last_border(text, start + 1, highest, (_WORD,))
        at = cut.at if cut else border_at_or_before(text, highest, start + 1)
        if piece := text[start:at].strip():
            yield piece
        start = _behind_newlines(text, at)
    if text[start:end].strip():
        yield text[start:end]


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
    if cut := _last_border(window, lowest, highest, _BORDERS):
        return cut
    return Cut(border_at_or_before(window, highest, lowest), is_inside=highest < len(window))


def _last_border(text: str, lowest: int, highest: int, borders: Sequence[re.Pattern[str]]) -> Cut | None:
    for border in borders:
        found = [match.end() for match in border.finditer(text, lowest - 1, highest)]
        good = (at for at in reversed(found) if at >= lowest and _may_cut(text, at))
        if at := next(good, 0):
            return Cut(at, is_inside=border in _BORDERS[_SENTENCE_STRENGTH:])
    return None


def _overlapped(text: str, first: int, stop: int) -> int:
    """Where the next passage begins, so that it can be understood: at a sentence before the cut, else at a word."""
    for border in (SENTENCE_END, _WORD):
        found = (match.end() for match in border.finditer(text, first, stop))
        good = (at for at in found if first < at < stop and _may_cut(text, at))
        if at := next(good, 0):
            return at
    return stop


def _may_cut(text: str, at: int) -> bool:
    return at >= len(text) or is_border(text, at)


def first_line(text: str, start: int) -> int:
    """Where the next text begins behind white space: with the indentation of its line."""
    found = _NOT_SPACE.search(text, start)
    if found is None:
        return len(text)
    begun = max(text.rfind("\n", start, found.start()) + 1, start)
    return begun if found.start() - begun <= _MAX_INDENT else found.start()


def _behind_newlines(text: str, at: int) -> int:
    found = _NEWLINES.match(text, at)
    return found.end() if found else at


def _without_closing(name: str) -> str:
    """A heading without the marks that may close it, and without attributes. Not by a pattern: many spaces would take it hours."""
    begin = name.rfind(" {", -MAX_ATTRIBUTES)
    if begin > 0 and _ATTRIBUTES.fullmatch(name, begin + 1):
        name = name[:begin].rstrip(" \t")
    kept = name.rstrip("#")
    return kept.rstrip(" \t") if kept.endswith((" ", "\t")) else name


def joined_trail(trail: Sequence[str]) -> str:
    """The headings in a line, outermost first, cut behind MAX_TRAIL characters."""
    joined = TRAIL_SEPARATOR.join(trail)
    return joined if len(joined) <= MAX_TRAIL else joined[: MAX_TRAIL - 1] + _ELLIPSIS


def _blocks(body: str) -> Iterator[str]:
    """Paragraphs and blocks of fenced code."""
    start = 0
    for fenced in FENCED_BLOCK.finditer(body):
        yield from _paragraphs(body[start : fenced.start()])
        yield fenced[0].strip("\n")
        start = fenced.end()
    yield from _paragraphs(body[start:])


def _paragraphs(text: str) -> Iterator[str]:
    return (part.strip("\n") for part in BLANK_LINES.split(text) if part.strip())


def _memories(heading: str, blocks: Iterable[str]) -> Iterator[Passage]:
    """One memory or more of a section: short blocks joined, long ones split."""
    opening = f"{heading}{PARAGRAPH_SEPARATOR}" if heading else ""
    for block in _packed(blocks):
        for piece in split_at_length(block, MAX_MEMORY - len(opening)):
            yield Passage(heading, opening + piece)


def _packed(blocks: Iterable[str]) -> Iterator[str]:
    waiting = ""
    for block in blocks:
        joined = f"{waiting}{PARAGRAPH_SEPARATOR}{block}" if waiting else block
        if waiting and len(joined) > COMFORTABLE_MEMORY:
            yield waiting
            joined = block
        waiting = joined
    if waiting:
        yield waiting


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
