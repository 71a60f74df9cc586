"""What a write of memories reports, and the record from which a repeated request is answered."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import NamedTuple

from camillo_server.kernel.errors import DomainError
from camillo_server.kernel.ids import MemoryId
from camillo_server.kernel.writes import replay_record
from camillo_server.memories.memory import Memory
from camillo_server.redaction.redaction import Redaction


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
class StoredRows:
    """What became of rows, by their places: some were added to memories that say the same, `merged`, given as they were
    then. The record names the places of those that were not stored.
    """

    revision: int
    record: MemoriesReplay
    merged: Mapping[int, Memory] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class ImportedBatch:
    """What became of one batch of an import; `failures` by place: MemoryRepeated and ValueRejected."""

    revision: int
    stored: int
    skipped: int
    merged: int = 0
    failures: Mapping[int, DomainError] = field(default_factory=dict)
    redactions: Sequence[Redaction] = ()
