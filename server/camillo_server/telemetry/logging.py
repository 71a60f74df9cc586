"""Logs: one line for each record on stderr, as JSON or text, written by a thread of its own.

The rule for every logger: never contents of memories, events or artifacts, never queries, credentials or
arguments of SQL. Ids, counts, sizes, durations and codes only.
"""

import logging
import logging.handlers
import sys
from contextvars import ContextVar
from queue import Full, Queue
from typing import Literal, TextIO

from camillo_server.telemetry.log_format import JsonFormatter, TextFormatter

request_id_var: ContextVar[str] = ContextVar("request_id", default="")

_QUEUE_SIZE = 10_000
_STOP_SECONDS = 5.0


class Logs:
    """The running log. Made by `start_logging`; `stop` writes what is queued."""

    def __init__(self, handler: logging.Handler, queue_size: int) -> None:
        self._root = logging.getLogger()
        self._replaced = (self._root.level, list(self._root.handlers))
        self._queue: Queue[logging.LogRecord | None] = Queue(queue_size)
        self._handler = _DroppingQueueHandler(self._queue)
        self._writer = _BoundedQueueListener(self._queue, handler)

    @property
    def dropped(self) -> int:
        """Records lost since the start, because stderr took them more slowly than they came."""
        return self._handler.dropped

    def start(self, level: int) -> None:
        self._root.setLevel(level)
        self._root.handlers[:] = [self._handler]
        self._writer.start()

    def flush(self) -> None:
        """Waits until what is queued is written."""
        self._queue.join()

    def stop(self) -> None:
        """Writes what is queued, for at most some seconds, and gives the root logger back."""
        level, handlers = self._replaced
        self._root.setLevel(level)
        self._root.handlers[:] = handlers
        self._writer.stop()


def start_logging(
    level: str,
    log_format: Literal["json", "text"],
    stream: TextIO | None = None,
    queue_size: int = _QUEUE_SIZE,
) -> Logs:
    """Sends all loggers of the process to the stream, stderr by default."""
    handler = logging.StreamHandler(stream if stream is not None else sys.stderr)
    handler.setFormatter(JsonFormatter() if log_format == "json" else TextFormatter())
    logs = Logs(handler, queue_size)
    # The pool warns of every single attempt to connect; what it means is logged by those who wait for it.
    logging.getLogger("psycopg.pool").setLevel(logging.ERROR)
    logging.getLogger("alembic").setLevel(logging.WARNING)
    logs.start(logging.getLevelNamesMapping()[level.upper()])
    return logs


class _DroppingQueueHandler(logging.handlers.QueueHandler):
    """Hands records to the writer without ever waiting: where the queue is full, it counts instead."""

    queue: Queue[logging.LogRecord | None]

    def __init__(self, records: Queue[logging.LogRecord | None]) -> None:
        super().__init__(records)
        self.dropped = 0
        self._reported = 0

    def prepare(self, record: logging.LogRecord) -> logging.LogRecord:
        # What belongs to this moment and this task; the rest of the formatting is the writer's.
        record.msg, record.args = record.getMessage(), None
        record.request_id = request_id_var.get()
        return record

    def enqueue(self, record: logging.LogRecord) -> None:
        try:
            self._report_dropped()
            self.queue.put_nowait(record)
        except Full:
            self.dropped += 1

    def _report_dropped(self) -> None:
        lost = self.dropped - self._reported
        if lost:
            values = {"name": __name__, "levelno": logging.WARNING, "levelname": "WARNING"}
            message = {"msg": "log records were dropped", "dropped": lost}
            self.queue.put_nowait(logging.makeLogRecord(values | message))
            self._reported += lost


class _BoundedQueueListener(logging.handlers.QueueListener):
    """The thread that writes; a stream that takes nothing any more does not hold up the end."""

    queue: Queue[logging.LogRecord | None]

    def enqueue_sentinel(self) -> None:
        self.queue.put(None, timeout=_STOP_SECONDS)

    def stop(self) -> None:
        thread, self._thread = self._thread, None
        if thread is None:
            return
        try:
            self.enqueue_sentinel()
        except Full:
            return
        thread.join(_STOP_SECONDS)
