"""Connections: what their errors mean, how long they wait for an answer, and a pool whose callers may be cancelled at
any moment, as those are whose deadline passes or who hang up."""

import asyncio
import logging
from bisect import bisect_left
from collections import Counter
from collections.abc import AsyncGenerator
from typing import Any, TypeVar

import psycopg
from psycopg import AsyncConnection, Notify, abc
from psycopg import errors as pg
from psycopg.conninfo import conninfo_to_dict, make_conninfo
from psycopg.pq import TransactionStatus
from psycopg.rows import TupleRow
from psycopg_pool import AsyncConnectionPool, PoolClosed, PoolTimeout, TooManyRequests
from psycopg_pool.pool_async import ReturnConnection

from camillo_server.kernel.errors import (
    DeadlineExceeded,
    DomainError,
    NotFound,
    StorageFull,
    StorageUnavailable,
)
from camillo_server.settings.settings import DatabaseSettings

Lent = TypeVar("Lent", bound=AsyncConnection)

logger = logging.getLogger(__name__)


class ConnectionPool(AsyncConnectionPool[Lent]):
    """Loses neither a connection, nor a cancellation, nor who waits for a connection. psycopg's own (3.3.3) never gets
    a connection back whose return is cancelled while it waits for a lock of the pool."""

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


# The timeout of the short statements by which a process learns something as it starts.
BRIEF_SECONDS = 30
# A deadline is rounded up to one of these, so that a connection rarely needs a new one; the call itself
# ends at its own deadline, and cancels its query then.
TIMEOUT_STEPS_MS = (50, 100, 250, 500, 1_000, 2_500, 5_000, 10_000, 30_000, 60_000, 600_000)
# psycopg's own; it looks for interrupts so often.
INTERVAL = 0.1
CENTURY = 3.2e9
# Whoever waited has given up: an attempt to stop its statement may take so long.
CANCEL_SECONDS = 1.0
DEFAULTS = DatabaseSettings()
T = TypeVar("T")


def with_keepalives(url: str, settings: DatabaseSettings = DEFAULTS) -> str:
    """The URL with the bounds after which the operating system gives a silent connection up; what it names itself
    holds. Sockets of this machine have no such bounds, nor need them."""
    bounds = {
        "keepalives_idle": settings.keepalive_idle_seconds,
        "keepalives_interval": settings.keepalive_interval_seconds,
        "keepalives_count": settings.keepalive_count,
        "tcp_user_timeout": round(settings.tcp_user_timeout_seconds * 1_000),
    }
    named = conninfo_to_dict(url)
    return make_conninfo(url, **{name: bounds[name] for name in bounds if name not in named})


def connect_briefly(url: str, connect_seconds: int = 10) -> psycopg.Connection[TupleRow]:
    """A connection in autocommit whose statements are short. Raises psycopg.Error."""
    connection = psycopg.connect(with_keepalives(url), autocommit=True, connect_timeout=connect_seconds)
    connection.execute(f"set statement_timeout = '{BRIEF_SECONDS}s'".encode())
    return connection


class BoundedConnection(AsyncConnection[TupleRow]):
    """A connection that is closed when an answer takes longer than `answer_seconds`. Postgres ends a statement before,
    at its time-out; where nothing answers at all, the operating system may take its peer for alive."""

    answer_seconds: float | None = None

    async def wait(self, gen: abc.PQGen[T], interval: float = INTERVAL, timeout: float | None = None) -> T:
        """Raises OperationalError where no answer came in time."""
        if timeout is not None:
            return await super().wait(gen, interval, timeout)
        try:
            return await super().wait(gen, interval, self.answer_seconds)
        except pg._WaitTimeout:
            # Nobody knows what would be read from it next.
            self.pgconn.finish()
            raise

    async def _try_cancel(self, *, timeout: float = CANCEL_SECONDS) -> None:
        """Stops the statement whose caller is cancelled. If Postgres does not answer, the connection is closed: psycopg
        would wait ten seconds in all, and the caller, its connection and its turn with it."""
        try:
            await self.cancel_safe(timeout=min(timeout, CANCEL_SECONDS))
        except psycopg.Error:
            self.pgconn.finish()

    def notifies(self, *, timeout: float | None = None, stop_after: int | None = None) -> AsyncGenerator[Notify, None]:
        """Silence is no sign here: notifications may come at any time."""
        return super().notifies(timeout=CENTURY if timeout is None else timeout, stop_after=stop_after)


