"""Checks a backup without a database: its files are what was written, and have what the manifest says."""

from collections.abc import Callable
from pathlib import Path

from camillo_server.across.backup.errors import BackupDamaged
from camillo_server.across.backup.files import check_file, decompressed
from camillo_server.across.backup.manifest import Manifest, TableRows
from camillo_server.across.backup.part_archive import read_parts
from camillo_server.storage.parts.object_parts import PartName

ARCHIVES = "parts/"


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
