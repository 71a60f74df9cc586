"""The one place where time enters; deadlines, and rates."""

import time
from contextvars import ContextVar
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Protocol

_deadline: ContextVar[float | None] = ContextVar("deadline", default=None)
BEGINNING = datetime(1970, 1, 1, tzinfo=UTC)
FIRST = datetime.min.replace(tzinfo=UTC)
MICROSECOND = timedelta(microseconds=1)


class Clock(Protocol):
    """Tells the time; tests move it."""

    def now(self) -> datetime:
        """The present moment, in UTC, with a time zone."""
        ...


class SystemClock:
    """The machine's clock."""

    def now(self) -> datetime:
        return datetime.now(UTC)


def set_deadline(seconds_from_now: float | None) -> None:
    """States for the current task how long the caller will wait."""
    _deadline.set(None if seconds_from_now is None else time.monotonic() + seconds_from_now)


def remaining_seconds(default: float) -> float:
    """Seconds until the caller's deadline, at least 0 and at most `default`, which holds where there is none."""
    deadline = _deadline.get()
    if deadline is None:
        return default
    return min(default, max(0.0, deadline - time.monotonic()))


def microseconds(moment: datetime) -> int:
    """Since 1970."""
    return (moment - BEGINNING) // MICROSECOND


def moment(value: int) -> datetime:
    """The time this many microseconds after 1970."""
    return BEGINNING + value * MICROSECOND


def earlier(moment: datetime, span: timedelta) -> datetime:
    """The moment that is earlier by the span; at the earliest the first moment that there is."""
    return moment - span if moment - FIRST >= span else FIRST


@dataclass(slots=True)
class TokenBucket:
    """Tokens that come back with time. `at` is when they were last counted, in seconds of any one clock."""

    tokens: float
    at: float

    def refill(self, now: float, per_second: float, burst: float) -> float:
        """How many there are now, at most `burst`."""
        self.tokens = min(burst, self.tokens + max(0.0, now - self.at) * per_second)
        self.at = now
        return self.tokens
