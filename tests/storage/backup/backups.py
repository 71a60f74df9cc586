"""Backups of databases of tests, and what is compared of two databases."""

import hashlib
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import psycopg
from camillo_server.across.backup.manifest import Manifest
from camillo_server.across.backup.restore_backup import Destination, OpenStore, Restored, restore_backup
from camillo_server.across.backup.store.target import RestoreTarget
from camillo_server.across.backup.take_backup import BackupSource, take_backup
from camillo_server.lib.crypto.keyring import Keyring
from camillo_server.storage.embedded.account import SERVER
from psycopg import sql

from tests.postgres_fixtures import TestDatabase

NO_KEYS = Keyring.empty()
# Table that differs between a database and its copy by design.
IDENTITY = "camillo.database_identity"
# Servers make them again.
COPIES = "camillo.row_groups"


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
    return take_backup(BackupSource(database.owner_url, store, spool, keyring, "0.0.0"), target, report)


def restore(
    root: Path,
    into: TestDatabase,
    *,
    store: OpenStore | None = None,
    keyring: Keyring = NO_KEYS,
    spool: Path = Path("/nonexistent"),
) -> Restored:
    target = RestoreTarget(into.owner_url, SERVER)
    place = Destination(target, store, spool, keyring)
    return restore_backup(root, Manifest.read(root), place, nothing)


def digests(database: TestDatabase) -> Mapping[str, tuple[int, str]]:
    """The number of rows of each table that a backup has, and a digest of all of them in an order of their own."""
    with psycopg.connect(database.superuser_url) as superuser:
        return {name: _digest(superuser, name) for name in _tables(superuser)}


def _tables(superuser: psycopg.Connection) -> Iterator[str]:
    rows = superuser.execute(
        "select n.nspname || '.' || c.relname from pg_class c join pg_namespace n on n.oid = c.relnamespace"
        " where n.nspname in ('camillo', 'camillo_jobs') and c.relkind in ('r', 'p') and not c.relispartition"
    )
    return (name for (name,) in rows.fetchall() if name not in (IDENTITY, COPIES))


def _digest(superuser: psycopg.Connection, name: str) -> tuple[int, str]:
    table = sql.Identifier(*name.split("."))
    rows = superuser.execute(sql.SQL('select t::text from {} t order by t::text collate "C"').format(table))
    lines = [row for (row,) in rows]
    return len(lines), hashlib.sha256("\n".join(lines).encode()).hexdigest()


def catalog(database: TestDatabase) -> list[tuple[object, ...]]:
    """Policies, rights, triggers, constraints and indexes that bind the tables."""
    with psycopg.connect(database.superuser_url) as superuser:
        return superuser.execute(CATALOG).fetchall()


CATALOG = """
with tables as (
    select c.oid, n.nspname || '.' || c.relname as name, c.relrowsecurity, c.relforcerowsecurity,
        coalesce(c.relacl, acldefault('r', c.relowner)) as rights
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where n.nspname in ('camillo', 'camillo_jobs') and c.relkind in ('r', 'p')
)
select name, array[relrowsecurity, relforcerowsecurity]::text || rights::text, '' from tables
union all
select name, t.tgname, t.tgenabled::text from pg_trigger t join tables on tables.oid = t.tgrelid where not t.tgisinternal
union all
select name, c.conname, pg_get_constraintdef(c.oid) from pg_constraint c join tables on tables.oid = c.conrelid
union all
select name, p.polname, pg_get_expr(p.polqual, p.polrelid) from pg_policy p join tables on tables.oid = p.polrelid
union all
select name, '', pg_get_indexdef(i.indexrelid) from pg_index i join tables on tables.oid = i.indrelid
order by 1, 2, 3
"""  # noqa: E501
