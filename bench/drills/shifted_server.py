"""`bench.app_server` by a clock that is wrong: so many seconds ahead of the machine's, or behind it, as the first
argument says."""

import sys
from datetime import UTC, datetime, timedelta

from bench import app_server


class ShiftedClock:
    """Wrong by always as much."""

    def __init__(self, shift: timedelta) -> None:
        self._shift = shift

    def now(self) -> datetime:
        return datetime.now(UTC) + self._shift


if __name__ == "__main__":
    app_server.main(ShiftedClock(timedelta(seconds=float(sys.argv.pop(1)))))
