"""Hands out what this process holds in memory, over a Unix socket that only its user may connect to.

For the day when Postgres does not come back: then no credential can be checked, so that the file system decides who may
read."""

import asyncio
import enum
import json
import logging
import os
import socket
import struct
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from uuid import uuid4

import numpy as np
from camillo.v1 import memory_pb2 as pb

from camillo_server.kernel.kinds import is_chunk
from camillo_server.kernel.off_loop import UNBOUNDED, off_loop
from camillo_server.rows.messages import fill_memory
from camillo_server.search.index.budget import CacheBudget
from camillo_server.search.index.faiss_calls import IndexFailed
from camillo_server.search.index.resident_scope import ResidentScope
from camillo_server.search.index.snapshot import IndexSnapshot
from camillo_server.search.messages import fill_chunk
from camillo_server.search.store.encrypted_records import UNREADABLE_KIND

HEADER = struct.Struct(">BI")
PATTERN = "rescue-*.sock"
# A Unix socket's address has 108 bytes on Linux, and 104 elsewhere.
_MAX_ADDRESS_BYTES = 100
logger = logging.getLogger(__name__)
# Some milliseconds of a thread, and under a megabyte on the way to who reads.
ROWS_AT_ONCE = 256
# A reader who takes nothing for so long is left.
READER_SECONDS = 60.0


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


class RescueSocket:
    """Listens from `open` to `close`. One reader at a time; it costs nothing while nobody reads."""

    def __init__(self, data_dir: Path, budget: CacheBudget) -> None:
        self._path = data_dir / PATTERN.replace("*", uuid4().hex[:8])
        self._budget = budget
        self._turn = asyncio.Lock()
        self._server: asyncio.Server | None = None
        self._answering: set[asyncio.Task[None]] = set()

    async def open(self) -> None:
        """Goes without where there can be no socket, such as on a read-only disk."""
        try:
            self._path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            _remove_stale(self._path.parent)
            listening = _bound(self._path)
        except OSError as error:
            logger.info("no socket for camillo rescue", extra={"cause": error.strerror})
            return
        self._server = await asyncio.start_unix_server(self._begin, sock=listening)

    async def close(self) -> None:
        """Leaves readers in the middle: they tell that they have not seen the end."""
        if self._server is not None:
            self._server.close()
            self._path.unlink(missing_ok=True)
        for task in self._answering:
            task.cancel()

    def _begin(self, _: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.create_task(self._answer(writer), name="camillo rescue")
        self._answering.add(task)
        task.add_done_callback(self._answering.discard)

    async def _answer(self, writer: asyncio.StreamWriter) -> None:
        try:
            async with self._turn:
                for resident in [entry.resident for entry in self._budget]:
                    await self._send_scope(resident, writer)
                await _send(record(RecordKind.END, b""), writer)
        except (OSError, TimeoutError) as error:
            logger.info("camillo rescue has gone", extra={"cause": repr(error)})
        finally:
            writer.close()
            with suppress(OSError):
                await writer.wait_closed()

    async def _send_scope(self, resident: ResidentScope, writer: asyncio.StreamWriter) -> None:
        try:
            snapshot = resident.snapshot
        except IndexFailed:
            return
        scope = resident.scope
        begun = RescuedScope(scope.tenant_id, scope.agent_id, snapshot.facts.revision)
        encoded = json.dumps(asdict(begun), ensure_ascii=False).encode()
        await _send(record(RecordKind.SCOPE, encoded), writer)
        for rows in _parts(snapshot):
            await _send(await off_loop(UNBOUNDED, partial(_encoded, snapshot, rows)), writer)


async def _send(data: bytes, writer: asyncio.StreamWriter) -> None:
    writer.write(data)
    async with asyncio.timeout(READER_SECONDS):
        await writer.drain()


def _parts(snapshot: IndexSnapshot) -> Iterator[Sequence[int]]:
    """The rows that are the latest of what they are, and that could be decrypted."""
    kinds = snapshot.arrays["kind"][: snapshot.count]
    rows = np.flatnonzero(snapshot.live & (kinds != UNREADABLE_KIND))
    for begin in range(0, len(rows), ROWS_AT_ONCE):
        yield rows[begin : begin + ROWS_AT_ONCE].tolist()


def _encoded(snapshot: IndexSnapshot, rows: Sequence[int]) -> bytes:
    records = []
    for row in snapshot.memories(rows):
        if is_chunk(row.kind):
            chunk = pb.Chunk()
            fill_chunk(chunk, row)
            records.append(record(RecordKind.CHUNK, chunk.SerializeToString()))
        else:
            memory = pb.Memory()
            fill_memory(memory, row)
            records.append(record(RecordKind.MEMORY, memory.SerializeToString()))
    return b"".join(records)


def _bound(path: Path) -> socket.socket:
    """A socket that nobody but its user could connect to at any moment. Raises OSError."""
    listening = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    before = os.umask(0o177)
    try:
        with short_address(path) as address:
            listening.bind(address)
    except OSError:
        listening.close()
        raise
    finally:
        os.umask(before)
    return listening


def _remove_stale(directory: Path) -> None:
    """Sockets of processes that were killed: nobody listens there."""
    for path in directory.glob(PATTERN):
        with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as asking:
            try:
                with short_address(path) as address:
                    asking.connect(address)
            except ConnectionRefusedError:
                path.unlink(missing_ok=True)
            except OSError:
                continue
