"""Group commit: writes of a scope that wait at the same time are stored together, by one statement and one commit."""

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable, Sequence
from contextvars import Context
from dataclasses import dataclass
from functools import partial
from typing import Generic, TypeVar

import psycopg

from camillo_server.kernel.clock import remaining_seconds
from camillo_server.kernel.errors import DeadlineExceeded, DomainError, StorageUnavailable
from camillo_server.kernel.off_loop import current_tenant
from camillo_server.kernel.scope import Scope

MAX_GROUP_WRITES = 64
MAX_GROUP_BYTES = 1 << 20
MAX_WAIT_SECONDS = 60.0
W = TypeVar("W")
R = TypeVar("R")
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
