"""Holding a scope's turn from outside, as a slow writer would, and seeing who waits."""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager

import psycopg

from tests.patience import PATIENCE_SECONDS
from tests.postgres_fixtures import TestDatabase


@contextmanager
def scope_held(database: TestDatabase, tenant_id: str, agent_id: str) -> Iterator[psycopg.Connection]:
    """The scope's next writer waits until the block ends; what was done in it is rolled back."""
    with psycopg.connect(database.superuser_url) as holder:
        holder.execute(
            "insert into camillo.scopes values (%s, %s, 0, 0, 0, '', timestamptz 'epoch')"
            " on conflict (tenant_id, agent_id) do update set revision = scopes.revision",
            (tenant_id, agent_id),
        )
        yield holder
        holder.rollback()


def waiting(database: TestDatabase) -> int:
    """How many statements wait for a lock."""
    with psycopg.connect(database.superuser_url) as observer:
        row = observer.execute(
            "select count(*) from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'"
        ).fetchone()
    assert row is not None
    count: int = row[0]
    return count


async def until_waiting(database: TestDatabase, statements: int) -> None:
    """Returns when so many statements wait, no more and no fewer."""
    async with asyncio.timeout(PATIENCE_SECONDS):
        while await asyncio.to_thread(waiting, database) != statements:
            pass
