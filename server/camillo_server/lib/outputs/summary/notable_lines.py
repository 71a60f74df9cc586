"""Lines that look like failures, picked from a stream as it passes."""

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache

import hyperscan

from camillo_server.lib.outputs.summary.sample import NotableLine
from camillo_server.lib.text.bytes import newline_count
from camillo_server.lib.text.pattern_scan import PatternScan

MAX_FIRST = 100
MAX_LAST = 200
MAX_CHARACTERS = 500
# A word that stands further into a line than this says nothing about the part of it that is kept.
READ = 4 * MAX_CHARACTERS
FAILURE_WORDS = (b"rror:", b"FAIL", b"ERROR", b"Exception", b"panic")
# A text with more of them is searched from both its ends instead: each position found costs about as much as 2 KiB.
MAX_POSITIONS = 2_000

# Returns where in a text failure words end, in order; None where there are too many to tell.
FailurePositions = Callable[[bytes], Sequence[int] | None]


def one_by_one(_: bytes) -> None:
    """`FailurePositions` that leave each word to be searched for by itself, which takes about six times as long."""


class NotableLines:
    """Fed all parts of a stream in order, keeps its first 100 and its last 200 such lines, each up to 500
    characters."""

    def __init__(self, positions: FailurePositions = one_by_one) -> None:
        self._positions = positions
        self._first: list[NotableLine] = []
        self._last: deque[NotableLine] = deque(maxlen=MAX_LAST)
        self._line_count = 0
        # The beginning of the line that the last part ended in.
        self._open = b""

    def feed(self, part: bytes) -> None:
        """Reads the next part; it may begin and end anywhere, within a character, too."""
        end = part.rfind(b"\n") + 1
        if not end:
            self._open = (self._open + part[:READ])[:READ]
            return
        start = 0
        if self._open:
            start = part.find(b"\n") + 1
            opened = (self._open + part[:start])[:READ]
            self._line_count += 1
            if _has_failure_word(opened):
                self._keep(NotableLine(self._line_count, _text(opened)))
        self._read_lines(part, start, end)
        self._open = part[end : end + READ]

    def lines(self) -> Sequence[NotableLine]:
        """The lines kept until now, in order; an open last line is judged as it is."""
        found = [*self._first, *self._last]
        if _has_failure_word(self._open):
            found.append(NotableLine(self._line_count + 1, _text(self._open)))
        return tuple(found)

    def _read_lines(self, part: bytes, start: int, end: int) -> None:
        """Whole lines of a part."""
        counted = start
        for position in sorted(self._line_starts(part, start, end)):
            self._line_count += newline_count(part, counted, position)
            counted = position
            line = part[position : min(part.find(b"\n", position), position + READ)]
            self._keep(NotableLine(self._line_count + 1, _text(line)))
        self._line_count += newline_count(part, counted, end)

    def _line_starts(self, part: bytes, start: int, end: int) -> set[int]:
        """The starts of those lines with a word that could be kept: so many from each end are enough."""
        positions = self._positions(part)
        if positions is not None:
            return set(_starts_before(part, positions, start, end))
        found: set[int] = set()
        for word in FAILURE_WORDS:
            if part.find(word, start, end) < 0:
                continue
            if len(self._first) < MAX_FIRST:
                found.update(_from_front(part, word, start, end))
            found.update(_from_back(part, word, start, end))
        return found

    def _keep(self, line: NotableLine) -> None:
        if len(self._first) < MAX_FIRST:
            self._first.append(line)
        else:
            self._last.append(line)


def _starts_before(part: bytes, positions: Sequence[int], start: int, end: int) -> Iterable[int]:
    """The starts of the lines in which these positions are."""
    for position in positions:
        line_start = part.rfind(b"\n", start, position) + 1 or start
        if start < position <= end and position - line_start < READ:
            yield line_start


def _from_front(part: bytes, word: bytes, start: int, end: int) -> Iterator[int]:
    position = start
    for _ in range(MAX_FIRST):
        position = part.find(word, position, end)
        if position < 0:
            return
        line_start = part.rfind(b"\n", start, position) + 1 or start
        if position - line_start < READ:
            yield line_start
        position = part.find(b"\n", position)


def _from_back(part: bytes, word: bytes, start: int, end: int) -> Iterator[int]:
    position = end
    for _ in range(MAX_LAST):
        position = part.rfind(word, start, position)
        if position < 0:
            return
        line_start = part.rfind(b"\n", start, position) + 1 or start
        first = part.find(word, line_start, position + len(word))
        if first - line_start < READ:
            yield line_start
        position = line_start


def _has_failure_word(line: bytes) -> bool:
    return any(word in line for word in FAILURE_WORDS)


def _text(line: bytes) -> str:
    return line.decode("utf-8", "replace").rstrip("\r\n")[:MAX_CHARACTERS]


class FailureWords:
    """`FailurePositions` by Hyperscan; for any number of threads."""

    def __init__(self) -> None:
        """Raises hyperscan.error on a machine that cannot run it."""
        self._scan = PatternScan((word, number, 0) for number, word in enumerate(FAILURE_WORDS))

    def __call__(self, part: bytes) -> Sequence[int] | None:
        """The positions where words end, in order; None where there are too many to tell."""
        found: list[int] = []

        def keep(_word: int, _start: int, end: int, _flags: int, _context: object) -> bool | None:
            found.append(end)
            return len(found) > MAX_POSITIONS or None

        try:
            self._scan(part, keep)
        except hyperscan.ScanTerminated:
            return None
        return found


@cache
def failure_positions() -> FailurePositions:
    """By Hyperscan where it runs, else each word by itself."""
    try:
        return FailureWords()
    except hyperscan.error:
        return one_by_one
