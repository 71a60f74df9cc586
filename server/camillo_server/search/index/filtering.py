"""Filters over columns: which rows a recall may find, decided before any arm searches."""

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
    """When this was found, and when the next of them expires: microseconds since 1970."""


@dataclass(frozen=True, slots=True)
class FilteredRows:
    """What a filter reads: columns and labels of the first `count` rows, and which of them are in force."""

    column: Column
    labels: Postings
    sessions: Callable[[int], NDArray[np.int32]]
    live: Mask
    expires: bool
    """Some row may expire."""
    mixed: bool
    """Some row is no memory: a chunk, or what could not be opened."""

    @property
    def count(self) -> int:
        return len(self.live)


def allowed_rows(rows: FilteredRows, wanted: MemoryFilter, now: int) -> Allowed:
    """The rows that pass a filter at this time."""
    seed = _seed(rows, wanted)
    if seed is None:
        mask = rows.live & _passes(rows, wanted, now, slice(0, rows.count))
    else:
        seed = seed[rows.live[seed]]
        mask = np.zeros(rows.count, np.bool_)
        mask[seed[_passes(rows, wanted, now, seed)]] = True
    count = int(np.count_nonzero(mask))
    until = NEVER
    if rows.expires:
        until = int(rows.column("expires_at")[: rows.count][mask].min(initial=NEVER))
    if count == rows.count:
        return Allowed(None, count, now, until)
    return Allowed(mask, count, now, until)


def _seed(rows: FilteredRows, wanted: MemoryFilter) -> NDArray[np.int32] | None:
    """The rows that the labels leave, or None for a filter without any: few, so the rest is checked for them alone."""
    found: list[NDArray[np.int32]] = []
    if wanted.session_id:
        session = rows.sessions(session_code(wanted.session_id))
        found.append(session[session < rows.count])
    codes = [tag_code(tag) for tag in wanted.tags_all]
    codes += [entry_code(key, value) for key, value in wanted.metadata.items()]
    found += [rows.labels.rows(code, rows.count) for code in codes]
    if wanted.tags_any:
        any_of = [rows.labels.rows(tag_code(tag), rows.count) for tag in wanted.tags_any]
        found.append(np.unique(np.concatenate(any_of)))
    if not found:
        return None
    found.sort(key=len)
    seed = found[0]
    for others in found[1:]:
        seed = np.intersect1d(seed, others, assume_unique=True)
    return seed


def _passes(
    rows: FilteredRows, wanted: MemoryFilter, now: int, of: slice | NDArray[np.int32]
) -> Mask:
    """Whether each of these rows passes the conditions on columns."""

    def column(name: str) -> NDArray[Any]:
        return rows.column(name)[of]

    passes = np.ones(len(column("archived")), np.bool_)
    if wanted.archived is not Archived.INCLUDE:
        passes &= column("archived") == (wanted.archived is Archived.ONLY)
    if rows.expires:
        passes &= column("expires_at") > now
    if rows.mixed or wanted.asks_for_kinds:
        passes &= _numbered(passing_kinds(wanted), KIND_NUMBERS)[column("kind")]
    if wanted.occurred_from is not None:
        passes &= column("occurred_at") >= microseconds(wanted.occurred_from)
    if wanted.occurred_before is not None:
        passes &= column("occurred_at") < microseconds(wanted.occurred_before)
    if wanted.min_importance:
        # As Postgres compares: in the precision that is stored.
        passes &= column("importance") >= np.float32(wanted.min_importance)
    if wanted.max_sensitivity:
        passes &= column("sensitivity") <= int(wanted.max_sensitivity)
    if wanted.sensitivities:
        passes &= _numbered(wanted.sensitivities, len(Sensitivity) + 1)[column("sensitivity")]
    return passes


def has_memories_alone(kinds: NDArray[np.int16]) -> bool:
    """No chunk is among rows of these kinds, and none that could not be opened."""
    return not ((kinds >= KINDS_OF_A_SOURCE) | (kinds == UNREADABLE_KIND)).any()


def _numbered(members: Sequence[int], length: int) -> Mask:
    """Which numbers are among these."""
    found = np.zeros(length, np.bool_)
    found[list(members)] = True
    return found


@dataclass(frozen=True, slots=True)
class SearchedRows:
    """The rows that pass, and the size of what is searched: the whole scope, or, where a channel hides rows of it, those
    that pass alone."""

    allowed: Allowed
    is_narrowed: bool
    memories: int
    term_count: int
    vectors_pending: bool


def whole_scope(allowed: Allowed, facts: ScopeFacts, pending_count: int) -> SearchedRows:
    """For a filter that no channel has narrowed: what does not pass counts as well."""
    return SearchedRows(allowed, False, facts.memory_count, facts.term_count, pending_count > 0)


def passing_alone(
    allowed: Allowed, term_counts: NDArray[np.uint16], pending: NDArray[np.uint8]
) -> SearchedRows:
    """For one that a channel has narrowed; of all rows the lengths in terms, and whether they wait for vectors."""
    if allowed.mask is not None:
        term_counts, pending = term_counts[allowed.mask], pending[allowed.mask]
    terms = int(term_counts.sum(dtype=np.int64))
    return SearchedRows(allowed, True, allowed.count, terms, bool(pending.any()))
