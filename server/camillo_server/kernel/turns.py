"""Shares slots and the event loop among tenants. A call that finds room takes it at once; otherwise tenants take turns,
each with as much as the others, however many of its callers wait (start-time fair queuing: Goyal, Vin, Cheng, 1996)."""

import asyncio
from collections import deque
from collections.abc import Collection, Hashable, Iterable
from contextvars import ContextVar
from functools import partial
from typing import Generic, TypeVar
from weakref import WeakKeyDictionary

Key = TypeVar("Key", bound=Hashable)

# The tenant that the current task works for; "" where it works for no single one.
current_tenant: ContextVar[str] = ContextVar("tenant", default="")
# Beyond this many keys, those that do not wait are forgotten.
MAX_SERVED = 10_000
# Between two turns of several tenants: passes of the event loop in a row without a call, each of some 20 microseconds,
# as gRPC needs several for one call; and how long at most, while calls keep coming, or threads have the interpreter's
# lock. That time counts from some passes on, as a process may lose its processor for longer.
QUIET_PASSES, MIN_PASSES, MAX_PAUSE_SECONDS = 5, 8, 0.002
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
        self._waiting: dict[str, deque[asyncio.Future[None]]] = {}
        self._order = TurnOrder[str]()

    @property
    def is_waited_for(self) -> bool:
        return bool(self._waiting)

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
        if tenant_id not in self._waiting:
            self._order.join(tenant_id, self._waiting)
            self._waiting[tenant_id] = deque()
        turn: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiting[tenant_id].append(turn)
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
        if self._waiting:
            self._hand_out()

    def _hand_out(self) -> None:
        while self._free:
            allowed = [each for each in self._waiting if self._taken.get(each, 0) < self.per_tenant]
            if not allowed:
                return
            tenant_id = self._order.first(allowed)
            queue = self._waiting[tenant_id]
            turn = queue.popleft()
            if not queue:
                del self._waiting[tenant_id]
            if not turn.done():
                self._order.serve(tenant_id, share_of(tenant_id))
                self.take(tenant_id)
                turn.set_result(None)


class LoopTurns:
    """Turns on the event loop: one begins in each of its passes, so that who comes then waits for one piece of work and
    not for all that are ready.

    gRPC hands over one call in a pass, in the order of arrival, whoever calls. So where several tenants call, a turn
    waits until no more calls arrive: then they all stand in the queues of their tenants."""

    def __init__(self) -> None:
        self._slot = FairSlots(1)
        self._has_arrived = False
        self._passes = self._quiet_passes = 0
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
        """Whether the tenant may begin at once: nobody else has in this pass."""
        if tenant_id:
            self._tenants.add(tenant_id)
        if not self._slot.take(tenant_id):
            return False
        asyncio.get_running_loop().call_soon(self._end_pass, tenant_id)
        return True

    async def wait(self, tenant_id: str) -> None:
        """Begins when it is the tenant's turn."""
        turn = self._slot.queue(tenant_id)
        # Called in the pass in which the task that waits goes on.
        turn.add_done_callback(partial(self._begin, tenant_id))
        await turn

    def _begin(self, tenant_id: str, turn: asyncio.Future[None]) -> None:
        if not turn.cancelled():
            self._end_pass(tenant_id)

    def _end_pass(self, tenant_id: str) -> None:
        """Gives the slot on, or waits for another pass of the loop."""
        if self._slot.is_waited_for and self.is_shared and not self._is_settled():
            asyncio.get_running_loop().call_soon(self._end_pass, tenant_id)
            return
        self._passes, self._quiet_passes, self._began_at = 0, 0, 0.0
        self._turns += 1
        if self._turns >= TURNS_REMEMBERED:
            self._turns = 0
            self._tenants.clear()
        self._slot.release(tenant_id)

    def _is_settled(self) -> bool:
        """Whether no more calls arrive, or enough time has passed."""
        now = asyncio.get_running_loop().time()
        self._began_at = self._began_at or now
        self._passes += 1
        self._quiet_passes = 0 if self._has_arrived else self._quiet_passes + 1
        self._has_arrived = False
        if self._quiet_passes >= QUIET_PASSES:
            return True
        return self._passes >= MIN_PASSES and now - self._began_at >= MAX_PAUSE_SECONDS


_turns: WeakKeyDictionary[asyncio.AbstractEventLoop, LoopTurns] = WeakKeyDictionary()


def loop_turns() -> LoopTurns:
    """The turns of the running event loop."""
    loop = asyncio.get_running_loop()
    turns = _turns.get(loop)
    if turns is None:
        turns = _turns[loop] = LoopTurns()
    return turns


async def next_turn() -> None:
    """Waits until it is the turn of the current task's tenant: at once where nobody else began in this pass."""
    turns, tenant_id = loop_turns(), current_tenant.get()
    if not turns.take(tenant_id):
        await turns.wait(tenant_id)
