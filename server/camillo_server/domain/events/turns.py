"""Work on many events, between which other calls get their turn."""

import asyncio
from collections.abc import Callable
from typing import TypeVar

from camillo_server.domain.events.content_size import content_bytes
from camillo_server.domain.events.event import EventContent

# Looking through or cutting so much takes about a millisecond.
BYTES_PER_TURN = 4 * 1024
# What an event costs that is all but empty.
_LEAST_BYTES = 256

Result = TypeVar("Result")


class Turns:
    """Runs one piece of work after the other."""

    def __init__(self) -> None:
        self._done = 0

    async def run(self, content: EventContent, work: Callable[[], Result]) -> Result:
        """Its result; work on a large content runs in a thread."""
        size = content_bytes(content, BYTES_PER_TURN)
        if size > BYTES_PER_TURN:
            return await asyncio.to_thread(work)
        self._done += max(size, _LEAST_BYTES)
        if self._done > BYTES_PER_TURN:
            self._done = 0
            await asyncio.sleep(0)
        return work()
