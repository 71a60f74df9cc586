"""Recalls before a call, and records after it, by a thread in the background."""

from __future__ import annotations

import atexit
import logging
import threading
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass

from camillo_client import Camillo
from camillo_client.conversations import fenced, found, messages, record

MAX_WAITING = 1_000
EXIT_SECONDS = 10.0

logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Memory:
    """The space of a client, the conversation, and how much of what was recorded is shown."""

    camillo: Camillo
    session_id: str
    speaker: str
    limit: int
    timeout_seconds: float

    def recalled(self, question: str, sent: str) -> str:
        """Text for the model about a question, without what is sent to it anyway; empty if there is nothing, or, which
        is logged, memory fails or takes too long."""
        if not question.strip() or not self.limit:
            return ""
        try:
            texts = found(self.camillo, question, self.limit, is_sent=sent.__contains__, timeout=self.timeout_seconds)
        except Exception as error:  # noqa: BLE001
            logger.warning("nothing was recalled: %s", type(error).__name__)
            return ""
        return fenced(texts)

    def record(self, question: str, reply: str) -> None:
        """Puts what was said in line to be recorded."""
        events = messages([(question, f"human:{self.speaker}"), (reply, None)], self.session_id)
        if events:
            RECORDER.put(lambda: record(self.camillo, events))


class Recorder:
    """One thread that records in the order in which calls ended. A call that would be the 1,001st in line is left out,
    and that is logged."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._waiting: deque[Callable[[], None]] = deque()
        self._is_busy = False
        self._thread: threading.Thread | None = None

    def put(self, write: Callable[[], None]) -> None:
        with self._changed:
            if len(self._waiting) >= MAX_WAITING:
                logger.warning("a call was not recorded: %d are waiting", MAX_WAITING)
                return
            self._waiting.append(write)
            if self._thread is None or not self._thread.is_alive():
                self._thread = threading.Thread(target=self._run, name="camillo-remembering", daemon=True)
                self._thread.start()
            self._changed.notify_all()

    def flush(self, timeout: float | None = None) -> bool:
        """Waits until everything is recorded; whether it is."""
        with self._changed:
            return self._changed.wait_for(lambda: not self._waiting and not self._is_busy, timeout)

    def _run(self) -> None:
        while True:
            with self._changed:
                self._changed.wait_for(lambda: self._waiting)
                write, self._is_busy = self._waiting.popleft(), True
            try:
                write()
            except Exception as error:  # noqa: BLE001
                logger.warning("a call was not recorded: %s", type(error).__name__)
            with self._changed:
                self._is_busy = False
                self._changed.notify_all()


RECORDER = Recorder()


def flush(timeout: float | None = None) -> bool:
    """Waits until every call so far is recorded; False if that takes longer than `timeout` seconds. Also done when the
    program ends, for at most ten seconds; close a `Camillo` after it."""
    return RECORDER.flush(timeout)


atexit.register(flush, EXIT_SECONDS)
