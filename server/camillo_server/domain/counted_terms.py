"""The index terms of a text, counted: what Postgres stores of them, and what an index in memory holds."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from camillo_server.domain.index_terms import index_terms
from camillo_server.domain.term_codes import packed_terms


@dataclass(frozen=True, slots=True)
class CountedTerms:
    """How many terms a text has, how often each occurs, and the same as `packed_terms` packs it."""

    total: int
    counts: Mapping[str, int]
    packed: bytes


def counted_terms(text: str) -> CountedTerms:
    """The terms of a text, in order of first occurrence."""
    terms = index_terms(text)
    counts = Counter(terms)
    return CountedTerms(len(terms), counts, packed_terms(counts))
