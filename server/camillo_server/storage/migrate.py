"""Brings the schema to this version, as the role that owns it.

A start mostly finds nothing to do, and learns that by one query: Alembic, which takes half a second to import, is
imported only where something is missing."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, LiteralString

import psycopg
from psycopg import AsyncConnection, sql
from psycopg import errors as pg

from camillo_server.kernel.system import OperatorError
from camillo_server.storage.connection_pool import connect_briefly, with_keepalives
from camillo_server.storage.migrations import jobs_schema
from camillo_server.storage.vacuum import TABLES

if TYPE_CHECKING:
    import sqlalchemy


MIGRATIONS = Path(__file__).parent / "migrations"
SCHEMA_VERSION = "select version_num from camillo.schema_version"
EXTENSION = "select 1 from pg_extension where extname = 'vector'"
MAY_READ = "select has_schema_privilege(%s, 'camillo', 'usage')"
ADVISORY_LOCK = "select pg_try_advisory_lock(%(key)s)"
ADVISORY_UNLOCK = "select pg_advisory_unlock(%(key)s)"
LOCK_KEY = {"key": 0x63616D69}  # any number that is always the same: "cami"
# Where two grant rights on one table at once, Postgres fails one. A lock of its own, since whoever waits for it is in a
# transaction, for which an index that is built concurrently would wait: "camg".
GRANT_LOCK = "select pg_advisory_xact_lock(%(key)s)"
GRANT_LOCK_KEY = {"key": 0x63616D67}
# Whoever reads or writes a table waits behind a migration that waits for its lock: it gives up soon, lets them pass,
# and tries again.
LOCK_TIMEOUT = "set lock_timeout = '1s'"
# Between two statements no migration takes long: one whose process stands still lets go of the lock, which is its
# session's.
IDLE_TIMEOUTS = "set idle_session_timeout = '60s'; set idle_in_transaction_session_timeout = '60s'"
LOCK_PAUSE = "select pg_sleep(1)"
TURN_PAUSE = "select pg_sleep(0.1)"
LOCK_ATTEMPTS = 60
# The columns of an entry of the audit trail that the serving role writes; a trigger adds its position and its hash.
AUDIT_COLUMNS = "tenant_id, agent_id, at, revision, method, credential, facts, action_id, action_digest"
# Row-level security of a partition is its own: through the table alone does it hold for all.
AUDIT_PARTITIONS = (
    "select inhrelid::regclass::text from pg_inherits where inhparent = 'camillo.audit_entries'::regclass"
)
# From this version of Postgres on, a role that does not own a table may be granted to vacuum it.
# The oldest Postgres that is served.
MIN_POSTGRES = 16
MAINTAIN_VERSION = 170000
# A role that may create the schema, before there is one, will own it.
RIGHTS = """
select rolname, rolsuper or rolbypassrls, has_database_privilege(current_database(), 'temporary'), coalesce(
    (select pg_has_role(c.relowner, 'member') from pg_class c where c.oid = to_regclass('camillo.memories')),
    has_database_privilege(current_database(), 'create'))
