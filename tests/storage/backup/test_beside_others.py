"""Changes that others make to the schema while a backup is taken, or have made beside the migrations."""

import threading
from pathlib import Path

import psycopg
import pytest
from camillo_server.across.backup.store.snapshot import open_snapshot
from camillo_server.kernel.ids import AgentId, TenantId
from camillo_server.kernel.scope import Scope
from camillo_server.search.store.vector_index import create_index, list_indexes
from camillo_server.storage.embedded.account import SERVER
from camillo_server.storage.migrate import TableLocked, latest_version, migrate

from tests.postgres_fixtures import TestDatabase
from tests.storage.backup.backups import back_up, digests, restore
from tests.storage.next_migrations import know_next_migrations


def test_a_migration_waits_for_the_backup_and_changes_nothing_of_it(
    filled: TestDatabase, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    know_next_migrations(tmp_path, monkeypatch)
    monkeypatch.setattr("camillo_server.storage.migrate.LOCK_TIMEOUT", "set lock_timeout = '50ms'")
    monkeypatch.setattr("camillo_server.storage.migrate.LOCK_ATTEMPTS", 2)
    monkeypatch.setattr("camillo_server.storage.migrate.LOCK_PAUSE", "select 1")
    with open_snapshot(filled.owner_url, holds_deletion=False) as snapshot:
        with pytest.raises(TableLocked):
            migrate(filled.owner_url, SERVER)
        rows = {table.name: b"".join(snapshot.copy(table)) for table in snapshot.tables}
    assert rows["memories"].count(b"\n") == digests(filled)["camillo.memories"][0]
    assert migrate(filled.owner_url, SERVER) == latest_version()


def test_what_is_written_behind_the_snapshot_is_not_in_it(filled: TestDatabase) -> None:
    def rename() -> None:
        with psycopg.connect(filled.superuser_url) as superuser:
            superuser.execute("update camillo.tenants set display_name = 'later'")

    def copied() -> bytes:
        with open_snapshot(filled.owner_url, holds_deletion=False) as snapshot:
            thread = threading.Thread(target=rename)
            thread.start()
            thread.join()
            [tenants] = [table for table in snapshot.tables if table.name == "tenants"]
            return b"".join(snapshot.copy(tenants))

    assert b"later" not in copied()
    assert copied().count(b"later") == 2


def test_an_index_of_a_single_scope_is_made_again(filled: TestDatabase, other: TestDatabase, tmp_path: Path) -> None:
    scope = Scope(TenantId("acme"), AgentId("alice"))
    index = create_index(filled.owner_url, scope)
    assert not list_indexes(other.owner_url)
    back_up(filled, tmp_path / "backup")
    restore(tmp_path / "backup", other)
    [found] = list_indexes(other.owner_url)
    assert (found.name, found.vectors, found.is_ready) == (index.name, index.vectors, True)
