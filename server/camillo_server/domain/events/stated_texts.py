"""The texts that an event states, by the fields that they are in."""

from collections.abc import Iterator, Mapping
from typing import Any

from camillo_server.domain.events.event import (
    EventContent,
    JsonContent,
    TextContent,
    ToolCallContent,
    ToolResultContent,
)

TOOL_RESULT_TEXT = "content.tool_result.excerpt_text"


def stated_texts(content: EventContent) -> Mapping[str, str]:
    """Always in the same order."""
    match content:
        case TextContent(text):
            return {"content.text": text}
        case JsonContent(value):
            return numbered_texts("content.json", value)
        case ToolCallContent(arguments=arguments):
            return numbered_texts("content.tool_call.arguments", arguments)
        case ToolResultContent(excerpt_text=text):
            return {TOOL_RESULT_TEXT: text}


def numbered_texts(field: str, value: Mapping[str, Any]) -> dict[str, str]:
    """Those of a JSON object, its keys among them, told apart by their numbers, from 0: its keys may be long, or hold what
    may not be told, and two paths of keys may read the same."""
    return {f"{field}[{number}]": text for number, text in enumerate(_texts(value))}


def _texts(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for key, each in value.items():
            yield key
            yield from _texts(each)
    elif isinstance(value, list | tuple):
        for each in value:
            yield from _texts(each)
