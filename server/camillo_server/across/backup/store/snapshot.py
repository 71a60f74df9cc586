"""One moment of the database, read tenant by tenant as the owner of the tables, beside servers that go on writing."""

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

import psycopg
from psycopg import Connection, sql
from psycopg import errors as pg

from camillo_server.across.backup.manifest import BackupError, BackupOrigin
from camillo_server.search.store.vector_index import PREFIX
from camillo_server.search.store.vector_index import SQL as INDEXES
from camillo_server.storage.parts.object_parts import PartName
from camillo_server.storage.parts.owned_store import HOLD, RELEASE
from camillo_server.storage.statements import statements

SQL = statements("across/backup/store/snapshot")
NO_TENANT = ""
PARTS_AT_ONCE = 1_000
# How long to wait for a migration that holds the lock of a table, before it is an error.
LOCK_TIMEOUT = "set lock_timeout = '60s'"
# A table with `key_id` and one of these columns has rows that are encrypted with that key.
ENCRYPTED_COLUMNS = frozenset({"sealed", "sealed_details", "codec"})
UNTOLD = (pg.InsufficientPrivilege, pg.UndefinedFunction, pg.FeatureNotSupported)


@dataclass(frozen=True, slots=True)
class Table:
    """A table, its columns but for generated ones, and about how many rows it has."""

    schema: str
    name: str
    columns: Sequence[str]
    estimated_rows: int

    @property
    def identifier(self) -> sql.Identifier:
        return sql.Identifier(self.schema, self.name)

    @property
    def is_of_tenants(self) -> bool:
        return "tenant_id" in self.columns

    @property
    def is_encrypted(self) -> bool:
        return "key_id" in self.columns and not ENCRYPTED_COLUMNS.isdisjoint(self.columns)


