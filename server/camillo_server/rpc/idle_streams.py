"""Streams whose caller does nothing: neither its next message nor its taking of one is waited for longer than allowed."""

import asyncio
from collections.abc import AsyncIterator
from typing import Any

from camillo_server.kernel.errors import StreamIdle


async def receive(messages: AsyncIterator[bytes], seconds: float) -> AsyncIterator[bytes]:
    """The messages of a caller. Raises StreamIdle where the next one does not come in time."""
    messages = aiter(messages)
    while True:
        try:
            async with asyncio.timeout(seconds):
                message = await anext(messages)
        except StopAsyncIteration:
            return
        except TimeoutError:
            raise StreamIdle(seconds) from None
        yield message


async def send(context: Any, message: Any, seconds: float) -> None:
    """Sends a message, when the caller has room for it. Raises StreamIdle where it has none in time."""
    try:
        async with asyncio.timeout(seconds):
            await context.write(message)
    except TimeoutError:
        raise StreamIdle(seconds) from None
