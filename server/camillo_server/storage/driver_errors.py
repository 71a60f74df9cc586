"""Errors of the driver: which of them are to be tried again, which mean that Postgres is away, what the caller sees."""

import psycopg
from psycopg import errors as pg
from psycopg_pool import PoolClosed, PoolTimeout, TooManyRequests

from camillo_server.kernel.errors import (
    DeadlineExceeded,
    DomainError,
    NotFound,
    StorageFull,
    StorageUnavailable,
)
from camillo_server.storage.damage import DAMAGE, StorageDamaged

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
