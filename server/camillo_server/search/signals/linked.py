"""Linked: what the best candidates are linked with is nearly as good as they are."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from camillo_server.kernel.ids import MemoryId
from camillo_server.kernel.scope import Scope
from camillo_server.search.signals.signal import Column, Ids, IndexRows, Part, Raw, Rows, Signal, Weights

# A share of the weight of both arms and neighbours.
LINKED_SHARE = 0.2
Linked = Mapping[MemoryId, float]


def linked_column(linked: Linked, memory_ids: Ids) -> Column:
    """How well that matches which each of these ids is linked with: two halves in a row each; 0 where no link leads to
    it."""
    column = np.zeros(len(memory_ids), np.float32)
    for memory_id, value in linked.items():
        halves = np.array((memory_id.int >> 64, memory_id.int & 2**64 - 1), np.uint64)
        column[(memory_ids == halves).all(axis=1)] = value
    return column


def _found_in_index(index: IndexRows, linked: Linked) -> Rows:
    """The rows that links lead to, as far as this index has them and the search may find them."""
    low_halves = np.array([each.int & 2**64 - 1 for each in linked], np.uint64)
    rows = np.flatnonzero(np.isin(index.arrays["id_low"][: index.count], low_halves))
    rows = rows[index.passes[rows]]
    # One in 2^64 rows has the half of another.
    return rows[linked_column(linked, index.ids(rows)) > 0]


def _weigh(matches: Raw, weights: Weights) -> Part:
    return Part(matches, LINKED_SHARE * (weights.arms + weights.near))


def _parameters(scope: Scope, linked: Linked) -> Mapping[str, Any]:
    return {"linked_ids": list(linked)}


LINKED = Signal(
    "linked",
    3,
    _weigh,
    raises_relevance=True,
    from_ids=linked_column,
    found_in_index=_found_in_index,
    sql_rows="""
        union select m.memory_id from memories m
        where {{in_scope}} and m.memory_id = any(%(linked_ids)s::uuid[]) and {passes}
    """,
    sql_parameters=_parameters,
)
"""Argument: rows that links lead to, which are candidates if they pass the filter, and how well that matches from which
they lead. Raw values: the same for each candidate."""
