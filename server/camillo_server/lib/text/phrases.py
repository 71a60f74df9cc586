"""Phrases: patterns of words that are looked for in many texts, most of which have none."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Phrases:
    """Patterns of words in lower case, and parts of them: every match of a pattern contains one of the parts, and
    begins and ends at most `before` and `after` characters from it. Most texts have none, and looking for parts costs
    little."""

    parts: tuple[str, ...]
    ascii_parts: tuple[str, ...]
    pattern: re.Pattern[str]
    before: int = 32
    after: int = 48

    def are_in(self, lower: str) -> bool:
        """Whether a text in lower case has one of them."""
        parts = self.ascii_parts if lower.isascii() else self.parts
        found = [part for part in parts if part in lower]
        return bool(found) and any(self.pattern.search(lower, *window) for window in self._windows(lower, found))

    def _windows(self, lower: str, parts: Sequence[str]) -> Iterator[tuple[int, int]]:
        """The surroundings of the parts; none overlaps another, so that nothing is read twice."""
        starts = sorted(at for part in parts for at in _occurrences(part, lower))
        start = end = 0
        for at in starts:
            if at - self.before > end:
                if end:
                    yield start, end
                start = at - self.before
            end = at + self.after
        if end:
            yield start, end


def _occurrences(part: str, lower: str) -> Iterator[int]:
    at = lower.find(part)
    while at >= 0:
        yield at
        at = lower.find(part, at + len(part))


def phrases(parts: str, *patterns: str, after: int = 48) -> Phrases:
    """`parts` are separated by bars."""
    all_parts = tuple(parts.split("|"))
    ascii_parts = tuple(filter(str.isascii, all_parts))
    return Phrases(all_parts, ascii_parts, re.compile("|".join(patterns)), after=after)


# Letters of Latin, Greek, Cyrillic, Arabic and Devanagari, and the marks on them.
_SPACED = r"a-z\u00c0-\u052f\u0620-\u06ff\u0900-\u097f"


def only(*patterns: str, symbols: str = "") -> re.Pattern[str]:
    """Matches texts of nothing but some of these words, whole in scripts with spaces, and punctuation; `symbols` are a
    text alone. Does not backtrack into a match (`*+`): a row of symbols has more readings than there is time for."""
    words = rf"(?:{'|'.join(patterns)})(?![{_SPACED}])[\W_]*+"
    only_words = rf"\W*+(?:{words}){{1,6}}"
    if not symbols:
        return re.compile(only_words)
    begun = rf"\W*?{symbols}(?![{_SPACED}])[\W_]*+(?:{words}){{0,5}}"
    return re.compile(f"{begun}|{only_words}")
