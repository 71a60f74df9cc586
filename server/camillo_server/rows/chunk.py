"""Chunks: what a search finds of records that are no memories. They are rows like memories."""

from hashlib import sha256
from uuid import UUID

from camillo_server.kernel.ids import MemoryId

# The maximum length of a chunk's text, in characters.
LONGEST = 2_000
_LOW_BITS = 2**62 - 1


def chunk_id(origin: UUID, index: int) -> MemoryId:
    """A UUID version 8 (RFC 9562): the first half is that of the origin, the second a digest of origin and index."""
    high = origin.int >> 64 & ~(0xF << 12) | 0x8 << 12
    low = int.from_bytes(sha256(origin.bytes + index.to_bytes(4, "big")).digest()[:8], "big")
    return MemoryId(UUID(int=high << 64 | 0b10 << 62 | low & _LOW_BITS))
