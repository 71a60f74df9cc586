"""Formats of a log record: a JSON object for machines, a line for people."""

import json
import logging
import traceback
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime

# Whatever a record has beyond these came by `extra`.
_OWN = frozenset(logging.makeLogRecord({}).__dict__) | {
    "message",
    "asctime",
    "taskName",
    "request_id",
}
_LONGEST_ERROR = 500


class JsonFormatter(logging.Formatter):
    """One JSON object: ts, level, logger, message, request_id, then the extra fields and the exception."""

    def format(self, record: logging.LogRecord) -> str:
        fields: dict[str, object] = {
            "ts": _timestamp(record),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage(),
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
            record.getMessage(),
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


def _extra(record: logging.LogRecord) -> dict[str, object]:
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
