"""Content of events: its texts, without secrets; of a long output an excerpt, and the whole as an artifact."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields, replace
from hashlib import sha256
from typing import Any

from camillo_formats.characters import border_at_or_before

from camillo_server.features.events.event import (
    EXCERPT_BYTES,
    Event,
    EventContent,
    EventDraft,
    JsonContent,
    OutputContent,
    TextContent,
    ToolCallContent,
    ToolResultContent,
    WorkflowStepContent,
)
from camillo_server.kernel.writes import RequestKey
from camillo_server.lib.redaction.redaction import FieldRedaction, Redaction, Redactor
from camillo_server.lib.text.characters import begun_character
from camillo_server.lib.text.json_lines import numbered_texts, texts_in, texts_of

TEXT = "content.text"
# The path and the name of the field with sentences or lines, by the type of the content.
PROSE: Mapping[type[EventContent], tuple[str, str]] = {
    TextContent: (TEXT, "text"),
    ToolResultContent: ("content.tool_result.excerpt_text", "excerpt_text"),
    WorkflowStepContent: ("content.workflow_step.output", "output"),
}
NO_PROSE = "", ""


def redacted_event(draft: EventDraft, redactor: Redactor) -> tuple[EventDraft, Sequence[Redaction]]:
    """The draft without secrets, and what was removed: offsets are in the whole text, also where an excerpt is kept.
    Refs stay, since they name existing records."""
    if isinstance(draft.content, TextContent):
        # Most events are messages, and most of these hold nothing that has to be looked at by itself.
        texts = (draft.content.text, draft.session_id, draft.actor.id, *draft.tags)
        if not redactor.may_redact(texts):
            return draft, []
    fields = FieldRedaction(redactor)
    cleaned = replace(
        draft,
        content=_content(draft.content, fields),
        session_id=fields.text("session_id", draft.session_id),
        actor=replace(draft.actor, id=fields.text("actor.id", draft.actor.id)),
        tags=fields.tags("tags", draft.tags),
    )
    return (cleaned if fields.has_changed else draft), fields.redactions


def _content(content: EventContent, fields: FieldRedaction) -> EventContent:
    match content:
        case TextContent(text):
            return TextContent(fields.text(TEXT, text))
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
            names = ("tool", "call_id", "path", "excerpt_text")
            return replace(content, **_texts(content, "content.tool_result", names, fields))
        case WorkflowStepContent():
            names = ("workflow", "run", "step", "output")
            return replace(content, **_texts(content, "content.workflow_step", names, fields))


def _texts(content: OutputContent, path: str, names: Sequence[str], fields: FieldRedaction) -> dict[str, Any]:
    return {name: fields.text(f"{path}.{name}", getattr(content, name)) for name in names}


def event_texts(event: Event) -> dict[str, str]:
    """The texts of an event by field, always in the same order: those of its content first."""
    stated = {each.name: getattr(event, each.name) for each in fields(EventDraft)}
    return content_texts(stated.pop("content")) | texts_in(stated)


def content_texts(content: EventContent) -> dict[str, str]:
    """The texts of a content by field, always in the same order."""
    match content:
        case TextContent(text):
            return {TEXT: text}
        case JsonContent(value):
            return numbered_texts("content.json", value)
        case ToolCallContent():
            return texts_of(content, "content.tool_call.")
        case ToolResultContent():
            return texts_of(content, "content.tool_result.")
        case WorkflowStepContent():
            return texts_of(content, "content.workflow_step.")


def prose_of(content: EventContent) -> tuple[str, str]:
    """The field and the text of what is written in sentences or lines; empty of other contents."""
    field, name = PROSE.get(type(content), NO_PROSE)
    return field, getattr(content, name) if name else ""


def with_prose(content: EventContent, text: str) -> EventContent:
    """A content that has prose, with another text instead."""
    _, name = PROSE[type(content)]
    changed: Any = {name: text}
    return replace(content, **changed)


def with_each_text(content: EventContent, change: Callable[[str], str]) -> EventContent:
    """The content with each of its free texts changed: the prose, the path, the values in JSON; not the names of tools,
    calls and workflows, nor keys, by which others know it."""
    match content:
        case TextContent(text):
            return TextContent(change(text))
        case JsonContent(value):
            return JsonContent(_with_each_text(value, change))
        case ToolCallContent():
            return replace(content, arguments=_with_each_text(content.arguments, change))
        case ToolResultContent():
            return replace(content, path=change(content.path), excerpt_text=change(content.excerpt_text))
        case WorkflowStepContent():
            return replace(content, output=change(content.output))


def _with_each_text(value: Any, change: Callable[[str], str]) -> Any:
    if isinstance(value, str):
        return change(value)
    if isinstance(value, Mapping):
        return {key: _with_each_text(each, change) for key, each in value.items()}
    if isinstance(value, list | tuple):
        return [_with_each_text(each, change) for each in value]
    return value


def with_excerpt(content: OutputContent) -> OutputContent:
    """The content with at most 64 KiB of its output; truncated where it was cut."""
    if isinstance(content, ToolResultContent):
        return result_with_excerpt(content)
    excerpt = excerpt_of(content.output)
    return replace(content, output=excerpt, truncated=len(excerpt) < len(content.output))


def result_with_excerpt(result: ToolResultContent) -> ToolResultContent:
    """The result with at most 64 KiB of its text, and its lines counted where the caller did not; truncated where it
    was cut."""
    excerpt = excerpt_of(result.excerpt_text)
    is_cut = len(excerpt) < len(result.excerpt_text)
    first = max(result.first_line, 1)
    last = result.last_line
    if is_cut or last < first:
        last = first + max(excerpt.count("\n") - excerpt.endswith("\n"), 0)
    return replace(
        result,
        excerpt_text=excerpt,
        first_line=first,
        last_line=last,
        truncated=is_cut or result.truncated,
    )


def excerpt_of(text: str) -> str:
    """The first 64 KiB of UTF-8, cut at the end of a line where that loses less than half of them, else of a
    character."""
    encoded = text[: EXCERPT_BYTES + 1].encode("utf-8", "replace")
    if len(encoded) <= EXCERPT_BYTES:
        return text
    kept = encoded[:EXCERPT_BYTES]
    line_end = kept.rfind(b"\n") + 1
    if line_end * 2 <= EXCERPT_BYTES:
        line_end = EXCERPT_BYTES - begun_character(kept)
    return text[: border_at_or_before(text, len(kept[:line_end].decode()), -1)]


def output_request(request: RequestKey | None, index: int, text: str) -> RequestKey | None:
    """The request that stores the output of the event at this index: a repeat has the same, and stores nothing
    twice."""
    if request is None:
        return None
    request_id = sha256(f"{index}/{request.request_id}".encode()).hexdigest()
    return RequestKey(f"event-output:{request_id}", sha256(text.encode("utf-8", "replace")).digest())
