"""The one place where time enters."""

from datetime import UTC, datetime
from typing import Protocol


class Clock(Protocol):
    """Tells the time; tests move it."""

    def now(self) -> datetime:
        """The present moment, in UTC, with a time zone."""
        ...


class SystemClock:
    """The machine's clock."""

    def now(self) -> datetime:
        return datetime.now(UTC)
