"""Brings the schema to this version: Alembic, under an advisory lock, as the role that owns the schema."""

from pathlib import Path

import sqlalchemy
from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from alembic.util import CommandError
from sqlalchemy import Connection, text

MIGRATIONS = Path(__file__).parent / "migrations"
MIGRATION_LOCK = 0x63616D69  # any number that is always the same: "cami"


class SchemaTooNew(Exception):
    """The database was migrated by a newer version of this server."""

    def __init__(self, found: str) -> None:
        super().__init__(
            f"the database has schema {found}, which this version does not know: "
            "run the version that migrated it, or a newer one"
        )


class VectorExtensionMissing(Exception):
    """The extension has to be created by a superuser, once per database."""

    def __init__(self) -> None:
        super().__init__(
            "the extension pgvector is missing: as a superuser, run 'create extension vector' in this database"
        )


def migrate(owner_url: str, server_role: str | None = None) -> str:
    """Applies what is missing and lets `server_role` read and write the tables. Returns the schema's version.

    Safe to call from several servers at once: one works, the others wait. Raises SchemaTooNew,
    VectorExtensionMissing, sqlalchemy.exc.SQLAlchemyError.
    """
    engine = sqlalchemy.create_engine(_sqlalchemy_url(owner_url), poolclass=sqlalchemy.NullPool)
    with engine.connect() as connection:
        connection.execute(text("select pg_advisory_lock(:key)"), {"key": MIGRATION_LOCK})
        try:
            return _migrate(connection, server_role)
        finally:
            connection.rollback()
            connection.execute(text("select pg_advisory_unlock(:key)"), {"key": MIGRATION_LOCK})
            connection.commit()


def latest_version() -> str:
    """The schema version that this server works with."""
    return str(ScriptDirectory(str(MIGRATIONS)).get_current_head())


def _migrate(connection: Connection, server_role: str | None) -> str:
    _ensure_vector_extension(connection)
    connection.execute(text("create schema if not exists camillo"))
    connection.execute(text("set search_path to camillo, public"))
    connection.commit()
    _refuse_newer_schema(connection)
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS))
    config.attributes["connection"] = connection
    command.upgrade(config, "head")
    if server_role is not None:
        _grant(connection, server_role)
    connection.commit()
    return latest_version()


def _ensure_vector_extension(connection: Connection) -> None:
    found = connection.execute(text("select 1 from pg_extension where extname = 'vector'"))
    if found.first() is None:
        raise VectorExtensionMissing


def _refuse_newer_schema(connection: Connection) -> None:
    context = MigrationContext.configure(
        connection, opts={"version_table": "schema_version", "version_table_schema": "camillo"}
    )
    found = context.get_current_revision()
    connection.commit()
    if found is None:
        return
    try:
        ScriptDirectory(str(MIGRATIONS)).get_revision(found)
    except CommandError:
        raise SchemaTooNew(found) from None


def _grant(connection: Connection, role: str) -> None:
    """Rights to read and write rows, none to change tables or policies."""
    quoted = connection.dialect.identifier_preparer.quote(role)
    for statement in (
        f"grant usage on schema camillo to {quoted}",
        f"grant select, insert, update, delete on all tables in schema camillo to {quoted}",
        f"revoke insert, update, delete on camillo.schema_version, camillo.database_identity from {quoted}",
    ):
        connection.execute(text(statement))


def _sqlalchemy_url(libpq_url: str) -> sqlalchemy.URL:
    url = sqlalchemy.make_url(libpq_url)
    return url.set(drivername="postgresql+psycopg")
