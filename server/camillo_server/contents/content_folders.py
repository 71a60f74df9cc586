"""The folders of contents in a directory, read and removed. All may raise OSError; none if something is missing."""

import os
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from uuid import UUID

from camillo_server.contents.durable_files import sync_directory
from camillo_server.contents.part_names import CONTENT_NAME, PART_NAME, StoredContent


def read(path: Path, most: int) -> bytes | None:
    """The beginning of a file, all of it if it is no longer."""
    try:
        with open(path, "rb") as file:
            return file.read(most)
    except FileNotFoundError:
        return None


def within(tenant: Path) -> list[Path]:
    """The folders of a tenant's contents."""
    try:
        names = os.listdir(tenant)
    except FileNotFoundError:
        return []
    return [tenant / name for name in names if CONTENT_NAME.fullmatch(name)]


def seen(folder: Path) -> StoredContent | None:
    """Counts the finished parts. The newest moment is also that of one being written, so that a sweep spares it."""
    sizes = []
    try:
        newest = folder.stat().st_mtime
        with os.scandir(folder) as entries:
            for entry in entries:
                with suppress(FileNotFoundError):
                    facts = entry.stat()
                    newest = max(newest, facts.st_mtime)
                    sizes += [facts.st_size] if PART_NAME.fullmatch(entry.name) else []
    except FileNotFoundError:
        return None
    moment = datetime.fromtimestamp(newest, UTC)
    return StoredContent(UUID(hex=folder.name), moment, len(sizes), sum(sizes))


def delete(folder: Path) -> int:
    """Also what killed writers left; returns how many finished parts there were. Gone from the disk when it returns."""
    try:
        names = os.listdir(folder)
    except FileNotFoundError:
        return 0
    for name in names:
        (folder / name).unlink(missing_ok=True)
    # It is not empty if somebody writes into it still; the next sweep finds that.
    with suppress(OSError):
        folder.rmdir()
    with suppress(FileNotFoundError):
        sync_directory(folder.parent)
    with suppress(OSError):
        folder.parent.rmdir()
    return sum(PART_NAME.fullmatch(name) is not None for name in names)
