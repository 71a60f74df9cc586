"""Group commit: writes that wait at the same time are stored together, by one statement and one commit; those of some
scopes of a tenant as well, where the statement can."""

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable, Hashable, Iterable, Sequence
from contextvars import Context
from dataclasses import dataclass, field
from functools import partial
from typing import Generic, TypeVar

import psycopg

from camillo_server.kernel.clock import remaining_seconds
from camillo_server.kernel.errors import DeadlineExceeded, DomainError, StorageUnavailable
from camillo_server.kernel.off_loop import current_tenant
from camillo_server.kernel.scope import Scope
from camillo_server.storage.scopes import scope_set

MAX_GROUP_WRITES = 64
MAX_GROUP_BYTES = 1 << 20
MAX_WAIT_SECONDS = 60.0
# So many groups of a tenant are under way: one is stored while the next one is prepared. Where none of them ends for so
# long, another one begins: they may wait for locks of others.
GROUPS_AT_ONCE = 2
PATIENCE_SECONDS = 0.05
APART_SECONDS = 10.0
MAX_APART = 10_000
W = TypeVar("W")
R = TypeVar("R")
# Stores all of some writes or none, each scope's at consecutive revisions; their outcomes, in their order. The scope is
# that of all, or the set of theirs: then the writes come in the order of their scopes.
StoreGroup = Callable[[Scope, Sequence[W]], Awaitable[Sequence[R]]]


@dataclass(slots=True, eq=False)
class _Member(Generic[W, R]):
    """A write that waits, and the group that it is in once that has begun."""

    scope: Scope
    write: W
    byte_count: int
    # Writes share a statement only where these are equal.
    company: Hashable
    # The outcome from its group; None where it is its turn to be stored alone.
    outcome: "asyncio.Future[R | None]" = field(default_factory=lambda: asyncio.get_running_loop().create_future())
    is_alone: bool = False
    group: "Sequence[_Member[W, R]]" = ()
    task: "asyncio.Task[Sequence[R]] | None" = None

    def leave(self) -> None:
        """Its caller is gone. A group that everybody has left is cancelled."""
        if self.task is not None and all(each.outcome.done() for each in self.group):
            self.task.cancel()


@dataclass(slots=True, eq=False)
class _Line(Generic[W, R]):
    """The writes of a tenant, or of a scope."""

    key: Hashable
    # Scopes with a write under way, and how many writes and groups that are.
    busy: set[Scope] = field(default_factory=set)
    under_way: int = 0
    # In the order in which they came.
    waiting: deque[_Member[W, R]] = field(default_factory=deque)
    timer: asyncio.TimerHandle | None = None

    def next_group(self) -> list[_Member[W, R]]:
        """Takes the next writes out that may be stored together, without those whose callers are gone."""
        group: list[_Member[W, R]] = []
        passed: list[_Member[W, R]] = []
        # No write overtakes another one of its scope.
        held, byte_count = set(self.busy), 0
        while self.waiting and len(group) < MAX_GROUP_WRITES:
            member = self.waiting.popleft()
            if member.outcome.done():
                continue
            fits = not group or (
                not (group[0].is_alone or member.is_alone)
                and member.company == group[0].company
                and byte_count + member.byte_count <= MAX_GROUP_BYTES
            )
            if member.scope in held or not fits:
                held.add(member.scope)
                passed.append(member)
            else:
                byte_count += member.byte_count
                group.append(member)
                if member.is_alone:
                    break
        self.waiting.extendleft(reversed(passed))
        return group


