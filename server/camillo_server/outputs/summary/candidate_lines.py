"""The few lines of a long output that are worth a closer look."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from camillo_server.outputs.summary.sample import Line, OutputText

STRONG = ("error", "fail", "exception", "panic", "fatal", "caused by", "not ok ", "\ne   ")
SIGNS = ("✕", "✗", "✘", "×", "✖", "●")
# Words of which logs are full; they matter near the ends.
WEAK = (
    "npm err", "denied", "not permitted", "not found", "no such file", "conflict", "killed", "abort",
    "segmentation", "bus error", "out of memory", "refused", "timed out", "timeout", "cannot ",
    "could not", "couldn't", "unable to", "undefined", ".go:", ".kt:", " 4", " 5", "can't open",
    "invalid option", "unrecognized", "e: ", "critical", "severe", "emerg", "***", "\n_____",
)  # fmt: skip
WEAK_FRONT, WEAK_BACK = 32 * 1024, 64 * 1024
# Short enough to look at every line, whatever words it has.
SHORT, SHORT_LINES = 8 * 1024, 250
ALWAYS_FRONT, ALWAYS_BACK = 10, 60
MAX_PER_NEEDLE = 60
MAX_FRONT, MAX_BACK = 150, 300


@dataclass(frozen=True, slots=True)
class Candidates:
    """Lines in order; `are_all` is false where there were more with such words than are looked at."""

    lines: Sequence[Line]
    are_all: bool


def candidate_lines(text: OutputText) -> Candidates:
    """Lines with words of failure; where there are very many, those nearest to the ends. All lines of a short text."""
    end = len(text.low)
    if end <= SHORT:
        return Candidates(first_lines(text, SHORT_LINES), text.is_whole)
    ends = (*first_lines(text, ALWAYS_FRONT), *last_lines(text, ALWAYS_BACK))
    starts = {line.start for line in ends}
    front = min(WEAK_FRONT, end)
    are_all = text.is_whole
    for needles, first, last in (
        (STRONG if text.low.isascii() else (*STRONG, *SIGNS), 0, end),
        (WEAK, 0, front),
        (WEAK, max(front, end - WEAK_BACK), end),
    ):
        for needle in needles:
            found = [*islice(_forward(text, needle, first, last), MAX_PER_NEEDLE)]
            starts.update(found)
            if len(found) == MAX_PER_NEEDLE:
                are_all = False
                starts.update(_backward(text, needle, first, last))
    ordered = sorted(starts)
    if len(ordered) > MAX_FRONT + MAX_BACK:
        are_all = False
        ordered = ordered[:MAX_FRONT] + ordered[-MAX_BACK:]
    return Candidates([text.line_from(start) for start in ordered], are_all)


def first_lines(text: OutputText, limit: int) -> list[Line]:
    """The first lines, in order."""
    first = text.line_from(0)
    return [first, *text.lines_after(first, limit - 1)]


def last_lines(text: OutputText, limit: int) -> list[Line]:
    """The last lines that are not blank, in order."""
    end = len(text.text.rstrip())
    if not end:
        return []
    last = text.line_at(end - 1)
    return [line for line in (*reversed([*text.lines_before(last, limit - 1)]), last) if line.text]


def lines_with(text: OutputText, needle: str, limit: int) -> list[Line]:
    """The first so many lines with a word in lower case."""
    starts = islice(_forward(text, needle, 0, len(text.low)), limit)
    return [text.line_from(start) for start in starts]


def _forward(text: OutputText, needle: str, begin: int, end: int) -> Iterator[int]:
    position = text.low.find(needle, begin, end)
    while position >= 0:
        position += needle.startswith("\n")
        yield text.low.rfind("\n", 0, position) + 1
        line_end = text.low.find("\n", position, end)
        position = text.low.find(needle, line_end, end) if line_end >= 0 else -1


def _backward(text: OutputText, needle: str, begin: int, end: int) -> Iterator[int]:
    position = end
    for _ in range(MAX_PER_NEEDLE):
        position = text.low.rfind(needle, begin, position)
        if position < 0:
            return
        start = text.low.rfind("\n", 0, position + needle.startswith("\n")) + 1
        yield start
        position = min(start, position)
