"""Turns within this process: of the calls that go on with one upload, one stores a part at a time."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from uuid import UUID
from weakref import WeakValueDictionary

from camillo_server.domain.deadline import remaining_seconds
from camillo_server.domain.errors import DeadlineExceeded

LONGEST_WAIT_SECONDS = 30.0


class UploadTurns:
    """Between looking whether a part is there and storing it, no other call of this process stores one."""

    def __init__(self) -> None:
        self._turns: WeakValueDictionary[UUID, asyncio.Lock] = WeakValueDictionary()

    @asynccontextmanager
    async def take(self, content_id: UUID) -> AsyncIterator[None]:
        """Raises DeadlineExceeded where the caller's time is up before its turn."""
        turn = self._turns.setdefault(content_id, asyncio.Lock())
        try:
            async with asyncio.timeout(remaining_seconds(LONGEST_WAIT_SECONDS)):
                await turn.acquire()
        except TimeoutError:
            raise DeadlineExceeded from None
        try:
            yield
        finally:
            turn.release()
