"""Filters over columns: the rows that a recall may find, decided before any arm searches."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from camillo_server.kernel.clock import microseconds
from camillo_server.kernel.kinds import KIND_NUMBERS, KINDS_OF_A_SOURCE, Sensitivity
from camillo_server.memories.memory_filter import Archived, MemoryFilter, passing_kinds
from camillo_server.search.index.lexical import Postings
from camillo_server.search.store.encrypted_records import UNREADABLE_KIND
from camillo_server.search.store.packed_payload import entry_code, session_code, tag_code
from camillo_server.search.store.packed_rows import NEVER
from camillo_server.search.store.scope_rows import ScopeFacts

Mask = NDArray[np.bool_]
Column = Callable[[str], NDArray[Any]]


@dataclass(frozen=True, slots=True)
class Allowed:
    """The rows that pass: a mask over all rows, None where every row passes, and their number."""

    mask: Mask | None
    count: int
    since: int
    until: int
    """From when and until when this holds, since rows expire: microseconds since 1970."""


@dataclass(frozen=True, slots=True)
class FilteredRows:
    """Columns and labels of the first `count` rows, for a filter to read, and which of them are live."""

    column: Column
    labels: Postings
    sessions: Callable[[int], NDArray[np.int32]]
    live: Mask
    expires: bool
    """Some row may expire."""
    has_chunks: bool
    """Some row is no memory: a chunk, or a row that could not be decrypted."""

    @property
    def count(self) -> int:
        return len(self.live)


def allowed_rows(rows: FilteredRows, filter_: MemoryFilter, now: int) -> Allowed:
    """The rows that pass a filter at this time, in microseconds since 1970."""
    labelled = _labelled_rows(rows, filter_)
    if labelled is None:
        mask = rows.live & _passes(rows, filter_, now, slice(0, rows.count))
    else:
        labelled = labelled[rows.live[labelled]]
        mask = np.zeros(rows.count, np.bool_)
        mask[labelled[_passes(rows, filter_, now, labelled)]] = True
    count = int(np.count_nonzero(mask))
    until = NEVER
    if rows.expires:
        until = int(rows.column("expires_at")[: rows.count][mask].min(initial=NEVER))
    if count == rows.count:
        return Allowed(None, count, now, until)
    return Allowed(mask, count, now, until)


def _labelled_rows(rows: FilteredRows, filter_: MemoryFilter) -> NDArray[np.int32] | None:
    """The rows with the session, tags and metadata of a filter, or None for a filter without any. They are few, so that the
    columns are read for them alone."""
    matches: list[NDArray[np.int32]] = []
    if filter_.session_id:
        session = rows.sessions(session_code(filter_.session_id))
        matches.append(session[session < rows.count])
    codes = [tag_code(tag) for tag in filter_.tags_all]
    codes += [entry_code(key, value) for key, value in filter_.metadata.items()]
    matches += [rows.labels.rows(code, rows.count) for code in codes]
    if filter_.tags_any:
        any_of = [rows.labels.rows(tag_code(tag), rows.count) for tag in filter_.tags_any]
        matches.append(np.unique(np.concatenate(any_of)))
    if not matches:
        return None
    # The rarest first, so that little is left to compare.
    matches.sort(key=len)
    common = matches[0]
    for others in matches[1:]:
        common = np.intersect1d(common, others, assume_unique=True)
    return common


def _passes(
    rows: FilteredRows, filter_: MemoryFilter, now: int, of: slice | NDArray[np.int32]
) -> Mask:
    """Whether each of these rows passes the conditions on columns."""

    def column(name: str) -> NDArray[Any]:
        return rows.column(name)[of]

    passes = np.ones(len(column("archived")), np.bool_)
    if filter_.archived is not Archived.INCLUDE:
        passes &= column("archived") == (filter_.archived is Archived.ONLY)
    if rows.expires:
        passes &= column("expires_at") > now
    if rows.has_chunks or filter_.asks_for_kinds:
        passes &= _lookup(passing_kinds(filter_), KIND_NUMBERS)[column("kind")]
    if filter_.occurred_from is not None:
        passes &= column("occurred_at") >= microseconds(filter_.occurred_from)
    if filter_.occurred_before is not None:
        passes &= column("occurred_at") < microseconds(filter_.occurred_before)
    if filter_.min_importance:
        # As Postgres compares: in the precision that is stored.
        passes &= column("importance") >= np.float32(filter_.min_importance)
    if filter_.max_sensitivity:
        passes &= column("sensitivity") <= int(filter_.max_sensitivity)
    if filter_.sensitivities:
        passes &= _lookup(filter_.sensitivities, len(Sensitivity) + 1)[column("sensitivity")]
    return passes


def has_memories_alone(kinds: NDArray[np.int16]) -> bool:
    """Whether rows of these kinds are all memories: no chunk, and none that could not be decrypted."""
    return not ((kinds >= KINDS_OF_A_SOURCE) | (kinds == UNREADABLE_KIND)).any()


def _lookup(members: Sequence[int], length: int) -> Mask:
    """A table by number: whether the number is among these."""
    table = np.zeros(length, np.bool_)
    table[list(members)] = True
    return table


@dataclass(frozen=True, slots=True)
class SearchedRows:
    """The rows that pass, and the size of the corpus that is searched.

    The corpus is the whole scope or, where a channel hides rows of it, only the rows that pass: a score must not tell
    of hidden rows.
    """

    allowed: Allowed
    is_narrowed: bool
    memories: int
    term_count: int
    vectors_pending: bool


def whole_scope(allowed: Allowed, facts: ScopeFacts, pending_count: int) -> SearchedRows:
    """For a filter that no channel has narrowed: rows that do not pass count as well."""
    return SearchedRows(allowed, False, facts.memory_count, facts.term_count, pending_count > 0)


def passing_alone(
    allowed: Allowed, term_counts: NDArray[np.uint16], pending: NDArray[np.uint8]
) -> SearchedRows:
    """For a filter that a channel has narrowed; the columns are those of all rows."""
    if allowed.mask is not None:
        term_counts, pending = term_counts[allowed.mask], pending[allowed.mask]
    terms = int(term_counts.sum(dtype=np.int64))
    return SearchedRows(allowed, True, allowed.count, terms, bool(pending.any()))
