"""The matches of a content, line by line, while its sections come in."""

from collections import deque
from collections.abc import Iterator

from camillo_server.lib.outputs.line_search.lines import RawLine, SectionLines, head, match_in
from camillo_server.lib.outputs.line_search.query import (
    Block,
    LinePart,
    LineQuery,
    Match,
    Matcher,
    MatchLine,
    character_start,
)
from camillo_server.lib.text.characters import after_newline, newline_count

# A longer match may be missed, or be taken for shorter than it is.
OVERLAP_BYTES = 64 << 10
# Room for the one character that a pattern may see before and after a match.
_MARGIN_BYTES = 8


class OpenMatches:
    """Matches in the order of their lines; each is ready with `count` lines after it."""

    def __init__(self, count: int) -> None:
        self._count = count
        self._open: deque[tuple[Match, list[MatchLine]]] = deque()

    def __len__(self) -> int:
        return len(self._open)

    @property
    def first_line(self) -> int:
        """The line of the match that waits longest."""
        return self._open[0][0].line.number

    @property
    def missing(self) -> int:
        """How many of the next lines are still needed."""
        return self._count - len(self._open[-1][1]) if self._open else 0

    def add(self, match: Match) -> None:
        """A match with those lines after it that are there by now."""
        self._open.append((match, list(match.after)))

    def give(self, line: MatchLine) -> None:
        """The next line of the content, for all that lack it."""
        for _, after in self._open:
            if len(after) < self._count:
                after.append(line)

    def ready(self, is_end: bool = False) -> Iterator[Match]:
        """Matches that have all their lines; at the end of the content all matches do."""
        while self._open and (is_end or len(self._open[0][1]) == self._count):
            match, after = self._open.popleft()
            yield Match(match.line, match.spans, match.before, tuple(after))


class LineScan:
    """Takes sections and parts of long lines in order; gives the matches with their context."""

    def __init__(self, matcher: Matcher, query: LineQuery) -> None:
        self._matcher = matcher
        self._query = query
        self._left = query.limit
        self._open = OpenMatches(query.after)
        self._earlier: deque[MatchLine] = deque(maxlen=query.before)
        self._long: LongLine | None = None
        # Up to `begin` in this data the lines are counted, up to `end` they are searched.
        self._data, self._number, self._begin, self._end = b"", query.start_line, 0, 0

    @property
    def limit_reached(self) -> bool:
        """Whether no more matches are looked for."""
        return self._left == 0

    @property
    def is_complete(self) -> bool:
        """Whether nothing more is needed."""
        return self.limit_reached and not self._open

    @property
    def next_line(self) -> int:
        """The first line that is not searched, or whose match was not given yet."""
        if self._open:
            return self._open.first_line
        searched = self._number + newline_count(self._data, self._begin, self._end)
        if self._begin < self._end == len(self._data) and not self._data.endswith(b"\n"):
            searched += 1
        return max(searched, self._query.start_line)

    def matches(self, section: Block) -> Iterator[Match]:
        """Matches that are complete with this section."""
        if isinstance(section, LinePart):
            self._take_part(section)
            yield from self._open.ready()
        else:
            yield from self._in_section(SectionLines(section, self._query.max_line_bytes))

    def finish(self) -> Iterator[Match]:
        """Matches whose context ends with the content."""
        return self._open.ready(is_end=True)

    def _in_section(self, lines: SectionLines) -> Iterator[Match]:
        section = lines.section
        for line in lines.following(section.first_line, 0, self._open.missing):
            self._open.give(line)
        yield from self._open.ready()
        if self._left:
            yield from self._search(lines)
        if self._earlier.maxlen and not self.is_complete:
            end = len(section.data)
            number = section.first_line + newline_count(section.data)
            self._earlier.extend(lines.before(number, end, self._earlier.maxlen))

    def _search(self, lines: SectionLines) -> Iterator[Match]:
        data = lines.section.data
        skipped = self._query.start_line - lines.section.first_line
        start = after_newline(data, skipped) if skipped > 0 else 0
        self._data, self._number, self._begin = data, lines.section.first_line, 0
        self._end = start
        text = self._matcher.prepared(data) if start < len(data) else b""
        while start < len(data) and (span := self._matcher.find(text, start, len(data))):
            if span[0] == len(data) and data.endswith(b"\n"):
                break
            if data[span[0] - 1 : span[0] + 1] == b"\r\n" and span[0]:
                # No line at all: it came of the \r that was turned to a newline.
                start = span[0] + 1
                continue
            start = self._found(lines, text, span)
            yield from self._open.ready()
            if not self._left:
                return
        self._end = len(data)

    def _found(self, lines: SectionLines, text: bytes, span: tuple[int, int]) -> int:
        """Adds the match, and returns where the next line begins."""
        begin = self._data.rfind(b"\n", self._begin, span[0]) + 1 or self._begin
        number = self._number + newline_count(self._data, self._begin, begin)
        line, following = lines.raw(number, begin)
        match = match_in(line, text, span, self._matcher, self._query.max_line_bytes)
        before = lines.before(number, begin, self._query.before)
        if missing := self._query.before - len(before):
            before = [*list(self._earlier)[-missing:], *before]
        after = lines.following(number + 1, following, self._query.after)
        self._add(Match(match.line, match.spans, tuple(before), after))
        self._number, self._begin, self._end = number + 1, following, following
        return following

    def _take_part(self, part: LinePart) -> None:
        if self._long is None:
            self._begin_long_line(part)
        long = self._long
        if long and long.number == self._number and self._left:
            found = long.match_with(part, self._matcher)
            if found:
                self._add(Match(found.line, found.spans, tuple(self._earlier)))
            if found or part.is_last:
                self._number += 1
        if long and part.is_last:
            self._earlier.append(long.head)
            self._long = None

    def _begin_long_line(self, part: LinePart) -> None:
        self._long = LongLine(part, self._query.max_line_bytes)
        self._open.give(self._long.head)
        if self._left:
            is_searched = part.first_line >= self._query.start_line
            self._number = part.first_line if is_searched else part.first_line + 1
            self._data, self._begin, self._end = b"", 0, 0

    def _add(self, match: Match) -> None:
        self._open.add(match)
        self._left -= 1


