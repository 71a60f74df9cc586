"""A spool file with what its process knows of it; how one is loaded that a dead process left; and how files are read as
they are, without taking them over."""

import errno
import logging
import os
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple
from uuid import UUID

from camillo_server.doors.spool.frames import Frame, FrameIndex, FrameState, Position, UnknownVersion
from camillo_server.doors.spool.scanning import read_at, read_file_id, scan_frames
from camillo_server.doors.spool.spool_file import DONE_SUFFIX, SUFFIX, DoneLog, SpoolFile, modified
from camillo_server.doors.spool.spooled_write import DamagedFrame, SpooledWrite, UnreadableContent, Waiting
from camillo_server.kernel.errors import KeyMissing
from camillo_server.kernel.ids import TenantId
from camillo_server.kernel.scope import Scope
from camillo_server.lib.crypto.keyring import DecryptionFailed, Keyring

logger = logging.getLogger(__name__)

CANNOT_BE_OPENED = (KeyMissing, DecryptionFailed, UnreadableContent)


@dataclass(slots=True)
class WaitingCounts:
    """How many writes of each scope wait, and how many bytes of each tenant."""

    scopes: Counter[Scope] = field(default_factory=Counter)
    tenant_bytes: Counter[TenantId] = field(default_factory=Counter)

    def add(self, scope: Scope, byte_count: int) -> None:
        self.scopes[scope] += 1
        self.tenant_bytes[scope.tenant_id] += byte_count

    def remove(self, scope: Scope, byte_count: int) -> None:
        """Forgets scopes and tenants of which nothing is left."""
        self.scopes[scope] -= 1
        self.tenant_bytes[scope.tenant_id] -= byte_count
        if not self.scopes[scope]:
            del self.scopes[scope]
        if not self.tenant_bytes[scope.tenant_id]:
            del self.tenant_bytes[scope.tenant_id]


@dataclass(slots=True, eq=False)
class HeldFile:
    """A file as the event loop knows it, while a thread writes to it."""

    file: SpoolFile
    byte_count: int
    index: FrameIndex = field(default_factory=FrameIndex)
    # Counts of this file alone: the scope of a write that is damaged later is not known, so that its count ends with
    # the file.
    counts: WaitingCounts = field(default_factory=WaitingCounts)
    # The offsets of done frames that the log of the file does not have yet.
    unrecorded: list[int] = field(default_factory=list)

    @property
    def is_finished(self) -> bool:
        """Whether nothing of it is needed any more."""
        return not self.index.waiting and not self.index.unopened


class WaitingFrame(NamedTuple):
    """A frame that waits, of one of several files."""

    accepted_microseconds: int
    held: HeldFile
    number: int

    @property
    def is_waiting(self) -> bool:
        return self.held.index.is_waiting(self.number)

    @property
    def position(self) -> Position:
        return self.held.index.position(self.number)


def waiting_frames(held: HeldFile) -> Iterator[WaitingFrame]:
    """The frames that wait, of those that there are now."""
    for accepted, number in held.index.numbers(len(held.index)):
        yield WaitingFrame(accepted, held, number)


def read_frame(frame: WaitingFrame, keyring: Keyring) -> Waiting | None:
    """Reads a frame; None if it is gone, or cannot be opened. Bytes that the disk cannot read count as damaged."""
    file, (offset, byte_count) = frame.held.file, frame.position
    found = file.read(offset, byte_count)
    if not isinstance(found, Frame):
        return found
    try:
        return found.open(keyring)
    except CANNOT_BE_OPENED:
        return None


def load_file(path: Path, keyring: Keyring) -> HeldFile | None:
    """Loads the file of a dead process, which belongs to this process from then on; None if a living process holds it.
    Runs in a thread: it reads the whole file. Raises UnknownVersion, OSError, and ValueError for a name that no spool
    file has."""
    file = SpoolFile.open(path)
    if file is None:
        return None
    try:
        return _loaded(file, keyring)
    except BaseException:
        file.close()
        raise


def _loaded(file: SpoolFile, keyring: Keyring) -> HeldFile:
    held, done = HeldFile(file, file.byte_count), file.done_offsets()
    unopened: Counter[str] = Counter()
    for found in file.scan():
        held.byte_count = found.offset + found.byte_count
        if found.offset in done:
            held.index.add(Position(found.offset, found.byte_count), None, FrameState.DONE)
        elif isinstance(found, DamagedFrame):
            held.index.add(Position(found.offset, found.byte_count), None)
        elif not _add_opened(held, found, keyring):
            unopened[found.key_id] += 1
    if len(held.index):
        file.cut_off(held.byte_count)
    if unopened:
        logger.warning(
            "spooled writes cannot be opened with the keys of this server; they stay in their file",
            extra={"file": file.path.name, "writes_by_key": dict(unopened)},
        )
    return held


def _add_opened(held: HeldFile, frame: Frame, keyring: Keyring) -> bool:
    """Whether it can be opened."""
    position = Position(frame.offset, frame.byte_count)
    try:
        write = frame.open(keyring)
    except CANNOT_BE_OPENED:
        held.index.add(position, None, FrameState.UNOPENED)
        return False
    held.index.add(position, write.accepted_at)
    held.counts.add(write.scope, frame.byte_count)
    return True


class UnreadableFile(Exception):
    """A file of the spool that is of a later release, or that the system does not let be read."""


def spool_files(directory: Path) -> list[Path]:
    """The one that was written last at the end; none where there is no spool."""
    paths = directory.glob(f"*{SUFFIX}") if directory.is_dir() else ()
    return sorted(paths, key=modified)


def read_spool_file(path: Path, keyring: Keyring) -> Iterator[SpooledWrite | DamagedFrame | Frame]:
    """The writes that wait in a file, in its order; a Frame is one that cannot be opened with these keys. Changes
    nothing. Raises UnreadableFile."""
    try:
        named = UUID(path.stem)
        descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NOFOLLOW)
    except FileNotFoundError:
        # All of it was done meanwhile.
        return
    except (OSError, ValueError) as error:
        raise UnreadableFile(_cause(error)) from error
    try:
        yield from _waiting(path, descriptor, named, keyring)
    except (OSError, UnknownVersion) as error:
        raise UnreadableFile(_cause(error)) from error
    finally:
        os.close(descriptor)


def _waiting(
    path: Path, descriptor: int, named: UUID, keyring: Keyring
) -> Iterator[SpooledWrite | DamagedFrame | Frame]:
    end = os.fstat(descriptor).st_size
    done = DoneLog(path.with_suffix(DONE_SUFFIX)).read()

    def read(offset: int, byte_count: int) -> bytes:
        return read_at(descriptor, end, offset, byte_count)

    file_id, damage = read_file_id(read, named)
    if damage is not None:
        yield damage
    for found in scan_frames(read, end, file_id):
        if found.offset in done:
            continue
        if isinstance(found, DamagedFrame):
            yield found
            continue
        try:
            yield found.open(keyring)
        except CANNOT_BE_OPENED:
            yield found


def _cause(error: Exception) -> str:
    if isinstance(error, UnknownVersion):
        return "it is of a later release"
    if isinstance(error, OSError):
        return error.strerror or errno.errorcode.get(error.errno or 0, "unknown")
    return "its name is none of a spool file"
