"""Writes of a scope: each one transaction at the scope's next revision. Group commit stores those that wait at the same
time together, by one statement and one commit."""

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextvars import Context
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from typing import Any, Generic, LiteralString, TypeVar

import psycopg
from psycopg import Rollback

from camillo_server.kernel.background import KeyedLocks
from camillo_server.kernel.clock import remaining_seconds
from camillo_server.kernel.errors import DeadlineExceeded, DomainError, StorageUnavailable
from camillo_server.kernel.off_loop import current_tenant
from camillo_server.kernel.scope import Scope
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
        if any(row.vector is None for row in rows):
            self.notify_missing_vectors(scope)

    def notify_missing_vectors(self, scope: Scope) -> None:
        """Call it after the commit: notifies who computes missing vectors."""
        self._on_missing_vector(scope)

    def notify_removal(self, scope: Scope) -> None:
        """Call it after a commit that removed something: nobody may show that any more, not even while Postgres is
        away."""
        self._notifier.notify_removal(scope)


MAX_GROUP_WRITES = 64
MAX_GROUP_BYTES = 1 << 20
MAX_WAIT_SECONDS = 60.0
W = TypeVar("W")
# Stores all of some writes of a scope or none, at consecutive revisions; their outcomes, in their order.
StoreGroup = Callable[[Scope, Sequence[W]], Awaitable[Sequence[R]]]


@dataclass(slots=True, eq=False)
class _Member(Generic[W, R]):
    """A write that waits, and the group that it is in once that has begun."""

    write: W
    byte_count: int
    # The outcome from its group; None where it is its turn to be stored alone.
    outcome: "asyncio.Future[R | None]"
    is_alone: bool = False
    group: "Sequence[_Member[W, R]]" = ()
    task: "asyncio.Task[Sequence[R]] | None" = None

    def leave(self) -> None:
        """Its caller is gone. A group that everybody has left is cancelled."""
        if self.task is not None and all(each.outcome.done() for each in self.group):
            self.task.cancel()


class GroupCommit(Generic[W, R]):
    """Lets one write of a scope, or one group of writes, be under way at a time. The first write is stored at once and
    alone; the next group is whatever waits when that has ended, in the order in which it came.

    A group is stored by a task that has no caller's deadline. If it fails, each of its writes is stored alone, one
    after the other; but where a connection was lost, it may have been stored: all of them raise StorageUnavailable.
    Belongs to one event loop."""

    def __init__(self, store: StoreGroup[W, R]) -> None:
        self._store_group = store
        # Scopes with a write under way, each with the writes that wait for it.
        self._waiting: dict[Scope, deque[_Member[W, R]]] = {}

    async def write(self, scope: Scope, write: W, byte_count: int, store_alone: Callable[[], Awaitable[R]]) -> R:
        """The outcome of the write, which is not None: of `store_alone`, run by the caller, or from its group. Raises
        DeadlineExceeded, StorageUnavailable, and what `store_alone` raises."""
        waiting = self._waiting.get(scope)
        if waiting is None:
            self._waiting[scope] = deque()
        else:
            outcome = await self._wait(scope, waiting, write, byte_count)
            if outcome is not None:
                return outcome
        try:
            return await store_alone()
        finally:
            self._begin_next(scope)

    async def _wait(self, scope: Scope, waiting: deque[_Member[W, R]], write: W, byte_count: int) -> R | None:
        """The outcome from a group, or None when it is the caller's turn."""
        outcome: asyncio.Future[R | None] = asyncio.get_running_loop().create_future()
        entry = _Member(write, byte_count, outcome)
        waiting.append(entry)
        try:
            async with asyncio.timeout(remaining_seconds(MAX_WAIT_SECONDS)):
                return await outcome
        except TimeoutError:
            self._leave(scope, entry)
            raise DeadlineExceeded from None
        except asyncio.CancelledError:
            self._leave(scope, entry)
            raise

    def _leave(self, scope: Scope, entry: _Member[W, R]) -> None:
        if entry.outcome.cancelled():
            entry.leave()
        elif entry.outcome.exception() is None and entry.outcome.result() is None:
            # It was given its turn in the moment in which it left.
            self._begin_next(scope)

    def _begin_next(self, scope: Scope) -> None:
        """Begins the next write or group of a scope that has none under way."""
        group = _next_group(self._waiting[scope])
        if not group:
            del self._waiting[scope]
        elif len(group) == 1:
            group[0].outcome.set_result(None)
        else:
            context = Context()
            context.run(current_tenant.set, scope.tenant_id)
            writes = [each.write for each in group]
            task = asyncio.create_task(self._store(scope, writes), context=context)
            for each in group:
                each.group, each.task = group, task
            task.add_done_callback(partial(self._end_group, scope, group))

    async def _store(self, scope: Scope, writes: Sequence[W]) -> Sequence[R]:
        return await self._store_group(scope, writes)

    def _end_group(self, scope: Scope, group: Sequence[_Member[W, R]], task: "asyncio.Task[Sequence[R]]") -> None:
        there = [each for each in group if not each.outcome.done()]
        error = None if task.cancelled() else task.exception()
        if task.cancelled():
            for each in there:
                each.outcome.cancel()
        elif error is None:
            for each, outcome in zip(group, task.result(), strict=True):
                if not each.outcome.done():
                    each.outcome.set_result(outcome)
        elif isinstance(error, StorageUnavailable):
            for each in there:
                each.outcome.set_exception(type(error)())
        elif isinstance(error, psycopg.Error | DomainError):
            for each in reversed(there):
                each.is_alone, each.group, each.task = True, (), None
                self._waiting[scope].appendleft(each)
        else:
            for each in there:
                each.outcome.set_exception(error)
        self._begin_next(scope)


def _next_group(waiting: deque[_Member[W, R]]) -> list[_Member[W, R]]:
    """Takes the next writes out that may be stored together, without those whose callers are gone."""
    group: list[_Member[W, R]] = []
    byte_count = 0
    while waiting and len(group) < MAX_GROUP_WRITES:
        first = waiting[0]
        if not first.outcome.done():
            byte_count += first.byte_count
            if group and (first.is_alone or byte_count > MAX_GROUP_BYTES):
                break
            group.append(first)
        waiting.popleft()
        if group and group[0].is_alone:
            break
    return group
