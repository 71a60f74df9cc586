"""Compactions: several memories that become one, from the proposal to the day when it is undone."""

import enum
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import NewType
from uuid import UUID

from camillo_server.domain.ids import MemoryId
from camillo_server.domain.memory import Sensitivity

CompactionId = NewType("CompactionId", UUID)

MOST_COMPACTIONS = 100
MOST_SOURCES = 64
# Of a merged text, as of any memory.
MOST_CHARACTERS = 2_000
# Old proposals are gone, whether or not anybody has removed their rows yet.
PROPOSAL_LIFETIME = timedelta(hours=24)


class CompactionState(enum.IntEnum):
    """How far it has come. The numbers are those of the contract."""

    PROPOSED = 1
    COMMITTED = 2
    REVERTED = 3
    REFUSED = 4


class CompactionReason(enum.IntEnum):
    """Why memories are put together. The numbers are those of the contract."""

    TAG = 1
    NEAR_DUPLICATE = 2


class Refusal(enum.IntEnum):
    """Why it was not carried out. The numbers are those of the contract."""

    LOSES_FACTS = 1
    BAD_SUMMARY = 2
    SOURCE_CHANGED = 3
    VALUE_REJECTED = 4


@dataclass(frozen=True, slots=True)
class Compaction:
    """`source_ids` are in order, `source_versions` beside them those that the merged text was made of; `memory_id` names
    the merged memory while it stands for them."""

    compaction_id: CompactionId
    state: CompactionState
    reason: CompactionReason
    tag: str
    sensitivity: Sensitivity
    source_ids: Sequence[MemoryId]
    source_versions: Sequence[int]
    content: str
    created_at: datetime
    memory_id: MemoryId | None = None
    refusal: Refusal | None = None
    lost: Sequence[str] = field(default=())
    summary_model_id: str = ""
    committed_at: datetime | None = None
    reverted_at: datetime | None = None
