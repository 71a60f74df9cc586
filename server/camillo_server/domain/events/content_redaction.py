"""Redaction of events: secrets are taken out of every text before anything is made of it."""

from collections.abc import Sequence
from dataclasses import replace

from camillo_server.domain.events.event import (
    Actor,
    EventContent,
    EventDraft,
    JsonContent,
    TextContent,
    ToolCallContent,
    ToolResultContent,
)
from camillo_server.domain.field_redaction import FieldRedaction
from camillo_server.domain.redaction import Redaction, Redactor


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
