"""Sources of the bytes of an upload."""

from __future__ import annotations

import io
import os
from asyncio import to_thread
from collections.abc import AsyncIterable, AsyncIterator, Iterable, Iterator
from pathlib import Path
from threading import Lock
from typing import Any, BinaryIO, Protocol, TypeAlias, cast

from camillo_client._async.calls import each
from camillo_client.outputs import output_bytes

CHUNK_BYTES = 256 * 1024

ByteSource: TypeAlias = bytes | str | os.PathLike[str] | BinaryIO | AsyncIterable[bytes] | Iterable[bytes]


class UploadSource(Protocol):
    """Bytes to send. `size` is None where it is unknown; only a source that can restart can begin at an offset."""

    size: int | None
    can_restart: bool

    def chunks(self, start: int = 0) -> AsyncIterator[bytes]:
        """The bytes from `start` on; no chunk is empty or larger than CHUNK_BYTES."""
        ...


class FileSource:
    """A file, from its position on; where its length is known, bytes appended meanwhile are left out."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file
        self._lock = Lock()
        self.can_restart = file.seekable()
        self._origin = file.tell() if self.can_restart else 0
        self.size = _bytes_behind(file, self._origin) if self.can_restart else None

    async def chunks(self, start: int = 0) -> AsyncIterator[bytes]:
        place = start
        while self.size is None or place < self.size:
            chunk = await to_thread(self._chunk_at, place)
            if not chunk:
                return
            place += len(chunk)
            yield chunk

    def _chunk_at(self, place: int) -> bytes:
        left = CHUNK_BYTES if self.size is None else self.size - place
        if not self.can_restart:
            return checked(self._file.read(min(CHUNK_BYTES, left)))
        # A call that was broken off may still be reading, in a thread of gRPC, when the next one begins.
        with self._lock:
            self._file.seek(self._origin + place)
            return checked(self._file.read(min(CHUNK_BYTES, left)))


class StreamSource:
    """Pieces of any size, which can be read once."""

    size: int | None = None
    can_restart = False

    def __init__(self, pieces: AsyncIterable[bytes] | Iterable[bytes]) -> None:
        self._pieces = pieces

    async def chunks(self, start: int = 0) -> AsyncIterator[bytes]:
        held = bytearray()
        async for piece in each(self._pieces):
            for part in _parts(checked(piece)):
                held += part
                if len(held) >= CHUNK_BYTES:
                    yield bytes(held[:CHUNK_BYTES])
                    del held[:CHUNK_BYTES]
        if held:
            yield bytes(held)


def source_of(given: Any) -> UploadSource:
    """The source for what a caller gave; TypeError for what has no bytes."""
    if isinstance(given, str):
        return FileSource(io.BytesIO(output_bytes(given)))
    if isinstance(given, bytes | bytearray | memoryview):
        return FileSource(io.BytesIO(given))
    if hasattr(given, "read") and hasattr(given, "seekable"):
        return FileSource(cast("BinaryIO", given))
    # [async only]
    if isinstance(given, AsyncIterable):
        return StreamSource(given)
    # [/async only]
    if isinstance(given, Iterable):
        return StreamSource(given)
    raise TypeError(f"bytes are in text, bytes, a path, a file or an iterable, not in {given!r}")


def opened(given: object) -> BinaryIO | None:
    """The file at a path, to be closed by the caller; None for anything but a path."""
    return Path(given).open("rb") if isinstance(given, os.PathLike) else None


def checked(piece: object) -> bytes:
    """The bytes of a piece; TypeError for anything but bytes."""
    if not isinstance(piece, bytes | bytearray | memoryview):
        raise TypeError(f"{type(piece).__name__} is no bytes: open files with 'rb', encode text")
    return bytes(piece)


def _parts(piece: bytes) -> Iterator[memoryview]:
    view = memoryview(piece)
    return (view[start : start + CHUNK_BYTES] for start in range(0, len(piece), CHUNK_BYTES))


def _bytes_behind(file: BinaryIO, origin: int) -> int | None:
    """The number of bytes behind the position; None where the file does not know, as those of /proc."""
    try:
        end = file.seek(0, io.SEEK_END)
        file.seek(origin)
    except OSError:
        return None
    return end - origin if end > origin else None
