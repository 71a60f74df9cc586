"""Memories: what an agent has distilled and keeps."""

import enum
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from camillo_server.domain.ids import AgentId, MemoryId
from camillo_server.domain.source import ChunkKind, Source, source_of

Scalar = str | float | bool | None

# What one memory may hold of each.
MOST_TAGS = 64
MOST_SOURCE_REFS = 64
MOST_METADATA_KEYS = 64
MOST_METADATA_JSON_BYTES = 16 * 1024


class MemoryKind(enum.IntEnum):
    """What a memory is about. The numbers are those of the contract."""

    FACT = 1
    PREFERENCE = 2
    CONVERSATION = 3
    TASK_OUTCOME = 4
    DECISION = 5
    ERROR = 6
    INSTRUCTION = 7
    SUMMARY = 8


Kind = MemoryKind | ChunkKind
KIND_OF_NUMBER: Mapping[int, Kind] = {int(kind): kind for kind in (*MemoryKind, *ChunkKind)}


class Sensitivity(enum.IntEnum):
    """Who may be shown a text; a higher level allows fewer."""

    PUBLIC = 1
    INTERNAL = 2
    CONFIDENTIAL = 3
    RESTRICTED = 4


class Archived(enum.IntEnum):
    """Which archived memories a filter lets through."""

    EXCLUDE = 1
    INCLUDE = 2
    ONLY = 3


@dataclass(frozen=True, slots=True, eq=False)
class Vector:
    """A unit vector of one model: float32, shape (dimensions,). An empty model id means the server's own model."""

    model_id: str
    values: NDArray[np.float32]


class Memory(NamedTuple):
    """One memory as it is, or was, in one version; or a chunk, which stands beside memories in the same form."""

    # A recall makes ten of them: a frozen dataclass takes several times as long to make.

    memory_id: MemoryId
    agent_id: AgentId
    content: str
    kind: Kind
    session_id: str
    occurred_at: datetime
    tags: Sequence[str]
    sensitivity: Sensitivity
    importance: float
    metadata: Mapping[str, Scalar]
    expires_at: datetime | None
    pinned: bool
    archived: bool
    version: int
    source_refs: Sequence[str]
    created_at: datetime
    updated_at: datetime
    vector_model_id: str
    accessed_at: datetime | None = None
    access_count: int = 0
    stated_count: int = 1

    @property
    def texts(self) -> Mapping[str, str]:
        """The texts that it states, by field, always in the same order."""
        entries = self.metadata.items()
        told = {f"metadata.{key}": value for key, value in entries if isinstance(value, str)}
        # By their numbers, from 0: a key may hold what may not be told.
        keys = {f"metadata[{number}]": key for number, key in enumerate(self.metadata)}
        return {"content": self.content, **told, **keys}

    def with_vector_of(self, vector: Vector | None) -> "Memory":
        """The same memory, naming the model of this vector, or none."""
        return self._replace(vector_model_id=vector.model_id if vector else "")


@dataclass(frozen=True, slots=True)
class MemoryDraft:
    """What a caller states; what it leaves out is filled in when it is stored. Already validated."""

    content: str
    memory_id: MemoryId | None = None
    kind: MemoryKind = MemoryKind.FACT
    session_id: str = ""
    occurred_at: datetime | None = None
    tags: Sequence[str] = ()
    sensitivity: Sensitivity = Sensitivity.INTERNAL
    importance: float = 0.5
    metadata: Mapping[str, Scalar] = field(default_factory=dict)
    expires_at: datetime | None = None
    never_expires: bool = False
    pinned: bool = False
    archived: bool = False
    version: int = 1
    source_refs: Sequence[str] = ()
    created_at: datetime | None = None
    updated_at: datetime | None = None
    accessed_at: datetime | None = None
    access_count: int = 0
    stated_count: int = 1
    vector: Vector | None = None

    @property
    def is_pinned(self) -> bool:
        """By its flag, or by the tag `pinned`."""
        return self.pinned or "pinned" in self.tags

    def memory(self, agent_id: AgentId, new_id: MemoryId, now: datetime) -> Memory:
        """The memory that this draft becomes when it is stored now."""
        created_at = self.created_at or now
        return Memory(
            memory_id=self.memory_id or new_id,
            agent_id=agent_id,
            content=self.content,
            kind=self.kind,
            session_id=self.session_id,
            occurred_at=self.occurred_at or created_at,
            tags=self.tags,
            sensitivity=self.sensitivity,
            importance=self.importance,
            metadata=self.metadata,
            expires_at=self.expires_at,
            pinned=self.pinned,
            archived=self.archived,
            version=self.version,
            source_refs=self.source_refs,
            created_at=created_at,
            updated_at=self.updated_at or created_at,
            vector_model_id=self.vector.model_id if self.vector else "",
            accessed_at=self.accessed_at,
            access_count=self.access_count,
            stated_count=self.stated_count,
        )


@dataclass(frozen=True, slots=True)
class MemoryFilter:
    """Conditions that all have to hold; expired memories never pass.

    `kinds` are of memories, and restrict no other source; without any, all pass. `sensitivities` are those that may be
    read, empty for any; no row passes of `hidden_kinds`, nor of a source that is not among `sources`.
    """

    tags_any: Sequence[str] = ()
    tags_all: Sequence[str] = ()
    kinds: Sequence[MemoryKind] = ()
    session_id: str = ""
    occurred_from: datetime | None = None
    occurred_before: datetime | None = None
    min_importance: float = 0.0
    max_sensitivity: Sensitivity | None = None
    archived: Archived = Archived.EXCLUDE
    metadata: Mapping[str, Scalar] = field(default_factory=dict)
    sources: Sequence[Source] = (Source.MEMORY,)
    sensitivities: Sequence[Sensitivity] = ()
    hidden_kinds: Sequence[Kind] = ()

    @property
    def is_empty(self) -> bool:
        """It asks for memories alone, and holds no condition of its own."""
        return self is NO_FILTER or self == NO_FILTER

    @property
    def asks_for_kinds(self) -> bool:
        """It does not let every kind of memory through, and nothing else."""
        return bool(self.kinds or self.hidden_kinds) or tuple(self.sources) != (Source.MEMORY,)

    @property
    def is_narrowed(self) -> bool:
        """A channel hides rows from it (domain/channel.py), so that no count and no score may tell of what does not pass."""
        # A channel that may load nothing leaves no source.
        return bool(self.sensitivities or self.hidden_kinds or not self.sources)


NO_FILTER = MemoryFilter()
"""Lets every memory through but what is archived or expired."""


def passing_kinds(wanted: MemoryFilter) -> tuple[Kind, ...]:
    """The kinds of row that a filter lets through, in the order of their numbers."""
    return tuple(
        kind
        for kind in KIND_OF_NUMBER.values()
        if source_of(kind) in wanted.sources
        and kind not in wanted.hidden_kinds
        and (not wanted.kinds or kind in wanted.kinds or not isinstance(kind, MemoryKind))
    )


@dataclass(frozen=True, slots=True)
class MemoryVersion:
    """A memory as it was, and when the next version took its place (None: it is in force)."""

    memory: Memory
    replaced_at: datetime | None
