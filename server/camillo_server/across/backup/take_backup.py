"""Takes a backup: every table at one moment, the artifact bytes that it refers to, and spooled writes that are not in
it."""

import asyncio
import shutil
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, field
from pathlib import Path

from camillo_server.across.backup.files import BackupDirectory
from camillo_server.across.backup.manifest import BackupError, Manifest, PartTotals, TableRows
from camillo_server.across.backup.part_archive import PartArchives, in_batches
from camillo_server.across.backup.store.snapshot import Snapshot, open_snapshot
from camillo_server.kernel.clock import Clock, SystemClock
from camillo_server.kernel.errors import BytesLost
from camillo_server.lib.crypto.keyring import Keyring
from camillo_server.storage.parts.object_parts import ObjectParts, PartName

# Parts of up to 1 MiB each that are in memory at once.
PARTS_AT_ONCE = 8
SPOOL = "spool"
# Fingerprints of forgotten values, which the lasting key made.
BLOCKS = "value_blocks"

# Takes how much is done, as a part of the whole, and the number of rows.
Report = Callable[[float, int], None]
OpenStore = Callable[[], AbstractAsyncContextManager[ObjectParts]]


@dataclass(frozen=True, slots=True)
class BackupSource:
    """The source of a backup. `store` opens the store of bytes outside of Postgres; None without one."""

    owner_url: str
    store: OpenStore | None
    spool: Path
    keyring: Keyring
    product_version: str
    clock: Clock = field(default_factory=SystemClock)


def take_backup(source: BackupSource, target: Path, report: Report) -> Manifest:
    """The manifest of the complete backup, which is on disk. A failed one leaves nothing. Raises BackupError,
    BytesUnavailable, OSError, psycopg.Error."""
    directory = BackupDirectory(target)
    with directory.opened():
        # Before the snapshot: what is replayed meanwhile is in both, and a request id makes it one.
        _copy_spool(source.spool, directory)
        with open_snapshot(source.owner_url, holds_deletion=source.store is not None) as snapshot:
            origin = snapshot.origin(source.clock.now())
            artifacts = _copy_parts(snapshot, source.store, directory)
            if source.store is not None:
                snapshot.release_deletion()
            tables = list(_copy_tables(snapshot, directory, report))
            key_ids = set[str]().union(*map(snapshot.key_ids, snapshot.tables))
            has_spool = any(file.path.startswith(f"{SPOOL}/") for file in directory.files)
            manifest = Manifest(
                product_version=source.product_version,
                origin=origin,
                tenants=len(snapshot.tenants),
                tables=tables,
                sequences=snapshot.sequences(),
                partitions=snapshot.partitions(),
                vector_indexes=snapshot.vector_indexes(),
                artifacts=artifacts,
                keys=_key_checks(source.keyring, key_ids, tables, has_spool=has_spool),
                files=directory.files,
            )
        directory.sync()
        manifest.write(target)
    return manifest


def _copy_tables(snapshot: Snapshot, directory: BackupDirectory, report: Report) -> Iterator[TableRows]:
    estimated = sum(table.estimated_rows for table in snapshot.tables)
    copied = 0
    for table in snapshot.tables:
        rows = 0
        path = f"tables/{table.schema}.{table.name}.copy.zst"
        with directory.compressed(path) as file:
            for data in snapshot.copy(table):
                file.write(data)
                rows += data.count(b"\n")
                report(min(1.0, (copied + rows) / max(estimated, 1)), copied + rows)
        copied += rows
        yield TableRows(table.schema, table.name, table.columns, rows, path)


def _copy_parts(snapshot: Snapshot, store: OpenStore | None, directory: BackupDirectory) -> PartTotals:
    """Raises BackupError where there are some, and no store to read them from."""
    if store is None:
        if next(snapshot.parts_outside(), None) is not None:
            raise BackupError(
                "artifacts have bytes outside of Postgres, and artifacts.store_url is not set: give it, as the "
                "servers have it"
            )
        return PartTotals()
    return asyncio.run(_archive_parts(snapshot, store, directory))


async def _archive_parts(snapshot: Snapshot, store: OpenStore, directory: BackupDirectory) -> PartTotals:
    parts = size = 0
    contents, last, lost = 0, "", dict[str, None]()
    with PartArchives(directory) as archives:
        async with store() as objects:
            async for name, data in _read_parts(snapshot, objects):
                content = f"{name.tenant_id}/{name.content_id}"
                if data is None:
                    lost[content] = None
                else:
                    archives.add(name, data)
                    # In the order of contents.
                    contents, last = contents + (content != last), content
                    parts, size = parts + 1, size + len(data)
    return PartTotals(contents, parts, size, list(lost))


async def _read_parts(snapshot: Snapshot, objects: ObjectParts) -> AsyncIterator[tuple[PartName, bytes | None]]:
    """Parts in their order, several fetched at once; None for one that the store lacks."""
    for some in in_batches(snapshot.parts_outside(), PARTS_AT_ONCE):
        found = await asyncio.gather(*(_read_part(objects, *each) for each in some))
        for (name, _), data in zip(some, found, strict=True):
            yield name, data


async def _read_part(objects: ObjectParts, name: PartName, stored_size: int) -> bytes | None:
    try:
        return await objects.get(name, stored_size)
    except BytesLost:
        return None


def _copy_spool(spool: Path, directory: BackupDirectory) -> None:
    """The files as they are: one that is written meanwhile ends where it did, one that is gone was replayed."""
    if not spool.is_dir():
        return
    for path in sorted(spool.iterdir()):
        if path.is_file() and not path.name.startswith("."):
            try:
                with path.open("rb") as source, directory.file(f"{SPOOL}/{path.name}") as file:
                    shutil.copyfileobj(source, file)
            except FileNotFoundError:
                continue


def _key_checks(keyring: Keyring, used: set[str], tables: list[TableRows], *, has_spool: bool) -> dict[str, str]:
    """The check values, by id, of the keys without which a restored database is not as readable as this one."""
    has_blocks = any(table.table == BLOCKS and table.rows for table in tables)
    if used or has_blocks:
        used = {*used, keyring.lasting_key_id} - {""}
    if has_spool:
        used = {*used, keyring.active_key_id} - {""}
    return {key_id: keyring.check_value(key_id) for key_id in sorted(used)}
