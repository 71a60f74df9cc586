"""Connections to Postgres: pooled, bound to one scope while lent, with the caller's deadline as statement time-out.

Errors of the driver are recognised in storage/connection_pool.py and nowhere else."""

import asyncio
import random
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from datetime import datetime
from typing import Any, LiteralString, NamedTuple, TypeVar

import psycopg
from psycopg import AsyncCursor
from psycopg import errors as pg
from psycopg.rows import TupleRow, namedtuple_row

from camillo_server.kernel.clock import Clock, SystemClock, remaining_seconds
from camillo_server.kernel.errors import (
    DeadlineExceeded,
    StorageUnavailable,
)
from camillo_server.kernel.ids import TenantId
from camillo_server.kernel.off_loop import FairSlots
from camillo_server.kernel.scope import Scope, whole_tenant
from camillo_server.kernel.writes import History
from camillo_server.lib.crypto.keyring import Keyring
from camillo_server.settings.settings import DatabaseSettings
from camillo_server.storage.connection_pool import (
    CONNECTION_LOST,
    DAMAGE,
    RETRYABLE,
    ConnectionPool,
    bound_statements,
    domain_error,
    is_lost_on_the_way,
    note_fault,
    timeout_step,
)
from camillo_server.storage.history import HistoryCheck
from camillo_server.storage.migrate import CLOSED, is_closed
from camillo_server.storage.statements import scope_parameters
from camillo_server.storage.wire import (
    Parameters,
    ReturnedRows,
    RoundTripConnection,
    Statement,
    read_json_faster,
    register_vectors,
)

ATTEMPTS = 5
NO_KEYS = Keyring.empty()
# The share of the connections that one tenant may use at once: the others are left for who comes next.
TENANT_SHARE = 0.75

BIND_SESSION: LiteralString = (
    "select set_config('camillo.tenant', %(tenant_id)s, false), set_config('camillo.agent', %(agent_id)s, false),"
    " set_config('statement_timeout', %(timeout_ms)s::text, false)"
)

# A process that hangs in the midst of a transaction must not keep a scope's write lock from the others for longer. Work
# binds its own statement time-out; this one is for what runs without.
CONFIGURE_SESSION: LiteralString = """
select set_config('search_path', 'camillo, public', false), set_config('timezone', 'UTC', false),
    set_config('idle_in_transaction_session_timeout', %(idle_ms)s, false), set_config('statement_timeout', %(statement_ms)s, false)
"""  # noqa: E501

# No tenant has this id, so a session bound to it sees rows through the two doors of the policies alone.
NO_TENANT = whole_tenant(TenantId(""))

T = TypeVar("T")
Work = Callable[["Session"], Awaitable[T]]
Use = Callable[["Session", "Binding"], Awaitable[T]]


class WriteInDoubt(StorageUnavailable):
    """The connection broke while it wrote: nobody knows whether Postgres has committed."""


class Binding(NamedTuple):
    """The scope and the timeout that a connection is bound to: row-level security lets through this scope's rows alone,
    and for reading the tenant's shared ones; a statement ends after so many milliseconds."""

    scope: Scope
    timeout_ms: int

    @property
    def statement(self) -> Statement:
        """Binds the session to it."""
        timeout_ms = str(self.timeout_ms)
        return BIND_SESSION, {**scope_parameters(self.scope), "timeout_ms": timeout_ms}


