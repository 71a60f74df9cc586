"""Entries of a transcript, whatever client wrote it."""

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Literal

from camillo_cli.hooks.transcripts.authorship import persons_words

Line = dict[str, Any]
Kind = Literal["user", "assistant", "call", "result"]


@dataclass(frozen=True, slots=True)
class TranscriptEntry:
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


@dataclass(frozen=True, slots=True)
class LeftOut:
    """Something of a transcript that is not recorded, and what it is: one of the names below."""

    what: str


NO_MESSAGE = "lines that are no messages"
OF_CLIENT = "messages that the client wrote"
OF_SUBAGENT = "messages of sub-agents"
OF_COMPACTION = "summaries of compactions"
API_ERROR = "errors of the model's API"
THOUGHT = "thoughts of the model"

# Reads the entries of one line; the text names the line where its entries have no ids of their own.
ReadLine = Callable[[Line, str], Iterator[TranscriptEntry | LeftOut]]


def said_by_person(key: str, texts: list[str], occurred_at: str = "") -> TranscriptEntry | LeftOut:
    """The entry of what the person wrote in the texts of a message; left out where that is nothing."""
    words = [found for text in texts if (found := persons_words(text)).strip()]
    if not words:
        return LeftOut(OF_CLIENT)
    return TranscriptEntry(key, "user", "\n".join(words), occurred_at=occurred_at)


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
