"""One line that is too long to hold, searched in windows that overlap."""

from camillo_server.outputs.line_search.lines import (
    LinePart,
    RawLine,
    around,
    head,
    in_characters,
    spans_within,
)
from camillo_server.outputs.line_search.patterns import Matcher, is_within_character
from camillo_server.outputs.line_search.query import Line, Match

# A longer match may be missed, or be taken for shorter than it is.
OVERLAP_BYTES = 64 << 10
# What a pattern may see before and after what it matches: one character.
_MARGIN_BYTES = 8


class LongLine:
    """Takes the parts of a line, in order; its first match is known as soon as it can be shown."""

    def __init__(self, first: LinePart, max_line_bytes: int) -> None:
        self.number = first.line
        self.offset = first.offset
        self.head: Line = head(
            RawLine(first.line, first.offset, first.data, first.offset, 0, len(first.data), True),
            max_line_bytes,
        )
        self._max_line_bytes = max_line_bytes
        self._base = first.offset
        self._held = b""

    def match_with(self, part: LinePart, matcher: Matcher) -> Match | None:
        """The match that this part makes known, without any context. After it no more parts need be handed in."""
        held = self._held + part.data
        if part.is_last and held.endswith(b"\n"):
            held = held.removesuffix(b"\n").removesuffix(b"\r")
        end = len(held) if part.is_last else _character_before(held, len(held) - _MARGIN_BYTES)
        text = matcher.prepared(held)
        begin = 0
        if self._base > self.offset:
            begin = _character_before(held, _MARGIN_BYTES)
        span = matcher.find(text, begin, end)
        if span and (part.is_last or self._can_be_shown(span, end)):
            return self._match(held, text, span, end, matcher)
        self._hold(held)
        return None

    def _can_be_shown(self, span: tuple[int, int], end: int) -> bool:
        """Whether more of the line would change nothing."""
        might_grow = span[1] == end and span[1] - span[0] < OVERLAP_BYTES
        return not might_grow and span[0] + self._max_line_bytes <= end

    def _match(
        self, held: bytes, text: bytes, span: tuple[int, int], end: int, matcher: Matcher
    ) -> Match:
        line = RawLine(self.number, self.offset, held, self._base, 0, end, is_part=True)
        shown_from, shown_to = around(line, span, self._max_line_bytes)
        spans = spans_within(matcher, text, span, shown_to)
        return Match(
            line.shown(shown_from, shown_to),
            in_characters(held, shown_from, spans),
        )

    def _hold(self, held: bytes) -> None:
        start = len(held) - OVERLAP_BYTES - 4 * _MARGIN_BYTES
        if start > 0:
            start = _character_before(held, start)
            self._base += start
            held = held[start:]
        self._held = held


def _character_before(data: bytes, place: int) -> int:
    """Where the character begins that has this byte; bytes that are no UTF-8 are taken for characters."""
    for back in range(min(4, place + 1)):
        if not is_within_character(data, place - back):
            return place - back
    return place