class Snapshot:
    """A transaction that sees one moment; made by `open_snapshot`."""

    def __init__(self, connection: Connection[Any], tables: Sequence[Table]) -> None:
        self._connection = connection
        self.tables = tables
        self.tenants = self._tenants()
        if len(self.tenants) > 1:
            # Every key begins with the tenant: without statistics, each tenant would read the rows of all.
            connection.execute("set local enable_seqscan = off")

    def origin(self, at: datetime) -> BackupOrigin:
        """The database, and the moment, which is now."""
        row = self._row("origin")
        database_id, schema_version, jobs_version, postgres_version, position = row
        system_identifier, timeline = self._timeline()
        return BackupOrigin(
            database_id=database_id,
            system_identifier=system_identifier,
            timeline=timeline,
            position=position,
            postgres_version=postgres_version,
            schema_version=schema_version,
            jobs_version=jobs_version,
            at=at.isoformat(),
        )

    def copy(self, table: Table) -> Iterator[bytes]:
        """The rows of a table in COPY's text format, each of which ends with a line feed."""
        for tenant_id in self.tenants if table.is_of_tenants else [NO_TENANT]:
            self._enter(tenant_id)
            rows = self._query(table, tenant_id, sql.SQL(", ").join(map(sql.Identifier, table.columns)))
            statement = sql.SQL("copy ({}) to stdout").format(rows)
            with self._connection.cursor() as cursor, cursor.copy(statement) as copy:
                yield from map(bytes, copy)

    def key_ids(self, table: Table) -> set[str]:
        """The keys that rows of a table are encrypted with."""
        found: set[str] = set()
        if table.is_encrypted:
            for tenant_id in self.tenants:
                self._enter(tenant_id)
                query = self._query(table, tenant_id, sql.SQL("distinct key_id"))
                found.update(key_id for (key_id,) in self._connection.execute(query) if key_id)
        return found

    def sequences(self) -> Mapping[str, int]:
        """The last value of each; a sequence counts on beside the snapshot, and is never behind it."""
        return dict(self._connection.execute(SQL["sequences"]).fetchall())

    def partitions(self) -> Sequence[str]:
        """The months that the audit trail has a partition for."""
        return [name for (name,) in self._connection.execute(SQL["partitions"])]

    def vector_indexes(self) -> Sequence[Mapping[str, Any]]:
        """The descriptions of the ready indexes of single scopes, which their comments hold."""
        rows = self._connection.execute(INDEXES["indexes"], {"prefix": PREFIX})
        return [json.loads(comment) for _, is_ready, comment, _ in rows if is_ready and comment]

    def parts_outside(self) -> Iterator[tuple[PartName, int]]:
        """Parts that are not in Postgres, by their names, and how many bytes are stored of each."""
        # Schemas of before there were artifacts have none.
        has_artifacts = any(table.name == "content_parts" for table in self.tables)
        for tenant_id in self.tenants if has_artifacts else ():
            self._enter(tenant_id)
            with self._connection.cursor("parts_outside") as cursor:
                cursor.itersize = PARTS_AT_ONCE
                cursor.execute(SQL["parts_outside"], {"tenant_id": tenant_id})
                for content_id, number, generation, stored_size in cursor:
                    yield (
                        PartName(tenant_id, UUID(str(content_id)), number, generation),
                        stored_size,
                    )

    def release_deletion(self) -> None:
        """Lets bytes outside of Postgres be deleted again."""
        self._connection.execute(RELEASE)

    def _query(self, table: Table, tenant_id: str, selected: sql.Composable) -> sql.Composed:
        query = sql.SQL("select {} from {}").format(selected, table.identifier)
        if table.is_of_tenants:
            # Also for a role that the policies do not bind.
            query += sql.SQL(" where tenant_id = {}").format(sql.Literal(tenant_id))
        return query

    def _enter(self, tenant_id: str) -> None:
        self._connection.execute(SQL["enter_tenant"], {"tenant_id": tenant_id})

    def _tenants(self) -> Sequence[str]:
        self._connection.execute(SQL["list_tenants"], {"open": "on"})
        return [tenant_id for (tenant_id,) in self._connection.execute(SQL["tenants"])]

    def _timeline(self) -> tuple[int, int]:
        try:
            with self._connection.transaction():
                system_identifier, timeline = self._row("timeline")
                return system_identifier, timeline
        except (*UNTOLD, pg.ObjectNotInPrerequisiteState):
            return 0, 0

    def _row(self, statement: str) -> Sequence[Any]:
        row: Sequence[Any] = self._connection.execute(SQL[statement]).fetchone() or ()
        return row


@contextmanager
def open_snapshot(owner_url: str, *, holds_deletion: bool) -> Iterator[Snapshot]:
    """A snapshot, beside which the tables cannot be altered; with `holds_deletion`, nor are bytes that it refers to
    outside of Postgres deleted. Raises BackupError where there is no schema, psycopg.Error."""
    with psycopg.connect(owner_url, autocommit=True, connect_timeout=10) as connection:
        connection.execute(SQL["configure"])
        if holds_deletion:
            # Before the snapshot: what was deleted until now is orphaned in it. Another backup may have it for long.
            connection.execute("set lock_timeout = 0")
            connection.execute(HOLD)
            connection.execute(LOCK_TIMEOUT)
        tables = _tables(connection)
        if not tables:
            raise BackupError("the database has no schema of Camillo: there is nothing to back up")
        with connection.transaction():
            connection.execute("set transaction isolation level repeatable read, read only")
            # The first statement that reads makes the snapshot: a table that is locked before cannot be altered behind
            # it.
            names = sql.SQL(", ").join(table.identifier for table in tables)
            connection.execute(sql.SQL("lock table {} in access share mode").format(names))
            if [table.columns for table in _tables(connection)] != [each.columns for each in tables]:
                raise BackupError("the schema was migrated meanwhile: take the backup again")
            yield Snapshot(connection, tables)


def _tables(connection: Connection[Any]) -> list[Table]:
    return [Table(*row) for row in connection.execute(SQL["tables"])]
