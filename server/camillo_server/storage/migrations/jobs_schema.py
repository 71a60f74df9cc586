"""The tables of the job queue: procrastinate's own SQL, read from the package that is installed.

They live in a schema of their own, in which the name of the last of the package's migrations is kept, so that a newer
package finds what is missing (docs/adr/jobs.md).
"""

from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import psycopg

SCHEMA = "camillo_jobs"
INSIDE = "set local search_path to camillo_jobs"
BACK = "set local search_path to camillo, public"
FOUND = "select name from camillo_jobs.last_migration"
STATE = """
create table last_migration (
    name text collate "C" not null,
    only_row boolean not null default true,
    constraint last_migration_pkey primary key (only_row),
    constraint last_migration_only_row check (only_row)
);
"""
KEEP = """
insert into camillo_jobs.last_migration (name) values (%s)
on conflict (only_row) do update set name = excluded.name
"""


def install(connection: psycopg.Connection[Any]) -> None:
    """Makes the schema as the package has it now, in the transaction that is open."""
    connection.execute("create schema camillo_jobs")
    connection.execute(INSIDE)
    connection.execute((_sql_directory() / "schema.sql").read_bytes())
    connection.execute(STATE)
    connection.execute(KEEP, (package_migrations()[-1],))
    connection.execute(BACK)


def upgrade(connection: psycopg.Connection[Any]) -> None:
    """Applies what a newer package brought, each migration in one transaction."""
    found = applied(connection)
    connection.commit()
    for name in package_migrations():
        if found is not None and name > found:
            with connection.transaction():
                connection.execute(INSIDE)
                connection.execute((_sql_directory() / "migrations" / name).read_bytes())
                connection.execute(KEEP, (name,))


def is_current(connection: psycopg.Connection[Any]) -> bool:
    """Whether the tables know all that the package knows; more than that is as good."""
    found = applied(connection)
    return found is not None and found >= package_migrations()[-1]


def applied(connection: psycopg.Connection[Any]) -> str | None:
    """The last of the package's migrations in the database, None where there is no job queue."""
    exists = connection.execute("select to_regclass('camillo_jobs.last_migration')").fetchone()
    if exists is None or exists[0] is None:
        return None
    row = connection.execute(FOUND).fetchone()
    return None if row is None else str(row[0])


@cache
def package_migrations() -> tuple[str, ...]:
    """The names of the package's migrations in order; their names begin with the version that brought them."""
    return tuple(sorted(path.name for path in (_sql_directory() / "migrations").glob("*.sql")))


def _sql_directory() -> Path:
    # Found without importing it: that would cost a start more than all else it does here.
    spec = find_spec("procrastinate")
    if spec is None or spec.origin is None:
        raise ModuleNotFoundError("procrastinate")
    return Path(spec.origin).parent / "sql"
