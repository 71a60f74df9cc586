"""Slots for the processes that read documents: tenants take turns, each with a bounded queue."""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from time import monotonic

from camillo_server.kernel.errors import Overloaded
from camillo_server.kernel.turns import FairSlots

# At once, in one server; a tenant has one of them, so that another's document begins at once or behind one at most.
MAX_PROCESSES, OF_A_TENANT = 2, 1
# Documents that may wait, of a tenant and of all.
MAX_WAITING_OF_A_TENANT, MAX_WAITING = 8, 64
WHAT = "documents that wait to be read"


class ReadingSlots:
    """Belongs to one event loop."""

    def __init__(self) -> None:
        self._slots = FairSlots(MAX_PROCESSES, OF_A_TENANT)
        self._waiting = Counter[str]()
        # The moving average of how long a process took.
        self._seconds = 1.0

    @asynccontextmanager
    async def slot(self, tenant_id: str) -> AsyncIterator[None]:
        """Waits for the tenant's turn. Raises Overloaded where too many wait, which tells when to come again."""
        if not self._slots.take(tenant_id):
            await self._wait(tenant_id)
        begin = monotonic()
        try:
            yield
        finally:
            self._seconds += (monotonic() - begin - self._seconds) / 4
            self._slots.release(tenant_id)

    async def _wait(self, tenant_id: str) -> None:
        waiting, of_all = self._waiting[tenant_id], self._waiting.total()
        if waiting >= MAX_WAITING_OF_A_TENANT or of_all >= MAX_WAITING:
            limit = MAX_WAITING if of_all >= MAX_WAITING else MAX_WAITING_OF_A_TENANT
            raise Overloaded(limit, WHAT, retry_after_seconds=self._seconds)
        self._waiting[tenant_id] += 1
        try:
            await self._slots.wait(tenant_id)
        finally:
            self._waiting[tenant_id] -= 1
            self._waiting = +self._waiting


_of_loop: dict[int, tuple[asyncio.AbstractEventLoop, ReadingSlots]] = {}


def reading_slots() -> ReadingSlots:
    """Slots of the running event loop."""
    loop = asyncio.get_running_loop()
    known = _of_loop.get(id(loop))
    if known is None or known[0] is not loop:
        _of_loop.clear()
        known = _of_loop[id(loop)] = loop, ReadingSlots()
    return known[1]