class Session(RoundTripConnection):
    """A connection that remembers what it is bound to."""

    bound: Binding | None = None
    # The keys with which fingerprints of forgotten values are kept.
    keyring: Keyring = NO_KEYS

    async def bind(self, binding: Binding) -> None:
        """From here on it is bound to this."""
        if self.bound != binding:
            self.bound = None
            await self.run_together(binding.statement)
            self.bound = binding

    async def run_alone(self, binding: Binding, *statements: Statement) -> ReturnedRows:
        """Statements that are a transaction of their own, bound in the same round trip; the answer of the last."""
        if self.bound == binding:
            return await self.run_together(*statements)
        # An error undoes the binding with the statements.
        self.bound = None
        answer = await self.run_together(binding.statement, *statements)
        self.bound = binding
        return answer

    async def rows(self, sql: LiteralString, parameters: Parameters) -> list[TupleRow]:
        """Every row of a statement."""
        cursor: AsyncCursor[TupleRow] = self.cursor(binary=True)
        await cursor.execute(sql, parameters)
        return await cursor.fetchall()

    async def row(self, sql: LiteralString, parameters: Parameters) -> TupleRow | None:
        """The first row of a statement, if it has one."""
        cursor: AsyncCursor[TupleRow] = self.cursor(binary=True)
        await cursor.execute(sql, parameters)
        return await cursor.fetchone()

    async def only_row(self, sql: LiteralString, parameters: Parameters) -> TupleRow:
        """The row of a statement that always has one. Raises LookupError where it has none."""
        row = await self.row(sql, parameters)
        if row is None:
            raise LookupError("a statement that always has a row had none")
        return row

    async def records(self, sql: LiteralString, parameters: Parameters) -> list[Any]:
        """Every row of a statement, as named tuples: columns are read by their names in the statement."""
        cursor = self.cursor(binary=True, row_factory=namedtuple_row)
        await cursor.execute(sql, parameters)
        return await cursor.fetchall()

    async def record(self, sql: LiteralString, parameters: Parameters) -> Any:
        """The first row of a statement as a named tuple, or None."""
        cursor = self.cursor(binary=True, row_factory=namedtuple_row)
        await cursor.execute(sql, parameters)
        return await cursor.fetchone()

    async def only_record(self, sql: LiteralString, parameters: Parameters) -> Any:
        """The row of a statement that always has one, as a named tuple. Raises LookupError where it has none."""
        row = await self.record(sql, parameters)
        if row is None:
            raise LookupError("a statement that always has a row had none")
        return row


