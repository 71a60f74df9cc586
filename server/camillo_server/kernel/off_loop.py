"""The one way off the event loop: long CPU work in a thread, which lets others have theirs; many short pieces in time
slices. Tenants share slots, threads and the event loop: a call that finds room takes it at once; otherwise tenants take
turns, each with as much as the others, however many of its callers wait (start-time fair queuing: Goyal, Vin, Cheng,
1996).

A cost is counted in characters of text and in rows. Looking for secrets in a character of a costly text that callers do
send takes a quarter of a microsecond (prose is cheaper), and so does most other work in Python; what C code does takes
a fraction of it, and the caller divides."""

import asyncio
import math
import threading
import time
from collections import deque
from collections.abc import Callable, Collection, Hashable, Iterable, Sequence
from concurrent.futures import Executor
from contextvars import ContextVar, copy_context
from functools import partial
from typing import Any, Generic, TypeVar
from weakref import WeakKeyDictionary

Key = TypeVar("Key", bound=Hashable)

# The tenant that the current task works for; "" where it works for no single one.
current_tenant: ContextVar[str] = ContextVar("tenant", default="")
# Beyond this many keys, those that do not wait are forgotten.
MAX_SERVED = 10_000
# Between two turns of several tenants: iterations of the event loop in a row without a call, each of some 20
# microseconds, as gRPC needs several for one call; and how long at most, while calls keep coming, or threads have the
# interpreter's lock. That time counts from some iterations on, as a process may lose its processor for longer.
QUIET_ITERATIONS, MIN_ITERATIONS, MAX_PAUSE_SECONDS = 5, 8, 0.002
# Tenants count as several for so many turns.
TURNS_REMEMBERED = 1_000

# The cost of a turn for each tenant whose weight is not 1.
_shares: dict[str, float] = {}


def set_weight(tenant_id: str, weight: float) -> None:
    """Gives a tenant so many turns for one of each other."""
    if weight == 1:
        _shares.pop(tenant_id, None)
    else:
        _shares[tenant_id] = 1.0 / weight


def share_of(tenant_id: str) -> float:
    """The cost of a turn for the tenant: 1 over its weight."""
    return _shares.get(tenant_id, 1.0)


class TurnOrder(Generic[Key]):
    """Gives the next turn to the waiting key that has been served least."""

    def __init__(self) -> None:
        # Counted so that a key that was away does not make up for it.
        self._served: dict[Key, float] = {}
        self._served_last = 0.0

    def join(self, key: Key, waiting: Collection[Key]) -> None:
        """A key begins to wait, beside these: it stands level with the one that had its turn last."""
        if len(self._served) >= MAX_SERVED:
            self._served = {each: self._served[each] for each in waiting}
        self._served[key] = max(self._served.get(key, 0.0), self._served_last)

    def first(self, waiting: Iterable[Key]) -> Key:
        return min(waiting, key=self._served.__getitem__)

    def serve(self, key: Key, cost: float) -> None:
        """The key has a turn that costs so much."""
        self._served_last = self._served[key]
        self._served[key] += cost


class FairSlots:
    """Slots, of which one tenant holds at most `per_tenant`: the rest is there for other tenants.

    Belongs to one event loop.
    """

    def __init__(self, slots: int, per_tenant: int | None = None) -> None:
        self._free = slots
        self.per_tenant = per_tenant or slots
        self._taken: dict[str, int] = {}
        # Turns that are waited for, by tenant; none of them is empty.
        self.waiting: dict[str, deque[asyncio.Future[None]]] = {}
        self._order = TurnOrder[str]()

    def take(self, tenant_id: str) -> bool:
        """Takes a slot if the tenant may have one now."""
        taken = self._taken.get(tenant_id, 0)
        if not self._free or taken >= self.per_tenant:
            return False
        self._free -= 1
        self._taken[tenant_id] = taken + 1
        return True

    def queue(self, tenant_id: str) -> asyncio.Future[None]:
        """Done when it is the tenant's turn, which has the slot then. Cancelled before, it has none."""
        if tenant_id not in self.waiting:
            self._order.join(tenant_id, self.waiting)
            self.waiting[tenant_id] = deque()
        turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.waiting[tenant_id].append(turn)
        return turn

    async def wait(self, tenant_id: str) -> None:
        """Takes a slot when it is the tenant's turn."""
        turn = self.queue(tenant_id)
        try:
            await turn
        except asyncio.CancelledError:
            if not turn.cancelled():
                self.release(tenant_id)
            raise

    def release(self, tenant_id: str) -> None:
        """Gives a slot back, to who waits for it."""
        self._free += 1
        self._taken[tenant_id] -= 1
        if not self._taken[tenant_id]:
            del self._taken[tenant_id]
        if self.waiting:
            self._hand_out()

    def _hand_out(self) -> None:
        while self._free:
            allowed = [each for each in self.waiting if self._taken.get(each, 0) < self.per_tenant]
            if not allowed:
                return
            tenant_id = self._order.first(allowed)
            queue = self.waiting[tenant_id]
            turn = queue.popleft()
            if not queue:
                del self.waiting[tenant_id]
            if not turn.done():
                self._order.serve(tenant_id, share_of(tenant_id))
                self.take(tenant_id)
                turn.set_result(None)


