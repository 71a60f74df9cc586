"""What a transcript tells, whatever client wrote it."""

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Literal

Line = dict[str, Any]
Kind = Literal["user", "assistant", "call", "result"]


@dataclass(frozen=True, slots=True)
class Entry:
    """A message, a call of a tool or its result."""

    # Names it within its session, the same whenever the transcript is read.
    key: str
    kind: Kind
    text: str = ""
    tool: str = ""
    call_id: str = ""
    arguments: Any = None
    is_error: bool = False
    # As the transcript has it, if it has one.
    occurred_at: str = ""


# Reads the entries of one line; the text names the line where its entries have no ids of their own.
ReadLine = Callable[[Line, str], Iterator[Entry]]


def text_of(content: Any) -> str:
    """The text of a content that is a text, a part with a text, or a list of such."""
    if isinstance(content, str):
        return content
    if isinstance(content, dict):
        return text_of(content.get("text"))
    if isinstance(content, list):
        return "\n".join(filter(None, map(text_of, content)))
    return ""


def parts(content: Any) -> list[Line]:
    """The parts of a content that are objects; a text is a part of type `text`."""
    if isinstance(content, str):
        return [{"type": "text", "text": content}]
    return [part for part in content if isinstance(part, dict)] if isinstance(content, list) else []


def string(value: Any) -> str:
    """A value if it is a text, else nothing."""
    return value if isinstance(value, str) else ""


def decoded(arguments: Any) -> Any:
    """Arguments that may be JSON in a text."""
    if not isinstance(arguments, str):
        return arguments
    try:
        return json.loads(arguments, parse_constant=str)
    except (ValueError, RecursionError):
        return {"input": arguments}
