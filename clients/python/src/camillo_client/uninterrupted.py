"""Changes in threads that a cancelled caller waits for, for adapters of frameworks."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any, TypeVar

T = TypeVar("T")


async def finished(work: Callable[..., T], *arguments: Any) -> T:
    """The result of work in a thread, which is waited for even by a caller that is cancelled: only then does it know
    that nothing changes any more."""
    task = asyncio.ensure_future(asyncio.to_thread(work, *arguments))
    cancelled: asyncio.CancelledError | None = None
    while not task.done():
        try:
            await asyncio.wait({task})
        except asyncio.CancelledError as error:
            cancelled = cancelled or error
    if cancelled is not None:
        # Its own failure would be one that nobody asks for.
        task.exception()
        raise cancelled
    return task.result()
