"""Lines that look like failures, picked from a stream as it passes."""

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence

from camillo_server.outputs.summary.sample import NotableLine
from camillo_server.text.bytes import newline_count

MOST_FIRST = 100
MOST_LAST = 200
LONGEST = 500
# A needle that stands further into a line than this says nothing about the part of it that is kept.
READ = 4 * LONGEST
FAILURE_WORDS = (b"rror:", b"FAIL", b"ERROR", b"Exception", b"panic")

# Where in a text failure words end, in order; None where there are too many to tell.
FailurePlaces = Callable[[bytes], Sequence[int] | None]


def one_by_one(_: bytes) -> None:
    """`FailurePlaces` that leave each word to be looked for by itself, which takes about six times as long."""


class NotableLines:
    """Fed all parts of a stream in order, keeps its first 100 and its last 200 such lines, each up to 500 characters."""

    def __init__(self, places: FailurePlaces = one_by_one) -> None:
        self._places = places
        self._first: list[NotableLine] = []
        self._last: deque[NotableLine] = deque(maxlen=MOST_LAST)
        self._line_count = 0
        # The beginning of the line that the last part ended in.
        self._open = b""

    def feed(self, part: bytes) -> None:
        """Reads the next part; it may begin and end anywhere, within a character, too."""
        end = part.rfind(b"\n") + 1
        if not end:
            self._open = (self._open + part[:READ])[:READ]
            return
        opened = bool(self._open)
        first_end = part.find(b"\n") + 1
        if opened:
            self._read((self._open + part[:first_end])[:READ], 0)
            self._line_count += 1
        self._read_lines(part, first_end if opened else 0, end)
        self._open = part[end : end + READ]

    def lines(self) -> Sequence[NotableLine]:
        """What was kept until now, in order; an open last line is judged as it stands."""
        found = [*self._first, *self._last]
        if any(needle in self._open for needle in FAILURE_WORDS):
            found.append(NotableLine(self._line_count + 1, _text(self._open)))
        return tuple(found)

    def _read(self, line: bytes, above: int) -> None:
        if any(needle in line for needle in FAILURE_WORDS):
            self._keep(NotableLine(self._line_count + above + 1, _text(line)))

    def _read_lines(self, part: bytes, start: int, end: int) -> None:
        """Whole lines of a part."""
        counted, above = start, 0
        for place in sorted(self._line_starts(part, start, end)):
            above += newline_count(part[counted:place])
            counted = place
            line_end = part.find(b"\n", place)
            self._keep(
                NotableLine(
                    self._line_count + above + 1, _text(part[place : min(line_end, place + READ)])
                )
            )
        self._line_count += above + newline_count(part[counted:end])

    def _line_starts(self, part: bytes, start: int, end: int) -> set[int]:
        """The starts of those lines with a needle that could be kept: so many from each end are enough."""
        places = self._places(part)
        if places is not None:
            return set(_starts_before(part, places, start, end))
        found: set[int] = set()
        for needle in FAILURE_WORDS:
            if part.find(needle, start, end) < 0:
                continue
            if len(self._first) < MOST_FIRST:
                found.update(_from_front(part, needle, start, end))
            found.update(_from_back(part, needle, start, end))
        return found

    def _keep(self, line: NotableLine) -> None:
        if len(self._first) < MOST_FIRST:
            self._first.append(line)
        else:
            self._last.append(line)


def _starts_before(part: bytes, places: Sequence[int], start: int, end: int) -> Iterable[int]:
    """The starts of the lines in which these places are."""
    for place in places:
        line_start = part.rfind(b"\n", start, place) + 1 or start
        if start < place <= end and place - line_start < READ:
            yield line_start


def _from_front(part: bytes, needle: bytes, start: int, end: int) -> Iterator[int]:
    place = start
    for _ in range(MOST_FIRST):
        place = part.find(needle, place, end)
        if place < 0:
            return
        line_start = part.rfind(b"\n", start, place) + 1 or start
        if place - line_start < READ:
            yield line_start
        place = part.find(b"\n", place)


def _from_back(part: bytes, needle: bytes, start: int, end: int) -> Iterator[int]:
    place = end
    for _ in range(MOST_LAST):
        place = part.rfind(needle, start, place)
        if place < 0:
            return
        line_start = part.rfind(b"\n", start, place) + 1 or start
        first = part.find(needle, line_start, place + len(needle))
        if first - line_start < READ:
            yield line_start
        place = line_start


def _text(line: bytes) -> str:
    return line.decode("utf-8", "replace").rstrip("\r\n")[:LONGEST]
