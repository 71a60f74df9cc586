"""What forgetting needs of the outside."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol
from uuid import UUID

from camillo_server.kernel.ids import MemoryId
from camillo_server.kernel.replay import replay_record
from camillo_server.kernel.scope import Scope
from camillo_server.kernel.writes import RequestKey, Written
from camillo_server.memories.memory_filter import MemoryFilter
from camillo_server.storage.receipts import Receipt


@dataclass(frozen=True, slots=True)
class Forgetting:
    """What is to be forgotten: memories with all that was derived from them, and if so wanted the events that they rest
    on; whether what they say may be stated again."""

    selector: Sequence[MemoryId] | MemoryFilter
    allow_restating: bool = False
    include_events: bool = False


@replay_record
@dataclass(frozen=True, slots=True)
class ForgottenReplay:
    """The receipt; of a dry run, without an id."""

    receipt_id: UUID | None
    memory_ids: tuple[MemoryId, ...]
    stores: Mapping[str, int]
    blocked_values: int
    forgotten_at: datetime


@replay_record
@dataclass(frozen=True, slots=True)
class ResetReplay:
    """The receipt; of a dry run, without an id."""

    receipt_id: UUID | None
    stores: Mapping[str, int]
    at: datetime


class MemoryForgetting(Protocol):
    """Forgets memories of one scope. Both raise StorageUnavailable; and KeyMissing and BytesLost where a value cannot be
    read that is to be blocked."""

    async def forget(
        self, scope: Scope, what: Forgetting, request: RequestKey | None, *, now: datetime
    ) -> Written[ForgottenReplay]:
        """The receipt. One transaction that advances the scope's revision by one. Raises RequestIdReused."""
        ...

    async def would_forget(
        self, scope: Scope, what: Forgetting, *, now: datetime
    ) -> tuple[ForgottenReplay, int]:
        """The receipt, without removing anything, and the revision read at."""
        ...


class ScopeReset(Protocol):
    """Empties one scope. Both raise StorageUnavailable."""

    async def reset(
        self, scope: Scope, request: RequestKey | None, *, now: datetime
    ) -> Written[ResetReplay]:
        """The receipt. One transaction. Raises RequestIdReused."""
        ...

    async def would_reset(self, scope: Scope, *, now: datetime) -> tuple[ResetReplay, int]:
        """The receipt, without removing anything, and the revision read at."""
        ...


class ReceiptStore(Protocol):
    """The receipts of one scope. Raises StorageUnavailable."""

    async def page(
        self, scope: Scope, after: tuple[datetime, UUID] | None, size: int
    ) -> Sequence[Receipt]:
        """Newest first, at most `size`, behind `after`."""
        ...


class ValueBlocks(Protocol):
    """The values of one scope that may not be stated again."""

    async def lift(
        self, scope: Scope, what: str | UUID, request: RequestKey | None, *, now: datetime
    ) -> int:
        """Lets this text be stated again, or all that a receipt tells of; how many values. Raises NotFound for a receipt
        that is not there, RequestIdReused, StorageUnavailable."""
        ...
