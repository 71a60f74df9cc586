"""Reads a spool's files as they are, without taking them over: of processes that live, or are dead."""

import errno
import os
from collections.abc import Iterator
from pathlib import Path
from uuid import UUID

from camillo_server.doors.spool.frames import Frame, UnknownVersion
from camillo_server.doors.spool.held_file import CANNOT_BE_OPENED
from camillo_server.doors.spool.scanning import read_at, read_file_id, scan_frames
from camillo_server.doors.spool.spool_file import DONE_SUFFIX, SUFFIX, DoneLog, modified
from camillo_server.doors.spool.spooled_write import DamagedFrame, SpooledWrite
from camillo_server.lib.crypto.keyring import Keyring


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
