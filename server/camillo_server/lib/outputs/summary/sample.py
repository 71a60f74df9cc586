"""A sample of an output: its beginning and its end, cleaned, as one text to search in; and texts made to fit."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import IntEnum
from itertools import pairwise
from typing import Self

from camillo_formats.characters import border_at_or_before, is_border
from camillo_formats.rendering import one_line as one_line
from camillo_formats.terminal_sequences import without_terminal_sequences

ELLIPSIS = "…"
# How far a border is looked for towards the end; a longer run of combining characters is cut all the same.
MAX_STEPS = 32
# The room for a description beside the name of what was run.
HEADLINE_ROOM = 100


def shortened(text: str, longest: int) -> str:
    """The text, or its beginning with an ellipsis, of at most `longest` characters."""
    if len(text) <= longest:
        return text
    if longest < 1:
        return ""
    return text[: border_at_or_before(text, longest - 1, 0)].rstrip() + ELLIPSIS


def shortened_front(text: str, longest: int) -> str:
    """The text, or an ellipsis with its end: what matters in a path comes last."""
    if len(text) <= longest:
        return text
    first = len(text) - longest + 1
    last = min(first + MAX_STEPS, len(text))
    border = next((at for at in range(first, last) if is_border(text, at)), last)
    return ELLIPSIS + text[border:]


def listed(items: Sequence[str], room: int, total: int = 0) -> str:
    """As many of the items as fit, with commas; the others, of `total` in all, are counted."""
    total = max(total, len(items))
    shown = ", ".join(items[: room + 1])
    if len(items) == total and len(shown) <= room:
        return shown
    shown = ""
    for position, item in enumerate(items):
        joined = f"{shown}, {item}" if shown else item
        rest = total - position - 1
        if len(joined) + (len(f" and {rest:,} more") if rest else 0) > room:
            return f"{shown} and {rest + 1:,} more" if shown else shortened(item, room)
        shown = joined
    left = total - len(items)
    return f"{shown} and {left:,} more" if left else shown


def counted(number: int, word: str, many: str = "") -> str:
    """A number with its noun: `1 file`, `1,204 files`."""
    return f"{number:,} {word if number == 1 else many or word + 's'}"


# Control characters that remain are noise; tabs and newlines are not.
CONTROLS = re.compile(r"[\x00-\x08\x0b-\x1f\x7f]+")
DELETED = dict.fromkeys([*range(9), *range(11, 32), 127])
# The maximum number of characters of a line that a rule reads.
MAX_LINE = 600
# Together with a usual summary about 200 tokens, seldom over 300.
PREVIEW_HEAD_LINES = 5
PREVIEW_TAIL_LINES = 4
MAX_PREVIEW_LINE = 120
MAX_PREVIEW_CHARACTERS = 2_000
# Enough for as many lines as a preview shows; cleaning more would be wasted.
PREVIEW_READ = 64 * 1024
# The maximum number of lines by which the forms of an output are recognized, unless they say otherwise.
MAX_LINES = 32_000


@dataclass(frozen=True, slots=True)
class NotableLine:
    """A line that looks like a failure; the first line has the number 1."""

    number: int
    text: str


@dataclass(frozen=True, slots=True)
class Sample:
    """An output of `size` bytes: `head` is all of it up to 256 KiB, of a longer one the first 128 KiB.

    `tail` is empty where the head is everything, else the last 128 KiB. A last line without a newline counts in
    `line_count`. `notable` may hold lines of the head and the tail as well; what is not known is empty or None.
    """

    head: str
    tail: str
    size: int
    line_count: int
    notable: Sequence[NotableLine] = ()
    tool: str = ""
    command: str = ""
    exit_code: int | None = None
    name: str = ""
    media_type: str = ""

    @property
    def has_failed(self) -> bool:
        """Whether the exit code is known, and tells of a failure."""
        return self.exit_code not in (None, 0)


class ContentKind(IntEnum):
    """TEXT is prose; TABLE holds JSON lines, too, whose keys are its columns."""

    UNSPECIFIED = 0
    TEXT = 1
    LOG = 2
    JSON = 3
    TABLE = 4
    CODE = 5
    BINARY = 6


def cleaned(text: str) -> str:
    """Without escape sequences, and of lines that were written over only what was seen last. Keeps all newlines."""
    text = without_terminal_sequences(text)
    if "\r" in text:
        text = _last_seen(text.replace("\r\n", "\n"))
    if "\b" in text or "\x00" in text or "\x1b" in text:
        text = text.translate(DELETED) if text.isascii() else CONTROLS.sub("", text)
    return text.removeprefix("\ufeff")


def _last_seen(text: str) -> str:
    parts = text.split("\r")
    if "\n" not in text:
        return "\n".join(parts)
    kept = [
        part if not following or following.startswith("\n") else part[: part.rfind("\n") + 1]
        for part, following in pairwise(parts)
    ]
    return "".join(kept) + parts[-1]


@dataclass(frozen=True, slots=True)
class Line:
    """A line, cut at 600 characters, and the position in the text where it begins."""

    start: int
    text: str


@dataclass(frozen=True, slots=True)
class OutputText:
    """Head, notable lines and tail, cleaned and one after the other; `low` is the same in ASCII lower case."""

    text: str
    low: str
    head_end: int
    tail_start: int
    line_count: int
    between: tuple[int, ...] = ()

    @property
    def is_whole(self) -> bool:
        return self.tail_start == self.head_end == len(self.text)

    def line_at(self, position: int) -> Line:
        """The line that a position stands in."""
        return self.line_from(self.text.rfind("\n", 0, position) + 1)

    def line_from(self, start: int) -> Line:
        """The line that begins there."""
        return Line(start, self.text[start : self.line_end(start)].rstrip())

    def line_end(self, start: int) -> int:
        """The position at which the line that begins there ends, or is cut."""
        end = self.text.find("\n", start, start + MAX_LINE)
        return end if end >= 0 else min(start + MAX_LINE, len(self.text))

    def lines_after(self, line: Line, limit: int) -> Iterator[Line]:
        """The lines that follow, in order."""
        position = line.start
        for _ in range(limit):
            position = self.text.find("\n", position) + 1
            if not position or position >= len(self.text):
                return
            yield self.line_from(position)

    def lines_before(self, line: Line, limit: int) -> Iterator[Line]:
        """The lines that precede, the nearest first."""
        start = line.start
        for _ in range(limit):
            if start <= 0:
                return
            start = self.text.rfind("\n", 0, start - 1) + 1
            yield self.line_from(start)

    def first_lines(self, limit: int) -> list[Line]:
        """The first lines, in order."""
        first = self.line_from(0)
        return [first, *self.lines_after(first, limit - 1)]

    def last_lines(self, limit: int) -> list[Line]:
        """The last lines that are not blank, in order."""
        end = len(self.text.rstrip())
        if not end:
            return []
        last = self.line_at(end - 1)
        lines = [last, *self.lines_before(last, limit - 1)]
        return [line for line in reversed(lines) if line.text]

    def starts_with(self, word: str, begin: int, end: int) -> Iterator[int]:
        """The beginnings of the lines that hold a word in lower case between two positions; each once."""
        position = self.low.find(word, begin, end)
        while position >= 0:
            # A word that begins with a newline stands at the beginning of the line after it.
            position += word.startswith("\n")
            yield self.low.rfind("\n", 0, position) + 1
            line_end = self.low.find("\n", position, end)
            position = self.low.find(word, line_end, end) if line_end >= 0 else -1

    def last_starts_with(self, word: str, begin: int, end: int) -> Iterator[int]:
        """The same, the last line first."""
        position = self.low.rfind(word, begin, end)
        while position >= 0:
            start = self.low.rfind("\n", 0, position + word.startswith("\n")) + 1
            yield start
            position = self.low.rfind(word, begin, min(start, position))

    def number_of(self, line: Line) -> int:
        """The line's number in the whole output, from 1."""
        if line.start < self.head_end or self.is_whole:
            return self.text.count("\n", 0, line.start) + 1
        if line.start >= self.tail_start:
            return self.line_count - self.text.rstrip("\n").count("\n", line.start)
        return self.between[self.text.count("\n", self.head_end, line.start)]


