"""The best part of a window, as it is shown."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from camillo_server.domain.line_search import MAX_PASSAGE_BYTES, Passage
from camillo_server.line_search.patterns import is_within_character
from camillo_server.line_search.query_terms import QueryTerms
from camillo_server.line_search.windows import Window

# Longer lines are taken apart.
_UNIT_BYTES = 1_024


@dataclass(frozen=True, slots=True)
class _Part:
    begin: int
    end: int


def passage(
    window: Window, data: bytes, terms: QueryTerms, weight: Callable[[int], float]
) -> Passage:
    """The lines of the window's data that hold most of the query, by the weights of its terms."""
    part = _best_part(data, terms, weight)
    shown = data[part.begin : part.end].removesuffix(b"\n").removesuffix(b"\r")
    first_line = window.halves[0].first_line + data.count(b"\n", 0, part.begin)
    return Passage(
        first_line,
        first_line + shown.count(b"\n"),
        window.offset + part.begin,
        window.score,
        shown.decode("utf-8", "replace"),
    )


def _best_part(data: bytes, terms: QueryTerms, weight: Callable[[int], float]) -> _Part:
    if len(data) <= MAX_PASSAGE_BYTES:
        return _Part(0, len(data))
    units = _units(data)
    weights = _weights(units, data, terms, weight)
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


def _weights(
    units: Sequence[_Part], data: bytes, terms: QueryTerms, weight: Callable[[int], float]
) -> list[float]:
    """For each unit the weights of the terms in it, each once."""
    held: list[set[int]] = [set() for _ in units]
    number = 0
    for place, counts in terms.hits(data):
        while units[number].end <= place:
            number += 1
        held[number].update(term for term, _ in counts)
    return [sum(map(weight, numbers)) for numbers in held]


def _units(data: bytes) -> list[_Part]:
    """Lines, and parts of those that are long, cut between characters."""
    units = []
    begin = 0
    while begin < len(data):
        end = data.find(b"\n", begin, begin + _UNIT_BYTES) + 1
        if not end:
            end = min(begin + _UNIT_BYTES, len(data))
            cut = end
            while cut > end - 4 and is_within_character(data, cut):
                cut -= 1
            end = end if is_within_character(data, cut) else cut
        units.append(_Part(begin, end))
        begin = end
    return units
