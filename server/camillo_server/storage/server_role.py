"""The role that serves must not be able to pass by row-level security."""

import psycopg

BYPASSES = "select rolsuper or rolbypassrls, rolname from pg_roles where rolname = current_user"


class RoleBypassesPolicies(Exception):
    """The role is a superuser or has BYPASSRLS: the database would not keep tenants apart."""

    def __init__(self, role: str) -> None:
        super().__init__(
            f"the database role {role!r} bypasses row-level security: give database.url a role that is "
            "neither superuser nor BYPASSRLS, and database.owner_url one that owns the schema "
            "(docs/postgres.md)"
        )


def require_bound_role(server_url: str) -> None:
    """Raises RoleBypassesPolicies; psycopg.OperationalError where the database cannot be reached."""
    with psycopg.connect(server_url, autocommit=True, connect_timeout=10) as connection:
        row = connection.execute(BYPASSES).fetchone()
    if row is not None and row[0]:
        raise RoleBypassesPolicies(row[1])
