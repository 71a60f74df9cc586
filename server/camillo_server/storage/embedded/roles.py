"""Creates what a cluster needs before migrations: two roles, one database, one extension."""

import psycopg
from psycopg import sql

SUPERUSER = "postgres"
OWNER = "camillo_owner"  # migrates: owns the database, and so may create schemas in it
SERVER = "camillo_server"  # serves: subject to row-level security
ROLES = (SUPERUSER, OWNER, SERVER)
DATABASE = "camillo"

# Both are set each time, not only at creation: a role that could bypass row-level security would be silent.
ALTER_ROLE = sql.SQL("alter role {role} login nosuperuser nocreatedb nocreaterole noreplication nobypassrls")


def provision(superuser_url: str, database_superuser_url: str) -> None:
    """Creates what is missing. Each step is atomic, so a start heals what an interrupted one left undone."""
    with psycopg.connect(superuser_url, autocommit=True) as connection:
        with connection.transaction():
            for role in (OWNER, SERVER):
                _ensure_role(connection, role)
        _ensure_database(connection)
    with psycopg.connect(database_superuser_url, autocommit=True) as connection:
        # Not left to the owner: pgvector is not a trusted extension, so only a superuser can create it.
        connection.execute("create extension if not exists vector")
        connection.execute("alter extension vector update")  # a newer wheel may bring a newer one
        # Under row-level security Postgres uses an index only for functions known not to leak what they see.
        # Matching a text against a query tells nothing of rows that the policy hides (docs/adr/vectors-in-postgres.md).
        connection.execute("alter function pg_catalog.ts_match_vq(tsvector, tsquery) leakproof")


def restrict_to_our_roles(connection: psycopg.Connection, database: str) -> None:
    """The owner may do anything in the database, the server may connect and stage rows, nobody else may."""
    name = sql.Identifier(database)
    with connection.transaction():
        connection.execute(sql.SQL("revoke all on database {} from public").format(name))
        connection.execute(
            sql.SQL("grant connect, temporary on database {} to {}").format(name, sql.Identifier(SERVER))
        )


def _ensure_role(connection: psycopg.Connection, role: str) -> None:
    name = sql.Identifier(role)
    found = connection.execute("select 1 from pg_roles where rolname = %s", [role])
    if found.fetchone() is None:
        connection.execute(sql.SQL("create role {}").format(name))
    connection.execute(ALTER_ROLE.format(role=name))


def _ensure_database(connection: psycopg.Connection) -> None:
    found = connection.execute("select 1 from pg_database where datname = %s", [DATABASE])
    if found.fetchone() is None:
        connection.execute(
            sql.SQL("create database {} owner {}").format(sql.Identifier(DATABASE), sql.Identifier(OWNER))
        )
    restrict_to_our_roles(connection, DATABASE)
