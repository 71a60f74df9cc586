"""The database that a backup is restored into: closed to servers until it is complete."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from graphlib import CycleError, TopologicalSorter
from pathlib import Path
from typing import Any

import psycopg
from psycopg import Connection, sql

from camillo_server.across.admin.store.invariants import Violation, list_tenants, violations
from camillo_server.across.backup.files import decompressed
from camillo_server.across.backup.manifest import BackupDamaged, BackupError, Manifest, RestoreRefused, TableRows
from camillo_server.across.backup.store.snapshot import SQL as SNAPSHOT
from camillo_server.kernel.ids import AgentId, TenantId
from camillo_server.kernel.scope import Scope
from camillo_server.lib.crypto.keyring import Keyring
from camillo_server.search.store.vector_index import create_index
from camillo_server.storage.change_notifier import CHANNEL, RESTORED
from camillo_server.storage.migrate import (
    EXTENSION,
    VectorExtensionMissing,
    migrate,
    run_migrations,
)
from camillo_server.storage.statements import statements

SQL = statements("across/backup/store/load")
SCHEMAS = ("camillo_jobs", "camillo")
Report = Callable[[float, int], None]


class RestoreTarget:
    """Restores as the owner of the tables."""

    def __init__(self, owner_url: str, granted_role: str | None) -> None:
        self._url = owner_url
        self._granted_role = granted_role

    def require_prepared(self) -> None:
        """Raises RestoreRefused, VectorExtensionMissing for a database that a restore would not be able to finish
        in."""
        with self._connected() as connection:
            if connection.execute(EXTENSION).fetchone() is None:
                raise VectorExtensionMissing
            if self._granted_role is None:
                return
            (has_role,) = _row(connection, "has_role", {"role": self._granted_role})
            if not has_role:
                raise RestoreRefused(f"there is no role {self._granted_role}, as database.url names it")

    def tenants(self) -> Sequence[str]:
        """The tenants that are there before the restore."""
        with self._connected() as connection:
            has_tenants, _ = _row(connection, "has_schema")
            return list_tenants(connection) if has_tenants else []

    def database_id(self) -> str:
        """The id of what is there before the restore; empty without a schema."""
        with self._connected() as connection:
            _, has_identity = _row(connection, "has_schema")
            return str(_row(connection, "database_id")[0]) if has_identity else ""

    def clear(self, schema_version: str) -> None:
        """Drops what is there, and makes empty tables of a version. The role that serves has no right to them."""
        with self._connected() as connection, connection.transaction():
            for schema in SCHEMAS:
                drop = sql.SQL("drop schema if exists {} cascade")
                connection.execute(drop.format(sql.Identifier(schema)))
        run_migrations(self._url, schema_version)

    def load(self, root: Path, manifest: Manifest, report: Report) -> str:
        """All rows in one transaction, and a new identity of the database, which is returned. Raises BackupDamaged,
        psycopg.Error."""
        with self._connected() as connection, connection.transaction():
            _create_partitions(connection, manifest.partitions)
            forced = [sql.Identifier(*row) for row in connection.execute(SQL["forced"]).fetchall()]
            tables = _in_order(connection, manifest.tables)
            _alter(connection, forced, "no force row level security")
            identifiers = [sql.Identifier(table.schema, table.table) for table in tables]
            # They have done what they do: their rows are in the backup.
            _alter(connection, identifiers, "disable trigger user")
            _load_tables(connection, root, tables, report)
            # A table with references that are still to be checked cannot be altered.
            connection.execute("set constraints all immediate")
            _alter(connection, identifiers, "enable trigger user")
            _alter(connection, forced, "force row level security")
            for sequence, value in manifest.sequences.items():
                connection.execute(SQL["set_sequence"], {"name": sequence, "value": value})
            return str(_row(connection, "new_identity")[0])

    def open(self, manifest: Manifest) -> str:
        """Migrates to this version, makes the indexes of single scopes, and gives the role that serves its rights.
        Returns the schema's version."""
        run_migrations(self._url)
        with self._connected() as connection:
            _continue_audit_trail(connection)
            connection.execute("analyze")
        for described in manifest.vector_indexes:
            scope = Scope(TenantId(described["tenant_id"]), AgentId(described["agent_id"]))
            create_index(self._url, scope, described["model_id"])
        version = migrate(self._url, self._granted_role)
        with self._connected() as connection:
            connection.execute(SQL["notify"], {"channel": CHANNEL, "sign": RESTORED})
        return version

    def violations(self, keyring: Keyring) -> Sequence[Violation]:
        """The violations of invariants in the restored database."""
        with psycopg.connect(self._url, autocommit=True, connect_timeout=10) as connection:
            return list(violations(connection, keyring))

    def _connected(self) -> Connection[Any]:
        connection = psycopg.connect(self._url, autocommit=True, connect_timeout=10)
        connection.execute(SNAPSHOT["configure"])
        return connection


