"""Queries of the lines of a large artifact, and their results; and patterns as RE2 takes them: applied to many lines at
once, they find what they would find in each line alone."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import re2

from camillo_server.kernel.errors import InvalidField, invalid_field

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


# Literals are checked before they come here.
FIELD = "regex"
MAX_MEMORY_BYTES = 8 << 20

_WORD = r"\pL\pN\pM_"
_PIECES = re.compile(
    r"\\Q(?P<quoted>.*?)(?:\\E|\Z)"
    r"|\\(?P<escaped>.)"
    r"|\[\^?\]?(?:\[:\^?\w+:\]|\\.|[^\]\\])*\]"
    r"|\(\?[imsU]*-[isU]*(?P<without_lines>m)",
    re.DOTALL,
)


@dataclass(frozen=True, slots=True)
class Matcher:
    """A compiled pattern. Text is `prepared` before it is searched, which keeps every byte in its position."""

    expression: Any
    group: int
    sees_line_ends: bool
    sees_any_character: bool

    def prepared(self, data: bytes) -> bytes:
        """The text with a second newline for the \\r of a line end, and NUL for each byte that is not UTF-8.

        So neither is part of a line, and `.` takes what is broken for a character.
        """
        if self.sees_line_ends and b"\r" in data:
            data = data.replace(b"\r\n", b"\n\n")
        return _readable(data) if self.sees_any_character else data

    def find(self, text: bytes, start: int, end: int) -> tuple[int, int] | None:
        """The first match that begins at `start` or later and ends at `end` or earlier, never within a character.

        `^`, `$` and `\\b` see the text before and after these borders.
        """
        while match := self.expression.search(text, start, end):
            begin, stop = match.span(self.group)
            if begin < stop or not is_within_character(text, begin):
                return begin, stop
            start = begin + 1
        return None


def is_within_character(text: bytes, position: int) -> bool:
    """Whether the byte there is not the first one of a character of UTF-8."""
    return position < len(text) and text[position] & 0xC0 == 0x80


def character_start(text: bytes, position: int) -> int:
    """The start of the character that has the byte at a position; bytes that are no UTF-8 are taken for characters."""
    for back in range(min(4, position + 1)):
        if not is_within_character(text, position - back):
            return position - back
    return position


def compiled(pattern: LinePattern) -> Matcher:
    """The pattern, ready to search. Raises InvalidField for one that is empty, not understood or too large.

    If two whole words touch, as `-` and `-` in `--`, the second is not found.
    """
    if not pattern.text:
        raise invalid_field(FIELD, "must not be empty")
    if pattern.text.encode("utf-8", "replace").decode() != pattern.text:
        # Half of a surrogate pair.
        raise invalid_field(FIELD, "is not valid Unicode")
    if len(pattern.text) > MAX_PATTERN_CHARACTERS:
        raise invalid_field(FIELD, f"at most {MAX_PATTERN_CHARACTERS} characters")
    if pattern.is_regex:
        _compile(pattern.text, pattern)
        # The same for texts whose borders are those of a line, too.
        source = _PIECES.sub(_of_line, pattern.text)
    else:
        source = _quoted(pattern.text)
    if pattern.whole_words:
        source = f"(?:^|[^{_WORD}])({source})(?:$|[^{_WORD}])"
    return Matcher(
        _compile(f"(?m){source}", pattern),
        int(pattern.whole_words),
        sees_line_ends=pattern.is_regex or pattern.whole_words or "\r" in pattern.text,
        sees_any_character=pattern.is_regex or pattern.whole_words,
    )


def _quoted(text: str) -> str:
    if "\n" in text:
        raise invalid_field("literal", "has a newline, but each line is searched alone")
    quoted: str = re2.escape(text)
    return quoted


def _of_line(piece: re.Match[str]) -> str:
    if piece["quoted"] is not None:
        return f"(?:{re2.escape(piece['quoted'])})" if piece["quoted"] else ""
    if piece["without_lines"]:
        raise invalid_field(FIELD, "the flag m cannot be turned off: each line is searched alone")
    if piece["escaped"] == "C":
        raise invalid_field(FIELD, r"\C is not supported: a character is matched, not a byte")
    return {"A": "^", "z": "$"}.get(piece["escaped"] or "", piece[0])


def _compile(source: str, pattern: LinePattern) -> Any:
    options = re2.Options()
    options.max_mem = MAX_MEMORY_BYTES
    options.log_errors = False
    options.never_nl = True
    options.never_capture = not pattern.whole_words
    options.case_sensitive = not pattern.ignore_case
    try:
        return re2.compile(source.encode(), options)
    except re2.error as error:
        raise _refused(error) from error
    finally:
        # The library keeps the last 128 with what they have grown to; those of callers should go with them.
        re2.purge()


def _refused(error: Exception) -> InvalidField:
    reason = error.args[0]
    message = reason.decode("utf-8", "replace") if isinstance(reason, bytes) else str(reason)
    return invalid_field(FIELD, f"not an expression that RE2 takes: {message}")


def _readable(data: bytes) -> bytes:
    if data.isascii():
        return data
    try:
        data.decode()
    except UnicodeDecodeError:
        # One "?" for each byte that is not UTF-8; real ones are told apart by what stood there.
        marked = data.decode("utf-8", "surrogateescape").encode("utf-8", "replace")
        readable = np.frombuffer(marked, np.uint8).copy()
        readable[readable != np.frombuffer(data, np.uint8)] = 0
        return readable.tobytes()
    return data
