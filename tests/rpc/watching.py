"""Following a watch in a test: its next changes, with a bound on the waiting."""

import asyncio
from collections.abc import AsyncIterator
from types import TracebackType
from typing import Any, Self

from camillo.v1.memory_pb2 import MemoryChange
from camillo.v1.memory_service_pb2 import WatchMemoriesRequest

from tests.patience import PATIENCE_SECONDS
from tests.server_fixtures import Caller


class Watch:
    """An open watch; leaving it cancels the call."""

    def __init__(self, caller: Caller, **start: Any) -> None:
        self._call = Caller.begin(caller, WatchMemoriesRequest(**start), timeout=PATIENCE_SECONDS)
        self._answers: AsyncIterator[Any] = aiter(self._call)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self._call.cancel()

    async def next(self) -> MemoryChange:
        """The next change or checkpoint."""
        async with asyncio.timeout(PATIENCE_SECONDS):
            change: MemoryChange = (await anext(self._answers)).change
        return change

    async def until_caught_up(self) -> list[MemoryChange]:
        """The changes up to the next checkpoint, which is the last."""
        changes = [await self.next()]
        while changes[-1].WhichOneof("event") != "checkpoint":
            changes.append(await self.next())
        return changes

    async def until(self, content: str) -> list[MemoryChange]:
        """The changes up to the one that brings this content."""
        changes = [await self.next()]
        while changes[-1].changed.content != content:
            changes.append(await self.next())
        return changes


def told(changes: list[MemoryChange]) -> list[str]:
    """The changes without checkpoints: contents, and ids of what was forgotten."""
    return [
        change.changed.content or change.forgotten_memory_id
        for change in changes
        if change.WhichOneof("event") != "checkpoint"
    ]
