"""A directory that is no backup, was changed, or must not be restored is refused in one line, before any change."""

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import psycopg
import pytest
from camillo_server.across.backup.manifest import MANIFEST, BackupDamaged, BackupError, Manifest, RestoreRefused
from camillo_server.across.backup.restore_backup import check_keys, check_versions, verify_backup
from camillo_server.across.backup.store.target import RestoreTarget
from camillo_server.lib.crypto.keyring import Keyring
from camillo_server.storage.embedded.account import SERVER
from camillo_server.storage.migrate import VectorExtensionMissing, latest_version, migrate

from tests.postgres_fixtures import TestDatabase
from tests.storage.backup.backups import back_up, digests, nothing, restore
from tests.storage.next_migrations import know_next_migrations

K1, K2 = bytes(range(32)), bytes(range(1, 33))
TABLE = "tables/camillo.memories.copy.zst"


@pytest.fixture
def root(filled: TestDatabase, tmp_path: Path) -> Path:
    """A backup."""
    back_up(filled, tmp_path / "backup", spool=spool_in(tmp_path))
    return tmp_path / "backup"


def spool_in(directory: Path) -> Path:
    """A folder with spooled writes."""
    spool = directory / "spool"
    spool.mkdir(exist_ok=True)
    (spool / "0001.spool").write_bytes(b"\x00\xff" * 10)
    (spool / "0001.json").write_text("{}")
    (spool / ".unfinished").write_text("")
    return spool


def remove(path: Path) -> None:
    path.unlink()


def cut(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-1])


def change(path: Path) -> None:
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 1
    path.write_bytes(data)


def test_a_whole_backup_is_found_whole(root: Path) -> None:
    verify_backup(root, Manifest.read(root), nothing)


@pytest.mark.parametrize("damage", [remove, cut, change])
@pytest.mark.parametrize("file", [TABLE, "spool/0001.spool"])
def test_a_damaged_file_is_named(root: Path, damage: Callable[[Path], None], file: str) -> None:
    damage(root / file)
    with pytest.raises(BackupDamaged, match=file.replace(".", r"\.")):
        verify_backup(root, Manifest.read(root), nothing)


def test_without_a_manifest_it_is_no_backup(root: Path) -> None:
    (root / MANIFEST).unlink()
    with pytest.raises(BackupDamaged, match="is no backup"):
        Manifest.read(root)


@pytest.mark.parametrize(
    "changed",
    [
        {"format": 99},
        {"tables": [{"schema": "camillo", "table": "x; drop table y", "columns": [], "rows": 0, "path": TABLE}]},
        {"files": [{"path": "tables/../../etc/passwd", "bytes": 0, "sha256": ""}]},
        {"partitions": ["x'"]},
        {"sequences": {"camillo.x('": 1}},
        {"origin": {}},
        {"unknown": 1},
    ],
    ids=lambda changed: next(iter(changed)),
)
def test_a_manifest_that_no_backup_wrote_is_refused(root: Path, changed: dict[str, object]) -> None:
    path = root / MANIFEST
    path.write_text(json.dumps(json.loads(path.read_text()) | changed))
    with pytest.raises(BackupDamaged):
        Manifest.read(root)


def test_a_directory_with_something_in_it_is_left_alone(filled: TestDatabase, tmp_path: Path) -> None:
    (tmp_path / "mine").write_text("")
    with pytest.raises(BackupError, match="is not empty"):
        back_up(filled, tmp_path)
    assert [path.name for path in tmp_path.iterdir()] == ["mine"]


def test_a_backup_that_fails_leaves_nothing(filled: TestDatabase, tmp_path: Path) -> None:
    def fail(_: float, rows: int) -> None:
        if rows > 10:
            raise OSError("no space")

    with pytest.raises(OSError, match="no space"):
        back_up(filled, tmp_path / "backup", report=fail)
    assert not list((tmp_path / "backup").iterdir())
    assert back_up(filled, tmp_path / "backup").rows > 10


def test_a_restore_that_fails_is_run_again(filled: TestDatabase, other: TestDatabase, root: Path) -> None:
    whole = (root / TABLE).read_bytes()
    (root / TABLE).write_bytes(whole[:-4])
    with pytest.raises(BackupDamaged):
        restore(root, other)
    with psycopg.connect(other.server_url) as server, pytest.raises(psycopg.errors.InsufficientPrivilege):
        server.execute("select from camillo.tenants")
    (root / TABLE).write_bytes(whole)
    restore(root, other)
    assert digests(other) == digests(filled)


def test_spooled_writes_come_back_beside_those_that_are_there(other: TestDatabase, root: Path, tmp_path: Path) -> None:
    spool = tmp_path / "new" / "spool"
    spool.mkdir(parents=True)
    (spool / "0002.spool").write_bytes(b"other")
    assert restore(root, other, spool=spool).spool_files == 2
    assert {path.name: path.read_bytes() for path in spool.iterdir()} == {
        "0001.spool": b"\x00\xff" * 10,
        "0001.json": b"{}",
        "0002.spool": b"other",
    }


def test_the_keys_that_are_needed_have_to_be_there(root: Path) -> None:
    manifest = replace(Manifest.read(root), keys={"k1": Keyring({"k1": K1}).check_value("k1")})
    check_keys(manifest, Keyring({"k2": K2, "k1": K1}))
    with pytest.raises(RestoreRefused, match="without the encryption keys k1"):
        check_keys(manifest, Keyring({"k2": K2}))
    with pytest.raises(RestoreRefused, match="others than those"):
        check_keys(manifest, Keyring({"k1": K2}))


def test_a_schema_or_a_queue_of_a_newer_version_is_refused(root: Path) -> None:
    manifest = Manifest.read(root)
    check_versions(manifest)
    for newer, told in (("schema_version", "9999"), ("jobs_version", "99.99.99")):
        origin = replace(manifest.origin, **{newer: told})  # type: ignore[arg-type]
        with pytest.raises(RestoreRefused, match="newer"):
            check_versions(replace(manifest, origin=origin))


def test_a_backup_of_an_older_schema_is_migrated(
    filled: TestDatabase, other: TestDatabase, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    manifest = back_up(filled, tmp_path / "old")
    assert manifest.origin.schema_version == latest_version()
    know_next_migrations(tmp_path, monkeypatch)
    assert manifest.origin.schema_version < latest_version()
    assert restore(tmp_path / "old", other).schema_version == latest_version()
    migrate(filled.owner_url, SERVER)
    assert digests(other)["camillo.memories"] == digests(filled)["camillo.memories"]


def test_a_database_in_which_a_restore_could_not_end_is_told_before(other: TestDatabase) -> None:
    RestoreTarget(other.owner_url, SERVER).require_prepared()
    with pytest.raises(RestoreRefused, match="no role nobody"):
        RestoreTarget(other.owner_url, "nobody").require_prepared()
    with psycopg.connect(other.superuser_url) as superuser:
        superuser.execute("drop extension vector cascade")
    with pytest.raises(VectorExtensionMissing):
        RestoreTarget(other.owner_url, SERVER).require_prepared()
