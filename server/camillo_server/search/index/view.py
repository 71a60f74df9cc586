"""What a reader sees of a scope: an index as of one revision, which no writer changes."""

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

# The columns that a memory is made of, beside its payload.
SHOWN = (
    *("id_high", "id_low", "kind", "sensitivity", "importance", "pinned", "archived", "version"),
    *("access_count", "stated_count"),
    *("occurred_at", "created_at", "updated_at", "expires_at", "accessed_at"),
)
SENSITIVITY_OF_NUMBER = {int(level): level for level in Sensitivity}
# The sections of a bundle ask for the same few, again and again.
MAX_CACHED_FILTERS = 4


@dataclass(frozen=True, slots=True)
class IndexView:
    """The first rows of an index and which of them are in force: `live` has one item for each."""

    agent_id: AgentId
    model_id: str
    facts: ScopeFacts
    live: Mask
    live_count: int
    pending_count: int
    expires: bool
    mixed: bool
    arrays: Mapping[str, NDArray[Any]]
    payload: NDArray[np.uint8]
    dense: DenseIndex
    terms: Postings
    labels: Postings
    sessions: Sessions
    _known: list[tuple[MemoryFilter, SearchedRows]] = field(default_factory=list)

    @property
    def count(self) -> int:
        """How many rows it has, in force or not."""
        return len(self.live)

    def corpus(self, searched: SearchedRows) -> Corpus:
        """What the lexical arm reads, and how large it takes the scope to be."""
        lengths = self.arrays["term_count"]
        return Corpus(self.terms, lengths, self.count, searched.memories, searched.term_count)

    def allowed(self, wanted: MemoryFilter, now: int) -> Allowed:
        """The rows that pass a filter at a time, in microseconds since 1970."""
        return self.searched(wanted, now).allowed

    def searched(self, wanted: MemoryFilter, now: int) -> SearchedRows:
        """The same, and how many rows count for scores."""
        if wanted.metadata:
            # In Python, 1 equals True.
            return self._searched(wanted, now)
        # What passes changes when the next of it expires, and with the view.
        known = list(self._known)
        for filter_, searched in known:
            if filter_ == wanted and searched.allowed.since <= now < searched.allowed.until:
                return searched
        searched = self._searched(wanted, now)
        others = [each for each in known if each[0] != wanted]
        self._known[:] = [(wanted, searched), *others[: MAX_CACHED_FILTERS - 1]]
        return searched

    def memories(self, rows: Sequence[int]) -> list[Memory]:
        """The memories in these rows."""
        columns = [self.arrays[name][rows].tolist() for name in SHOWN]
        return [
            self._memory(self.payload_of(row), *values)
            for row, *values in zip(rows, *columns, strict=True)
        ]

    def payload_of(self, row: int) -> bytes:
        """What search/store/packed_payload.py reads."""
        ends = self.arrays["payload_end"]
        return self.payload[ends.item(row - 1) if row else 0 : ends.item(row)].tobytes()

    def _searched(self, wanted: MemoryFilter, now: int) -> SearchedRows:
        allowed = self._allowed(wanted, now)
        if not wanted.is_narrowed:
            return whole_scope(allowed, self.facts, self.pending_count)
        term_counts, pending = (
            self.arrays[name][: self.count] for name in ("term_count", "pending")
        )
        return passing_alone(allowed, term_counts, pending)

    def _allowed(self, wanted: MemoryFilter, now: int) -> Allowed:
        rows = FilteredRows(
            column=self.arrays.__getitem__,
            labels=self.labels,
            sessions=self.sessions.rows,
            live=self.live,
            expires=self.expires,
            mixed=self.mixed,
        )
        return allowed_rows(rows, wanted, now)

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
