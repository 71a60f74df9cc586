"""Writes of a scope: each one transaction at the scope's next revision."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from datetime import datetime
from typing import Any, LiteralString, TypeVar

from psycopg import Rollback

from camillo_server.kernel.background import KeyedLocks
from camillo_server.kernel.scope import ANY_AGENT, Scope
from camillo_server.kernel.writes import RequestKey, Written
from camillo_server.storage.blocklist import (
    KnownBlocks,
    TextFields,
    kept_fingerprints,
    with_request_id,
)
from camillo_server.storage.change_notifier import ChangeNotifier
from camillo_server.storage.database import Database, Session, T, Work
from camillo_server.storage.scopes import next_revision
from camillo_server.storage.wire import Parameters, Statement
from camillo_server.storage.written_requests import NO_IDS, Ids, find_answer, first_answer, keep_answer, write_once

# Postgres lets one write of a scope go at a time. A second stands ready, so that no time is lost between two.
WRITERS_AT_ONCE = 2
# For the locks of one transaction.
WAIT_BRIEFLY: LiteralString = "select set_config('lock_timeout', '100ms', true)"
R = TypeVar("R")
NO_TEXTS: Mapping[str, str] = {}
# Does the work of a write at a revision, and returns the record from which a repeated request is answered.
Change = Callable[[Session, int], Awaitable[R]]


class ScopeWrites:
    """Operations that the stores of events, decisions, tasks and the like share. Every method raises
    StorageUnavailable."""

    def __init__(
        self,
        database: Database,
        notifier: ChangeNotifier,
        on_missing_vector: Callable[[Scope], None] = lambda _: None,
        on_vector_fault: Callable[[], None] = lambda: None,
    ) -> None:
        """`on_missing_vector` is called after a commit of rows of which one has no vector yet, `on_vector_fault` where
        Postgres could not store one."""
        self.on_vector_fault = on_vector_fault
        self.database = database
        self._notifier = notifier
        self._on_missing_vector = on_missing_vector
        self._locks = KeyedLocks[Scope](WRITERS_AT_ONCE)
        self.known_blocks = KnownBlocks()

    async def write(
        self,
        scope: Scope,
        request: RequestKey | None,
        record_type: type[R],
        change: Change[R],
        now: datetime,
        rows: Sequence[Any] = (),
        *,
        texts: TextFields = NO_TEXTS,
        ids: Ids = NO_IDS,
        only_added: bool = False,
    ) -> Written[R]:
        """Locks the scope, answers a repeat, else makes the change and keeps its answer: one transaction. `rows` are
        those that the change stores, `only_added` as in `notify`, `texts` those of the caller in what it stores, `ids`
        as in `keep_answer`. Raises RequestIdReused; ValueRejected where one of these is a forgotten value."""
        texts = with_request_id(texts, request)
        fingerprints = await self.known_blocks.fingerprints(scope, texts)

        async def work(session: Session) -> Written[R]:
            async with session.transaction() as transaction:
                revision = await next_revision(session, scope, now)
                written = await first_answer(session, scope, request, record_type, now)
                if written is not None:
                    raise Rollback(transaction)
                if texts:
                    await self.known_blocks.refuse(session, scope, texts, fingerprints)
                written = Written(revision, await change(session, revision))
                await keep_answer(session, scope, request, written, now, ids)
            return written

        written = await self.run(scope, work)
        # The revision of a repeat is an old one, and these rows are none of it.
        self.notify(scope, written.revision, rows, only_added=only_added and not written.is_repeat)
        return written

    async def run(self, scope: Scope, work: Work[T]) -> T:
        """Runs the work as one of two writers of the scope in this process; notifies nobody. It runs again where a
        request of the same id, one of those that do not lock the scope, committed first."""
        async with self._locks.hold(scope):
            return await write_once(lambda: self.database.write(scope, work))

    async def run_alone(self, scope: Scope, sql: LiteralString, parameters: Parameters) -> Any:
        """One statement that always has a row: the row, as a named tuple. Not as one of two writers: group commit lets
        few of these go at a time."""
        return await self.database.write_record(scope, (sql, parameters))

    async def run_group(self, scope: Scope, sql: LiteralString, parameters: Parameters) -> list[Any]:
        """The rows of a statement of group commit. Where it is of the whole tenant, no scope waits long for a lock on
        another one: raises LockNotAvailable of the driver."""
        statement = sql, parameters
        if scope.agent_id == ANY_AGENT:
            return await self.database.write_records(scope, (WAIT_BRIEFLY, {}), statement)
        return await self.database.write_records(scope, statement)

    async def run_together(self, scope: Scope, *statements: Statement) -> Any:
        """Runs the statements as `run_alone` does, and returns the row of the last."""
        return await self.database.write_record(scope, *statements)

    async def known_fingerprints(
        self, scope: Scope, texts: TextFields, request: RequestKey | None
    ) -> list[bytes] | None:
        """The fingerprints that a statement compares with blocked values; None where none are known in the scope."""
        texts = with_request_id(texts, request)
        fingerprints = await self.known_blocks.fingerprints(scope, texts)
        if fingerprints is None:
            return None
        return list(await kept_fingerprints(self.database.keyring, scope, fingerprints.all()))

    async def first_answer(
        self, scope: Scope, request: RequestKey | None, record_type: type[R], now: datetime
    ) -> Written[R] | None:
        """The answer to the same request, if it came before. Raises RequestIdReused."""
        return await find_answer(self.database, scope, request, record_type, now)

    def notify(self, scope: Scope, revision: int, rows: Sequence[Any], *, only_added: bool = False) -> None:
        """Call it after the commit: notifies who follows the scope, and who computes missing vectors. `only_added`:
        these new rows, if any, are all that the revision changed of memories and chunks."""
        self._notifier.notify_commit(scope, revision, rows if only_added else None)
        if [row for row in rows if row.vector is None]:
            self.notify_missing_vectors(scope)

    def notify_missing_vectors(self, scope: Scope) -> None:
        """Call it after the commit: notifies who computes missing vectors."""
        self._on_missing_vector(scope)

    def notify_removal(self, scope: Scope) -> None:
        """Call it after a commit that removed something: nobody may show that any more, not even while Postgres is
        away."""
        self._notifier.notify_removal(scope)