def output_text(sample: Sample) -> OutputText:
    """The sample with notable lines only from between its ends."""
    head = cleaned(sample.head)
    if not sample.tail:
        return OutputText(head, ascii_lower(head), len(head), len(head), sample.line_count)
    # The ends are cut at bytes: the last line of the one and the first of the other are seldom whole.
    head = head[: head.rfind("\n") + 1] or head + "\n"
    tail = cleaned(sample.tail)
    tail = tail[tail.find("\n") + 1 :]
    after, before = head.count("\n"), sample.line_count - tail.rstrip("\n").count("\n")
    between = [line for line in sample.notable if after < line.number < before]
    middle = "".join(cleaned(line.text).replace("\n", " ") + "\n" for line in between)
    text = head + middle + tail
    numbers = tuple(line.number for line in between)
    return OutputText(text, ascii_lower(text), len(head), len(head) + len(middle), sample.line_count, numbers)


def ascii_lower(text: str) -> str:
    """Lower case of A to Z alone: positions stay the same, and it is quick in any script."""
    if text.isascii():
        return text.lower()
    try:
        return text.encode().lower().decode()
    except UnicodeEncodeError:
        # Lone surrogates: what is no text may go unread.
        lowered = text.lower()
        return lowered if len(lowered) == len(text) else text


