"""The index terms of a query."""

from collections.abc import Iterable

from camillo_server.kernel.off_loop import TimeSlices
from camillo_server.text.foreign_function_words import content_terms
from camillo_server.text.index_terms import (
    MAX_WHOLE_CHARACTERS,
    index_terms,
    slices_of,
)

# Longer queries are left to the dense arm: in the lexical arm more terms only blur the result.
QUERY_TERMS = 64
# Cutting one character into terms: of prose a twentieth, of Chinese a third of this, of emoji nearly all.
TERMS_MICROSECONDS = 1.0


def query_terms(text: str) -> list[str]:
    """The different index terms of a query, in order, at most 64; function words only if there is nothing else."""
    return _chosen(dict.fromkeys(index_terms(text)))


async def terms_of_query(text: str) -> list[str]:
    """`query_terms`; a long text is read slice by slice, until there are enough."""
    if len(text) <= MAX_WHOLE_CHARACTERS:
        return query_terms(text)
    terms: dict[str, None] = {}
    slices = TimeSlices()
    for part in slices_of(text):
        terms |= dict.fromkeys(index_terms(part))
        if len(content_terms(terms)) >= QUERY_TERMS:
            break
        await slices.spend(len(part) * TERMS_MICROSECONDS)
    return _chosen(terms)


def _chosen(terms: Iterable[str]) -> list[str]:
    return (content_terms(terms) or [*terms])[:QUERY_TERMS]
