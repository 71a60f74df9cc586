"""Backups of databases of tests, and what is compared of two databases."""

import hashlib
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import psycopg
from camillo_server.backup.manifest import Manifest
from camillo_server.backup.restore_backup import OpenStore, Place, Restored, restore_backup
from camillo_server.backup.store.target import RestoreTarget
from camillo_server.backup.take_backup import BackupSource, take_backup
from camillo_server.crypto.keyring import Keyring
from camillo_server.storage.embedded.roles import SERVER
from psycopg import sql

from tests.postgres_fixtures import TestDatabase

NO_KEYS = Keyring.empty()
# What differs between a database and its copy by design.
IDENTITY = "camillo.database_identity"


def nothing(*_: float) -> None:
    """Reports nothing."""


def back_up(
    database: TestDatabase,
    target: Path,
    *,
    store: OpenStore | None = None,
    keyring: Keyring = NO_KEYS,
    spool: Path = Path("/nonexistent"),
    report: Callable[[float, int], None] = nothing,
) -> Manifest:
    return take_backup(
        BackupSource(database.owner_url, store, spool, keyring, "0.0.0"), target, report
    )


def restore(
    root: Path,
    into: TestDatabase,
    *,
    store: OpenStore | None = None,
    keyring: Keyring = NO_KEYS,
    spool: Path = Path("/nonexistent"),
) -> Restored:
    target = RestoreTarget(into.owner_url, SERVER)
    place = Place(target, store, spool, keyring)
    return restore_backup(root, Manifest.read(root), place, nothing)


def digests(database: TestDatabase) -> Mapping[str, tuple[int, str]]:
    """By table: how many rows it has, and a digest of all of them in an order of their own."""
    with psycopg.connect(database.superuser_url) as superuser:
        return {name: _digest(superuser, name) for name in _tables(superuser)}


def _tables(superuser: psycopg.Connection) -> Iterator[str]:
    rows = superuser.execute(
        "select n.nspname || '.' || c.relname from pg_class c join pg_namespace n on n.oid = c.relnamespace"
        " where n.nspname in ('camillo', 'camillo_jobs') and c.relkind in ('r', 'p') and not c.relispartition"
    )
    return (name for (name,) in rows.fetchall() if name != IDENTITY)


def _digest(superuser: psycopg.Connection, name: str) -> tuple[int, str]:
    table = sql.Identifier(*name.split("."))
    rows = superuser.execute(
        sql.SQL('select t::text from {} t order by t::text collate "C"').format(table)
    )
    lines = [row for (row,) in rows]
    return len(lines), hashlib.sha256("\n".join(lines).encode()).hexdigest()
