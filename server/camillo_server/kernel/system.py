"""Matters of a process with its system and its operator: files that are on disk when a call returns, seen whole or
not at all; memory that is given back; and errors that keep it from starting."""

import ctypes
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from uuid import uuid4


def write_file(path: Path, data: bytes) -> None:
    """Creates or replaces a file for its owner alone; readers see the old one or the new one. Raises OSError.

    A process that is killed meanwhile leaves a file whose name begins with a dot, and nothing else.
    """
    with _unfinished_file(path, data) as unfinished:
        unfinished.replace(path)
    sync_directory(path.parent)


def create_file(path: Path, data: bytes) -> None:
    """Creates a file like `write_file`, but keeps one that is there; its name is on disk after `sync_directory`."""
    with _unfinished_file(path, data) as unfinished:
        try:
            # Unlike a rename, a link never replaces what another process has created meanwhile.
            os.link(unfinished, path)
        except FileExistsError:
            return


def sync_data(descriptor: int) -> None:
    """The bytes of a file, and its length, are on disk afterwards. Raises OSError."""
    getattr(os, "fdatasync", os.fsync)(descriptor)


def sync_directory(directory: Path) -> None:
    """Names created or removed in it are on disk afterwards. Raises OSError."""
    descriptor = os.open(directory, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


@contextmanager
def _unfinished_file(path: Path, data: bytes) -> Iterator[Path]:
    """A file of these bytes beside `path`, on disk; removed at the end if it still has its own name."""
    unfinished = path.with_name(f".{path.name}.{uuid4().hex}")
    try:
        descriptor = os.open(unfinished, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(descriptor, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        yield unfinished
    finally:
        unfinished.unlink(missing_ok=True)


# Names of glibc's `mallopt`. A block of so many bytes is the system's again as soon as it is freed, and so is what is
# free at the end of an arena: by default both bounds grow with the blocks that are freed, up to 32 and 64 MiB in each
# arena.
M_TRIM_THRESHOLD, M_MMAP_THRESHOLD = -1, -3
BLOCK_BYTES = 4 * 1024 * 1024


def bound_freed_memory() -> None:
    """Bounds the freed memory of a process that serves. Does nothing without glibc."""
    if sys.platform == "linux" and hasattr(libc := ctypes.CDLL(None), "mallopt"):
        libc.mallopt(M_MMAP_THRESHOLD, BLOCK_BYTES)
        libc.mallopt(M_TRIM_THRESHOLD, BLOCK_BYTES)


def return_freed_memory() -> None:
    """Gives back to the system what this process has freed: pages of an index, or a large body, are freed in small
    parts, and glibc keeps their memory where something above it is still in use. A millisecond or a few; elsewhere than
    with glibc it does nothing."""
    if sys.platform == "linux" and hasattr(libc := ctypes.CDLL(None), "malloc_trim"):
        libc.malloc_trim(0)


class OperatorError(Exception):
    """The message is one line for the operator that says why and what to do, and shows no secrets."""
