"""An artifact as a seekable binary file; each read fetches up to a mebibyte."""

from __future__ import annotations

import io
import os
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Self

from camillo_client.artifact_progress import damaged

READ_AHEAD_BYTES = 1024 * 1024


class ArtifactFile(io.BufferedReader):
    """A binary file whose reads call the server; wrap it in io.TextIOWrapper for text."""

    def __init__(self, size: int, read: Callable[[int, int], bytes]) -> None:
        super().__init__(_Ranges(size, read), READ_AHEAD_BYTES)


class _Ranges(io.RawIOBase):
    """The bytes of an artifact as a raw file."""

    def __init__(self, size: int, read: Callable[[int, int], bytes]) -> None:
        self._size = size
        self._read = read
        self._place = 0

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def tell(self) -> int:
        return self._place

    def seek(self, offset: int, whence: int = os.SEEK_SET) -> int:
        self._place = sought(offset, whence, self._place, self._size)
        return self._place

    def readinto(self, buffer: bytearray | memoryview) -> int:  # type: ignore[override]
        """Fills the buffer as far as there are bytes."""
        end = min(self._place + len(buffer), self._size)
        data = self._read(self._place, end) if self._place < end else b""
        buffer[: len(data)] = data
        self._place += len(data)
        return len(data)


class AsyncArtifactFile:
    """The asynchronous counterpart of a binary file; `async for` iterates over its lines."""

    def __init__(self, size: int, read: Callable[[int, int], Awaitable[bytes]]) -> None:
        self._size = size
        self._read = read
        self._place = 0
        # Bytes from `_ahead_at` on that have been read already.
        self._ahead = b""
        self._ahead_at = 0

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *exception: object) -> None:
        self._ahead = b""

    async def __aiter__(self) -> AsyncIterator[bytes]:
        while line := await self.readline():
            yield line

    def tell(self) -> int:
        """The offset in bytes from 0."""
        return self._place

    def seek(self, offset: int, whence: int = os.SEEK_SET) -> int:
        """Moves to an offset, without a call to the server."""
        self._place = sought(offset, whence, self._place, self._size)
        return self._place

    async def read(self, size: int = -1) -> bytes:
        """Up to `size` bytes, fewer only at the end; a negative size reads the rest."""
        rest = max(0, self._size - self._place)
        wanted = rest if size < 0 else min(size, rest)
        parts = []
        while wanted:
            at = await self._at()
            parts.append(self._take(at, at + wanted))
            wanted -= len(parts[-1])
        return b"".join(parts)

    async def readline(self) -> bytes:
        """The rest of the line with its line end; empty at the end of the artifact."""
        parts: list[bytes] = []
        while self._place < self._size and not (parts and parts[-1].endswith(b"\n")):
            at = await self._at()
            # Without an end of a line, find tells -1: everything that is here.
            parts.append(self._take(at, self._ahead.find(b"\n", at) + 1 or len(self._ahead)))
        return b"".join(parts)

    def _take(self, start: int, end: int) -> bytes:
        part = self._ahead[start:end]
        self._place += len(part)
        return part

    async def _at(self) -> int:
        """Index of the current offset, which is before the end, in the bytes read ahead; reads on where it is not in
        them."""
        if not self._ahead_at <= self._place < self._ahead_at + len(self._ahead):
            end = min(self._place + READ_AHEAD_BYTES, self._size)
            self._ahead, self._ahead_at = await self._read(self._place, end), self._place
            if not self._ahead:
                # Else it would be asked for again and again.
                raise damaged(f"no bytes came from {self._place:,} on, where there are more")
        return self._place - self._ahead_at


def sought(offset: int, whence: int, place: int, size: int) -> int:
    """The offset that a seek leads to; ValueError where there is none."""
    origins = {os.SEEK_SET: 0, os.SEEK_CUR: place, os.SEEK_END: size}
    if whence not in origins:
        raise ValueError(f"whence is {os.SEEK_SET}, {os.SEEK_CUR} or {os.SEEK_END}, not {whence}")
    if origins[whence] + offset < 0:
        raise ValueError("there is no place before the beginning")
    return origins[whence] + offset
