"""The one way off the event loop: long CPU work in a thread, which lets others have theirs; many short pieces in time
slices.

A cost is told in characters of text and in rows. Looking for secrets in a character of a costly text that callers do
send takes a quarter of a microsecond (prose is cheaper), and so does most other work in Python; what C code does takes
a fraction of it, and the caller divides."""

import asyncio
import math
import threading
import time
from collections.abc import Callable
from concurrent.futures import Executor
from contextvars import copy_context
from typing import TypeVar
from weakref import WeakKeyDictionary

from camillo_server.kernel.turns import (
    FairSlots,
    LoopTurns,
    current_tenant,
    loop_turns,
    next_turn,
)

T = TypeVar("T")

# Other calls wait no longer than this. A thread costs 50 to 100 microseconds for the hand-over, and shares the
# interpreter's lock, so that work takes up to twice as long there: below this the loop is faster for everybody.
MAX_LOOP_SECONDS = 0.001
# So many characters take about as long.
MAX_LOOP_CHARACTERS = 4_000
# The characters that a row counts as which is read, written or turned into a message, beside its text.
ROW = 128
# A tenant leaves one of them to who comes next, and has one alone where several call: in Python, threads take the
# interpreter's lock from each other and from the event loop.
THREADS, THREADS_OF_SEVERAL = 4, 1
# The cost of work that always goes to a thread: it waits for a disk, or how long it takes cannot be told beforehand.
UNBOUNDED = math.inf


def fits_loop(cost: float) -> bool:
    """Whether work of this cost may run on the event loop."""
    return cost <= MAX_LOOP_CHARACTERS


async def off_loop(cost: float, work: Callable[[], T], pool: Executor | None = None) -> T:
    """The result of the work: computed at once where its cost fits the loop, else in a thread, with this context.

    `pool` is for work that must not keep other work waiting, or not run twice at once. Without one, tenants take turns
    for `THREADS`. A thread cannot be stopped: cancelling ends only the wait."""
    if cost <= MAX_LOOP_CHARACTERS:
        return work()
    loop = asyncio.get_running_loop()
    if pool is not None:
        return await loop.run_in_executor(pool, copy_context().run, work)
    threads, tenant_id = _threads_of(loop), current_tenant.get()
    threads.per_tenant = THREADS_OF_SEVERAL if loop_turns().is_shared else THREADS - 1
    if not threads.take(tenant_id):
        await threads.wait(tenant_id)
    running = loop.run_in_executor(None, copy_context().run, _in_turns, work, loop, loop_turns())
    running.add_done_callback(lambda _: threads.release(tenant_id))
    try:
        # Shielded: the thread is not free before its work ends.
        return await asyncio.shield(running)
    finally:
        # Else an error of the work would hold this frame, which would hold the error: and the work, until garbage is
        # collected.
        del running


_threads: WeakKeyDictionary[asyncio.AbstractEventLoop, FairSlots] = WeakKeyDictionary()


def _threads_of(loop: asyncio.AbstractEventLoop) -> FairSlots:
    threads = _threads.get(loop)
    if threads is None:
        threads = _threads[loop] = FairSlots(THREADS)
    return threads


class _ThreadState(threading.local):
    """The state of a thread that works for a call: the call's event loop, its turns, and when its own turn began."""

    loop: asyncio.AbstractEventLoop | None = None
    turns: LoopTurns
    began: float


_thread = _ThreadState()


def _in_turns(work: Callable[[], T], loop: asyncio.AbstractEventLoop, turns: LoopTurns) -> T:
    _thread.loop, _thread.turns, _thread.began = loop, turns, time.perf_counter()
    try:
        return work()
    finally:
        _thread.loop = None


def yield_turn() -> None:
    """Ends the turn of this thread's tenant after a millisecond, and waits for its next one; does nothing on the event
    loop, or where only one tenant calls.

    Work of more than some milliseconds in Python calls it for each of its pieces. Otherwise it would have the
    interpreter's lock for half of the time, and all tenants that call meanwhile the other half. Raises CancelledError
    when the process stops."""
    loop = _thread.loop
    if loop is None or time.perf_counter() - _thread.began < MAX_LOOP_SECONDS:
        return
    if _thread.turns.is_shared:
        asyncio.run_coroutine_threadsafe(next_turn(), loop).result()
    _thread.began = time.perf_counter()


class TimeSlices:
    """Pieces of work one after the other, between which other tasks run about once a millisecond."""

    def __init__(self, now: Callable[[], float] | None = None) -> None:
        """`now` returns seconds; by default, it is the clock of the running event loop."""
        self._now = now or asyncio.get_running_loop().time
        self._began = self._now()
        self._spent = 0.0

    async def spend(self, cost: float = 0.0) -> None:
        """Lets other tasks run if the pieces since they last ran took a slice, or cost one. Call it beside each
        piece."""
        self._spent += cost
        if self._spent >= MAX_LOOP_CHARACTERS or self._now() - self._began >= MAX_LOOP_SECONDS:
            self._spent = 0.0
            await asyncio.sleep(0)
            await next_turn()
            self._began = self._now()

    async def run(self, cost: float, work: Callable[[], T]) -> T:
        """The result of the work, in a thread if it is longer than a slice."""
        if not fits_loop(cost):
            return await off_loop(cost, work)
        await self.spend(cost)
        return work()
