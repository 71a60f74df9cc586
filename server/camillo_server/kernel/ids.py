"""Ids, and the positions at which pages of lists end and watches stand."""

import uuid
from dataclasses import dataclass
from datetime import UTC, datetime
from hashlib import sha256
from typing import NamedTuple, NewType
from uuid import UUID

TenantId = NewType("TenantId", str)
AgentId = NewType("AgentId", str)
MemoryId = NewType("MemoryId", uuid.UUID)
KeyId = NewType("KeyId", str)
# Reading in pages by the order of ids begins here.
BEFORE_EVERY_ID = uuid.UUID(int=0)
# A receipt names this many of the removed rows; its counts are complete.
MAX_NAMED_IDS = 1_000


# After every event of a revision.
LAST_INDEX = 2**31 - 1


class PageCursor(NamedTuple):
    """The last row of a page of a list ordered by time and id: the next page begins after it."""

    at: datetime
    row_id: UUID


# The beginnings of a list in ascending order, and of one in descending order.
BEFORE_ALL = PageCursor(datetime.min.replace(tzinfo=UTC), UUID(int=0))
AFTER_ALL = PageCursor(datetime.max.replace(tzinfo=UTC), UUID(int=2**128 - 1))


@dataclass(frozen=True, slots=True)
class WatchPosition:
    """Everything up to this revision has been seen; with a memory id, up to that one within the revision."""

    revision: int
    memory_id: MemoryId | None = None


@dataclass(frozen=True, slots=True)
class EventCursor:
    """A position in the order of recording; the next page begins after it."""

    revision: int
    index: int


_LOW_BITS = 2**62 - 1


def chunk_id(origin: UUID, index: int) -> MemoryId:
    """A UUID version 8 (RFC 9562): the first half is that of the origin, the second a digest of origin and index."""
    high = origin.int >> 64 & ~(0xF << 12) | 0x8 << 12
    low = int.from_bytes(sha256(origin.bytes + index.to_bytes(4, "big")).digest()[:8], "big")
    return MemoryId(UUID(int=high << 64 | 0b10 << 62 | low & _LOW_BITS))
