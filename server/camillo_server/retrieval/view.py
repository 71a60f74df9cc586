"""What a reader sees of a scope: an index as of one revision, which no writer changes."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any
from uuid import UUID

import numpy as np
from numpy.typing import NDArray

from camillo_server.domain.ids import AgentId, MemoryId
from camillo_server.domain.memory import Memory, MemoryFilter, MemoryKind, Sensitivity
from camillo_server.domain.moments import moment
from camillo_server.retrieval.dense import DenseIndex
from camillo_server.retrieval.filtering import Allowed, FilteredRows, Mask, allowed_rows
from camillo_server.retrieval.lexical import Corpus
from camillo_server.retrieval.postings import Postings
from camillo_server.retrieval.sessions import Sessions
from camillo_server.storage.packed_payload import read_payload
from camillo_server.storage.packed_rows import LONG_AGO, NEVER
from camillo_server.storage.scope_rows import ScopeFacts

# The columns that a memory is made of, beside its payload.
SHOWN = (
    *("id_high", "id_low", "kind", "sensitivity", "importance", "pinned", "archived", "version"),
    *("access_count", "occurred_at", "created_at", "updated_at", "expires_at", "accessed_at"),
)
KIND_OF_NUMBER = {int(kind): kind for kind in MemoryKind}
SENSITIVITY_OF_NUMBER = {int(level): level for level in Sensitivity}


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
    arrays: Mapping[str, NDArray[Any]]
    payload: NDArray[np.uint8]
    dense: DenseIndex
    terms: Postings
    labels: Postings
    sessions: Sessions
    _visible: list[Allowed] = field(default_factory=list)

    @property
    def count(self) -> int:
        """How many rows it has, in force or not."""
        return len(self.live)

    @property
    def corpus(self) -> Corpus:
        """What the lexical arm reads."""
        return Corpus(
            self.terms,
            self.arrays["term_count"],
            self.count,
            self.facts.memory_count,
            self.facts.term_count,
        )

    def allowed(self, wanted: MemoryFilter, now: int) -> Allowed:
        """The rows that pass a filter at a time, in microseconds since 1970."""
        if not wanted.is_empty:
            return self._allowed(wanted, now)
        # Almost every recall asks for the same; it changes when the next memory expires.
        for allowed in self._visible:
            if allowed.since <= now < allowed.until:
                return allowed
        allowed = self._allowed(wanted, now)
        self._visible[:] = [allowed]
        return allowed

    def memories(self, rows: Sequence[int]) -> list[Memory]:
        """The memories in these rows."""
        columns = [self.arrays[name][rows].tolist() for name in SHOWN]
        return [
            self._memory(self.payload_of(row), *values)
            for row, *values in zip(rows, *columns, strict=True)
        ]

    def payload_of(self, row: int) -> bytes:
        """What storage/packed_payload.py reads."""
        ends = self.arrays["payload_end"]
        return self.payload[ends.item(row - 1) if row else 0 : ends.item(row)].tobytes()

    def _allowed(self, wanted: MemoryFilter, now: int) -> Allowed:
        rows = FilteredRows(
            self.arrays.__getitem__, self.labels, self.sessions.rows, self.live, self.expires
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
        )
