"""Identifiers. NewTypes, so that one kind of id cannot be handed in for another."""

import os
import uuid
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import NewType

TenantId = NewType("TenantId", str)
AgentId = NewType("AgentId", str)
MemoryId = NewType("MemoryId", uuid.UUID)
KeyId = NewType("KeyId", str)
# Reading in pages by the order of ids begins here.
BEFORE_EVERY_ID = uuid.UUID(int=0)
# A receipt names this many of the removed rows; its counts are complete.
MAX_NAMED_IDS = 1_000


def time_ordered_uuid(at: datetime) -> uuid.UUID:
    """A UUID version 7 (RFC 9562, section 5.7): 48 bits of Unix milliseconds, then 74 random bits.

    Neighbours in time are neighbours in an index, so inserts touch few pages.
    """
    return time_ordered_uuids(at, 1)[0]


def time_of(ordered: uuid.UUID) -> datetime:
    """When a time-ordered UUID was made, to the millisecond."""
    return datetime.fromtimestamp((ordered.int >> 80) / 1000, UTC)


def time_ordered_uuids(at: datetime, count: int) -> Sequence[uuid.UUID]:
    """`count` of these UUIDs in ascending order, since their random bits are (RFC 9562, section 6.2)."""
    prefix = (int(at.timestamp() * 1000) & (2**48 - 1)) << 80 | 0x7 << 76 | 0b10 << 62
    drawn = os.urandom(10 * count)
    numbers = (int.from_bytes(drawn[offset : offset + 10], "big") >> 6 for offset in range(0, len(drawn), 10))
    return [uuid.UUID(int=prefix | number >> 62 << 64 | number & (2**62 - 1)) for number in sorted(numbers)]
