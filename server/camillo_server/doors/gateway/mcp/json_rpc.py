"""Messages of JSON-RPC 2.0 as lines: what a line holds, and the forms of answers."""

import json
from collections.abc import Mapping
from typing import Any

from camillo_server.doors.gateway.json_bounds import MESSAGE_BOUNDS, BadJson, JsonRefused, TooMuchJson, check

PARSE_ERROR = -32700
INVALID_REQUEST = -32600
METHOD_NOT_FOUND = -32601
INVALID_PARAMS = -32602
INTERNAL_ERROR = -32603
INTERNAL = "internal error; the server's log has it"
# A message without the arguments of a tool.
MAX_REST_BYTES = 64 * 1024
_BYTE_ORDER_MARK = b"\xef\xbb\xbf"


class Refused(Exception):
    """A request that is answered with an error of JSON-RPC."""

    def __init__(self, code: int, message: str) -> None:
        super().__init__(message)
        self.code = code
        self.message = message


def refused_json(error: JsonRefused) -> Refused:
    """How a message is refused that is no JSON, or too much of it."""
    code = PARSE_ERROR if isinstance(error, BadJson) else INVALID_REQUEST
    return Refused(code, f"a message {error}")


def parse_line(line: bytes) -> Any:
    """The JSON value of a line, within the bounds of all messages. Raises Refused."""
    try:
        check(line, MESSAGE_BOUNDS)
        text = line.removeprefix(_BYTE_ORDER_MARK).decode()
        return json.loads(text, parse_constant=_refuse_constant)
    except JsonRefused as error:
        raise refused_json(error) from None
    except RecursionError:
        raise Refused(PARSE_ERROR, "the JSON is nested too deeply") from None
    except UnicodeDecodeError:
        raise Refused(PARSE_ERROR, "a line must be UTF-8") from None
    except ValueError as error:
        raise Refused(PARSE_ERROR, f"a line must be JSON: {error}"[:200]) from None


def split(message: Any) -> tuple[bytes, Any]:
    """A message of a tool's call without the arguments, as JSON; and the arguments. Raises TooMuchJson where it is
    large without them."""
    arguments, params = None, message.get("params") if isinstance(message, dict) else None
    if isinstance(params, dict) and message.get("method") == "tools/call":
        arguments = params.pop("arguments", None)
    rest = bytearray()
    # Not in one go, which nothing could end.
    for part in json.JSONEncoder().iterencode(message):
        rest += part.encode()
        if len(rest) > MAX_REST_BYTES:
            raise TooMuchJson(f"must have at most {MAX_REST_BYTES} bytes beside a tool's arguments")
    return bytes(rest), arguments


def request_id(message: Any) -> str | int | float | None:
    """The id of a request as it is answered; None where it has none that an answer can carry."""
    found = message.get("id") if isinstance(message, dict) else None
    return found if isinstance(found, str | int | float) and not isinstance(found, bool) else None


def result(number: Any, value: Mapping[str, Any]) -> dict[str, Any]:
    """An answer that succeeded."""
    return {"jsonrpc": "2.0", "id": number, "result": value}


def error(number: Any, refused: Refused) -> dict[str, Any]:
    """An answer that failed; without a number where the request had none that could be read."""
    return {
        "jsonrpc": "2.0",
        "id": number,
        "error": {"code": refused.code, "message": refused.message},
    }


def encoded(answer: Any) -> bytes:
    """One line. Half of a character, as an id may have, stays an escape."""
    text = json.dumps(answer, ensure_ascii=False, separators=(",", ":"))
    try:
        return text.encode() + b"\n"
    except UnicodeEncodeError:
        return json.dumps(answer, separators=(",", ":")).encode() + b"\n"


def _refuse_constant(name: str) -> Any:
    raise ValueError(f"{name} is no JSON")
