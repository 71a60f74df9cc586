"""The files of a backup: written once, with their digests, and checked by them."""

import hashlib
import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

import zstandard

from camillo_server.across.backup.manifest import BackupDamaged, BackupError, BackupFile
from camillo_server.kernel.system import sync_directory

CHUNK_BYTES = 1 << 20
# The compression that keeps up with Postgres; the next levels take twice the time for a twentieth of the bytes.
LEVEL = 3
FOLDERS = ("tables", "parts", "spool")


class HashedFile:
    """Takes bytes for a new file, and knows their number and digest."""

    def __init__(self, file: IO[bytes]) -> None:
        self._file = file
        self._hash = hashlib.sha256()
        self.bytes = 0

    def write(self, data: bytes | memoryview) -> int:
        self._hash.update(data)
        self.bytes += len(data)
        return self._file.write(data)

    def digest(self) -> str:
        return self._hash.hexdigest()


class BackupDirectory:
    """A directory that becomes a backup. The files written are removed again unless the backup is completed."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.files: list[BackupFile] = []

    @contextmanager
    def opened(self) -> Iterator[None]:
        """Creates it for its owner alone. Raises BackupError where there is something in it, OSError."""
        self.root.mkdir(mode=0o700, parents=True, exist_ok=True)
        if any(self.root.iterdir()):
            raise BackupError(f"{self.root} is not empty: a backup gets a directory of its own")
        try:
            for folder in FOLDERS:
                (self.root / folder).mkdir(mode=0o700)
            yield
        except BaseException:
            for folder in FOLDERS:
                shutil.rmtree(self.root / folder, ignore_errors=True)
            raise

    @contextmanager
    def file(self, path: str) -> Iterator[HashedFile]:
        """A new file, on disk and in the list at the end."""
        descriptor = os.open(self.root / path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(descriptor, "wb", CHUNK_BYTES) as file:
            hashed = HashedFile(file)
            yield hashed
            file.flush()
            os.fsync(file.fileno())
        self.files.append(BackupFile(path, hashed.bytes, hashed.digest()))

    @contextmanager
    def compressed(self, path: str) -> Iterator[zstandard.ZstdCompressionWriter]:
        """A new file whose bytes are compressed."""
        with (
            self.file(path) as file,
            zstandard.ZstdCompressor(level=LEVEL).stream_writer(file, closefd=False) as writer,  # type: ignore[arg-type]
        ):
            yield writer

    def sync(self) -> None:
        """The names of all files are on disk afterwards."""
        for folder in FOLDERS:
            sync_directory(self.root / folder)
        sync_directory(self.root)


def decompressed(path: Path) -> Iterator[bytes]:
    """The bytes of a compressed file, some at a time. Raises BackupDamaged."""
    try:
        with path.open("rb") as file:
            yield from zstandard.ZstdDecompressor().read_to_iter(file, write_size=CHUNK_BYTES)
    except (OSError, zstandard.ZstdError) as error:
        raise BackupDamaged(f"cannot read {path}: {error}") from error


def check_file(root: Path, file: BackupFile, report: Callable[[int], None]) -> None:
    """Calls `report` with how many bytes were read of it. Raises BackupDamaged for a file that is not as it was
    written."""
    path, hashed, passed = root / file.path, hashlib.sha256(), 0
    try:
        with path.open("rb") as opened:
            while data := opened.read(CHUNK_BYTES):
                hashed.update(data)
                passed += len(data)
                report(len(data))
    except OSError as error:
        reason = error.strerror or "failed"
        raise BackupDamaged(f"cannot read {path}: {reason}") from error
    if (passed, hashed.hexdigest()) != (file.bytes, file.sha256):
        raise BackupDamaged(f"{path} is damaged: it is not what the backup wrote")
