"""Identifiers. NewTypes, so that one kind of id cannot be handed in for another."""

import os
import uuid
from datetime import datetime
from typing import NewType

TenantId = NewType("TenantId", str)
AgentId = NewType("AgentId", str)
MemoryId = NewType("MemoryId", uuid.UUID)
KeyId = NewType("KeyId", str)


def time_ordered_uuid(at: datetime) -> uuid.UUID:
    """A UUID version 7 (RFC 9562, section 5.7): 48 bits of Unix milliseconds, then 74 random bits.

    Neighbours in time are neighbours in an index, so inserts touch few pages.
    """
    milliseconds = int(at.timestamp() * 1000) & (2**48 - 1)
    random_bits = int.from_bytes(os.urandom(10), "big")
    high = random_bits >> 68
    low = random_bits & (2**62 - 1)
    return uuid.UUID(int=milliseconds << 80 | 0x7 << 76 | high << 64 | 0b10 << 62 | low)
