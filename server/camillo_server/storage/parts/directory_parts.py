"""Parts as files of a directory. Not through obstore, whose files are not on disk when it says that they are
written."""

import errno
import logging
import os
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import TypeVar
from uuid import UUID

from camillo_server.kernel.errors import BytesLost, BytesUnavailable, StorageFull
from camillo_server.kernel.off_loop import UNBOUNDED, off_loop
from camillo_server.kernel.system import create_file, sync_directory, write_file
from camillo_server.storage.parts.object_parts import (
    CONTENT_NAME,
    MARKER_NAME,
    PART_NAME,
    TENANT_NAME,
    ObjectStoreError,
    PartName,
    StoredContent,
    content_key,
    tenant_key,
)

_T = TypeVar("_T")
_THREADS = 8
_MAX_KNOWN_FOLDERS = 4096
# The first fails where the content's folder is deleted meanwhile, the second where its tenant's is.
_WRITE_ATTEMPTS = 3
_FULL = (errno.ENOSPC, errno.EDQUOT)
_logger = logging.getLogger(__name__)


class DurableFiles:
    """Writes files two folders below a root. Usable from any thread, beside other processes."""

    def __init__(self, root: Path) -> None:
        self._root = root
        # Folders whose own entries are known to be on disk: a part costs two fsyncs, and not four.
        self._on_disk: set[Path] = set()

    def write(self, path: Path, data: bytes) -> None:
        """Replaces what was there. Raises OSError, and has changed nothing then, or all of it."""
        for _ in range(_WRITE_ATTEMPTS - 1):
            try:
                return self._write(path, data)
            except (FileNotFoundError, FileExistsError):
                # The folder, or that of its tenant, was deleted in between. "Exists": it did until a moment ago.
                self._on_disk.discard(path.parent)
        return self._write(path, data)

    def _write(self, path: Path, data: bytes) -> None:
        if path.parent not in self._on_disk:
            self._create_folder(path.parent)
        write_file(path, data)

    def _create_folder(self, folder: Path) -> None:
        """Never the root: where that is missing a disk is, and what is written would be hidden by it."""
        for each in (folder.parent, folder):
            each.mkdir(mode=0o700, exist_ok=True)
        sync_directory(folder.parent)
        sync_directory(self._root)
        if len(self._on_disk) >= _MAX_KNOWN_FOLDERS:
            self._on_disk.clear()
        self._on_disk.add(folder)


def open_directory(path: str) -> Path:
    """The directory, created for its owner alone if it is missing. Raises ObjectStoreError."""
    directory = Path(path)
    try:
        missing = [each for each in (directory, *directory.parents) if not each.exists()]
        for each in reversed(missing):
            each.mkdir(mode=0o700, exist_ok=True)
            sync_directory(each.parent)
    except OSError as error:
        raise ObjectStoreError(
            f"cannot create the directory for artifacts {path}: {error.strerror or 'failed'}"
        ) from error
    if not os.access(directory, os.R_OK | os.W_OK | os.X_OK):
        raise ObjectStoreError(f"the directory for artifacts {path} cannot be written")
    return directory


class DirectoryParts:
    """`PartStore` in a directory."""

    def __init__(self, root: Path) -> None:
        self._root = root
        self._files = DurableFiles(root)
        # A pool of its own, so that a disk that hangs holds up nothing else.
        self._threads = ThreadPoolExecutor(_THREADS, "artifact-files")

    def folder(self, name: str) -> "DirectoryParts":
        return DirectoryParts(self._root / name)

    async def has_folder(self, name: str) -> bool:
        return await self._in_thread((self._root / name).is_dir)

    async def create_folder(self, name: str) -> None:
        def create() -> None:
            (self._root / name).mkdir(mode=0o700, exist_ok=True)
            sync_directory(self._root)

        await self._in_thread(create)

    async def marker(self) -> bytes | None:
        path = self._root / MARKER_NAME
        return await self._in_thread(lambda: _read(path, -1))

    async def put_marker(self, data: bytes, *, replace: bool) -> None:
        put, path = write_file if replace else create_file, self._root / MARKER_NAME
        await self._in_thread(lambda: put(path, data))

    async def put(self, name: PartName, data: bytes) -> None:
        path = self._root / name.key()
        await self._in_thread(lambda: self._files.write(path, data))

    async def get(self, name: PartName, size_limit: int) -> bytes:
        path = self._root / name.key()
        data = await self._in_thread(lambda: _read(path, size_limit + 1))
        if data is None or len(data) > size_limit:
            _logger.warning("part %d of a content is %s", name.number, "too long" if data else "missing")
            raise BytesLost
        return data

    async def delete_part(self, name: PartName) -> None:
        path = self._root / name.key()
        await self._in_thread(lambda: path.unlink(missing_ok=True))

    async def delete_content(self, tenant_id: str, content_id: UUID) -> int:
        folder = self._root / content_key(tenant_id, content_id)
        return await self._in_thread(lambda: _delete(folder))

    async def contents(self, tenant_id: str) -> list[StoredContent]:
        folder = self._root / tenant_key(tenant_id)
        return await self._in_thread(lambda: list(_stored_contents(folder)))

    async def tenants(self) -> list[str]:
        names = await self._in_thread(lambda: os.listdir(self._root))
        return sorted(name for name in names if TENANT_NAME.fullmatch(name))

    async def _in_thread(self, work: Callable[[], _T]) -> _T:
        with _domain_errors():
            return await off_loop(UNBOUNDED, lambda: self._with_root(work), self._threads)

    def _with_root(self, work: Callable[[], _T]) -> _T:
        """Runs the work; fails if the root is gone: then its disk is not mounted, and no part counts as missing."""
        self._root.stat()
        return work()


@contextmanager
def _domain_errors() -> Iterator[None]:
    """Turns errors of the disk into those of the domain, and logs their causes."""
    try:
        yield
    except OSError as error:
        _logger.warning("the directory of artifacts failed: %s", error)
        raise (StorageFull if error.errno in _FULL else BytesUnavailable)() from error


def _read(path: Path, max_bytes: int) -> bytes | None:
    """The first bytes of a file; None where there is none."""
    try:
        with open(path, "rb") as file:
            return file.read(max_bytes)
    except FileNotFoundError:
        return None


def _stored_contents(tenant: Path) -> Iterator[StoredContent]:
    """All contents in the folder of a tenant."""
    try:
        names = os.listdir(tenant)
    except FileNotFoundError:
        return
    for name in filter(CONTENT_NAME.fullmatch, names):
        if content := _stored_content(tenant / name):
            yield content


def _stored_content(folder: Path) -> StoredContent | None:
    """Counts the finished parts. The newest moment is also that of one being written, so that a collection spares
    it."""
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


def _delete(folder: Path) -> int:
    """Deletes the parts, and unfinished files of killed writers; returns how many parts there were. Durable when it
    returns."""
    try:
        names = os.listdir(folder)
    except FileNotFoundError:
        return 0
    for name in names:
        (folder / name).unlink(missing_ok=True)
    # It is not empty if somebody still writes into it; the next collection finds that.
    with suppress(OSError):
        folder.rmdir()
    with suppress(FileNotFoundError):
        sync_directory(folder.parent)
    with suppress(OSError):
        folder.parent.rmdir()
    return sum(PART_NAME.fullmatch(name) is not None for name in names)
