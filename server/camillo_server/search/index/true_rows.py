"""Which rows of an index are true at a moment, and when that changes."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from camillo_server.kernel.clock import microseconds
from camillo_server.rows.row_filter import MemoryFilter, Validity
from camillo_server.search.store.packed_rows import LONG_AGO, NEVER

Columns = Mapping[str, NDArray[Any]]
Mask = NDArray[np.bool_]


def is_any_dated(columns: Columns) -> bool:
    """Whether some row says from when or until when it is true."""
    begins, ends = columns["valid_from"], columns["valid_until"]
    return bool((begins != LONG_AGO).any() or (ends != NEVER).any())


def passes_validity(columns: Columns, filter_: MemoryFilter, now: int, rows: slice | NDArray[np.int32]) -> Mask:
    """Whether each of these rows passes by its being true at the moment that the filter asks for."""
    is_true = _is_true(columns, filter_, now, rows)
    return is_true if filter_.searched_validity is Validity.TRUE else ~is_true


def next_change(columns: Columns, live: Mask, now: int, until: int) -> int:
    """When the next live row becomes true or untrue, whether it passes a filter or not; or `until`, if that is before."""
    for name in ("valid_from", "valid_until"):
        times = columns[name][: len(live)][live]
        until = int(times[times > now].min(initial=until))
    return until


def _is_true(columns: Columns, filter_: MemoryFilter, now: int, rows: slice | NDArray[np.int32]) -> Mask:
    begins, ends = columns["valid_from"][rows], columns["valid_until"][rows]
    if filter_.as_of is None:
        return np.asarray((ends > now) & (begins <= now))
    then = microseconds(filter_.as_of)
    # A row without a start of validity is true since it happened.
    begins = np.where(begins == LONG_AGO, columns["occurred_at"][rows], begins)
    return np.asarray((ends > then) & (begins <= then))
