"""Windows of lines that hold terms, and how well each answers a query (BM25)."""

import heapq
import math
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import zip_longest

import numpy as np

from camillo_server.lib.outputs.line_search.lines import line_starts
from camillo_server.lib.outputs.line_search.query import MAX_PASSAGE_BYTES, Block, RankedPassage, character_start
from camillo_server.lib.outputs.line_search.query_terms import Counts, QueryTerms

# Half a window is never longer: lines without an end are cut.
MAX_HALF_BYTES = 8_192
# The maximum number of halves that are remembered; the weakest go when there are more.
MAX_HALVES = 200_000
K1, B = 1.2, 0.75
# Longer lines are chosen apart.
_UNIT_BYTES = 1_024


@dataclass(frozen=True, slots=True)
class Half:
    """Half a window that has terms: its number among all halves, where it is, and its terms."""

    number: int
    first_line: int
    offset: int
    end: int
    counts: Counts


@dataclass(frozen=True, slots=True)
class Window:
    """One half, or two that follow each other."""

    score: float
    halves: Sequence[Half]

    @property
    def offset(self) -> int:
        """Its offset in the content."""
        return self.halves[0].offset

    @property
    def length(self) -> int:
        """The length in bytes."""
        return self.halves[-1].end - self.offset


@dataclass(frozen=True, slots=True)
class _Part:
    begin: int
    end: int


class Windows:
    """Counts terms by halves of windows while the content is read, in order."""

    def __init__(self, window_lines: int) -> None:
        self._lines = max(window_lines // 2, 1)
        self._halves: list[Half] = []
        self._with_term: Counter[int] = Counter()
        self._total_bytes = 0
        # The half that goes on with what comes next.
        self._number = -1
        self._is_open = False
        self._first_line = self._offset = 0
        self._counts: Counter[int] = Counter()

    def add(self, block: Block, hits: Iterable[tuple[int, Counts]]) -> None:
        """The next bytes of the content and the terms in them, in order."""
        offset, first_line, data = block.offset, block.first_line, block.data
        starts = line_starts(data)
        borders = starts[(-first_line) % self._lines :: self._lines].tolist()
        begun = self._offset - offset if self._is_open else 0
        edges = list(_edges(borders, begun, len(data)))
        lines = np.searchsorted(starts, edges, side="right") + first_line
        found = iter(hits)
        position, counts = next(found, (len(data), ()))
        for begin, end, line in zip(edges, edges[1:], lines.tolist(), strict=False):
            if begin or not self._is_open:
                self._begin(line, offset + begin)
            while position < end:
                for term, count in counts:
                    self._counts[term] += count
                position, counts = next(found, (len(data), ()))
            is_full = end in borders[-1:] or offset + end - self._offset == MAX_HALF_BYTES
            self._is_open = end == len(data) and not is_full
            if not self._is_open:
                self._close(offset + end)
        self._total_bytes += len(data)

    def best(self, limit: int) -> list[Window]:
        """The windows that answer best, in the order of their scores; none overlaps another."""
        if self._is_open:
            self._close(self._total_bytes)
        # Each one chosen overlaps two others at most.
        best = heapq.nlargest(3 * limit, self._scored(), key=lambda window: window.score)
        chosen: list[Window] = []
        used: set[int] = set()
        for window in best:
            numbers = {half.number for half in window.halves}
            if len(chosen) < limit and not numbers & used:
                chosen.append(window)
                used |= numbers
        return chosen

    def _weight(self, term: int) -> float:
        """The inverse document frequency of a term, over halves."""
        held = self._with_term[term]
        return math.log(1 + (self._number + 1 - held + 0.5) / (held + 0.5))

    def passage(self, window: Window, data: bytes, terms: QueryTerms) -> RankedPassage:
        """The lines of the window's data that hold most of the query, by the weights of its terms."""
        part = self._best_part(data, terms)
        shown = data[part.begin : part.end].removesuffix(b"\n").removesuffix(b"\r")
        first_line = window.halves[0].first_line + data.count(b"\n", 0, part.begin)
        return RankedPassage(
            first_line,
            first_line + shown.count(b"\n"),
            window.offset + part.begin,
            window.score,
            shown.decode("utf-8", "replace"),
        )

    def _best_part(self, data: bytes, terms: QueryTerms) -> _Part:
        if len(data) <= MAX_PASSAGE_BYTES:
            return _Part(0, len(data))
        units = _units(data)
        weights = self._weights(units, data, terms)
        best, best_weight = _Part(0, 0), -1.0
        last, held = 0, 0.0
        for first, unit in enumerate(units):
            while last < len(units) and units[last].end - unit.begin <= MAX_PASSAGE_BYTES:
                held += weights[last]
                last += 1
            if held > best_weight + 1e-9:
                best, best_weight = _Part(unit.begin, units[last - 1].end), held
            held -= weights[first]
        return best

    def _weights(self, units: Sequence[_Part], data: bytes, terms: QueryTerms) -> list[float]:
        """For each unit the weights of the terms in it, each once."""
        held: list[set[int]] = [set() for _ in units]
        number = 0
        for position, counts in terms.hits(data):
            while units[number].end <= position:
                number += 1
            held[number].update(term for term, _ in counts)
        return [sum(map(self._weight, numbers)) for numbers in held]

    def _begin(self, line: int, offset: int) -> None:
        self._number += 1
        self._first_line, self._offset = line, offset

    def _close(self, end: int) -> None:
        self._is_open = False
        if not self._counts:
            return
        counts = tuple(self._counts.items())
        self._halves.append(Half(self._number, self._first_line, self._offset, end, counts))
        self._with_term.update(self._counts.keys())
        self._counts.clear()
        if len(self._halves) > MAX_HALVES:
            kept = heapq.nlargest(MAX_HALVES // 2, self._halves, key=lambda half: self._score([half]))
            self._halves = sorted(kept, key=lambda half: half.number)

    def _scored(self) -> Iterator[Window]:
        for half, following in zip_longest(self._halves, self._halves[1:]):
            halves = [half]
            if following and following.number == half.number + 1:
                halves.append(following)
            yield Window(self._score(halves), halves)

    def _score(self, halves: Sequence[Half]) -> float:
        """Okapi BM25; a half without a neighbour counts as a window with one of average length."""
        average = max(self._total_bytes / (self._number + 1), 1.0)
        length = sum(half.end - half.offset for half in halves) + average * (2 - len(halves))
        slope = K1 * (1 - B + B * length / (2 * average))
        counts: Counter[int] = Counter()
        for half in halves:
            counts.update(dict(half.counts))
        return sum(self._weight(term) * count * (K1 + 1) / (count + slope) for term, count in counts.items())


def _edges(borders: Sequence[int], begun: int, length: int) -> Iterator[int]:
    """The offsets at which halves begin and end within data of this length: at these borders, and where they are too
    long.

    The first one began at `begun`, which is below 0 if it began before the data.
    """
    yield 0
    for edge in [*borders, length]:
        yield from range(begun + MAX_HALF_BYTES, edge, MAX_HALF_BYTES)
        if edge > max(begun, 0):
            yield edge
        begun = edge


def _units(data: bytes) -> list[_Part]:
    """Lines, and parts of those that are long, cut between characters."""
    units = []
    begin = 0
    while begin < len(data):
        end = data.find(b"\n", begin, begin + _UNIT_BYTES) + 1
        if not end:
            end = character_start(data, min(begin + _UNIT_BYTES, len(data)))
        units.append(_Part(begin, end))
        begin = end
    return units
