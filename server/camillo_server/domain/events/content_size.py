"""Estimates what work on the content of events costs, by its size in a message."""

from collections.abc import Iterable, Iterator, Mapping
from itertools import chain

from camillo_server.domain.events.event import (
    EventContent,
    JsonContent,
    TextContent,
    ToolCallContent,
    ToolResultContent,
)
from camillo_server.domain.off_loop import fits_loop

# Looking for secrets in an event, or cutting it into chunks: one that is all but empty, and each byte of its content.
EVENT_MICROSECONDS = 60.0
BYTE_MICROSECONDS = 1 / 4
# A JSON value in a message, beside its text.
_VALUE_BYTES = 12


def contents_cost(contents: Iterable[EventContent], byte_microseconds: float) -> float:
    """The microseconds of work on all of them, at so many for each byte; counts only until they exceed a slice of the
    event loop."""
    cost = 0.0
    for size in chain.from_iterable(map(_sizes, contents)):
        cost += size * byte_microseconds
        if not fits_loop(cost):
            break
    return cost


def content_cost(content: EventContent) -> float:
    """The microseconds of looking for secrets in it, or of cutting it into chunks."""
    return EVENT_MICROSECONDS + contents_cost((content,), BYTE_MICROSECONDS)


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
