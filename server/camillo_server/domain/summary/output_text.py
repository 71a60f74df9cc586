"""An output as one text to search in, whose lines know their numbers."""

from collections.abc import Iterator
from dataclasses import dataclass, field

from camillo_server.domain.summary.clean_text import cleaned
from camillo_server.domain.summary.sample import Sample

# What a rule reads of a line.
LONGEST_LINE = 600


@dataclass(frozen=True, slots=True)
class Line:
    """A line, cut at 600 characters, and the place in the text where it begins."""

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

    def line_at(self, place: int) -> Line:
        """The line that a place stands in."""
        start = self.text.rfind("\n", 0, place) + 1
        return self.line_from(start)

    def line_from(self, start: int) -> Line:
        """The line that begins there."""
        end = self.text.find("\n", start, start + LONGEST_LINE)
        if end < 0:
            end = min(start + LONGEST_LINE, len(self.text))
        return Line(start, self.text[start:end].rstrip())

    def lines_after(self, line: Line, most: int) -> Iterator[Line]:
        """The lines that follow, in order."""
        place = line.start
        for _ in range(most):
            place = self.text.find("\n", place) + 1
            if not place or place >= len(self.text):
                return
            yield self.line_from(place)

    def lines_before(self, line: Line, most: int) -> Iterator[Line]:
        """The lines that precede, the nearest first."""
        start = line.start
        for _ in range(most):
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
    """Lower case of A to Z alone: places stay the same, and it is quick in any script."""
    if text.isascii():
        return text.lower()
    try:
        return text.encode().lower().decode()
    except UnicodeEncodeError:
        # Lone surrogates: what is no text may go unread.
        lowered = text.lower()
        return lowered if len(lowered) == len(text) else text