def _create_partitions(connection: Connection[Any], partitions: Sequence[str]) -> None:
    has_partitions, *_ = _row(connection, "has_partitions")
    for name in partitions if has_partitions else ():
        month = name.removeprefix("audit_entries_").replace("_", "-")
        connection.execute(SQL["create_partition"], {"month": month})


def _load_tables(connection: Connection[Any], root: Path, tables: Sequence[TableRows], report: Report) -> None:
    for table in reversed(tables):
        # The backup also has the rows that migrations put into new tables.
        name = sql.Identifier(table.schema, table.table)
        connection.execute(sql.SQL("delete from {}").format(name))
    total = sum(table.rows for table in tables)
    done = 0
    for table in tables:
        for rows in _load_table(connection, root, table):
            report((done + rows) / max(total, 1), done + rows)
        done += table.rows


def _load_table(connection: Connection[Any], root: Path, table: TableRows) -> Iterator[int]:
    """How many rows have been sent. Raises BackupDamaged where Postgres stored another number than were written."""
    statement = sql.SQL("copy {} ({}) from stdin").format(
        sql.Identifier(table.schema, table.table),
        sql.SQL(", ").join(map(sql.Identifier, table.columns)),
    )
    sent = 0
    with connection.cursor() as cursor:
        with cursor.copy(statement) as copy:
            for data in decompressed(root / table.path):
                copy.write(data)
                sent += data.count(b"\n")
                yield sent
        if cursor.rowcount != table.rows:
            raise BackupDamaged(f"{table.name} took {cursor.rowcount} rows, {table.rows} were written")


def _in_order(connection: Connection[Any], tables: Sequence[TableRows]) -> list[TableRows]:
    """Tables behind those that they refer to."""
    named = {table.name: table for table in tables}
    graph: dict[str, set[str]] = {name: set() for name in named}
    for table, referred in connection.execute(SQL["references"]):
        if table in graph and referred in graph:
            graph[table].add(referred)
    try:
        return [named[name] for name in TopologicalSorter(graph).static_order()]
    except CycleError as error:
        raise BackupError("tables refer to each other in a circle") from error


def _continue_audit_trail(connection: Connection[Any]) -> None:
    entries = [sql.Identifier("camillo", "audit_entries")]
    with connection.transaction():
        _alter(connection, entries, "no force row level security")
        connection.execute(SQL["continue_audit_trail"])
        _alter(connection, entries, "force row level security")


def _alter(connection: Connection[Any], names: Sequence[sql.Identifier], what: str) -> None:
    for name in names:
        connection.execute(sql.SQL("alter table {} {}").format(name, sql.SQL(what)))


def _row(connection: Connection[Any], statement: str, parameters: Mapping[str, Any] | None = None) -> Sequence[Any]:
    row: Sequence[Any] = connection.execute(SQL[statement], parameters).fetchone() or ()
    return row
