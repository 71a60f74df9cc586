"""Typed: a text with a code or a number exactly as typed comes before one without."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from camillo_server.kernel.scope import Scope
from camillo_server.lib.text.typed_words import IdRange
from camillo_server.search.signals.signal import Ids, IndexRows, Part, Raw, Rows, Signal, Weights

# More than all else together.
TYPED_SHARE = 1.5
# The most rows that are found by the beginning of their ids.
MAX_NAMED_ROWS = 50


def is_named(ids: IdRange, memory_ids: Ids) -> NDArray[np.bool_]:
    """Whether each of these ids, two halves in a row each, is in the range."""
    high, low = memory_ids[:, 0], memory_ids[:, 1]
    (first_high, first_low), (last_high, last_low) = (
        (np.uint64(each.int >> 64), np.uint64(each.int & 2**64 - 1)) for each in ids
    )
    after = (high > first_high) | ((high == first_high) & (low >= first_low))
    before = (high < last_high) | ((high == last_high) & (low <= last_low))
    return np.asarray(after & before)


def _found_in_index(index: IndexRows, ids: IdRange) -> Rows:
    """The first rows with ids of this range which may be found."""
    every = index.ids(slice(index.count))
    return np.flatnonzero(is_named(ids, every) & index.passes)[:MAX_NAMED_ROWS]


def _weigh(shares: Raw, weights: Weights) -> Part:
    return Part(shares, TYPED_SHARE * weights.total)


def _parameters(scope: Scope, ids: IdRange) -> Mapping[str, Any]:
    return {"first_id": ids.first, "last_id": ids.last, "max_named": MAX_NAMED_ROWS}


TYPED = Signal(
    "typed",
    4,
    _weigh,
    found_in_index=_found_in_index,
    sql_rows="""
        union (
            select m.memory_id from memories m
            where {{in_scope}} and m.memory_id between %(first_id)s::uuid and %(last_id)s::uuid and {passes}
            order by m.memory_id limit %(max_named)s
        )
    """,
    sql_parameters=_parameters,
)
"""Argument: ids of which rows are candidates, too. Raw values, set by search/readings.py: the share that each candidate
has of what the query names as it is typed."""
