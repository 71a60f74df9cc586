"""Slots: JSON by key, where it comes from, and the chunk in which a search finds it."""

import enum
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from itertools import chain
from typing import Any, NewType
from uuid import UUID

from camillo_formats.slot_content import ContentFields, beginning, lines_of

from camillo_server.kernel.ids import AgentId, MemoryId, chunk_id
from camillo_server.kernel.kinds import MAX_CHUNK_CHARACTERS, ChunkKind, Sensitivity
from camillo_server.kernel.scope import TrustLevel
from camillo_server.kernel.writes import replay_record
from camillo_server.rows.row import NewRow, Row

SlotId = NewType("SlotId", UUID)
TOMBSTONE = "null"
# Nobody is shown these in public, as memories of these kinds.
PRIVATE_TYPES = ("preference", "decision")


class ProvenanceKind(enum.IntEnum):
    """Where content comes from. The numbers are those of the contract."""

    USER = 1
    AGENT = 2
    TOOL = 3
    FILE = 4
    WEB = 5
    SYSTEM = 6


@dataclass(frozen=True, slots=True)
class SlotProvenance:
    """Where content comes from, so that it can be found there again."""

    kind: ProvenanceKind
    name: str = ""
    retrieved_at: datetime | None = None
    locator: Mapping[str, Any] = field(default_factory=dict)


SlotSource = str | SlotProvenance


@dataclass(frozen=True, slots=True)
class SlotDraft:
    """A slot as a caller writes it, validated: the JSON text, and its parsed value; None for a tombstone."""

    key: str
    json_content: str
    content: Any
    source: SlotSource
    sensitivity: Sensitivity = Sensitivity.INTERNAL
    trust_level: TrustLevel = TrustLevel.UNKNOWN
    credential: str = ""
    # Written only if this is the newest version; 0 stands for none.
    if_version: int | None = None
    # When it was first written, if that was elsewhere.
    occurred_at: datetime | None = None
    # Left out of searches and digests.
    unindexed: bool = False


@dataclass(frozen=True, slots=True)
class Slot:
    """One version of a slot."""

    slot_id: SlotId
    agent_id: AgentId
    key: str
    version: int
    json_content: str
    source: SlotSource
    fields: ContentFields
    sensitivity: Sensitivity
    trust_level: TrustLevel
    credential: str
    updated_at: datetime
    # When it was first written, if that was elsewhere.
    occurred_at: datetime | None = None
    # Left out of searches and digests.
    unindexed: bool = False

    @property
    def has_chunk(self) -> bool:
        """Whether a search may find it."""
        return self.is_valid and not self.unindexed

    @property
    def is_valid(self) -> bool:
        """Whether it has content."""
        return self.json_content.strip() != TOMBSTONE

    @property
    def is_private(self) -> bool:
        """Whether nobody is shown it in public."""
        return self.kind is ChunkKind.PRIVATE_SLOT

    @property
    def kind(self) -> ChunkKind | None:
        """The kind of its content; a tombstone has none."""
        return kind_of_type(self.fields.type) if self.is_valid else None


@dataclass(frozen=True, slots=True)
class NewSlot:
    """A version to be stored, whose id and number the store decides: its chunk with its terms, which a tombstone and
    an unindexed one have not, its texts by field, and the version that it may follow, if not any."""

    slot: Slot
    row: NewRow | None
    texts: Mapping[str, str]
    if_version: int | None = None

    def numbered(self, slot_id: SlotId, version: int) -> "NewSlot":
        """Returns a copy with this id and this version."""
        slot = replace(self.slot, slot_id=slot_id, version=version)
        if self.row is None:
            return replace(self, slot=slot)
        memory = self.row.memory._replace(
            memory_id=slot_chunk_id(slot_id, version), source_refs=(str(slot_id),), version=version
        )
        return replace(self, slot=slot, row=replace(self.row, memory=memory))


@dataclass(frozen=True, slots=True)
class SlotFilter:
    """Conditions that all have to hold. `is_public`: only what may be shown in public."""

    types: Sequence[str] = ()
    tags_any: Sequence[str] = ()
    updated_since: datetime | None = None
    trigger_before: datetime | None = None
    sensitivities: Sequence[Sensitivity] = tuple(Sensitivity)
    is_public: bool = False


@dataclass(frozen=True, slots=True)
class SlotEntry:
    """An entry at a key: a slot, or slots further below, or both."""

    key: str
    slot: Slot | None
    is_directory: bool = False


@replay_record
@dataclass(frozen=True, slots=True)
class SlotsReplay:
    """The values of written versions that their request does not hold, in its order."""

    slot_ids: tuple[SlotId, ...]
    versions: tuple[int, ...]
    at: datetime


def kind_of_type(type_: str) -> ChunkKind:
    """The kind of the chunk of content of this type."""
    return ChunkKind.PRIVATE_SLOT if type_ in PRIVATE_TYPES else ChunkKind.SLOT


def slot_chunk_id(slot_id: UUID, version: int) -> MemoryId:
    """A different id for each version, since a removed row never comes back."""
    return chunk_id(slot_id, version % 2**32)


def slot_row(slot: Slot, content: Any) -> NewRow:
    """The one chunk of a version that has content: the beginning of its key and its texts."""
    return NewRow(
        Row(
            memory_id=slot_chunk_id(slot.slot_id, slot.version),
            agent_id=slot.agent_id,
            content=beginning(chain((slot.key,), lines_of(content)), MAX_CHUNK_CHARACTERS),
            kind=kind_of_type(slot.fields.type),
            session_id="",
            occurred_at=slot.occurred_at or slot.updated_at,
            tags=slot.fields.tags,
            sensitivity=slot.sensitivity,
            importance=slot.fields.importance,
            metadata={"key": slot.key, "place": 0},
            expires_at=slot.fields.expired_at,
            pinned=False,
            archived=False,
            version=slot.version,
            source_refs=(str(slot.slot_id),),
            created_at=slot.updated_at,
            updated_at=slot.updated_at,
            vector_model_id="",
            trust_level=slot.trust_level,
            credential=slot.credential,
        ),
        vector=None,
    )
