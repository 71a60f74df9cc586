"""Views of an index: a scope as of one revision, which no writer changes."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

import numpy as np
from numpy.typing import NDArray

from camillo_server.kernel.clock import moment
from camillo_server.kernel.ids import AgentId, MemoryId
from camillo_server.kernel.kinds import KIND_OF_NUMBER, Sensitivity
from camillo_server.memories.memory import Memory
from camillo_server.memories.memory_filter import MemoryFilter
from camillo_server.search.index.dense import DenseIndex
from camillo_server.search.index.filtering import (
    Allowed,
    FilteredRows,
    Mask,
    SearchedRows,
    allowed_rows,
    passing_alone,
    whole_scope,
)
from camillo_server.search.index.lexical import Corpus, Postings
from camillo_server.search.index.sessions import Sessions
from camillo_server.search.store.packed_payload import read_payload
from camillo_server.search.store.packed_rows import LONG_AGO, NEVER
from camillo_server.search.store.scope_rows import ScopeFacts

# The columns of a memory, beside its payload.
SHOWN = (
    *("id_high", "id_low", "kind", "sensitivity", "importance", "pinned", "archived", "version"),
    *("access_count", "stated_count"),
    *("occurred_at", "created_at", "updated_at", "expires_at", "accessed_at"),
)
SENSITIVITY_OF_NUMBER = {int(level): level for level in Sensitivity}
# The sections of a bundle use the same few filters, again and again.
MAX_CACHED_FILTERS = 4


@dataclass(frozen=True, slots=True)
class IndexView:
    """The first rows of an index; `live` has one item for each, true where the row is the latest of its memory."""

    agent_id: AgentId
    model_id: str
    facts: ScopeFacts
    live: Mask
    live_count: int
    pending_count: int
    expires: bool
    has_chunks: bool
    arrays: Mapping[str, NDArray[Any]]
    payload: NDArray[np.uint8]
    dense: DenseIndex
    terms: Postings
    labels: Postings
    sessions: Sessions
    _cached: list[tuple[MemoryFilter, SearchedRows]] = field(default_factory=list)

    @property
    def count(self) -> int:
        """The number of rows, live or not."""
        return len(self.live)

    def corpus(self, searched: SearchedRows) -> Corpus:
        """The postings and sizes for the lexical arm."""
        lengths = self.arrays["term_count"]
        return Corpus(self.terms, lengths, self.count, searched.memories, searched.term_count)

    def allowed(self, filter_: MemoryFilter, now: int) -> Allowed:
        """The rows that pass a filter at this time, in microseconds since 1970."""
        return self.searched(filter_, now).allowed

    def searched(self, filter_: MemoryFilter, now: int) -> SearchedRows:
        """The rows that pass, and the size of the corpus for scores; cached for the last few filters."""
        if filter_.metadata:
            # Not cached: in Python 1 equals True, so that two different filters would compare as equal.
            return self._searched(filter_, now)
        # The rows that pass change when the next of them expires, and with the view.
        cached = list(self._cached)
        for known, searched in cached:
            if known == filter_ and searched.allowed.since <= now < searched.allowed.until:
                return searched
        searched = self._searched(filter_, now)
        others = [each for each in cached if each[0] != filter_]
        self._cached[:] = [(filter_, searched), *others[: MAX_CACHED_FILTERS - 1]]
        return searched

    def memories(self, rows: Sequence[int]) -> list[Memory]:
        """The memories in these rows."""
        columns = [self.arrays[name][rows].tolist() for name in SHOWN]
        return [
            self._memory(self.payload_of(row), *values)
            for row, *values in zip(rows, *columns, strict=True)
        ]

    def payload_of(self, row: int) -> bytes:
        """The payload of a row, as search/store/packed_payload.py reads it."""
        ends = self.arrays["payload_end"]
        return self.payload[ends.item(row - 1) if row else 0 : ends.item(row)].tobytes()

    def _searched(self, filter_: MemoryFilter, now: int) -> SearchedRows:
        allowed = self._allowed(filter_, now)
        if not filter_.is_narrowed:
            return whole_scope(allowed, self.facts, self.pending_count)
        term_counts, pending = (
            self.arrays[name][: self.count] for name in ("term_count", "pending")
        )
        return passing_alone(allowed, term_counts, pending)

    def _allowed(self, filter_: MemoryFilter, now: int) -> Allowed:
        rows = FilteredRows(
            column=self.arrays.__getitem__,
            labels=self.labels,
            sessions=self.sessions.rows,
            live=self.live,
            expires=self.expires,
            has_chunks=self.has_chunks,
        )
        return allowed_rows(rows, filter_, now)

    def _memory(
        self,
        packed: bytes,
        id_high: int,
        id_low: int,
        kind: int,
        sensitivity: int,
        importance: float,
        pinned: int,
        archived: int,
        version: int,
        access_count: int,
        stated_count: int,
        *times: int,
    ) -> Memory:
        payload = read_payload(packed)
        occurred_at, created_at, updated_at, expires_at, accessed_at = times
        return Memory(
            memory_id=MemoryId(UUID(int=id_high << 64 | id_low)),
            agent_id=self.agent_id,
            content=payload.content,
            kind=KIND_OF_NUMBER[kind],
            session_id=payload.session_id,
            occurred_at=moment(occurred_at),
            tags=payload.tags,
            sensitivity=SENSITIVITY_OF_NUMBER[sensitivity],
            importance=importance,
            metadata=payload.metadata,
            expires_at=None if expires_at == NEVER else moment(expires_at),
            pinned=bool(pinned),
            archived=bool(archived),
            version=version,
            source_refs=payload.source_refs,
            created_at=moment(created_at),
            updated_at=moment(updated_at),
            vector_model_id=self.model_id if payload.model_id is None else payload.model_id,
            accessed_at=None if accessed_at == LONG_AGO else moment(accessed_at),
            access_count=access_count,
            stated_count=stated_count,
        )
