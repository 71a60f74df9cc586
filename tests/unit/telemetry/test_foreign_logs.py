"""Lines of libraries have the fields of ours, and no colours."""

import io
import json
import logging

from camillo_server.telemetry.logging import start_logging


def test_what_a_library_adds_to_its_records_is_left_out() -> None:
    stream = io.StringIO()
    logs = start_logging("info", "json", stream)
    try:
        logging.getLogger("uvicorn.error").info(
            "\x1b[32mINFO\x1b[0m started 蓝", extra={"color_message": "\x1b[1mx", "scope": {"a": 1}}
        )
        logging.getLogger("camillo_server.tests").info("ours", extra={"count": 3})
    finally:
        logs.stop()
    foreign, own = map(json.loads, stream.getvalue().splitlines())
    assert foreign["message"] == "INFO started 蓝"
    assert set(foreign) == {"ts", "level", "logger", "message", "request_id"}
    assert own["count"] == 3
