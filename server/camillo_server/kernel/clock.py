"""Time: the clock that everything asks, time zones, ids in the order of time, and a limit that several calls share."""

import asyncio
import os
import re
import time
import uuid
from collections.abc import Awaitable, Sequence
from contextvars import ContextVar
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta, timezone, tzinfo
from functools import lru_cache
from typing import Any, Protocol, TypeVar
from zoneinfo import ZoneInfo

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


MAX_CHARACTERS = 64
WANTED = "a time zone of the IANA database such as Europe/Madrid, or an offset such as +11:00"
_OFFSET = re.compile(r"([+-])(0\d|1[0-4]):([0-5]\d)")


@lru_cache(maxsize=1_000)
def time_zone(name: str) -> tzinfo | None:
    """The zone of a name or an offset from UTC; None where there is none."""
    if offset := _OFFSET.fullmatch(name):
        minutes = int(offset[2]) * 60 + int(offset[3])
        return timezone(timedelta(minutes=-minutes if offset[1] == "-" else minutes))
    if not name.isascii() or not 0 < len(name) <= MAX_CHARACTERS:
        return None
    try:
        return ZoneInfo(name)
    except (ValueError, OSError, KeyError):
        # The name of no file, of a folder, or a path that leads out of the database.
        return None


def in_zone(moment: datetime, zone: tzinfo) -> datetime:
    """The same moment as the zone's clocks show it; within hours of the first or last year, what its clock shows."""
    try:
        return moment.astimezone(zone)
    except OverflowError:
        return moment.replace(tzinfo=zone)


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
        task = asyncio.current_task()
        assert task is not None  # noqa: S101
        cancelled_before = task.cancelling()
        self._ends[task] = time.monotonic() + self.seconds
        if not self._has_timer:
            self._has_timer = True
            asyncio.get_running_loop().call_later(self.seconds, self._expire)
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
        now = time.monotonic()
        for task, end in [*self._ends.items()]:
            if end > now:
                asyncio.get_running_loop().call_later(end - now, self._expire)
                return
            del self._ends[task]
            task.cancel()
        self._has_timer = False


def time_ordered_uuid(at: datetime) -> uuid.UUID:
    """A UUID version 7 (RFC 9562, section 5.7): 48 bits of Unix milliseconds, then 74 random bits.

    Neighbours in time are neighbours in an index, so inserts touch few pages.
    """
    return time_ordered_uuids(at, 1)[0]


def time_of(ordered: uuid.UUID) -> datetime:
    """When a time-ordered UUID was made, to the millisecond."""
    return datetime.fromtimestamp((ordered.int >> 80) / 1000, UTC)


def time_ordered_uuids(at: datetime, count: int) -> Sequence[uuid.UUID]:
    """`count` of these UUIDs in ascending order, since their random bits are (RFC 9562, section 6.2)."""
    prefix = (int(at.timestamp() * 1000) & (2**48 - 1)) << 80 | 0x7 << 76 | 0b10 << 62
    drawn = os.urandom(10 * count)
    numbers = [int.from_bytes(drawn[offset : offset + 10], "big") >> 6 for offset in range(0, len(drawn), 10)]
    return [uuid.UUID(int=prefix | number >> 62 << 64 | number & (2**62 - 1)) for number in sorted(numbers)]
