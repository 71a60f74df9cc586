"""What the use cases need of the outside."""

from collections.abc import AsyncIterator, Awaitable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import NamedTuple, Protocol

from camillo_server.embedding.embedder import Vector
from camillo_server.kernel.errors import DomainError
from camillo_server.kernel.ids import MemoryId
from camillo_server.kernel.paging import PageCursor
from camillo_server.kernel.replay import replay_record
from camillo_server.kernel.revision import Freshness
from camillo_server.kernel.scope import Scope
from camillo_server.kernel.writes import RequestKey, Written
from camillo_server.memories.memory import Memory, MemoryFilter, MemoryVersion, indexed_text
from camillo_server.redaction.redaction import Redaction
from camillo_server.text.term_counts import CountedTerms, counted_terms


@dataclass(frozen=True, slots=True)
class NewRow:
    """A memory or a chunk to be stored, with its vector if it has one."""

    memory: Memory
    vector: Vector | None
    # For a row on its own: the terms of a whole batch would take many times the bytes of its texts.
    carried_terms: CountedTerms | None = field(default=None, compare=False, repr=False)

    def with_terms(self) -> "NewRow":
        """The same row, which counts its terms once however often it is asked for them."""
        return NewRow(self.memory, self.vector, self.terms())

    def terms(self) -> CountedTerms:
        """The index terms of what is searched of it."""
        memory = self.memory
        return self.carried_terms or counted_terms(
            indexed_text(memory.content, memory.kind, memory.occurred_at)
        )


@dataclass(frozen=True, slots=True)
class UpdatedVersions:
    """The version that the caller has seen, and the one that the new values were filled up from: an update needs
    both to be the one in force. `new_texts` are those that the new values state, by field."""

    expected: int
    read: int
    new_texts: Mapping[str, str] = field(default_factory=dict)


class RefusedRow(NamedTuple):
    """The place of a row, and which of its texts, counted from 0, may not be stated."""

    place: int
    text: int


@dataclass(frozen=True, slots=True)
class MergedRow:
    """The place of a row, and the memory that it was added to, in the version and with the counts of then."""

    place: int
    memory_id: MemoryId
    version: int
    model: str
    accessed_at: datetime | None
    access_count: int
    stated_count: int


@replay_record
@dataclass(frozen=True, slots=True)
class MemoriesReplay:
    """The values of stored memories that their request does not hold: when they were stored and, in the order of the
    drafts, their ids, the models of their vectors and when they expire. Then the rows that are not new, by their places:
    `taken` are those whose id another memory has.

    Before kinds had lifetimes, no `ends` were kept."""

    at: datetime
    memory_ids: tuple[MemoryId, ...]
    models: tuple[str, ...]
    ends: tuple[datetime | None, ...] | None = None
    taken: tuple[int, ...] = ()
    refused: tuple[RefusedRow, ...] = ()
    merged: tuple[MergedRow, ...] = ()


@replay_record
@dataclass(frozen=True, slots=True)
class UpdateReplay:
    """Which version an update made, and how often the memory had been stated."""

    version: int
    stated_count: int = 1


@replay_record
@dataclass(frozen=True, slots=True)
class RestoredReplay:
    """How many memories are back."""

    restored: int


@dataclass(frozen=True, slots=True)
class Stored:
    """What became of rows, by their places: some were added to memories that say the same, `merged`, given as they were
    then. The record names the places of those that were not stored.
    """

    revision: int
    record: MemoriesReplay
    merged: Mapping[int, Memory] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Imported:
    """What became of one batch of an import; `failures` by place: MemoryRepeated and ValueRejected."""

    revision: int
    stored: int
    skipped: int
    merged: int = 0
    failures: Mapping[int, DomainError] = field(default_factory=dict)
    redactions: Sequence[Redaction] = ()


@dataclass(frozen=True, slots=True)
class Change:
    """One change of a scope: a memory in its latest state, or None for one that was forgotten or has expired."""

    revision: int
    memory_id: MemoryId
    memory: Memory | None


@dataclass(frozen=True, slots=True)
class ChangePage:
    """Changes in the order of (revision, memory id), and the scope's revision when they were read."""

    changes: Sequence[Change]
    revision: int


class MemoryReader(Protocol):
    """Reads memories of one scope. Every method raises StorageUnavailable, and RevisionBehind where the
    demanded freshness is not reached before the deadline."""

    async def get(
        self, scope: Scope, memory_id: MemoryId, freshness: Freshness, *, now: datetime | None
    ) -> tuple[Memory | None, int]:
        """The memory, if it has not expired by `now` (None: expired or not), and the revision read at."""
        ...

    async def vectors(
        self, scope: Scope, memory_ids: Sequence[MemoryId]
    ) -> dict[MemoryId, Vector]: ...

    async def page(
        self,
        scope: Scope,
        wanted: MemoryFilter,
        after: PageCursor | None,
        size: int,
        freshness: Freshness,
        *,
        now: datetime,
    ) -> tuple[Sequence[Memory], int]:
        """Newest first, at most `size`, behind `after`."""
        ...

    async def versions(
        self,
        scope: Scope,
        memory_id: MemoryId,
        below_version: int | None,
        size: int,
        *,
        now: datetime | None,
    ) -> Sequence[MemoryVersion]:
        """Newest first, the version in force among them; empty where there is no such memory, or it has expired
        by `now` (None: expired or not)."""
        ...

    def export(
        self, scope: Scope, wanted: MemoryFilter, *, with_vectors: bool, now: datetime
    ) -> AsyncIterator[tuple[Sequence[NewRow], int]]:
        """Batches, oldest first, all as of one revision."""
        ...

    async def changes(
        self, scope: Scope, after: tuple[int, MemoryId | None], size: int, *, now: datetime
    ) -> ChangePage:
        """What changed behind a revision, or behind a memory within it."""
        ...


class MemoryWriter(Protocol):
    """Writes memories of one scope. Every write is one transaction that advances the scope's revision by one;
    a repeated request writes nothing and gives the first record. Every method raises StorageUnavailable and
    RequestIdReused."""

    async def remember(
        self,
        scope: Scope,
        row: NewRow,
        replay: MemoriesReplay,
        request: RequestKey | None,
        *,
        now: datetime,
    ) -> Stored:
        """Stores the row, or adds it to the memory that says the same. Raises AlreadyExists where the memory id is taken,
        ValueRejected."""
        ...

    async def remember_many(
        self,
        scope: Scope,
        rows: Sequence[NewRow],
        replay: MemoriesReplay,
        request: RequestKey | None,
        *,
        now: datetime,
    ) -> Stored:
        """The same for several, in their order: each for itself, in one transaction."""
        ...

    async def import_rows(
        self,
        scope: Scope,
        rows: Sequence[NewRow],
        *,
        replace: bool,
        after: Awaitable[object] | None,
        now: datetime,
    ) -> Imported:
        """Stores rows of different ids, or adds them to what says the same; with `replace` also in the place of what has
        their id. Commits after `after`, the import before it, whose failure is then its own."""
        ...

    async def update(
        self,
        scope: Scope,
        row: NewRow,
        versions: UpdatedVersions,
        replay: UpdateReplay,
        request: RequestKey | None,
        *,
        now: datetime,
    ) -> Written[UpdateReplay]:
        """Puts the row in the place of the expected version, which becomes history. Raises NotFound, VersionConflict,
        MemoryRepeated, ValueRejected."""
        ...

    async def restore(
        self,
        scope: Scope,
        memory_ids: Sequence[MemoryId],
        request: RequestKey | None,
        *,
        now: datetime,
    ) -> Written[RestoredReplay]: ...
