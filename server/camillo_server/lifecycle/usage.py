"""Figures of what scopes hold, in Postgres and in this process."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from camillo_server.kernel.ids import AgentId


@dataclass(frozen=True, slots=True)
class StoreUsage:
    """Rows of one store, and bytes of their contents before the database adds or saves any."""

    store: str
    rows: int
    bytes: int


@dataclass(frozen=True, slots=True)
class MemoryFigures:
    """How many memories there are of each sort, and when the oldest and the newest were stored."""

    active: int = 0
    archived: int = 0
    expired: int = 0
    pinned: int = 0
    oldest_at: datetime | None = None
    newest_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class ScopeContents:
    """Stores that are not empty, in the order of their names."""

    agent_id: AgentId
    stores: Sequence[StoreUsage]
    memories: MemoryFigures


@dataclass(frozen=True, slots=True)
class ScopeUsage:
    """The size of one scope; `memory_bytes` in this process, 0 where it does not hold the scope."""

    agent_id: AgentId
    stores: Sequence[StoreUsage]
    active_memories: int
    archived_memories: int
    expired_memories: int
    pinned_memories: int
    memory_quota: int
    oldest_at: datetime | None
    newest_at: datetime | None
    is_in_memory: bool
    memory_bytes: int