@dataclass(frozen=True, slots=True)
class Material:
    """The parts of an output by which its form is recognized.

    `lines` are the first 200 and `ending` the last 60; `body` is the text without the meter that curl prints before.
    """

    sample: Sample
    text: OutputText
    body: str
    lines: Sequence[str]
    ending: Sequence[str]

    def many_lines(self, max_characters: int | None = None) -> Sequence[str]:
        """The lines of the text, or of its first characters: 32,000 at most."""
        return self.text.text[:max_characters].split("\n", MAX_LINES)[:MAX_LINES]


@dataclass(frozen=True, slots=True)
class Recognized:
    """The kind of an output, a description of it, and the lines of a summary that are about its contents.

    Where `holds_messages`, failures are looked for in all lines but those that match `contents`.
    """

    kind: ContentKind
    headline: str
    lines: tuple[str, ...] = ()
    holds_messages: bool = False
    contents: re.Pattern[str] | None = None

    @classmethod
    def by_lines(cls, kind: ContentKind, lines: Iterable[str]) -> Self:
        """Lines of which the first is the description, too."""
        held = tuple(lines)
        return cls(kind, held[0], held)


@dataclass(frozen=True, slots=True)
class Preview:
    """Each of at most 2,000 characters; `tail` is empty where the head shows everything."""

    head: str
    tail: str


def preview(sample: Sample, head_lines: int = PREVIEW_HEAD_LINES, tail_lines: int = PREVIEW_TAIL_LINES) -> Preview:
    """As many lines of both ends; of the tail none that the head shows."""
    lines = _lines(sample.head[:PREVIEW_READ])
    head, left = lines[: max(head_lines, 0)], lines[max(head_lines, 0) :]
    if sample.tail or len(sample.head) > PREVIEW_READ:
        left = _lines((sample.tail or sample.head)[-PREVIEW_READ:])
    shown = "\n".join(shortened(line.rstrip(), MAX_PREVIEW_LINE) for line in head)
    return Preview(shortened(shown, MAX_PREVIEW_CHARACTERS), _fitting_last(left, tail_lines))


def _lines(text: str) -> list[str]:
    return cleaned(text).removesuffix("\n").split("\n")


def _fitting_last(lines: list[str], count: int) -> str:
    """The last lines that fit: whole lines are left out at the front."""
    shown: list[str] = []
    room = MAX_PREVIEW_CHARACTERS
    for line in reversed(lines[-count:] if count > 0 else []):
        short = shortened(line.rstrip(), MAX_PREVIEW_LINE)
        room -= len(short) + 1
        if room < -1:
            break
        shown.append(short)
    return "\n".join(reversed(shown))
