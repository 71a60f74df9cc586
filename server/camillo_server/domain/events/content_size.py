"""About how large the content of an event is: in a message, and so as work."""

from collections.abc import Iterable, Iterator, Mapping

from camillo_server.domain.events.event import (
    EventContent,
    JsonContent,
    TextContent,
    ToolCallContent,
    ToolResultContent,
)

# A JSON value in a message, beside its text.
_VALUE_BYTES = 12


def content_bytes(content: EventContent, most: int) -> int:
    """In bytes of a message, not below; of what is larger than `most`, no more is counted than tells so."""
    counted = 0
    for size in _sizes(content):
        counted += size
        if counted > most:
            break
    return counted


def larger_than(contents: Iterable[EventContent], most: int) -> bool:
    """Whether all of them together are."""
    left = most
    for content in contents:
        left -= content_bytes(content, left)
        if left < 0:
            return True
    return False


def _sizes(content: EventContent) -> Iterator[int]:
    match content:
        case TextContent(text):
            yield _text_bytes(text)
        case JsonContent(value):
            yield from _json_sizes(value)
        case ToolCallContent(arguments=arguments):
            yield from _json_sizes(arguments)
        case ToolResultContent(excerpt_text=text, path=path):
            yield _text_bytes(text) + _text_bytes(path)


def _json_sizes(value: object) -> Iterator[int]:
    yield _VALUE_BYTES
    if isinstance(value, str):
        yield _text_bytes(value)
    elif isinstance(value, Mapping):
        for key, each in value.items():
            yield _VALUE_BYTES + _text_bytes(key)
            yield from _json_sizes(each)
    elif isinstance(value, list | tuple):
        for each in value:
            yield from _json_sizes(each)


def _text_bytes(text: str) -> int:
    return len(text) if text.isascii() else len(text.encode("utf-8", "replace"))
