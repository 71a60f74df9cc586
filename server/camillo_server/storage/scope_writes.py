"""Writes of a scope that are not of memories: each one transaction at the scope's next revision."""

from collections.abc import Awaitable, Callable, Sequence
from datetime import datetime
from typing import TypeVar

from psycopg import Rollback

from camillo_server.domain.ports import NewRow
from camillo_server.domain.scope import Scope
from camillo_server.domain.writes import RequestKey, Written
from camillo_server.storage.change_bell import PostgresChangeBell
from camillo_server.storage.database import Database, Session, T, Work
from camillo_server.storage.requests import first_answer, keep_answer
from camillo_server.storage.rows import scope_parameters
from camillo_server.storage.statements import statements
from camillo_server.storage.turns import ScopeTurns
from camillo_server.storage.value_blocks import Marked, refuse_blocked

SQL = statements("memory_writes")

R = TypeVar("R")

# Does the work of a write at a revision, and gives the record that a repeat of the request is answered from.
Change = Callable[[Session, int], Awaitable[R]]


class ScopeWrites:
    """What the stores of events, decisions, tasks and the like share. Every method raises StorageUnavailable."""

    def __init__(
        self,
        database: Database,
        bell: PostgresChangeBell,
        on_missing_vector: Callable[[Scope], None] = lambda _: None,
        on_commit: Callable[[Scope, int, Sequence[NewRow]], bool] = lambda *_: False,
    ) -> None:
        """After a commit both are called as PostgresMemoryWriter calls them."""
        self.database = database
        self._bell = bell
        self._on_missing_vector = on_missing_vector
        self._on_commit = on_commit
        self._turns = ScopeTurns()

    async def write(
        self,
        scope: Scope,
        request: RequestKey | None,
        record_type: type[R],
        change: Change[R],
        now: datetime,
        rows: Sequence[NewRow] = (),
        *,
        stated: Marked | None = None,
    ) -> Written[R]:
        """Takes the scope's turn, answers a repeat, else makes the change and keeps its answer: one transaction. `rows`
        are those that the change stores, `stated` what it says. Raises RequestIdReused; ValueRejected where that was
        forgotten."""

        async def work(session: Session) -> Written[R]:
            async with session.transaction() as transaction:
                revision = await next_revision(session, scope, now)
                written = await first_answer(session, scope, request, record_type, now)
                if written is not None:
                    raise Rollback(transaction)
                if stated is not None:
                    await refuse_blocked(session, scope, stated)
                written = Written(revision, await change(session, revision))
                await keep_answer(session, scope, request, written, now)
            return written

        written = await self.run(scope, work)
        self.tell(scope, written.revision, rows)
        return written

    async def run(self, scope: Scope, work: Work[T]) -> T:
        """The work, when it is this writer's turn within the process; nobody is told of it."""
        async with self._turns.take(scope):
            return await self.database.write(scope.tenant_id, work)

    async def first_answer(
        self, scope: Scope, request: RequestKey | None, record_type: type[R], now: datetime
    ) -> Written[R] | None:
        """What this request was answered when it came first, or None. Raises RequestIdReused."""
        if request is None:
            return None
        return await self.database.write(
            scope.tenant_id, lambda session: first_answer(session, scope, request, record_type, now)
        )

    def tell(
        self, scope: Scope, revision: int, rows: Sequence[NewRow], *, only_added: bool = False
    ) -> None:
        """After the commit: to those who follow the scope, and to the one who makes missing vectors. `only_added`: these
        rows are all that has changed of memories and chunks."""
        added = rows if only_added else ()
        self._bell.ring(scope, observed=self._on_commit(scope, revision, added))
        if any(row.vector is None for row in rows):
            self._on_missing_vector(scope)

    def tell_forgetting(self, scope: Scope) -> None:
        """After the commit, where something was taken back: nobody is to show it, not even while Postgres is away."""
        self._bell.ring_forgetting(scope)


async def next_revision(session: Session, scope: Scope, now: datetime) -> int:
    """Takes the scope's turn: later writers wait until this transaction ends."""
    parameters = {**scope_parameters(scope), "added_memories": 0, "added_terms": 0, "now": now}
    row = await session.only_row(SQL["next_revision"], parameters)
    revision: int = row[0]
    return revision
