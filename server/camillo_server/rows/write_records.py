"""The result of a write of memories, and the record from which a repeated request is answered."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from enum import IntEnum
from typing import NamedTuple

from camillo_server.kernel.errors import DomainError
from camillo_server.kernel.ids import MemoryId
from camillo_server.kernel.scope import Attribution
from camillo_server.kernel.writes import replay_record
from camillo_server.lib.redaction.redaction import Redaction
from camillo_server.rows.row import Row


@dataclass(frozen=True, slots=True)
class UpdatedVersions:
    """The version that the caller has seen, and the one whose values complete the update: both have to be in force.
    `new_texts` are the texts that the update states, by field."""

    expected: int
    read: int
    new_texts: Mapping[str, str] = field(default_factory=dict)


class RefusedRow(NamedTuple):
    """The index of a row in its request, and which of its texts, counted from 0, is blocked."""

    row: int
    text: int


class WhyUnsuperseded(IntEnum):
    """Why a memory cannot be superseded: it is not there, it was superseded already, or by what would
    supersede it."""

    MISSING = 1
    SUPERSEDED = 2
    CYCLE = 3


class Unsuperseded(NamedTuple):
    """The index of a row in its request, the index of the first one that it cannot supersede, and why; with the
    version of one that was superseded already."""

    row: int
    # Stored under this name, as that of `MergedRow`.
    place: int
    why: WhyUnsuperseded
    version: int = 0


@dataclass(frozen=True, slots=True)
class MergedRow:
    """The index of a row in its request, and the memory that it was added to, or that superseded another, in the
    version and with the counts of then."""

    # Stored under this name: records of earlier requests are read with it.
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
    drafts, their ids, the models of their vectors and when they expire. Then the rows that were not inserted, by index:
    `taken` are those whose id another memory has.

    Records from before kinds had lifetimes have no `ends`, those from before memories had attributions none of
    these."""

    at: datetime
    memory_ids: tuple[MemoryId, ...]
    models: tuple[str, ...]
    ends: tuple[datetime | None, ...] | None = None
    taken: tuple[int, ...] = ()
    refused: tuple[RefusedRow, ...] = ()
    merged: tuple[MergedRow, ...] = ()
    attributions: tuple[Attribution, ...] = ()
    unsuperseded: tuple[Unsuperseded, ...] = ()

    def without_models(self) -> "MemoriesReplay":
        """The same of rows that are stored without their vectors."""
        return replace(self, models=("",) * len(self.models))


@replay_record
@dataclass(frozen=True, slots=True)
class UpdateReplay:
    """The version that an update wrote, and how often the memory had been stated."""

    version: int
    stated_count: int = 1


@replay_record
@dataclass(frozen=True, slots=True)
class SupersededReplay:
    """The versions that a supersession wrote, of the memory in force and of the one that it superseded."""

    memory_id: MemoryId
    superseded_id: MemoryId
    version: int
    superseded_version: int


@replay_record
@dataclass(frozen=True, slots=True)
class RestoredReplay:
    """How many memories were taken back into recall."""

    restored: int


@dataclass(frozen=True, slots=True)
class StoredRows:
    """The outcome of a write: `merged` are the memories that rows were added to, by index, as they were then; the
    record names the rows that were not stored."""

    revision: int
    record: MemoriesReplay
    merged: Mapping[int, Row] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class ImportedBatch:
    """The outcome of one batch of an import; `failures` by index: MemoryRepeated and ValueRejected."""

    revision: int
    stored: int
    skipped: int
    merged: int = 0
    failures: Mapping[int, DomainError] = field(default_factory=dict)
    redactions: Sequence[Redaction] = ()
