"""Logs: the shape of a line, what is lost under pressure, and that nobody waits for stderr."""

import io
import json
import logging
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import Any

import pytest
from camillo_server.telemetry.logging import JsonFormatter, Logs, TextFormatter, request_id_var, start_logging

from tests.cases import each_case

log = logging.getLogger("camillo_server.tests")


class SlowStream(io.StringIO):
    """Takes nothing until it is opened."""

    def __init__(self) -> None:
        super().__init__()
        self.opened = threading.Event()
        self.reached = threading.Event()

    def write(self, text: str) -> int:
        self.reached.set()
        self.opened.wait(60)
        return super().write(text)


@contextmanager
def logging_to(stream: io.StringIO, log_format: Any = "json", level: str = "info") -> Iterator[Logs]:
    logs = start_logging(level, log_format, stream, queue_size=4)
    try:
        yield logs
    finally:
        logs.stop()


def objects(stream: io.StringIO) -> list[dict[str, Any]]:
    return [json.loads(line) for line in stream.getvalue().splitlines()]


def record(message: str = "hello", **fields: Any) -> logging.LogRecord:
    values = {"name": "camillo.b", "levelname": "INFO", "levelno": 20, "msg": message, "created": 1_900_000_000.25}
    return logging.makeLogRecord(values | fields)


def failing(error: Exception, cause: Exception | None = None) -> dict[str, Any]:
    try:
        raise error from cause
    except type(error):
        return {"exc_info": sys.exc_info()}


def test_a_line_is_one_json_object_with_its_moment_in_utc() -> None:
    line = JsonFormatter().format(record("two\nlines", request_id="r-1", count=3))
    assert "\n" not in line
    assert json.loads(line) == {
        "ts": "2030-03-17T17:46:40.250Z",
        "level": "info",
        "logger": "camillo.b",
        "message": "two\nlines",
        "request_id": "r-1",
        "count": 3,
    }
    assert datetime.fromisoformat(json.loads(line)["ts"]) == datetime.fromtimestamp(1_900_000_000.25, UTC)


def test_extra_fields_cannot_take_the_place_of_the_lines_own() -> None:
    fields = json.loads(JsonFormatter().format(record(level="forged", ts="forged", other="kept")))
    assert (fields["level"], fields["other"]) == ("info", "kept")
    assert fields["ts"] != "forged"


@each_case("value", [float("nan"), object(), {1: {2}}, b"\xff", "\udc80", datetime(2030, 1, 1, tzinfo=UTC)])
def test_whatever_an_extra_field_holds_the_line_is_valid_ascii_json(value: object) -> None:
    line = JsonFormatter().format(record(field=value))
    assert line.isascii()
    assert json.loads(line, parse_constant=pytest.fail)["message"] == "hello"


def test_a_field_that_holds_itself_does_not_lose_the_line() -> None:
    ring: list[object] = []
    ring.append(ring)
    assert json.loads(JsonFormatter().format(record(field=ring)))["message"] == "hello"


def test_an_exception_has_type_message_and_stack() -> None:
    fields = json.loads(JsonFormatter().format(record(**failing(KeyError("k")))))
    assert fields["exception"]["type"] == "KeyError"
    assert fields["exception"]["message"] == "'k'"
    assert "in failing" in fields["exception"]["stack"]


def test_the_values_of_a_row_that_postgres_quotes_are_not_logged() -> None:
    detail = ValueError("null value in column\nDETAIL:  Failing row contains (my diary).")
    for formatter in (JsonFormatter(), TextFormatter()):
        text = formatter.format(record(**failing(RuntimeError("outer"), cause=detail)))
        assert "null value in column" in text
        assert "outer" in text
        assert "diary" not in text


def test_text_is_one_line_for_people() -> None:
    line = TextFormatter().format(record("two\nlines", request_id="r-1", count=3))
    assert line == "2030-03-17T17:46:40.250Z INFO    camillo.b two\\nlines request_id=r-1 count=3"


def test_each_line_carries_the_request_of_the_moment_it_was_logged() -> None:
    stream = io.StringIO()
    with logging_to(stream):
        token = request_id_var.set("r-1")
        log.info("within %s", "it", extra={"count": 1})
        request_id_var.reset(token)
        log.info("outside")
    lines = [(line["message"], line["request_id"]) for line in objects(stream)]
    assert lines == [("within it", "r-1"), ("outside", "")]


def test_lines_below_the_level_are_left_out() -> None:
    stream = io.StringIO()
    with logging_to(stream, level="warning"):
        log.info("too little")
        log.warning("enough")
    assert [line["message"] for line in objects(stream)] == ["enough"]


def test_text_format_is_chosen_by_name() -> None:
    stream = io.StringIO()
    with logging_to(stream, "text"):
        log.info("hello")
    assert stream.getvalue().rstrip().endswith("camillo_server.tests hello")


def test_a_stream_that_takes_nothing_loses_lines_and_holds_nobody_up() -> None:
    stream = SlowStream()
    with logging_to(stream) as logs:
        log.info("first")
        assert stream.reached.wait(10)
        for number in range(10):
            log.info("line %d", number)
        assert logs.dropped == 6
        stream.opened.set()
    assert [line["message"] for line in objects(stream)] == ["first", *(f"line {n}" for n in range(4))]


def test_what_was_lost_is_told_when_there_is_room_again() -> None:
    stream = SlowStream()
    with logging_to(stream) as logs:
        log.info("first")
        assert stream.reached.wait(10)
        for _ in range(6):
            log.info("many")
        stream.opened.set()
        logs.flush()
        log.info("last")
    assert [line["message"] for line in objects(stream)][-2:] == ["log records were dropped", "last"]
    assert objects(stream)[-2]["dropped"] == 2


def test_stopping_writes_what_is_queued_and_gives_the_root_logger_back() -> None:
    before = (logging.getLogger().level, list(logging.getLogger().handlers))
    stream = io.StringIO()
    with logging_to(stream):
        log.info("one")
        log.info("two")
        assert logging.getLogger().handlers != before[1]
    assert (logging.getLogger().level, logging.getLogger().handlers) == before
    assert [line["message"] for line in objects(stream)] == ["one", "two"]


def test_stopping_twice_is_harmless() -> None:
    logs = start_logging("info", "json", io.StringIO())
    logs.stop()
    logs.stop()
