"""How long calls take, to be compared with others of the same moments: limits in seconds would be of one machine."""

import time
from collections.abc import Awaitable, Sequence
from typing import TypeVar

Answer = TypeVar("Answer")


async def seconds_of(call: Awaitable[Answer]) -> tuple[float, Answer]:
    """The time that the call takes, and its answer."""
    started = time.perf_counter()
    answer = await call
    return time.perf_counter() - started, answer


def p95(seconds: Sequence[float]) -> float:
    return sorted(seconds)[len(seconds) * 95 // 100]
