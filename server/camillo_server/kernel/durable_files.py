"""Files that are on disk when a call returns, and are seen whole or not at all."""

import os
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