class Database:
    """Runs work against Postgres. Errors of the driver leave it as domain errors, and defects as they are."""

    def __init__(
        self,
        url: str,
        settings: DatabaseSettings,
        clock: Clock | None = None,
        keyring: Keyring = NO_KEYS,
    ) -> None:
        """`url` is where Postgres is, whatever the settings name: they may leave that to the embedded one."""
        self.keyring = keyring
        # How often Postgres was found damaged or full.
        self.faults: Counter[str] = Counter()
        self._settings = settings
        self._clock = clock or SystemClock()
        # Whether the last attempt did not reach Postgres, and since when.
        self.is_away = False
        self._away_since: datetime | None = None
        connections = settings.pool_max
        self._answer_seconds = settings.statement_timeout_seconds + settings.answer_grace_seconds
        self._slots = FairSlots(connections, max(1, int(connections * TENANT_SHARE)))
        self._history = HistoryCheck()
        self._pool = ConnectionPool(
            url,
            connection_class=Session,
            min_size=settings.pool_min,
            max_size=settings.pool_max,
            open=False,
            configure=self._configure,
            kwargs={"autocommit": True, "prepare_threshold": 0, "connect_timeout": 5},
            timeout=settings.connect_timeout_seconds,
            # Give up soon: the next caller starts a new attempt, where a long back-off would keep it waiting
            # after Postgres has come back.
            reconnect_timeout=1.0,
            name="camillo",
        )

    async def open(self) -> None:
        """Begins to connect; work that finds no connection yet waits for one."""
        await self._pool.open()

    async def close(self) -> None:
        await self._pool.close()

    def statistics(self) -> dict[str, int]:
        """The pool's gauges and counters."""
        return self._pool.get_stats()

    def is_away_for(self, seconds: float) -> bool:
        """Whether Postgres has not been reached for longer than so."""
        since = self._away_since
        return since is not None and (self._clock.now() - since).total_seconds() > seconds

    def on_new_history(self, subscriber: Callable[[History], None]) -> None:
        """The subscriber is called when Postgres has gone on from an earlier state: what was read before may never have
        happened."""
        self._history.subscribe(subscriber)

    async def history(self) -> History:
        """The history that Postgres is in as far as this process knows. Raises StorageUnavailable."""
        if self._history.current is None:
            await self.check_history()
        assert self._history.current is not None  # noqa: S101 (every connection is checked)
        return self._history.current

    async def check_history(self) -> None:
        """Notices another history also where no connection was lost. Raises StorageUnavailable."""
        if await self.read(NO_TENANT, self._history.check):
            await self._discard_idle_connections()

    async def read(self, scope: Scope, work: Work[T]) -> T:
        """Runs work that only reads; a connection found dead is replaced, and the work run again."""
        return await self._run(scope, _bound(work), reads_only=True)

    async def write(self, scope: Scope, work: Work[T]) -> T:
        """Runs work in no transaction but its own statements'; run again after a serialisation failure or a deadlock. A
        connection lost on the way may have written: the caller gets an error, and may repeat its request id."""
        return await self._run(scope, _bound(work), reads_only=False)

    async def transaction(self, scope: Scope, work: Work[T]) -> T:
        """Runs work in one transaction, run again as `write` does."""

        async def in_transaction(session: Session) -> T:
            async with session.transaction():
                return await work(session)

        return await self.write(scope, in_transaction)

    async def rows(self, scope: Scope, sql: LiteralString, parameters: Parameters) -> list[TupleRow]:
        """Every row of one statement that only reads."""
        return await self._run_alone(scope, (sql, parameters), load=ReturnedRows.rows, reads_only=True)

    async def records(self, scope: Scope, sql: LiteralString, parameters: Parameters) -> list[Any]:
        """Every row of one statement that only reads, as named tuples."""
        return await self._run_alone(scope, (sql, parameters), load=ReturnedRows.records, reads_only=True)

    async def record(self, scope: Scope, sql: LiteralString, parameters: Parameters) -> Any:
        """The first row of one statement that only reads, as a named tuple, or None."""
        statement, load = (sql, parameters), ReturnedRows.records
        return next(iter(await self._run_alone(scope, statement, load=load, reads_only=True)), None)

    async def write_record(self, scope: Scope, *statements: Statement) -> Any:
        """The row of a statement that writes, and always has one, as `write_records` has rows."""
        (record,) = await self._run_alone(scope, *statements, load=ReturnedRows.records, reads_only=False)
        return record

    async def write_records(self, scope: Scope, *statements: Statement) -> list[Any]:
        """The rows of a statement that writes, as named tuples; as `write` does. Statements before it run in the same
        transaction, and each sees what was committed before it began. Raises LockNotAvailable of the driver, where one
        of them sets how long it waits for a lock."""
        return await self._run_alone(scope, *statements, load=ReturnedRows.records, reads_only=False)

    @asynccontextmanager
    async def snapshot(self, scope: Scope) -> AsyncIterator[Session]:
        """A read-only transaction that sees one moment, for reading more than one statement or page."""
        try:
            async with self._session(scope) as (session, binding):
                await session.bind(binding)
                async with session.transaction():
                    await session.execute("set transaction isolation level repeatable read, read only")
                    # Its length is the reader's; each fetch is bounded by the time-out all the same.
                    yield session
        except (*DAMAGE, *CONNECTION_LOST) as error:
            raise self._converted(error) from error

    async def _run_alone(
        self,
        scope: Scope,
        *statements: Statement,
        load: Callable[[ReturnedRows], list[T]],
        reads_only: bool,
    ) -> list[T]:
        async def run(session: Session, binding: Binding) -> list[T]:
            # Before the connection is given back: one that is closed then has no time zone to load times in.
            return load(await session.run_alone(binding, *statements))

        return await self._run(scope, run, reads_only=reads_only)

    async def _run(self, scope: Scope, use: Use[T], *, reads_only: bool) -> T:
        attempt = 1
        while True:
            try:
                async with self._session(scope) as (session, binding):
                    return await use(session, binding)
            except RETRYABLE:
                if attempt == ATTEMPTS:
                    raise
            except pg.ForeignKeyViolation as error:
                raise domain_error(error) or error from error
            except CLOSED as error:
                async with self._session(NO_TENANT) as (session, _):
                    if not await is_closed(session):
                        raise
                raise StorageUnavailable from error
            except DAMAGE as error:
                raise self._converted(error) from error
            except pg.LockNotAvailable:
                # The driver has it as an error of the connection.
                raise
            except CONNECTION_LOST as error:
                is_lost = is_lost_on_the_way(error)
                if is_lost:
                    await self._discard_idle_connections()
                if not is_lost or not reads_only or attempt > 1:
                    raise self._converted(error, in_doubt=is_lost and not reads_only) from error
            # Writers that collided part by chance, not by waiting alike.
            await asyncio.sleep(random.uniform(0, 0.005 * attempt))  # noqa: S311
            attempt += 1

    @asynccontextmanager
    async def _session(self, scope: Scope) -> AsyncIterator[tuple[Session, Binding]]:
        """A connection, and what it has to be bound to before it is used."""
        seconds = remaining_seconds(self._settings.statement_timeout_seconds)
        if seconds <= 0:
            raise DeadlineExceeded
        wait_seconds = min(seconds, self._settings.connect_timeout_seconds)
        if not self._slots.take(scope.tenant_id):
            await self._wait(scope.tenant_id, seconds)
        try:
            session = await self._pool.getconn(timeout=wait_seconds)
            timeout_ms = timeout_step(seconds)
            session.answer_seconds = timeout_ms / 1_000 + self._settings.answer_grace_seconds
            try:
                yield session, Binding(scope, timeout_ms)
                self.is_away, self._away_since = False, None
            except asyncio.CancelledError:
                if session.closed:
                    # Not even an attempt to cancel the statement was answered.
                    await self._discard_idle_connections()
                raise
            finally:
                # Returning the connection rolls back what was left open.
                await self._pool.putconn(session)
        finally:
            self._slots.release(scope.tenant_id)

    async def _wait(self, tenant_id: TenantId, seconds: float) -> None:
        """Waits for the tenant's turn, while others or itself have the connections that it may have."""
        try:
            async with asyncio.timeout(seconds):
                await self._slots.wait(tenant_id)
        except TimeoutError:
            raise DeadlineExceeded from None

    def _converted(self, error: Exception, *, in_doubt: bool = False) -> Exception:
        """The error that the caller sees for one of the driver; notes when Postgres went away."""
        seen = domain_error(error) or error
        note_fault(self.faults, error)
        if isinstance(seen, StorageUnavailable):
            if self._away_since is None:
                self.is_away, self._away_since = True, self._clock.now()
            return WriteInDoubt() if in_doubt else seen
        return seen

    async def _configure(self, session: Session) -> None:
        session.keyring = self.keyring
        # The driver gives times in the session's zone, in which the last hours of the year 9999 may not exist.
        session.answer_seconds = self._answer_seconds
        await session.execute(CONFIGURE_SESSION, bound_statements(self._settings), prepare=False)
        await register_vectors(session)
        read_json_faster(session)
        if await self._history.check(session):
            # Idle ones may be to a primary that is none any more.
            await self._discard_idle_connections()

    async def _discard_idle_connections(self) -> None:
        """After one was lost the others are suspect: Postgres may have been restarted."""
        if not self._pool.closed:
            await self._pool.drain()


def _bound(work: Work[T]) -> Use[T]:
    async def use(session: Session, binding: Binding) -> T:
        await session.bind(binding)
        return await work(session)

    return use


def violates(error: psycopg.Error, constraint: str) -> bool:
    """Whether the error is the violation of this named constraint."""
    return error.diag.constraint_name == constraint
