"""Queries of the lines of a large artifact, and their results."""

from collections.abc import Sequence
from dataclasses import dataclass

MAX_PATTERN_CHARACTERS = 4_096
MAX_MATCHES = 10_000
MAX_CONTEXT_LINES = 50
MAX_LINE_BYTES = 16_384
MAX_PASSAGES = 50
MAX_PASSAGE_BYTES = 4_096


@dataclass(frozen=True, slots=True)
class Block:
    """A part of the content, cut anywhere: its offset in bytes, and the number, from 1, of the line that its first
    byte belongs to."""

    offset: int
    first_line: int
    data: bytes


@dataclass(frozen=True, slots=True)
class LinePart(Block):
    """A part of one long line, cut anywhere; the last one ends with the newline, if the line has one."""

    is_last: bool


@dataclass(frozen=True, slots=True)
class LinePattern:
    """A text, or a regular expression of RE2, that is looked for in each line alone.

    A whole word has neither a letter, a mark, a number nor an underscore beside it, in any script; `\\b`, `\\w` and
    `\\d` of an expression know ASCII only, `\\pL` and its like all of Unicode.
    """

    text: str
    is_regex: bool
    ignore_case: bool
    whole_words: bool = False


@dataclass(frozen=True, slots=True)
class LineQuery:
    """Up to `limit` matching lines (MAX_MATCHES at most) from `start_line` on, each with lines before and after it
    (MAX_CONTEXT_LINES at most), and of each line up to `max_line_bytes` (MAX_LINE_BYTES at most).

    Lines before `start_line` are not searched, but serve as context.
    """

    pattern: LinePattern
    limit: int
    before: int
    after: int
    start_line: int = 1
    max_line_bytes: int = 4_096


@dataclass(frozen=True, slots=True)
class MatchLine:
    """A line without its end; both offsets are in bytes of the content.

    The text of a line that is too long is a part of it: the surroundings of a match, or the beginning of a line of
    context.
    """

    number: int
    offset: int
    text: str
    is_cut: bool = False
    text_offset: int = 0


@dataclass(frozen=True, slots=True)
class Match:
    """A line that matches: where in its text, in characters (the first 20 positions), and the lines around it."""

    line: MatchLine
    spans: Sequence[tuple[int, int]]
    before: Sequence[MatchLine] = ()
    after: Sequence[MatchLine] = ()


@dataclass(frozen=True, slots=True)
class LineProgress:
    """The next matches, if any; a search with `start_line` = `next_line` finds what is left after them.

    `scanned_bytes` counts from the first block that this search was given.
    """

    matches: Sequence[Match]
    scanned_bytes: int
    next_line: int
    is_last: bool = False
    limit_reached: bool = False


@dataclass(frozen=True, slots=True)
class RankedQuery:
    """The best passages for the words of a query: up to `limit` (MAX_PASSAGES at most), each found in a window of so
    many lines."""

    query: str
    limit: int
    window_lines: int = 20


@dataclass(frozen=True, slots=True)
class RankedPassage:
    """The best part of a window, of at most MAX_PASSAGE_BYTES: its lines, its offset in bytes, and its text."""

    first_line: int
    last_line: int
    offset: int
    score: float
    text: str


@dataclass(frozen=True, slots=True)
class RankedProgress:
    """The number of bytes that are read; the last one brings the passages, the best first."""

    scanned_bytes: int
    passages: Sequence[RankedPassage] = ()
