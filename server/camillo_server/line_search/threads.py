"""Where searches compute."""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")

# Apart from other work: an expression can be so slow that one block of text takes seconds, and a thread cannot be
# stopped.
_SEARCHES = ThreadPoolExecutor(max_workers=2, thread_name_prefix="search")


async def in_search_thread(work: Callable[P, T], *given: P.args, **named: P.kwargs) -> T:
    """The result of work for which other searches may have to be waited for."""
    loop = asyncio.get_running_loop()
    return await loop.run_in_executor(_SEARCHES, lambda: work(*given, **named))
