"""Where searches compute."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import ParamSpec, TypeVar

from camillo_server.domain.off_loop import UNBOUNDED, off_loop

P = ParamSpec("P")
T = TypeVar("T")

# Apart from other work: an expression can be so slow that one block of text takes seconds, and a thread cannot be
# stopped.
_SEARCHES = ThreadPoolExecutor(max_workers=2, thread_name_prefix="search")


async def in_search_thread(work: Callable[P, T], *given: P.args, **named: P.kwargs) -> T:
    """The result of work for which other searches may have to be waited for."""
    return await off_loop(UNBOUNDED, lambda: work(*given, **named), _SEARCHES)
