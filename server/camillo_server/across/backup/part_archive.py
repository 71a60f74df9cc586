"""Parts of artifacts that lay outside of Postgres, in archives of the tar format: a member for each, by its name
there."""

import io
import tarfile
from collections.abc import Iterable, Iterator
from contextlib import ExitStack
from itertools import islice
from pathlib import Path
from typing import Self, TypeVar
from uuid import UUID

from camillo_server.across.backup.files import BackupDirectory
from camillo_server.across.backup.manifest import BackupDamaged
from camillo_server.storage.parts.object_parts import CONTENT_NAME, PartName

# An archive is closed and another begun behind so many bytes: one that is damaged damages no more.
ARCHIVE_BYTES = 1 << 30
BUFFER_BYTES = 1 << 16
T = TypeVar("T")


class PartArchives:
    """Writes parts into one archive after the other."""

    def __init__(self, directory: BackupDirectory) -> None:
        self._directory = directory
        self._open = ExitStack()
        self._archive: tarfile.TarFile | None = None
        self._count = self._bytes = 0

    def add(self, name: PartName, data: bytes) -> None:
        if self._archive is None or self._bytes >= ARCHIVE_BYTES:
            self._begin()
        assert self._archive is not None  # noqa: S101
        member = tarfile.TarInfo(name.key())
        member.size, member.mode = len(data), 0o600
        self._archive.addfile(member, io.BytesIO(data))
        self._bytes += len(data)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self._open.close()

    def _begin(self) -> None:
        self._open.close()
        self._count += 1
        self._bytes = 0
        file = self._open.enter_context(self._directory.file(f"parts/{self._count:06d}.tar"))
        self._archive = self._open.enter_context(
            tarfile.open(fileobj=file, mode="w|", bufsize=BUFFER_BYTES)  # type: ignore[call-overload]  # noqa: SIM115
        )


def read_parts(path: Path) -> Iterator[tuple[PartName, bytes]]:
    """The parts of one archive. Raises BackupDamaged."""
    try:
        with tarfile.open(path, mode="r|", bufsize=BUFFER_BYTES) as archive:
            for member in archive:
                file = archive.extractfile(member)
                if file is None:
                    raise BackupDamaged(f"{path} has {member.name}, which is no part")
                yield _part_name(member.name), file.read()
    except (OSError, tarfile.TarError, ValueError) as error:
        raise BackupDamaged(f"cannot read {path}: {error}") from error


def _part_name(key: str) -> PartName:
    """Raises ValueError."""
    tenant_id, content, part = key.split("/")
    if not CONTENT_NAME.fullmatch(content):
        raise ValueError(f"{key} is no part")
    number, _, generation = part.partition(".")
    name = PartName(tenant_id, UUID(hex=content), int(number), int(generation or 0))
    if name.key() != key:
        raise ValueError(f"{key} is no part")
    return name


def in_batches(items: Iterable[T], size: int) -> Iterator[list[T]]:
    """The items in lists of up to `size`, in their order."""
    iterator = iter(items)
    while batch := list(islice(iterator, size)):
        yield batch
