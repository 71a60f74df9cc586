"""Turns within this process: the writers of one scope wait here, not each with a connection of the pool in hand."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from weakref import WeakValueDictionary

from camillo_server.domain.deadline import remaining_seconds
from camillo_server.domain.errors import DeadlineExceeded
from camillo_server.domain.scope import Scope

# Postgres lets one write of a scope go at a time. A second stands ready, so that none is lost between two.
AT_ONCE = 2
LONGEST_WAIT_SECONDS = 30.0


class ScopeTurns:
    """Lets two writers of each scope through at a time, in the order in which they came."""

    def __init__(self) -> None:
        self._turns: WeakValueDictionary[Scope, asyncio.Semaphore] = WeakValueDictionary()

    @asynccontextmanager
    async def take(self, scope: Scope) -> AsyncIterator[None]:
        """Raises DeadlineExceeded where the caller's time is up before its turn."""
        turns = self._turns.get(scope)
        if turns is None:
            turns = self._turns[scope] = asyncio.Semaphore(AT_ONCE)
        if turns.locked():
            await _wait_for(turns)
        else:
            await turns.acquire()
        try:
            yield
        finally:
            turns.release()


async def _wait_for(turns: asyncio.Semaphore) -> None:
    try:
        async with asyncio.timeout(remaining_seconds(LONGEST_WAIT_SECONDS)):
            await turns.acquire()
    except TimeoutError:
        raise DeadlineExceeded from None