from pg_roles where rolname = current_user
"""


class MigrationError(OperatorError):
    """The schema cannot be brought to this version; the message says what to do."""


class SchemaTooNew(MigrationError):
    """The database was migrated by a newer version of this server."""

    def __init__(self, found: str) -> None:
        super().__init__(
            f"the database has schema {found}, which this version does not know: "
            "run the version that migrated it, or a newer one"
        )


class SchemaTooOld(MigrationError):
    """The database has not been migrated, and this server is set not to migrate it."""

    def __init__(self, found: str | None) -> None:
        super().__init__(
            f"the database has schema {found or 'none'}, this version needs {latest_version()}: run 'camillo migrate'"
        )


class TableLocked(MigrationError):
    """Another transaction kept a table for as long as the migrations waited."""

    def __init__(self) -> None:
        super().__init__(
            "a long transaction of another session holds a table that is to be migrated: end it (pg_stat_activity, "
            "xact_start), then run 'camillo migrate' again"
        )


class VectorExtensionMissing(MigrationError):
    """The extension has to be created by a superuser, once per database."""

    def __init__(self) -> None:
        super().__init__(
            "the extension pgvector is missing: as a superuser, run 'create extension vector' in this database"
        )


class PostgresTooOld(MigrationError):
    """Whatever else fails, this is why."""

    def __init__(self, number: int) -> None:
        super().__init__(
            f"the database is Postgres {number}: Camillo needs Postgres {MIN_POSTGRES} or newer (docs/postgres.md)"
        )


class DatabaseRefused(MigrationError):
    """Postgres could not be reached, or the role lacks a right."""

    def __init__(self, error: psycopg.Error) -> None:
        super().__init__(f"the database refused: {_first_line(error)}")


def migrate(owner_url: str, server_role: str | None = None) -> str:
    """Applies what is missing and lets `server_role` read and write the tables. Returns the schema's version.

    Safe to call from several servers at once: one works, the others wait. Raises SchemaTooNew,
    VectorExtensionMissing, TableLocked, DatabaseRefused.
    """
    try:
        with connect_briefly(owner_url) as connection:
            require_postgres(connection)
            if _is_current(connection, server_role):
                return latest_version()
        run_migrations(owner_url)
        with connect_briefly(owner_url) as connection:
            if server_role is not None:
                grant_rows(connection, server_role)
    except psycopg.Error as error:
        raise DatabaseRefused(error) from error
    return latest_version()


def require_postgres(connection: psycopg.Connection) -> None:
    """Raises PostgresTooOld, before anything is asked that such a Postgres does not know."""
    number = connection.info.server_version // 10_000
    if number < MIN_POSTGRES:
        raise PostgresTooOld(number)


def run_migrations(owner_url: str, version: str = "head") -> None:
    """Applies every migration that is missing, as far as to this version, each in one transaction, under an advisory
    lock. Raises TableLocked, psycopg.Error."""
    import sqlalchemy

    engine = sqlalchemy.create_engine(
        "postgresql+psycopg://",
        creator=lambda: psycopg.connect(with_keepalives(owner_url)),
        poolclass=sqlalchemy.NullPool,
    )
    try:
        with engine.connect() as connection:
            connection.exec_driver_sql(IDLE_TIMEOUTS)
            connection.commit()
            _take_turn(connection)
            try:
                _upgrade_between_others(connection, version)
            finally:
                connection.rollback()
                connection.exec_driver_sql(ADVISORY_UNLOCK, LOCK_KEY)
                connection.commit()
    except sqlalchemy.exc.DBAPIError as error:
        if isinstance(error.orig, psycopg.Error):
            raise error.orig from error
        raise


def _take_turn(connection: sqlalchemy.Connection) -> None:
    """Waits for the lock between transactions: an index that is built concurrently waits for every transaction that was
    begun before."""
    while not connection.exec_driver_sql(ADVISORY_LOCK, LOCK_KEY).scalar():
        connection.exec_driver_sql(TURN_PAUSE)
        connection.rollback()
    connection.commit()


def _upgrade_between_others(connection: sqlalchemy.Connection, version: str) -> None:
    """Goes on where it stopped when a table was held by another transaction. Raises TableLocked."""
    import sqlalchemy

    connection.exec_driver_sql(LOCK_TIMEOUT)
    connection.commit()
    for _ in range(LOCK_ATTEMPTS):
        try:
            return _upgrade(connection, version)
        except (sqlalchemy.exc.OperationalError, psycopg.errors.LockNotAvailable) as error:
            if not isinstance(getattr(error, "orig", error), psycopg.errors.LockNotAvailable):
                raise
            connection.rollback()
            connection.exec_driver_sql(LOCK_PAUSE)
            connection.rollback()
    raise TableLocked


def _upgrade(connection: sqlalchemy.Connection, version: str) -> None:
    from alembic import command
    from alembic.config import Config

    connection.exec_driver_sql("create schema if not exists camillo")
    connection.exec_driver_sql("set search_path to camillo, public")
    connection.commit()
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS))
    config.attributes["connection"] = connection
    command.upgrade(config, version)
    connection.commit()
    driver = connection.connection.driver_connection
    assert isinstance(driver, psycopg.Connection)  # noqa: S101
    jobs_schema.upgrade(driver)


def require_current_schema(url: str) -> None:
    """For a server that is set not to migrate. Raises SchemaTooNew, SchemaTooOld, DatabaseRefused."""
    try:
        with connect_briefly(url) as connection:
            found = schema_version(connection)
            jobs_are_current = found == latest_version() and jobs_schema.is_current(connection)
    except psycopg.Error as error:
        raise DatabaseRefused(error) from error
    if found != latest_version():
        _refuse_unknown(found)
        raise SchemaTooOld(found)
    if not jobs_are_current:
        raise SchemaTooOld(f"{found} with the job queue of an older procrastinate")


def latest_version() -> str:
    """The schema version that this server works with."""
    return max(known_versions())


def known_versions() -> list[str]:
    """The versions that this server has migrations for: the numbers before their files' names."""
    return [path.name.partition("_")[0] for path in (MIGRATIONS / "versions").glob("[0-9]*.py")]


def schema_version(connection: psycopg.Connection) -> str | None:
    """The version in the database, None where there is none."""
    try:
        row = connection.execute(SCHEMA_VERSION).fetchone()
    except (psycopg.errors.UndefinedTable, psycopg.errors.InvalidSchemaName):
        return None
    return row[0] if row else None


