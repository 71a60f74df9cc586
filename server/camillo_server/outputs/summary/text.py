"""An output as one text to search in, whose lines know their numbers."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import pairwise

from camillo_server.outputs.summary.sample import Sample
from camillo_server.outputs.summary.shorten import shortened

# Bounded, so that text full of openings without ends stays linear.
ESCAPES = re.compile(
    r"\x1b(?:\[[0-?]{0,32}[ -/]{0,4}[@-~]|[\]PX^_][^\x07\x1b\n]{0,400}(?:\x07|\x1b\\)|[()*+#%][0-9A-Za-z]|[=>78A-Z\\^_])"
)
# What remains of control characters is noise; tabs and newlines are not.
CONTROLS = re.compile(r"[\x00-\x08\x0b-\x1f\x7f]+")
DELETED = dict.fromkeys([*range(9), *range(11, 32), 127])
# What a rule reads of a line.
MAX_LINE = 600
# Together with a usual summary about 200 tokens, seldom over 300.
PREVIEW_HEAD_LINES = 5
PREVIEW_TAIL_LINES = 4
MAX_PREVIEW_LINE = 120
MAX_CHARACTERS = 2_000
# Enough for as many lines as are shown; more would only be cleaned in vain.
READ = 64 * 1024


def cleaned(text: str) -> str:
    """Without escape sequences, and of lines that were written over only what was seen last. Keeps all newlines."""
    if "\x1b" in text:
        text = ESCAPES.sub("", text)
    if "\r" in text:
        text = _last_seen(text.replace("\r\n", "\n"))
    if "\b" in text or "\x00" in text or "\x1b" in text:
        text = text.translate(DELETED) if text.isascii() else CONTROLS.sub("", text)
    return text.removeprefix("\ufeff")


def _last_seen(text: str) -> str:
    parts = text.split("\r")
    if len(parts) == 1:
        return text
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
    between: tuple[int, ...] = field(default=())

    @property
    def is_whole(self) -> bool:
        return self.tail_start == self.head_end == len(self.text)

    def line_at(self, position: int) -> Line:
        """The line that a position stands in."""
        start = self.text.rfind("\n", 0, position) + 1
        return self.line_from(start)

    def line_from(self, start: int) -> Line:
        """The line that begins there."""
        end = self.text.find("\n", start, start + MAX_LINE)
        if end < 0:
            end = min(start + MAX_LINE, len(self.text))
        return Line(start, self.text[start:end].rstrip())

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
    return OutputText(
        text, ascii_lower(text), len(head), len(head) + len(middle), sample.line_count, numbers
    )


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
class Preview:
    """Each of at most 2,000 characters; `tail` is empty where the head shows everything."""

    head: str
    tail: str


def preview(sample: Sample, head_lines: int, tail_lines: int) -> Preview:
    """As many lines of both ends; of the tail none that the head shows."""
    opening = cleaned(sample.head[:READ])
    whole = not sample.tail and len(sample.head) <= READ
    lines = opening.removesuffix("\n").split("\n")
    head = _fitting(lines[: max(head_lines, 0)])
    if whole:
        left = lines[max(head_lines, 0) :]
        return Preview(head, _fitting_last(left, tail_lines))
    ending = cleaned((sample.tail or sample.head)[-READ:])
    return Preview(head, _fitting_last(ending.removesuffix("\n").split("\n"), tail_lines))


def _fitting(lines: list[str]) -> str:
    return shortened(
        "\n".join(shortened(line.rstrip(), MAX_PREVIEW_LINE) for line in lines), MAX_CHARACTERS
    )


def _fitting_last(lines: list[str], count: int) -> str:
    """The last lines that fit: whole lines are left out at the front."""
    shown: list[str] = []
    room = MAX_CHARACTERS
    for line in reversed(lines[-count:] if count > 0 else []):
        short = shortened(line.rstrip(), MAX_PREVIEW_LINE)
        room -= len(short) + 1
        if room < -1:
            break
        shown.append(short)
    return "\n".join(reversed(shown))