class LoopTurns:
    """Turns on the event loop: one begins in each of its iterations, so that who comes then waits for one piece of work
    and not for all that are ready.

    gRPC hands over one call in an iteration, in the order of arrival, whoever calls. So where several tenants call, a
    turn waits until no more calls arrive: then they all stand in the queues of their tenants."""

    def __init__(self) -> None:
        self._slot = FairSlots(1)
        self._has_arrived = False
        self._iterations = self._quiet_iterations = 0
        self._began_at = 0.0
        # The tenants that had a turn lately, and the number of these turns.
        self._tenants: set[str] = set()
        self._turns = 0

    @property
    def is_shared(self) -> bool:
        """Whether several tenants had turns lately."""
        return len(self._tenants) > 1

    def arrived(self) -> None:
        """Hears of a call that has come, and will ask for a turn."""
        self._has_arrived = True

    def take(self, tenant_id: str) -> bool:
        """Whether the tenant may begin at once: nobody else has in this iteration."""
        if tenant_id:
            self._tenants.add(tenant_id)
        if not self._slot.take(tenant_id):
            return False
        asyncio.get_running_loop().call_soon(self._end_iteration, tenant_id)
        return True

    async def wait(self, tenant_id: str) -> None:
        """Begins when it is the tenant's turn."""
        turn = self._slot.queue(tenant_id)
        # Called in the iteration in which the task that waits goes on.
        turn.add_done_callback(partial(self._begin, tenant_id))
        await turn

    def _begin(self, tenant_id: str, turn: asyncio.Future[None]) -> None:
        if not turn.cancelled():
            self._end_iteration(tenant_id)

    def _end_iteration(self, tenant_id: str) -> None:
        """Gives the slot on, or waits for another iteration of the loop."""
        if self._slot.waiting and self.is_shared and not self._is_settled():
            asyncio.get_running_loop().call_soon(self._end_iteration, tenant_id)
            return
        self._iterations, self._quiet_iterations, self._began_at = 0, 0, 0.0
        self._turns += 1
        if self._turns >= TURNS_REMEMBERED:
            self._turns = 0
            self._tenants.clear()
        self._slot.release(tenant_id)

    def _is_settled(self) -> bool:
        """Whether no more calls arrive, or enough time has passed."""
        now = asyncio.get_running_loop().time()
        self._began_at = self._began_at or now
        self._iterations += 1
        self._quiet_iterations = 0 if self._has_arrived else self._quiet_iterations + 1
        self._has_arrived = False
        if self._quiet_iterations >= QUIET_ITERATIONS:
            return True
        return self._iterations >= MIN_ITERATIONS and now - self._began_at >= MAX_PAUSE_SECONDS


_turns: WeakKeyDictionary[asyncio.AbstractEventLoop, LoopTurns] = WeakKeyDictionary()


def loop_turns() -> LoopTurns:
    """The turns of the running event loop."""
    loop = asyncio.get_running_loop()
    turns = _turns.get(loop)
    if turns is None:
        turns = _turns[loop] = LoopTurns()
    return turns


async def next_turn() -> None:
    """Waits until it is the turn of the current task's tenant: at once where nobody else began in this iteration."""
    turns, tenant_id = loop_turns(), current_tenant.get()
    if not turns.take(tenant_id):
        await turns.wait(tenant_id)


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


async def map_off_loop(make: Callable[[Any], T], rows: Sequence[Any]) -> list[T]:
    """The results of the function for each row: at once, or in a thread where they are many."""
    return await off_loop(len(rows) * ROW, lambda: [*map(make, rows)])


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
