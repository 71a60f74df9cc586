"""Starts the embedded Postgres again if it ends without being asked to, such as when memory runs out."""

import logging
import threading
from types import TracebackType
from typing import Self

from camillo_server.storage.embedded.errors import EmbeddedPostgresError
from camillo_server.storage.embedded.server import EmbeddedPostgres

logger = logging.getLogger(__name__)

LOOK_EVERY_SECONDS = 0.2
PAUSE_AFTER_FAILURE_SECONDS = 5.0


class Supervision:
    """Watches one started Postgres for as long as the block runs. Callers see UNAVAILABLE meanwhile."""

    def __init__(self, postgres: EmbeddedPostgres) -> None:
        self._postgres = postgres
        self._ending = threading.Event()
        self._thread = threading.Thread(
            target=self._watch, name="postgres supervision", daemon=True
        )

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self._ending.set()
        self._thread.join()

    def _watch(self) -> None:
        while not self._ending.wait(LOOK_EVERY_SECONDS):
            if not self._postgres.has_died():
                continue
            logger.error("the embedded Postgres has ended; starting it again")
            try:
                self._postgres.start_again()
            except EmbeddedPostgresError as error:
                logger.error("the embedded Postgres did not start", extra={"cause": str(error)})
                self._ending.wait(PAUSE_AFTER_FAILURE_SECONDS)
