"""Contents cut into blocks, and a plain search to compare with."""

import re
from collections.abc import AsyncGenerator, Iterable, Iterator, Sequence
from itertools import pairwise

from camillo_server.lib.outputs.line_search.lines import MAX_SPANS
from camillo_server.lib.outputs.line_search.query import Block, LinePattern, LineProgress, LineQuery, Match, MatchLine
from camillo_server.lib.outputs.line_search.search import search_lines


def cut(content: bytes, places: Iterable[int]) -> list[Block]:
    """The content in blocks that end at these places."""
    borders = sorted({0, len(content), *(place for place in places if 0 < place < len(content))})
    pairs = pairwise(borders)
    return [Block(a, 1 + content.count(b"\n", 0, a), content[a:b]) for a, b in pairs]


async def streamed(blocks: Iterable[Block]) -> AsyncGenerator[Block]:
    for block in blocks:
        yield block


def wanted(text: str, **chosen: object) -> LineQuery:
    """The query for a text, with values for what a test does not choose."""
    pattern = LinePattern(
        text,
        bool(chosen.pop("is_regex", False)),
        bool(chosen.pop("ignore_case", False)),
        bool(chosen.pop("whole_words", False)),
    )
    numbers = {"limit": 10_000, "before": 0, "after": 0, **chosen}
    return LineQuery(pattern, **numbers)  # type: ignore[arg-type]


async def answers(blocks: Iterable[Block], asked: LineQuery) -> list[LineProgress]:
    return [found async for found in search_lines(streamed(blocks), asked)]


async def found_in(content: bytes, asked: LineQuery, places: Iterable[int] = ()) -> list[Match]:
    told = await answers(cut(content, places), asked)
    return [match for found in told for match in found.matches]


async def texts_found(content: str, text: str, **chosen: object) -> list[str]:
    matches = await found_in(content.encode(), wanted(text, **chosen))
    return [match.line.text for match in matches]


def plainly_found(content: bytes, asked: LineQuery, expression: str) -> list[Match]:
    """Expected matches, by splitting the content and Python's own expressions, one line after the other."""
    searched = re.compile(expression, re.IGNORECASE if asked.pattern.ignore_case else 0)
    rows = list(_rows(content))
    lines = [MatchLine(number, at, _shown(row), False, at) for number, (at, row) in enumerate(rows, 1)]
    matches = []
    for place, (line, (_, row)) in enumerate(zip(lines, rows, strict=True)):
        spans = list(_spans(searched, row))[:MAX_SPANS]
        if spans and line.number >= asked.start_line:
            before = tuple(lines[max(0, place - asked.before) : place])
            after = tuple(lines[place + 1 : place + 1 + asked.after])
            matches.append(Match(line, tuple(spans), before, after))
    return matches[: asked.limit]


def _rows(content: bytes) -> Iterator[tuple[int, bytes]]:
    offset = 0
    for row in re.findall(rb"[^\n]*\n|[^\n]+", content):
        yield offset, re.sub(rb"\r?\n\Z", b"", row)
        offset += len(row)


def _spans(searched: re.Pattern[str], row: bytes) -> Iterator[tuple[int, int]]:
    text = row.decode("utf-8", "surrogateescape")
    for match in searched.finditer(text):
        start, end = (len(_shown(text[:place].encode("utf-8", "surrogateescape"))) for place in match.span())
        yield start, end


def _shown(row: bytes) -> str:
    return row.decode("utf-8", "replace")


def positions(matches: Sequence[Match]) -> list[tuple[int, int, tuple[tuple[int, int], ...]]]:
    """Line, offset and spans of each match."""
    return [(m.line.number, m.line.offset, tuple(m.spans)) for m in matches]