def timeout_step(seconds: float) -> int:
    """The statement time-out of a call that has so many seconds left, in milliseconds."""
    return TIMEOUT_STEPS_MS[min(bisect_left(TIMEOUT_STEPS_MS, seconds * 1000), len(TIMEOUT_STEPS_MS) - 1)]


def bound_statements(settings: DatabaseSettings) -> dict[str, Any]:
    """The time-outs of a session, as `set_config` takes them."""
    return {
        "statement_ms": str(round(settings.statement_timeout_seconds * 1_000)),
        "idle_ms": str(round(settings.idle_in_transaction_timeout_seconds * 1_000)),
    }


# Trying again from the start is safe and may help: nothing of the transaction was kept.
RETRYABLE = (pg.SerializationFailure, pg.DeadlockDetected)

# Foreign keys of the first row that is written for a tenant: where one is violated, there is no such tenant.
TENANT_KEYS = (
    "scopes_tenant_fkey",
    "contents_tenant_fkey",
    "audit_chains_tenant_fkey",
    "spool_failures_tenant_fkey",
)

# Postgres ended a session that held locks and did nothing: this process, or its machine, stood still.
ENDED_BY_POSTGRES = (pg.IdleInTransactionSessionTimeout, pg.TransactionTimeout)

CONNECTION_LOST = (
    *ENDED_BY_POSTGRES,
    psycopg.OperationalError,
    psycopg.InterfaceError,
    PoolTimeout,
    PoolClosed,
    TooManyRequests,
    OSError,
)


def domain_error(error: BaseException) -> DomainError | None:
    """The error that the caller sees for a driver's error, or None for a defect of ours."""
    if isinstance(error, pg.QueryCanceled):
        return DeadlineExceeded()
    if isinstance(error, pg.DiskFull):
        return StorageFull()
    if isinstance(error, DAMAGE):
        return StorageDamaged()
    if isinstance(error, pg.ForeignKeyViolation) and error.diag.constraint_name in TENANT_KEYS:
        return NotFound("tenant", "")
    if isinstance(error, CONNECTION_LOST):
        return StorageUnavailable()
    return None


def is_lost_on_the_way(error: Exception) -> bool:
    """Whether a connection broke while it was used; not where a query took too long or found the disk full, nor where
    the pool had none to give."""
    return isinstance(error, CONNECTION_LOST) and not isinstance(
        error,
        OSError | pg.QueryCanceled | pg.DiskFull | PoolTimeout | TooManyRequests | PoolClosed,
    )


# Errors that do not pass by themselves, and do not say that Postgres is away: a connection that told of one is sound.
# The library of pgvector that cannot be loaded is an UndefinedFile, or an UndefinedFunction where it is another one.
DAMAGE = (
    pg.DataCorrupted,
    pg.IndexCorrupted,
    pg.InternalError_,
    pg.UndefinedFile,
    pg.UndefinedFunction,
)


# Errors for which Postgres' message names a file or a relation, and never a value.
NAMES_A_FILE = (pg.DataCorrupted, pg.IndexCorrupted, pg.UndefinedFile)


DAMAGED, FULL = "damaged", "full"


class StorageDamaged(DomainError):
    """Postgres found its own files damaged, or a part of it missing. The server's log and `camillo doctor` say more."""

    code, reason = "INTERNAL", "INTERNAL"
    message = "the database is damaged, or lacks a part, where this call reads or writes; an operator has to repair it"


def note_fault(faults: Counter[str], error: Exception) -> None:
    """Counts and logs the error, if it tells of damage or of a full disk."""
    if isinstance(error, pg.DiskFull):
        faults[FULL] += 1
    elif isinstance(error, DAMAGE):
        faults[DAMAGED] += 1
        _log(error)


def _log(error: psycopg.Error) -> None:
    details = {"sqlstate": error.sqlstate}
    if isinstance(error, NAMES_A_FILE):
        details["cause"] = error.diag.message_primary
    logger.error("postgres is damaged, or lacks a part: run camillo doctor --deep", extra=details)
