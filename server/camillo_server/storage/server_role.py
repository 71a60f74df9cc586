"""The role that serves must not be able to pass by row-level security."""

import psycopg

RIGHTS = """
select rolname, rolsuper or rolbypassrls, has_database_privilege(current_database(), 'temporary')
from pg_roles where rolname = current_user
"""


class ServerRoleError(Exception):
    """The role cannot serve; the message says what to do."""


class RoleBypassesPolicies(ServerRoleError):
    """The role is a superuser or has BYPASSRLS: the database would not keep tenants apart."""

    def __init__(self, role: str) -> None:
        super().__init__(
            f"the database role {role!r} bypasses row-level security: give database.url a role that is "
            "neither superuser nor BYPASSRLS, and database.owner_url one that owns the schema "
            "(docs/postgres.md)"
        )


class RoleCannotConnect(ServerRoleError):
    """Wrong password, no right to connect, no database."""

    def __init__(self, error: psycopg.Error) -> None:
        reason = str(error).strip().splitlines()[0] if str(error).strip() else type(error).__name__
        super().__init__(f"the database role that serves cannot connect: {reason}")


class RoleCannotStage(ServerRoleError):
    """Imports and batches put their rows into a temporary table first."""

    def __init__(self, role: str) -> None:
        super().__init__(
            f"the database role {role!r} may not create temporary tables: as the database's owner, run "
            f"'grant temporary on database ... to {role}' (docs/postgres.md)"
        )


def require_serving_role(server_url: str) -> None:
    """Raises ServerRoleError where the role of the URL cannot serve."""
    try:
        with psycopg.connect(server_url, autocommit=True, connect_timeout=10) as connection:
            row = connection.execute(RIGHTS).fetchone()
    except psycopg.Error as error:
        raise RoleCannotConnect(error) from error
    assert row is not None  # noqa: S101 (every connection has a role)
    role, bypasses, may_stage = row
    if bypasses:
        raise RoleBypassesPolicies(role)
    if not may_stage:
        raise RoleCannotStage(role)
