"""Runs Alembic, under an advisory lock."""

from pathlib import Path

import psycopg
import sqlalchemy
from alembic import command
from alembic.config import Config
from sqlalchemy import text

from camillo_server.storage.migrations import jobs_schema

HERE = Path(__file__).parent
MIGRATION_LOCK = 0x63616D69  # any number that is always the same: "cami"


def run_migrations(owner_url: str) -> None:
    """Applies every migration that is missing, each in one transaction. Raises psycopg.Error."""
    url = sqlalchemy.make_url(owner_url).set(drivername="postgresql+psycopg")
    engine = sqlalchemy.create_engine(url, poolclass=sqlalchemy.NullPool)
    try:
        with engine.connect() as connection:
            connection.execute(text("select pg_advisory_lock(:key)"), {"key": MIGRATION_LOCK})
            connection.commit()
            try:
                _upgrade(connection)
            finally:
                connection.rollback()
                connection.execute(text("select pg_advisory_unlock(:key)"), {"key": MIGRATION_LOCK})
                connection.commit()
    except sqlalchemy.exc.DBAPIError as error:
        if isinstance(error.orig, psycopg.Error):
            raise error.orig from error
        raise


def _upgrade(connection: sqlalchemy.Connection) -> None:
    connection.execute(text("create schema if not exists camillo"))
    connection.execute(text("set search_path to camillo, public"))
    connection.commit()
    config = Config()
    config.set_main_option("script_location", str(HERE))
    config.attributes["connection"] = connection
    command.upgrade(config, "head")
    connection.commit()
    driver = connection.connection.driver_connection
    assert isinstance(driver, psycopg.Connection)  # noqa: S101
    jobs_schema.upgrade(driver)
