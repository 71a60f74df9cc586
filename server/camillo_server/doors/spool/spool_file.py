"""One file of the spool: locked by the process that has it, written and read by one thread."""

import errno
import fcntl
import os
import struct
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from uuid import UUID, uuid4

import google_crc32c

from camillo_server.doors.spool.frames import FILE_HEADER_BYTES, Frame, encode_file_header
from camillo_server.doors.spool.scanning import read_at, read_file_id, read_frame, scan_frames
from camillo_server.doors.spool.spooled_write import DamagedFrame
from camillo_server.kernel.system import sync_data, sync_directory

_OFFSET = struct.Struct(">Q")
_RECORD = struct.Struct(">QI")


class DoneLog:
    """Appends records; made when the first is. A record that is torn or damaged counts as not there: the write is
    replayed once more, which changes nothing."""

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


SUFFIX, DONE_SUFFIX = ".spool", ".done"
# Another process that adopts may take a file in the moment between its creation and its lock.
_CREATIONS = 3
# Room for these may come back: what was written is taken back, and the file goes on.
_NO_ROOM = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG})


class SpoolFile:
    """A file of frames, one after another. Whoever holds its lock owns its writes; the lock ends with the process."""

    def __init__(self, path: Path, descriptor: int, file_id: UUID, byte_count: int) -> None:
        self.path, self.file_id, self.byte_count = path, file_id, byte_count
        # The damage of its header, if any.
        self.damage: DamagedFrame | None = None
        # Nothing may be appended any more.
        self.is_full = False
        self._descriptor: int | None = descriptor
        self._done = DoneLog(path.with_suffix(DONE_SUFFIX))

    @classmethod
    def create(cls, directory: Path) -> "SpoolFile":
        """An empty one, on disk with its name. Raises OSError."""
        directory.mkdir(mode=0o700, parents=True, exist_ok=True)
        for attempt in range(_CREATIONS):
            try:
                return cls._created(directory)
            except (BlockingIOError, FileNotFoundError):
                if attempt == _CREATIONS - 1:
                    raise
        raise AssertionError("the last attempt returns or raises")

    @classmethod
    def open(cls, path: Path) -> "SpoolFile | None":
        """One of a dead process; None where a living one has it, or it is gone. Raises UnknownVersion, OSError, and
        ValueError for a name that is none of a spool file."""
        named = UUID(path.stem)
        try:
            descriptor = os.open(path, os.O_RDWR | os.O_CLOEXEC | os.O_NOFOLLOW)
        except FileNotFoundError:
            return None
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            status = os.fstat(descriptor)
            if not status.st_nlink:
                raise BlockingIOError
            file = cls(path, descriptor, named, status.st_size)
            file.file_id, file.damage = read_file_id(file.read_at, named)
        except BlockingIOError:
            os.close(descriptor)
            return None
        except BaseException:
            os.close(descriptor)
            raise
        file.is_full = True
        return file

    def append(self, frames: Sequence[bytes]) -> None:
        """They are on disk when this returns. Raises OSError: then none of them is, unless the machine fails too; and
        the file is full where it cannot be told what the disk has of it."""
        begin = self.byte_count
        try:
            for frame in frames:
                write_all(self._open_descriptor, frame, self.byte_count)
                self.byte_count += len(frame)
        except OSError as error:
            self.is_full = error.errno not in _NO_ROOM
            self._take_back(begin)
            raise
        try:
            sync_data(self._open_descriptor)
        except OSError:
            # The system may have marked as written what is not: a second fsync would tell nothing.
            self.is_full = True
            self._take_back(begin)
            raise

    def scan(self) -> Iterator[Frame | DamagedFrame]:
        """Everything in it. Raises OSError."""
        if self.damage is not None:
            yield self.damage
        yield from scan_frames(self.read_at, self.byte_count, self.file_id)

    def cut_off(self, end: int) -> None:
        """Removes what was never finished, from there on. Raises OSError."""
        if end < self.byte_count:
            os.ftruncate(self._open_descriptor, end)
            self.byte_count = end

    def read(self, offset: int, byte_count: int) -> Frame | DamagedFrame | None:
        """The frame there; None where the file is closed. Raises OSError."""
        if self._descriptor is None:
            return None
        if self.damage is not None and offset == 0:
            return self.damage
        return read_frame(self.read_at, self.file_id, offset, byte_count)

    def read_at(self, offset: int, byte_count: int) -> bytes:
        """Reads as `scanning.read_at` does. Raises OSError."""
        return read_at(self._open_descriptor, self.byte_count, offset, byte_count)

    def done_offsets(self) -> set[int]:
        """The offsets of frames that are done. Raises OSError."""
        return self._done.read()

    def record_done(self, offsets: Sequence[int]) -> None:
        """Raises OSError."""
        if self._descriptor is not None:
            self._done.record(offsets)

    def remove(self) -> None:
        """Raises OSError."""
        # In this order: without its log, all of the file would be replayed.
        self.path.unlink(missing_ok=True)
        sync_directory(self.path.parent)
        self._done.remove()
        self.close()

    def close(self) -> None:
        """Gives up the lock: another process may adopt it."""
        self._done.close()
        if self._descriptor is not None:
            os.close(self._descriptor)
            self._descriptor = None

    @classmethod
    def _created(cls, directory: Path) -> "SpoolFile":
        """Locked before it has the name by which others find it."""
        file_id = uuid4()
        path = directory / f"{file_id}{SUFFIX}"
        unfinished = directory / f".{path.name}"
        flags = os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC
        descriptor = os.open(unfinished, flags, 0o600)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            write_all(descriptor, encode_file_header(file_id), 0)
            os.fsync(descriptor)
            unfinished.rename(path)
            sync_directory(directory)
        except BaseException:
            os.close(descriptor)
            unfinished.unlink(missing_ok=True)
            raise
        return cls(path, descriptor, file_id, FILE_HEADER_BYTES)

    def _take_back(self, begin: int) -> None:
        try:
            os.ftruncate(self._open_descriptor, begin)
            self.byte_count = begin
        except OSError:
            self.is_full = True

    @property
    def _open_descriptor(self) -> int:
        if self._descriptor is None:
            raise OSError(errno.EBADF, "the spool file is closed")
        return self._descriptor


def remove_leftovers(directory: Path) -> None:
    """Removes the files of processes that were killed while they made or removed one. Raises OSError."""
    for path in directory.glob(f".*{SUFFIX}"):
        with suppress(FileNotFoundError):
            _remove_unlocked(path)
    for path in directory.glob(f"*{DONE_SUFFIX}"):
        if not path.with_suffix(SUFFIX).exists():
            path.unlink(missing_ok=True)


def _remove_unlocked(path: Path) -> None:
    descriptor = os.open(path, os.O_RDWR | os.O_CLOEXEC | os.O_NOFOLLOW)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        path.unlink(missing_ok=True)
    except BlockingIOError:
        return
    finally:
        os.close(descriptor)


def modified(path: Path) -> float:
    """When it was written last, as the system counts time; 0 where it is gone."""
    try:
        return path.stat().st_mtime
    except FileNotFoundError:
        return 0.0
