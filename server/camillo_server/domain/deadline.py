"""The caller's deadline, where code far from the call can see it."""

import time
from contextvars import ContextVar

_deadline: ContextVar[float | None] = ContextVar("deadline", default=None)


def set_deadline(seconds_from_now: float | None) -> None:
    """States for the current task how long the caller will wait."""
    _deadline.set(None if seconds_from_now is None else time.monotonic() + seconds_from_now)


def remaining_seconds(default: float) -> float:
    """Seconds until the caller's deadline, at least 0 and at most `default`, which holds where there is none."""
    deadline = _deadline.get()
    if deadline is None:
        return default
    return min(default, max(0.0, deadline - time.monotonic()))
