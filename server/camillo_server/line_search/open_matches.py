"""Matches that wait for the lines after them."""

from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from camillo_server.domain.line_search import Line, Match


@dataclass(frozen=True, slots=True)
class _OpenMatch:
    line: Line
    spans: Sequence[tuple[int, int]]
    before: Sequence[Line]
    after: list[Line]


class OpenMatches:
    """In the order of their lines; each is ready with `after` lines after it."""

    def __init__(self, after: int) -> None:
        self._after = after
        self._open: deque[_OpenMatch] = deque()

    def __len__(self) -> int:
        return len(self._open)

    @property
    def first_line(self) -> int:
        """The line of the match that waits longest."""
        return self._open[0].line.number

    @property
    def missing(self) -> int:
        """How many of the next lines are still needed."""
        return self._after - len(self._open[-1].after) if self._open else 0

    def add(self, match: Match) -> None:
        """A match with those lines after it that are there by now."""
        self._open.append(_OpenMatch(match.line, match.spans, match.before, list(match.after)))

    def give(self, line: Line) -> None:
        """The next line of the content, for all that lack it."""
        for match in self._open:
            if len(match.after) < self._after:
                match.after.append(line)

    def ready(self, is_end: bool = False) -> Iterator[Match]:
        """Those that have all their lines, which at the end of the content are those that there are."""
        while self._open and (is_end or len(self._open[0].after) == self._after):
            match = self._open.popleft()
            yield Match(match.line, match.spans, match.before, tuple(match.after))
