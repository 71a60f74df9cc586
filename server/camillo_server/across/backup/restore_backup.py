"""Restores a backup into an empty database, or in the place of another one, and checks what it has restored."""

import asyncio
from collections.abc import Callable, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from camillo_server.across.admin.store.invariants import Violation
from camillo_server.across.backup.files import check_file, decompressed
from camillo_server.across.backup.manifest import BackupDamaged, Manifest, RestoreRefused, TableRows
from camillo_server.across.backup.part_archive import in_batches, read_parts
from camillo_server.across.backup.store.target import RestoreTarget
from camillo_server.across.backup.take_backup import SPOOL
from camillo_server.kernel.system import create_file, sync_directory
from camillo_server.lib.crypto.keyring import Keyring
from camillo_server.storage.migrate import known_versions
from camillo_server.storage.migrations.jobs_schema import package_migrations
from camillo_server.storage.parts.object_parts import ObjectParts, PartName

PARTS_AT_ONCE = 8
Report = Callable[[float, int], None]
ARCHIVES = "parts/"


class ClaimedStore(ObjectParts, Protocol):
    """The store of bytes outside of Postgres, which belongs to one database."""

    async def claim(self, *, adopt: bool = False) -> None:
        """Makes it belong to this database from now on."""
        ...


OpenStore = Callable[[], AbstractAsyncContextManager[ClaimedStore]]


@dataclass(frozen=True, slots=True)
class Restored:
    """The result of a restore: the database's identity, how much was restored, and the violated invariants."""

    database_id: str
    schema_version: str
    rows: int
    spool_files: int
    violations: Sequence[Violation]


def check_keys(manifest: Manifest, keyring: Keyring) -> None:
    """Raises RestoreRefused where a key is missing, or another one has its id."""
    wrong = [key_id for key_id, check in manifest.keys.items() if keyring.check_value(key_id) != check]
    missing = [key_id for key_id in wrong if not keyring.check_value(key_id)]
    if missing:
        raise RestoreRefused(
            f"the backup cannot be read without the encryption keys {', '.join(missing)}: give their file with "
            "--keys, or as encryption.key_file"
        )
    if wrong:
        raise RestoreRefused(f"the encryption keys {', '.join(wrong)} are others than those of the backup")


def check_versions(manifest: Manifest) -> None:
    """Raises RestoreRefused for a schema that this version does not know."""
    origin = manifest.origin
    if origin.schema_version not in known_versions():
        raise RestoreRefused(
            f"the backup has schema {origin.schema_version}, which this version does not know: restore it with Camillo"
            f" {manifest.product_version} or a newer version"
        )
    if origin.jobs_version > package_migrations()[-1]:
        raise RestoreRefused("the backup has the job queue of a newer procrastinate: install the version that took it")


@dataclass(frozen=True, slots=True)
class Destination:
    """The destination of a restore: `store` opens the store of bytes outside of Postgres; None without one."""

    database: RestoreTarget
    store: OpenStore | None
    spool: Path
    keyring: Keyring


def restore_backup(root: Path, manifest: Manifest, destination: Destination, report: Report) -> Restored:
    """Begin with the checks: this drops what is in the database. If it fails, it can be run again: servers have no
    rights to the tables before the end. Raises BackupError, BytesUnavailable, OSError, psycopg.Error."""
    database = destination.database
    database.clear(manifest.origin.schema_version)
    database_id = database.load(root, manifest, report)
    if destination.store is not None:
        asyncio.run(_put_parts(root, manifest, destination.store))
    spooled = _restore_spool(root, manifest, destination.spool)
    schema_version = database.open(manifest)
    found = database.violations(destination.keyring)
    return Restored(database_id, schema_version, manifest.rows, spooled, found)


async def _put_parts(root: Path, manifest: Manifest, store: OpenStore) -> None:
    """The store belongs to the new identity from here on."""
    async with store() as objects:
        await objects.claim(adopt=True)
        for archive in archives(root, manifest):
            for some in in_batches(read_parts(archive), PARTS_AT_ONCE):
                await asyncio.gather(*(objects.put(name, data) for name, data in some))


def _restore_spool(root: Path, manifest: Manifest, spool: Path) -> int:
    """Writes that were acknowledged and not yet in the database: the next server replays them. How many files there
    are."""
    names = [file.path for file in manifest.files if file.path.startswith(f"{SPOOL}/")]
    if names:
        spool.mkdir(mode=0o700, parents=True, exist_ok=True)
        for name in names:
            create_file(spool / Path(name).name, (root / name).read_bytes())
        sync_directory(spool)
    return len(names)


def check_digests(root: Path, manifest: Manifest, report: Callable[[int], None]) -> None:
    """Calls `report` with how many bytes have been read. Raises BackupDamaged."""
    passed = 0

    def count(read: int) -> None:
        nonlocal passed
        passed += read
        report(passed)

    for file in manifest.files:
        check_file(root, file, count)


def verify_backup(root: Path, manifest: Manifest, report: Callable[[int], None]) -> None:
    """Checks the digests, and that the contents of the files can be read and are complete. Raises BackupDamaged."""
    check_digests(root, manifest, report)
    for table in manifest.tables:
        _check_rows(root, table)
    _check_parts(root, manifest)


def archives(root: Path, manifest: Manifest) -> list[Path]:
    """The archives of artifact parts."""
    return [root / file.path for file in manifest.files if file.path.startswith(ARCHIVES)]


def _check_rows(root: Path, table: TableRows) -> None:
    rows = sum(data.count(b"\n") for data in decompressed(root / table.path))
    if rows != table.rows:
        raise BackupDamaged(f"{table.name} has {rows} rows, {table.rows} were written")


def _check_parts(root: Path, manifest: Manifest) -> None:
    parts = size = contents = 0
    last: PartName | None = None
    for archive in archives(root, manifest):
        for name, data in read_parts(archive):
            parts, size = parts + 1, size + len(data)
            is_next = last is None or last.content_id != name.content_id
            contents += is_next or last is None or last.tenant_id != name.tenant_id
            last = name
    expected = manifest.artifacts
    if (parts, size, contents) != (expected.parts, expected.bytes, expected.contents):
        raise BackupDamaged(f"the backup has {parts} parts of artifacts, {expected.parts} were written")
