"""Conditions on the rows of an index that more than one column decides: what happened when, what is true when, whose
actions are shown, which passages of documents may be read, and which labels and metadata a row has."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from camillo_server.kernel.clock import microseconds
from camillo_server.kernel.ids import AgentId
from camillo_server.kernel.kinds import KINDS_OF_A_SOURCE, ChunkKind, Source
from camillo_server.rows.occurrences import read_metadata
from camillo_server.rows.row_filter import MemoryFilter, Validity, category_tags, meets
from camillo_server.search.index.columns import Sessions
from camillo_server.search.index.lexical import Postings
from camillo_server.search.store.packed_payload import entry_code, read_payload, session_code, tag_code
from camillo_server.search.store.packed_rows import LONG_AGO, NEVER

Mask = NDArray[np.bool_]
# The last byte of a payload whose metadata is null: of its length, -1. No JSON ends so.
NO_METADATA = 0xFF
FIRST_DOCUMENT_KIND = KINDS_OF_A_SOURCE * (Source.DOCUMENT - 1)


def happened_rows(
    filter_: MemoryFilter,
    occurred_at: NDArray[np.int64],
    restated: NDArray[np.int32],
    payload_of: Callable[[int], bytes],
) -> Mask:
    """Whether each row happened, in one of its occurrences, in the time that the filter names; `restated` rows have
    several."""
    begin = LONG_AGO if filter_.occurred_from is None else microseconds(filter_.occurred_from)
    end = NEVER if filter_.occurred_before is None else microseconds(filter_.occurred_before)
    passes = (occurred_at >= begin) & (occurred_at < end)
    for row in restated.tolist():
        if not passes[row]:
            _, occurrences = read_metadata(read_payload(payload_of(row)).metadata)
            passes[row] = any(begin <= microseconds(each.occurred_at) < end for each in occurrences.kept)
    return np.asarray(passes)


def actions_of_others(kinds: NDArray[np.uint8], labels: Postings, agents: Iterable[AgentId]) -> NDArray[np.intp]:
    """The rows that are actions of other agents than these, by the `agent` of their metadata."""
    is_other = kinds == ChunkKind.ACTION
    for agent_id in agents:
        is_other[labels.rows(entry_code("agent", agent_id), len(kinds))] = False
    return np.flatnonzero(is_other)


def passages(kinds: NDArray[np.int16]) -> NDArray[np.intp]:
    """The rows that are passages of documents."""
    return np.flatnonzero((kinds >= FIRST_DOCUMENT_KIND) & (kinds < FIRST_DOCUMENT_KIND + KINDS_OF_A_SOURCE))


def unreadable_passages(
    filter_: MemoryFilter, now: int, kinds: NDArray[np.int16], occurred_at: NDArray[np.int64], labels: Postings
) -> NDArray[np.intp]:
    """The passages of documents that are not effective yet, or of no category that is asked for, or of none that is
    granted."""
    rows = passages(kinds)
    passes = occurred_at[rows] <= now
    for categories in (filter_.document_categories or None, filter_.granted_categories):
        if categories is not None:
            is_of_any = np.zeros(len(kinds), np.bool_)
            for tag in category_tags(categories):
                is_of_any[labels.rows(tag_code(tag), len(kinds))] = True
            passes &= is_of_any[rows]
    return rows[~passes]


def labelled_rows(filter_: MemoryFilter, sessions: Sessions, labels: Postings, count: int) -> NDArray[np.int32] | None:
    """The rows with the session, tags and metadata of a filter, which are few; None for a filter without any."""
    matches: list[NDArray[np.int32]] = []
    if filter_.session_id:
        of_session = sessions.rows(code := session_code(filter_.session_id))
        others = labels.rows(code, count)
        matches.append(np.union1d(of_session[of_session < count], others))
    codes = [tag_code(tag) for tag in filter_.tags_all]
    codes += [entry_code(key, value) for key, value in filter_.metadata.items()]
    matches += [labels.rows(code, count) for code in codes]
    if filter_.tags_any:
        any_of = [labels.rows(tag_code(tag), count) for tag in filter_.tags_any]
        matches.append(np.unique(np.concatenate(any_of)))
    if not matches:
        return None
    # The rarest first, so that little is left to compare.
    matches.sort(key=len)
    common = matches[0]
    for others in matches[1:]:
        common = np.intersect1d(common, others, assume_unique=True)
    return common


def clear_rows_failing(
    filter_: MemoryFilter,
    mask: Mask,
    last_bytes: NDArray[np.uint8],
    payload_of: Callable[[int], bytes],
) -> None:
    """Clears in a mask the rows without a statement that meets all conditions; `last_bytes`: those of each payload."""
    conditions = filter_.metadata_conditions
    has_metadata = mask & (last_bytes != NO_METADATA)
    if not meets(conditions, {}):
        mask &= has_metadata
    for row in np.flatnonzero(has_metadata).tolist():
        mask[row] = meets(conditions, read_payload(payload_of(row)).metadata)


Columns = Mapping[str, NDArray[Any]]


def is_any_dated(columns: Columns) -> bool:
    """Whether some row says from when or until when it is true."""
    begins, ends = columns["valid_from"], columns["valid_until"]
    return bool((begins != LONG_AGO).any() or (ends != NEVER).any())


def passes_validity(columns: Columns, filter_: MemoryFilter, now: int, rows: slice | NDArray[np.int32]) -> Mask:
    """Whether each of these rows passes by its being true at the moment that the filter asks for."""
    is_true = _is_true(columns, filter_, now, rows)
    return is_true if filter_.searched_validity is Validity.TRUE else ~is_true


def next_change(columns: Columns, live: Mask, now: int, until: int) -> int:
    """When the next live row becomes true or untrue, whether it passes a filter or not; or `until`, if that is
    before."""
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
