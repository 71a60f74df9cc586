"""Work on texts that does not hold up the event loop."""

import asyncio
from collections.abc import Callable
from typing import TypeVar

# Looking through so much takes about a millisecond.
CHARACTERS_AT_ONCE = 2_048

Result = TypeVar("Result")


async def unhurried(characters: int, work: Callable[[], Result]) -> Result:
    """Its result; work on many characters runs in a thread."""
    if characters <= CHARACTERS_AT_ONCE:
        return work()
    return await asyncio.to_thread(work)
