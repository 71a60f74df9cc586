"""Logs: one line for each record on stderr, as JSON or text, written by a thread of its own.

The rule for every logger: never contents of memories, events or artifacts, never queries, credentials or
arguments of SQL. Ids, counts, sizes, durations and codes only.
"""

import json
import logging
import logging.handlers
import re
import sys
import traceback
from collections.abc import Iterator, Mapping
from contextvars import ContextVar
from datetime import UTC, datetime
from queue import Full, Queue
from typing import Literal, TextIO

# Whatever a record has beyond these came by `extra`.
_OWN = frozenset(logging.makeLogRecord({}).__dict__) | {
    "message",
    "asctime",
    "taskName",
    "request_id",
}
# Fields that libraries add to their records are theirs: the lines of a server have the same fields whoever wrote them.
_OWN_LOGGERS = "camillo"
_ESCAPE = re.compile(r"\x1b\[[0-9;?]*[ -/]*[@-~]")
_LONGEST_ERROR = 500
request_id_var: ContextVar[str] = ContextVar("request_id", default="")
_QUEUE_SIZE = 10_000
_STOP_SECONDS = 5.0


class JsonFormatter(logging.Formatter):
    """One JSON object: ts, level, logger, message, request_id, then the extra fields and the exception."""

    def format(self, record: logging.LogRecord) -> str:
        fields: dict[str, object] = {
            "ts": _timestamp(record),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": _message(record),
            "request_id": getattr(record, "request_id", ""),
        }
        fields = {**_extra(record), **fields}
        if record.exc_info and record.exc_info[1] is not None:
            fields["exception"] = _exception(record.exc_info[1])
        return _json(fields)


class TextFormatter(logging.Formatter):
    """One line, with the frames of an exception on indented lines below."""

    def format(self, record: logging.LogRecord) -> str:
        fields: dict[str, object] = {
            "request_id": getattr(record, "request_id", ""),
            **_extra(record),
        }
        pairs = [f"{name}={value}" for name, value in fields.items() if value != ""]
        words = [
            _timestamp(record),
            f"{record.levelname:7}",
            record.name,
            _message(record),
            *pairs,
        ]
        lines = [" ".join(words).replace("\r", "\\r").replace("\n", "\\n")]
        if record.exc_info and record.exc_info[1] is not None:
            exception = _exception(record.exc_info[1])
            lines += [f"    {line}" for line in str(exception["stack"]).splitlines()]
            lines.append(f"    {exception['type']}: {exception['message']}")
        return "\n".join(lines)


def _timestamp(record: logging.LogRecord) -> str:
    moment = datetime.fromtimestamp(record.created, UTC)
    return moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")


def _message(record: logging.LogRecord) -> str:
    """The message without colours, which some libraries write wherever stderr leads."""
    message = record.getMessage()
    return _ESCAPE.sub("", message) if "\x1b" in message else message


def _extra(record: logging.LogRecord) -> dict[str, object]:
    """Fields that our own loggers add to the message."""
    if not record.name.startswith(_OWN_LOGGERS):
        return {}
    return {name: value for name, value in record.__dict__.items() if name not in _OWN}


def _exception(error: BaseException) -> dict[str, object]:
    return {
        "type": type(error).__qualname__,
        "message": _first_line(error),
        "stack": "".join(_stack(error)),
    }


def _stack(error: BaseException) -> Iterator[str]:
    # Not traceback.format_exception: it would print the whole messages of all exceptions in the chain.
    for number, linked in enumerate(reversed(list(_chain(error)))):
        if number:
            yield "then\n"
        yield from traceback.format_tb(linked.__traceback__)
        if linked is not error:
            yield f"{type(linked).__qualname__}: {_first_line(linked)}\n"


def _chain(error: BaseException) -> Iterator[BaseException]:
    seen: set[int] = set()
    linked: BaseException | None = error
    while linked is not None and id(linked) not in seen:
        seen.add(id(linked))
        yield linked
        linked = linked.__cause__ or (None if linked.__suppress_context__ else linked.__context__)


def _first_line(error: BaseException) -> str:
    # Postgres quotes the values of the row from the second line on: DETAIL: Failing row contains (...).
    lines = str(error).splitlines()
    return lines[0][:_LONGEST_ERROR] if lines else ""


def _json(fields: Mapping[str, object]) -> str:
    # ASCII, so that no encoding of stderr can spoil the line.
    try:
        return json.dumps(fields, default=str, allow_nan=False)
    except (TypeError, ValueError, RecursionError):
        return json.dumps({name: str(value) for name, value in fields.items()})


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
    # It tells at every start which builds of itself are not there.
    logging.getLogger("faiss").setLevel(logging.WARNING)
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
        # Only values of this moment and this task are set here: the writer does the rest of the formatting.
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
