"""A clock for tests of other programs: it stands still until a line of standard input sets it."""

import json
import os
import signal
import sys
import threading
from datetime import UTC, datetime

from camillo_server.kernel.clock import SystemClock


class InputClock:
    """Stands at the time of its start until it is set. At the end of the input the process is told to stop."""

    def __init__(self) -> None:
        self._moment = SystemClock().now()

    def now(self) -> datetime:
        return self._moment

    def follow(self) -> None:
        """Reads times in ISO 8601 from now on, and says each that it has taken as a line of JSON."""
        threading.Thread(target=self._read, name="clock", daemon=True).start()

    def _read(self) -> None:
        for line in sys.stdin:
            self._moment = datetime.fromisoformat(line.strip()).astimezone(UTC)
            print(json.dumps({"now": self._moment.isoformat()}), flush=True)
        os.kill(os.getpid(), signal.SIGTERM)
