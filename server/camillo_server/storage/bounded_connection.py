"""Connections that wait for no answer for ever: Postgres, or what is between, may be gone without a word (docs/adr/spool-and-outages.md)."""

from collections.abc import AsyncGenerator
from typing import Any, TypeVar

import psycopg
from psycopg import AsyncConnection, Notify, abc
from psycopg import errors as pg
from psycopg.conninfo import conninfo_to_dict, make_conninfo
from psycopg.rows import TupleRow

from camillo_server.settings.settings import DatabaseSettings

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
    """The URL with the bounds after which the operating system gives a silent connection up; what it names itself holds.
    Sockets of this machine have no such bounds, nor need them."""
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
    """A connection that is closed when an answer takes longer than `answer_seconds`. Postgres ends a statement before, at its
    time-out; where nothing answers at all, the operating system may take its peer for alive."""

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
    milliseconds = seconds * 1000
    return next((step for step in TIMEOUT_STEPS_MS if step >= milliseconds), TIMEOUT_STEPS_MS[-1])


def bound_statements(settings: DatabaseSettings) -> dict[str, Any]:
    """The time-outs of a session, as `set_config` takes them."""
    return {
        "statement_ms": str(round(settings.statement_timeout_seconds * 1_000)),
        "idle_ms": str(round(settings.idle_in_transaction_timeout_seconds * 1_000)),
    }
