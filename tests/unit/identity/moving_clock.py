"""A clock that stands still until a test moves it."""

from datetime import UTC, datetime, timedelta


class MovingClock:
    def __init__(self) -> None:
        self.moment = datetime(2030, 1, 1, tzinfo=UTC)

    def now(self) -> datetime:
        return self.moment

    def move(self, seconds: float) -> None:
        self.moment += timedelta(seconds=seconds)
