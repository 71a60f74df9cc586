"""The protocol of a server and `camillo rescue` over a Unix socket: the server sends records, the command only reads.

A record is its kind (1 byte), its length (4 bytes, big-endian) and its bytes. Memories and chunks belong to the scope before them.
"""

import enum
import os
import struct
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

HEADER = struct.Struct(">BI")
PATTERN = "rescue-*.sock"
# A Unix socket's address has 108 bytes on Linux, and 104 elsewhere.
_MAX_ADDRESS_BYTES = 100


class RecordKind(enum.IntEnum):
    """The kind of a record, which tells how its bytes are read."""

    # JSON: RescuedScope.
    SCOPE = 1
    # A message camillo.v1.Memory.
    MEMORY = 2
    # A message camillo.v1.Chunk.
    CHUNK = 3
    # Nothing: all was sent.
    END = 4


@dataclass(frozen=True, slots=True)
class RescuedScope:
    """A scope that a process holds in memory, as of a revision."""

    tenant_id: str
    agent_id: str
    revision: int


def record(kind: RecordKind, data: bytes) -> bytes:
    return HEADER.pack(kind, len(data)) + data


@contextmanager
def short_address(path: Path) -> Iterator[str]:
    """An address of this path that is short enough, while the block runs. Raises OSError."""
    if len(os.fsencode(path)) <= _MAX_ADDRESS_BYTES:
        yield str(path)
        return
    descriptor = os.open(path.parent, os.O_RDONLY | os.O_DIRECTORY)
    try:
        yield f"/proc/self/fd/{descriptor}/{path.name}"
    finally:
        os.close(descriptor)
