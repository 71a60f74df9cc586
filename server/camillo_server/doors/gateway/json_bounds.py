"""Bounds that JSON must keep before anything is made of it. Imports next to nothing: `camillo mcp` checks each line."""

from typing import NamedTuple

MAX_DEPTH = 100


class JsonBounds(NamedTuple):
    """Bounds of a body."""

    max_bytes: int
    max_values: int


# Bytes of a message of MCP, whichever tool it is for: the text of an output is the largest that tools take.
MESSAGE_BOUNDS = JsonBounds(4 * 1024 * 1024, 40_000)


class JsonRefused(ValueError):
    """A body that is not taken; the text says why, and quotes nothing of it."""


class TooMuchJson(JsonRefused):
    """It has more values, or is deeper, than it may be."""


class BadJson(JsonRefused):
    """It is no JSON."""

    def __init__(self, why: str = "must be JSON in UTF-8, each field once") -> None:
        super().__init__(why)


def most_values(body: bytes) -> int:
    """An upper bound of the number of values: commas and brackets in strings are counted, too."""
    return body.count(b",") + body.count(b"[") + body.count(b"{")


def check(body: bytes, bounds: JsonBounds) -> None:
    """Looks at the structure of a body where it may have too much of it; small ones are looked at by whoever parses
    them. Raises TooMuchJson, BadJson."""
    if len(body) > bounds.max_bytes:
        raise TooMuchJson(f"must have at most {bounds.max_bytes} bytes")
    if most_values(body) > MAX_DEPTH:
        from camillo_server.doors.gateway.json_pieces import JsonText

        text = JsonText(bounds.max_values)
        text.append(body)
        text.look()
