"""Compactions: several memories that become one, from the proposal to the day when it is undone."""

import enum
from collections.abc import Collection, Sequence, Set
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import NamedTuple, NewType, Protocol
from uuid import UUID

from camillo_server.kernel.ids import MemoryId, TenantId
from camillo_server.kernel.kinds import Sensitivity
from camillo_server.kernel.scope import Scope
from camillo_server.kernel.writes import RequestKey, Written, replay_record
from camillo_server.memories.memory import Memory, NewRow
from camillo_server.memories.write_records import RestoredReplay

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


DEFAULT_TAG_THRESHOLD = 50
DEFAULT_LIKENESS = 0.92


@dataclass(frozen=True, slots=True)
class Criteria:
    """Which groups a caller wants; None stands for what the operator has set."""

    tags: Sequence[str] = ()
    tag_threshold: int | None = None
    skip_near_duplicates: bool = False
    skip_tags: bool = False
    likeness: float | None = None


@dataclass(frozen=True, slots=True)
class Thresholds:
    """What an operator has set: with how many memories a tag is left alone, and from which cosine of their vectors on two
    texts say nearly the same."""

    tag_threshold: int = DEFAULT_TAG_THRESHOLD
    likeness: float = DEFAULT_LIKENESS


class SummaryUnavailable(Exception):
    """No text that could be stored came of it; the memories stay as they are."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class Summariser(Protocol):
    """Makes one text of several."""

    @property
    def model_id(self) -> str:
        """The model that writes it; empty where rules do."""
        ...

    async def summarise(self, texts: Sequence[str], tenant_id: TenantId) -> str:
        """What it makes of them, unchecked. The tenant pays where that costs money. Raises SummaryUnavailable, and
        QuotaExceeded where the tenant's budget is used up."""
        ...


@dataclass(frozen=True, slots=True)
class Wanted:
    """Which memories may be put together: active and unpinned ones, with one of these tags if any are given."""

    tags: Sequence[str]
    now: datetime
    size: int


@dataclass(frozen=True, slots=True)
class Merge:
    """A compaction to be kept, with the memory that it makes; one that is refused makes none."""

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


class CompactionStore(Protocol):
    """Compactions of one scope. Every write is one transaction that advances the scope's revision by one; a repeated
    request writes nothing and gives the first record. Every method raises StorageUnavailable and KeyMissing; writes raise
    RequestIdReused."""

    async def first_answer(
        self, scope: Scope, request: RequestKey | None, now: datetime
    ) -> Written[CompactionsReplay] | None:
        """What this request was answered when it came first, or None."""
        ...

    async def newest(self, scope: Scope, wanted: Wanted) -> Sequence[NewRow]:
        """The memories that were stored last, oldest first, with their vectors."""
        ...

    async def tagged(
        self, scope: Scope, wanted: Wanted, tag_threshold: int
    ) -> tuple[Sequence[str], Sequence[Memory]]:
        """The tags that more memories than this have, in order, and memories of theirs, the oldest first."""
        ...

    async def memories(
        self, scope: Scope, memory_ids: Sequence[MemoryId]
    ) -> dict[MemoryId, Memory]:
        """Those that are there, whatever has become of them."""
        ...

    async def told(
        self, scope: Scope, states: Collection[CompactionState], since: datetime
    ) -> Set[frozenset[MemoryId]]:
        """The sources of compactions in these states that were made since then."""
        ...

    async def get(
        self, scope: Scope, compaction_ids: Sequence[CompactionId], *, now: datetime
    ) -> dict[CompactionId, Compaction]:
        """Those that are there; proposals that are too old are not."""
        ...

    async def page(
        self,
        scope: Scope,
        state: CompactionState | None,
        after: tuple[datetime, UUID] | None,
        size: int,
        *,
        now: datetime,
    ) -> Sequence[Compaction]:
        """Newest first, behind the last one of the page before; proposals that are too old are not among them."""
        ...

    async def propose(
        self,
        scope: Scope,
        merges: Sequence[Merge],
        request: RequestKey | None,
        *,
        has_more: bool,
        now: datetime,
    ) -> Written[CompactionsReplay]:
        """Keeps them as they are, and removes proposals that are too old."""
        ...

    async def commit(
        self,
        scope: Scope,
        merges: Sequence[Merge],
        request: RequestKey | None,
        *,
        has_more: bool,
        now: datetime,
    ) -> Written[CompactionsReplay]:
        """Carries out those that were not refused: the merged memory is stored, its sources are archived. One whose
        sources are no longer as they were, or whose text was forgotten, is refused alone. Raises
        WrongState where one is no proposal any more."""
        ...

    async def revert(
        self,
        scope: Scope,
        compaction_id: CompactionId,
        request: RequestKey | None,
        *,
        now: datetime,
    ) -> Written[RestoredReplay]:
        """Takes the sources that are still archived back, removes the merged memory. Raises NotFound, WrongState."""
        ...
