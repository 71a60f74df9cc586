"""Driver errors, recognised here and nowhere else."""

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

# Trying again from the start is safe and may help: nothing of the transaction was kept.
RETRYABLE = (pg.SerializationFailure, pg.DeadlockDetected)

# What refers to a tenant in the first row that is written for it.
OF_TENANTS = ("scopes_tenant_fkey", "contents_tenant_fkey")

CONNECTION_LOST = (
    psycopg.OperationalError,
    psycopg.InterfaceError,
    PoolTimeout,
    PoolClosed,
    TooManyRequests,
    OSError,
)


def domain_error(error: BaseException) -> DomainError | None:
    """What the caller is told of a driver's error, or None for what is a defect of ours."""
    if isinstance(error, pg.QueryCanceled):
        return DeadlineExceeded()
    if isinstance(error, pg.DiskFull):
        return StorageFull()
    if isinstance(error, pg.ForeignKeyViolation) and error.diag.constraint_name in OF_TENANTS:
        return NotFound("tenant", "")
    if isinstance(error, CONNECTION_LOST):
        return StorageUnavailable()
    return None


def violates(error: psycopg.Error, constraint: str) -> bool:
    """Whether the error is the violation of this named constraint."""
    return error.diag.constraint_name == constraint
