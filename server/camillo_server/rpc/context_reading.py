"""Reading large requests without holding up the event loop."""

import asyncio
from collections.abc import Callable
from typing import Any, TypeVar

Read = TypeVar("Read")

# What takes longer to read than about a millisecond is read beside the event loop; JSON takes longest.
READ_AT_ONCE_BYTES = 16 * 1024


async def read_request(request: Any, read: Callable[[Any], Read]) -> Read:
    """What is read from a request, beside the event loop where that takes long."""
    if request.ByteSize() <= READ_AT_ONCE_BYTES:
        return read(request)
    return await asyncio.to_thread(read, request)
