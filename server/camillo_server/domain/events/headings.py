"""The headings that a part of a Markdown text stands under."""

import re
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass

LONGEST_TRAIL = 200
SEPARATOR = " > "
_LINE = re.compile(r"^ {0,3}(?:(#{1,6})[ \t]+(\S.*)|(`{3,}|~{3,}))", re.MULTILINE)
_CUT = "\N{HORIZONTAL ELLIPSIS}"


@dataclass(frozen=True, slots=True)
class Headings:
    """Where headings begin, in order, and for each its trail, itself at the end, and how long that is without itself."""

    places: Sequence[int]
    trails: Sequence[tuple[str, ...]]

    def above(self, at: int) -> str:
        """The headings above a place, outermost first; of a heading those above it."""
        number = bisect_right(self.places, at) - 1
        if number < 0:
            return ""
        trail = self.trails[number]
        said = SEPARATOR.join(trail[:-1] if self.places[number] == at else trail)
        return said if len(said) <= LONGEST_TRAIL else said[: LONGEST_TRAIL - 1] + _CUT


NONE = Headings((), ())


def headings(text: str) -> Headings:
    """Those of a Markdown text; what stands in a fence is none."""
    places: list[int] = []
    trails: list[tuple[str, ...]] = []
    open_fence = ""
    names: dict[int, str] = {}
    for found in _LINE.finditer(text):
        marks, name, fence = found.groups()
        if fence:
            closes = fence.startswith(open_fence)
            open_fence = "" if open_fence and closes else open_fence or fence
        elif not open_fence:
            level = len(marks)
            names = {above: named for above, named in names.items() if above < level}
            names[level] = _without_closing(name.rstrip())
            places.append(found.start())
            trails.append(tuple(names.values()))
    return Headings(places, trails)


def _without_closing(name: str) -> str:
    """Without the marks that may close a heading. Not by a pattern: that takes hours where there are many spaces."""
    kept = name.rstrip("#")
    return kept.rstrip(" \t") if kept.endswith((" ", "\t")) else name