def _is_current(connection: psycopg.Connection, server_role: str | None) -> bool:
    """Raises SchemaTooNew, VectorExtensionMissing."""
    if connection.execute(EXTENSION).fetchone() is None:
        raise VectorExtensionMissing
    found = schema_version(connection)
    _refuse_unknown(found)
    if found != latest_version() or not jobs_schema.is_current(connection):
        return False
    if server_role is None:
        return True
    row = connection.execute(MAY_READ, [server_role]).fetchone()
    return row is not None and bool(row[0])


def _refuse_unknown(found: str | None) -> None:
    if found is not None and found not in known_versions():
        raise SchemaTooNew(found)


def grant_rows(connection: psycopg.Connection, role: str) -> None:
    """Rights to read and write rows, none to change tables or policies, nor events."""
    name = sql.Identifier(role)
    with connection.transaction():
        connection.execute(GRANT_LOCK, GRANT_LOCK_KEY)
        for statement in (
            "grant usage on schema camillo to {}",
            "grant select, insert, update, delete on all tables in schema camillo to {}",
            "revoke insert, update, delete on camillo.schema_version, camillo.database_identity, camillo.key_secrets"
            " from {}",
            "revoke update, truncate on camillo.events from {}",
            "revoke insert, update, delete on camillo.audit_chains, camillo.audit_entries from {}",
            f"grant insert ({AUDIT_COLUMNS}) on camillo.audit_entries to {{}}",
            "grant execute on function camillo.all_tenants(), camillo.tenants_with_audited_reads(),"
            " camillo.prune_audit_entries(text[], timestamptz, integer), camillo.keep_audit_partitions(),"
            " camillo.turn_epoch(bigint, bigint) to {}",
            "grant usage on schema camillo_jobs to {}",
            "grant select, insert, update, delete on all tables in schema camillo_jobs to {}",
            "grant usage on all sequences in schema camillo_jobs to {}",
            "revoke insert, update, delete on camillo_jobs.last_migration from {}",
        ):
            connection.execute(sql.SQL(statement).format(name))
        for (partition,) in connection.execute(AUDIT_PARTITIONS).fetchall():
            names = sql.Identifier(*partition.split(".")), name
            connection.execute(sql.SQL("revoke all on {} from {}").format(*names))
        # Lets the role vacuum tables with texts and rebuild their index (storage/vacuum.py).
        if connection.info.server_version >= MAINTAIN_VERSION:
            tables = sql.SQL(", ").join(sql.Identifier("camillo", table) for table in TABLES)
            grant = sql.SQL("grant maintain on {} to {}")
            connection.execute(grant.format(tables, name))


class ServerRoleError(OperatorError):
    """The role cannot serve; the message says what to do."""


def require_serving_role(server_url: str, single_role: str = "") -> None:
    """Raises ServerRoleError where the role of the URL cannot serve, or owns the tables and is not `single_role`."""
    try:
        with connect_briefly(server_url) as connection:
            require_postgres(connection)
            row = connection.execute(RIGHTS).fetchone()
    except psycopg.Error as error:
        reason = _first_line(error)
        raise ServerRoleError(f"the database role that serves cannot connect: {reason}") from error
    assert row is not None  # noqa: S101 (every connection has a role)
    role, bypasses, may_stage, owns = row
    if bypasses:
        # The database would not keep tenants apart.
        raise ServerRoleError(
            f"the database role {role!r} bypasses row-level security: give database.url a role that is "
            "neither superuser nor BYPASSRLS, and database.owner_url one that owns the schema "
            "(docs/postgres.md)"
        )
    if owns and role != single_role:
        # It could switch the policies off, and whoever speaks SQL as this role with it.
        raise ServerRoleError(
            f"the database role {role!r} owns the tables, and could disable row-level security: give database.url "
            "a role of its own, and database.owner_url the one that owns the schema; or accept that by "
            f"database.single_role = {role!r} (docs/postgres.md)"
        )
    if not may_stage:
        # Imports and batches put their rows into a temporary table first.
        raise ServerRoleError(
            f"the database role {role!r} may not create temporary tables: as the database's owner, run "
            f"'grant temporary on database ... to {role}' (docs/postgres.md)"
        )


def _first_line(error: psycopg.Error) -> str:
    """The message without details; the error's name where it has none."""
    lines = str(error).strip().splitlines()
    return lines[0] if lines else type(error).__name__


# Errors of statements that always work unless the schema is closed.
CLOSED = (pg.InsufficientPrivilege, pg.UndefinedTable, pg.InvalidSchemaName)
IS_CLOSED: LiteralString = """
select coalesce(not has_schema_privilege(to_regnamespace('camillo')::oid, 'usage'), true)
"""


async def is_closed(session: AsyncConnection[Any]) -> bool:
    """Whether this role may see nothing at all, where one of these errors may also be a defect."""
    cursor = await session.execute(IS_CLOSED, prepare=False)
    (closed,) = await cursor.fetchone() or (True,)
    return bool(closed)
