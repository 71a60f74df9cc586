"""One timer of the event loop for many waits of the same length."""

import asyncio
from collections.abc import Awaitable
from typing import Any, TypeVar

T = TypeVar("T")


class SharedTimeout:
    """A time limit with one timer for many waits: `asyncio.timeout` makes one for each. Belongs to one event loop."""

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        # When the wait of each task ends. All are equally long: the first began first, and ends first.
        self._ends: dict[asyncio.Task[Any], float] = {}
        self._has_timer = False

    async def wait(self, awaitable: Awaitable[T]) -> T:
        """The result of the awaitable; a task has one such wait at a time. Raises TimeoutError."""
        task, loop = asyncio.current_task(), asyncio.get_running_loop()
        assert task is not None  # noqa: S101
        cancelled_before = task.cancelling()
        self._ends[task] = loop.time() + self.seconds
        if not self._has_timer:
            self._has_timer = True
            loop.call_later(self.seconds, self._expire)
        try:
            return await awaitable
        except asyncio.CancelledError:
            has_expired = task not in self._ends
            # Somebody else may have cancelled it as well.
            if has_expired and task.uncancel() <= cancelled_before:
                raise TimeoutError from None
            raise
        finally:
            self._ends.pop(task, None)

    def _expire(self) -> None:
        loop = asyncio.get_running_loop()
        now = loop.time()
        for task, end in [*self._ends.items()]:
            if end > now:
                loop.call_at(end, self._expire)
                return
            del self._ends[task]
            task.cancel()
        self._has_timer = False
