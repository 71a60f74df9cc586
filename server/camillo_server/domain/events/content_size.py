"""About how large the content of an event is: in a message, and so as work."""

from collections.abc import Mapping

from camillo_server.domain.events.event import (
    EventContent,
    JsonContent,
    TextContent,
    ToolCallContent,
    ToolResultContent,
)

# A JSON value in a message, beside its text.
_VALUE_BYTES = 12


def content_bytes(content: EventContent) -> int:
    """In bytes of a message, not below."""
    match content:
        case TextContent(text):
            return _text_bytes(text)
        case JsonContent(value):
            return _json_bytes(value)
        case ToolCallContent(arguments=arguments):
            return _json_bytes(arguments)
        case ToolResultContent(excerpt_text=text, path=path):
            return _text_bytes(text) + _text_bytes(path)


def _json_bytes(value: object) -> int:
    if isinstance(value, str):
        return _VALUE_BYTES + _text_bytes(value)
    if isinstance(value, Mapping):
        held = sum(_text_bytes(key) + _json_bytes(each) for key, each in value.items())
        return _VALUE_BYTES * (1 + len(value)) + held
    if isinstance(value, list | tuple):
        return _VALUE_BYTES + sum(map(_json_bytes, value))
    return _VALUE_BYTES


def _text_bytes(text: str) -> int:
    return len(text) if text.isascii() else len(text.encode("utf-8", "replace"))
