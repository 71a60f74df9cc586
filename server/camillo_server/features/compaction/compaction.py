"""Compactions: several memories that become one, from the proposal to the day when it is undone."""

import enum
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import NamedTuple, NewType, Protocol
from uuid import UUID

from camillo_server.kernel.ids import MemoryId
from camillo_server.kernel.kinds import MemoryKind, Sensitivity
from camillo_server.kernel.scope import Scope
from camillo_server.kernel.writes import replay_record
from camillo_server.rows.row import NewRow

CompactionId = NewType("CompactionId", UUID)
MAX_COMPACTIONS = 100
MAX_SOURCES = 64
# The maximum length of a merged text, as of any memory.
MAX_CHARACTERS = 2_000
# Old proposals are gone, whether or not anybody has removed their rows yet.
PROPOSAL_LIFETIME = timedelta(hours=24)
# Instructions and preferences are asked for as what they are, and a summary stands for others already.
COMPACTED_KINDS = (
    MemoryKind.FACT,
    MemoryKind.CONVERSATION,
    MemoryKind.TASK_OUTCOME,
    MemoryKind.DECISION,
    MemoryKind.ERROR,
)


class CompactionState(enum.IntEnum):
    """The state of a compaction. The numbers are those of the contract."""

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
    """`source_ids` are in order, `source_versions` beside them those that the merged text was made of; `memory_id`
    names the merged memory while it stands for them."""

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


@dataclass(frozen=True, slots=True)
class Criteria:
    """The groups that a caller wants; None stands for what the operator has set."""

    tags: Sequence[str] = ()
    tag_threshold: int | None = None
    skip_near_duplicates: bool = False
    skip_tags: bool = False
    likeness: float | None = None


class SummaryUnavailable(Exception):
    """No text that could be stored came of it; the memories stay as they are."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class Summariser(Protocol):
    """Writes one text from several: by rules (`Extractive`) or by a model (`LiteLLMSummariser`)."""

    @property
    def model_id(self) -> str:
        """The model that writes it; empty where rules do."""
        ...

    async def summarise(self, texts: Sequence[str], scope: Scope) -> str:
        """The unchecked text. The tenant pays where that costs money. Raises SummaryUnavailable, and
        QuotaExceeded where the tenant's budget is used up."""
        ...


@dataclass(frozen=True, slots=True)
class Merge:
    """A compaction to be stored, with its merged memory; a refused one has none."""

    compaction: Compaction
    row: NewRow | None


class CompactionRow(NamedTuple):
    """The outcome of a compaction: `refusal` is 0 where it was not refused, `memory_id` is the merged memory."""

    compaction_id: CompactionId
    state: CompactionState
    refusal: int
    memory_id: MemoryId | None


@replay_record
@dataclass(frozen=True, slots=True)
class CompactionsReplay:
    """Whether another call would have found further groups, and the outcome of each compaction without its text."""

    more: bool
    compactions: tuple[CompactionRow, ...]