class LongLine:
    """Takes the parts of a line, in order; its first match is known as soon as it can be shown."""

    def __init__(self, first: LinePart, max_line_bytes: int) -> None:
        self.number = first.first_line
        self.offset = first.offset
        self._max_line_bytes = max_line_bytes
        self._base = first.offset
        self.head: MatchLine = head(self._line(first.data, len(first.data)), max_line_bytes)
        self._pending = b""

    def match_with(self, part: LinePart, matcher: Matcher) -> Match | None:
        """The match that this part makes known, without any context. After it no more parts need be handed in."""
        pending = self._pending + part.data
        if part.is_last and pending.endswith(b"\n"):
            pending = pending.removesuffix(b"\n").removesuffix(b"\r")
        end = len(pending) if part.is_last else character_start(pending, len(pending) - _MARGIN_BYTES)
        text = matcher.prepared(pending)
        begin = character_start(pending, _MARGIN_BYTES) if self._base > self.offset else 0
        span = matcher.find(text, begin, end)
        if span and (part.is_last or self._can_be_shown(span, end)):
            return match_in(self._line(pending, end), text, span, matcher, self._max_line_bytes)
        self._keep(pending)
        return None

    def _line(self, data: bytes, end: int) -> RawLine:
        return RawLine(self.number, self.offset, data, self._base, 0, end, is_part=True)

    def _can_be_shown(self, span: tuple[int, int], end: int) -> bool:
        """Whether more of the line would change nothing."""
        might_grow = span[1] == end and span[1] - span[0] < OVERLAP_BYTES
        return not might_grow and span[0] + self._max_line_bytes <= end

    def _keep(self, pending: bytes) -> None:
        start = len(pending) - OVERLAP_BYTES - 4 * _MARGIN_BYTES
        if start > 0:
            start = character_start(pending, start)
            self._base += start
            pending = pending[start:]
        self._pending = pending
