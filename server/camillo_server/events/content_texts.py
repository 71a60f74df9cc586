"""Redaction of events: secrets are taken out of every text before anything is made of it."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from camillo_server.events.event import (
    Actor,
    EventContent,
    EventDraft,
    JsonContent,
    TextContent,
    ToolCallContent,
    ToolResultContent,
)
from camillo_server.redaction.redaction import FieldRedaction, Redaction, Redactor

TOOL_RESULT_TEXT = "content.tool_result.excerpt_text"


def redacted_event(draft: EventDraft, redactor: Redactor) -> tuple[EventDraft, Sequence[Redaction]]:
    """The draft without secrets, and what was taken out: offsets are of the whole text, also where an excerpt is kept.

    Refs stay as they are, since they name what is there.
    """
    fields = FieldRedaction(redactor)
    cleaned = replace(
        draft,
        content=_content(draft.content, fields),
        session_id=fields.text("session_id", draft.session_id),
        actor=Actor(draft.actor.type, fields.text("actor.id", draft.actor.id)),
        tags=fields.tags("tags", draft.tags),
    )
    return (cleaned if fields.redactions else draft), fields.redactions


def _content(content: EventContent, fields: FieldRedaction) -> EventContent:
    match content:
        case TextContent(text):
            return TextContent(fields.text("content.text", text))
        case JsonContent(value):
            return JsonContent(fields.json("content.json", value))
        case ToolCallContent(tool, call_id, arguments):
            name = "content.tool_call"
            return ToolCallContent(
                fields.text(f"{name}.tool", tool),
                fields.text(f"{name}.call_id", call_id),
                fields.json(f"{name}.arguments", arguments),
            )
        case ToolResultContent():
            return _result(content, fields)


def _result(result: ToolResultContent, fields: FieldRedaction) -> ToolResultContent:
    def clean(name: str, text: str) -> str:
        return fields.text(f"content.tool_result.{name}", text)

    return replace(
        result,
        tool=clean("tool", result.tool),
        call_id=clean("call_id", result.call_id),
        path=clean("path", result.path),
        excerpt_text=clean("excerpt_text", result.excerpt_text),
    )


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
