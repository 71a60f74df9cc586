"""How many database connections a server takes, and how many Postgres has for it."""

import logging
from dataclasses import dataclass
from typing import Any

import psycopg

from camillo_server.settings.settings import BACKGROUND_CONNECTIONS, Settings
from camillo_server.storage.connection_pool import connect_briefly
from camillo_server.storage.migrate import ServerRoleError

logger = logging.getLogger(__name__)

APPLICATION = "camillo"
# Connections of each process: two for change notifications, two for jobs, and those for work that may wait.
BESIDE_POOL = 4 + BACKGROUND_CONNECTIONS

# Counts the connections that the role may open in this database, and those that other programs hold. Only a superuser
# gets the reserved ones.
LIMITS = """
select
    least(
        current_setting('max_connections')::integer - current_setting('superuser_reserved_connections')::integer
            - current_setting('reserved_connections')::integer,
        (select nullif(rolconnlimit, -1) from pg_roles where rolname = current_user),
        (select nullif(datconnlimit, -1) from pg_database where datname = current_database())),
    (select count(*) from pg_stat_activity
        where backend_type = 'client backend' and application_name <> %s and pid <> pg_backend_pid())
"""


@dataclass(frozen=True, slots=True)
class ConnectionLimits:
    """Connections that the role may open, and those that other programs hold now."""

    allowed: int
    held_by_others: int

    def servers(self, needed: int) -> int:
        """How many servers that need so many connections find room beside the other programs."""
        return max(self.allowed - self.held_by_others, 0) // needed


def connections_needed(settings: Settings) -> int:
    """The most that all processes of one server take."""
    return settings.server.workers * (settings.database.pool_max + BESIDE_POOL)


def read_limits(connection: psycopg.Connection[Any]) -> ConnectionLimits:
    """Reads the limits of the role that serves. Raises psycopg.Error."""
    row = connection.execute(LIMITS, (APPLICATION,)).fetchone()
    assert row is not None  # noqa: S101 (no table is read)
    return ConnectionLimits(*row)


def fit_pool(settings: Settings, server_url: str) -> Settings:
    """The settings with pools that Postgres has connections for. Raises ServerRoleError where it has too few for
    any."""
    try:
        with connect_briefly(server_url) as connection:
            limits = read_limits(connection)
    except psycopg.Error as error:
        raise ServerRoleError(f"the database role that serves cannot connect: {error}") from error
    database, needed = settings.database, connections_needed(settings)
    if needed <= limits.allowed:
        if not limits.servers(needed):
            logger.warning(
                "few database connections are left: this server takes up to %d of %d, other programs hold %d",
                needed,
                limits.allowed,
                limits.held_by_others,
            )
        return settings
    pool_max = limits.allowed // settings.server.workers - BESIDE_POOL
    if pool_max < 1:
        raise ServerRoleError(
            f"Postgres allows the role that serves {limits.allowed} connections, too few for server.workers = "
            f"{settings.server.workers}: raise max_connections (docs/postgres.md)"
        )
    logger.warning(
        "database.pool_max is %d instead of %d: Postgres allows the role that serves %d connections",
        pool_max,
        database.pool_max,
        limits.allowed,
    )
    update = {"pool_max": pool_max, "pool_min": min(database.pool_min, pool_max)}
    return settings.model_copy(update={"database": database.model_copy(update=update)})
