"""Records which frames of a spool file are done: their offsets in a file beside it."""

import os
import struct
from collections.abc import Iterable
from pathlib import Path

import google_crc32c

from camillo_server.kernel.durable_files import sync_data

_OFFSET = struct.Struct(">Q")
_RECORD = struct.Struct(">QI")


class DoneLog:
    """Appends records; made when the first is. A record that is torn or damaged counts as not there: the write is replayed once
    more, which changes nothing."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._descriptor: int | None = None
        self._byte_count = 0

    def read(self) -> set[int]:
        """Raises OSError."""
        try:
            data = self._path.read_bytes()
        except FileNotFoundError:
            return set()
        whole = data[: len(data) // _RECORD.size * _RECORD.size]
        return {offset for offset, check in _RECORD.iter_unpack(whole) if check == _check(offset)}

    def record(self, offsets: Iterable[int]) -> None:
        """Writes offsets; they are on disk when this returns. Raises OSError: some may be there then."""
        records = b"".join(_RECORD.pack(offset, _check(offset)) for offset in offsets)
        if self._descriptor is None:
            self._descriptor = os.open(self._path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
            size = os.fstat(self._descriptor).st_size
            self._byte_count = size - size % _RECORD.size
        write_all(self._descriptor, records, self._byte_count)
        sync_data(self._descriptor)
        # Records that could not be written are not counted, so that the next ones overwrite them.
        self._byte_count += len(records)

    def close(self) -> None:
        if self._descriptor is not None:
            os.close(self._descriptor)
            self._descriptor = None

    def remove(self) -> None:
        """Raises OSError."""
        self.close()
        self._path.unlink(missing_ok=True)


def write_all(descriptor: int, data: bytes, offset: int) -> None:
    """All of it at this offset. Raises OSError: a part may be there then."""
    view = memoryview(data)
    while view:
        written = os.pwrite(descriptor, view, offset)
        view, offset = view[written:], offset + written


def _check(offset: int) -> int:
    return int(google_crc32c.value(_OFFSET.pack(offset)))
