"""A pool of connections whose callers may be cancelled at any moment, as those are whose deadline passes or who hang up."""

import asyncio
from typing import TypeVar

from psycopg import AsyncConnection
from psycopg.pq import TransactionStatus
from psycopg_pool import AsyncConnectionPool
from psycopg_pool.pool_async import ReturnConnection

Lent = TypeVar("Lent", bound=AsyncConnection)


class ConnectionPool(AsyncConnectionPool[Lent]):
    """Loses neither a connection, nor a cancellation, nor who waits for a connection. psycopg's own (3.3.3) never gets a connection
    back whose return is cancelled while it waits for a lock of the pool."""

    async def getconn(self, timeout: float | None = None) -> Lent:
        """Raises PoolTimeout, PoolClosed."""
        task = asyncio.current_task()
        assert task is not None  # noqa: S101 (coroutines run in tasks)
        cancellations = task.cancelling()
        connection = await super().getconn(timeout)
        if task.cancelling() > cancellations:
            # Python 3.11's `wait_for`, by which the pool waits, forgets a cancellation that comes with the connection.
            await self.putconn(connection)
            raise asyncio.CancelledError
        return connection

    async def putconn(self, conn: Lent) -> None:
        """Rolls back what was left open. It is returned also where the caller is cancelled."""
        if self._waiting or conn.pgconn.transaction_status != TransactionStatus.IDLE:
            # A cancellation would be swallowed by a rollback, and would lose a waiting caller that the pool has just
            # taken out of its queue.
            await asyncio.shield(super().putconn(conn))
            return
        try:
            await super().putconn(conn)
        except asyncio.CancelledError:
            # The pool does not have it yet. Shielded as above, each return would cost a task.
            self.run_task(ReturnConnection(self, conn, from_getconn=False))
            raise
