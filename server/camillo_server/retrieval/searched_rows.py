"""What a search looks at: the rows that pass its filter, and how many rows its scores and its answer tell of."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from camillo_server.retrieval.filtering import Allowed
from camillo_server.storage.scope_rows import ScopeFacts


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