class GroupCommit(Generic[W, R]):
    """Lets one write of a scope, or one group of writes, be under way at a time. A write that need not wait is stored
    at once and alone; the next group is whatever waits when a write or a group has ended, in the order in which they
    came. Nobody waits for a group to fill.

    A group is stored by a task that has no caller's deadline. If it fails, each of its writes is stored alone; but
    where a connection was lost, it may have been stored: all of them raise StorageUnavailable. Belongs to one event
    loop."""

    def __init__(self, store: StoreGroup[W, R], *, spans_scopes: bool = False) -> None:
        """Where a group `spans_scopes`, few of a tenant are under way at a time."""
        self._store_group = store
        self._spans_scopes = spans_scopes
        self._at_once = GROUPS_AT_ONCE if spans_scopes else 1
        # By tenant or by scope, while writes are under way.
        self._lines: dict[Hashable, _Line[W, R]] = {}
        # Until when.
        self._apart: dict[Scope, float] = {}

    async def write(
        self,
        scope: Scope,
        write: W,
        byte_count: int,
        store_alone: Callable[[], Awaitable[R]],
        *,
        shares: bool = True,
    ) -> R:
        """The outcome of the write, which is not None: of `store_alone`, run by the caller, or from its group, which
        has other scopes' writes only where it `shares`. Raises DeadlineExceeded, StorageUnavailable, and what
        `store_alone` raises."""
        line = self._lines.get(key := self._key(scope))
        if line is None:
            line = self._lines[key] = _Line(key)
        if line.under_way < self._at_once and scope not in line.busy:
            line.busy.add(scope)
            line.under_way += 1
        else:
            company = None if shares and not self._is_apart(scope) else scope
            outcome = await self._wait(line, _Member(scope, write, byte_count, company))
            if outcome is not None:
                return outcome
        try:
            return await store_alone()
        finally:
            self._end(line, (scope,))

    def waiting(self, scope: Scope) -> int:
        """How many writes wait beside one of this scope."""
        line = self._lines.get(self._key(scope))
        return len(line.waiting) if line else 0

    def _key(self, scope: Scope) -> Hashable:
        return scope.tenant_id if self._spans_scopes else scope

    def set_apart(self, scope: Scope) -> None:
        """Call it where a statement could not store a write: the scope shares none with others for a while, as they
        would have to be stored anew."""
        if len(self._apart) >= MAX_APART:
            self._apart.clear()
        self._apart[scope] = asyncio.get_running_loop().time() + APART_SECONDS

    def _is_apart(self, scope: Scope) -> bool:
        until = self._apart.get(scope)
        return until is not None and asyncio.get_running_loop().time() < until

    async def _wait(self, line: _Line[W, R], entry: _Member[W, R]) -> R | None:
        """The outcome from a group, or None when it is the caller's turn."""
        line.waiting.append(entry)
        self._watch(line)
        try:
            async with asyncio.timeout(remaining_seconds(MAX_WAIT_SECONDS)):
                return await entry.outcome
        except TimeoutError:
            self._leave(line, entry)
            raise DeadlineExceeded from None
        except asyncio.CancelledError:
            self._leave(line, entry)
            raise

    def _leave(self, line: _Line[W, R], entry: _Member[W, R]) -> None:
        if entry.outcome.cancelled():
            entry.leave()
        elif entry.outcome.exception() is None and entry.outcome.result() is None:
            # It was given its turn in the moment in which it left.
            self._end(line, (entry.scope,))

    def _watch(self, line: _Line[W, R]) -> None:
        if line.timer is None and self._spans_scopes:
            line.timer = asyncio.get_running_loop().call_later(PATIENCE_SECONDS, self._lose_patience, line)

    def _lose_patience(self, line: _Line[W, R]) -> None:
        """Nothing has ended for long: others go on beside it."""
        line.timer = None
        if group := line.next_group():
            self._begin(line, group)
        if line.waiting:
            self._watch(line)

    def _end(self, line: _Line[W, R], scopes: Iterable[Scope]) -> None:
        """Begins what waits for these scopes, or for a place."""
        line.busy.difference_update(scopes)
        line.under_way -= 1
        if line.timer is not None:
            line.timer.cancel()
            line.timer = None
        while line.waiting and line.under_way < self._at_once and (group := line.next_group()):
            self._begin(line, group)
        if line.waiting:
            self._watch(line)
        elif not line.under_way:
            del self._lines[line.key]

    def _begin(self, line: _Line[W, R], group: list[_Member[W, R]]) -> None:
        scopes = {each.scope for each in group}
        line.busy |= scopes
        line.under_way += 1
        if len(group) == 1:
            group[0].outcome.set_result(None)
            return
        scope = group[0].scope
        if len(scopes) > 1:
            group.sort(key=lambda each: each.scope)
            scope = scope_set(scope.tenant_id, (each.agent_id for each in scopes))
        context = Context()
        context.run(current_tenant.set, scope.tenant_id)
        writes = [each.write for each in group]
        task = asyncio.create_task(self._store(scope, writes), context=context)
        for each in group:
            each.group, each.task = group, task
        task.add_done_callback(partial(self._end_group, line, group, scopes))

    async def _store(self, scope: Scope, writes: Sequence[W]) -> Sequence[R]:
        return await self._store_group(scope, writes)

    def _end_group(
        self,
        line: _Line[W, R],
        group: Sequence[_Member[W, R]],
        scopes: Iterable[Scope],
        task: "asyncio.Task[Sequence[R]]",
    ) -> None:
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
                line.waiting.appendleft(each)
        else:
            for each in there:
                each.outcome.set_exception(error)
        self._end(line, scopes)
