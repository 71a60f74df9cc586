"""Events one a line, as this service writes them, and as others may: who did what, when, in which session."""

from typing import Any, cast, get_args

from camillo_server.conversations.blocks import text_of, tool_call, tool_result
from camillo_server.conversations.event import (
    ActorType,
    Content,
    Kind,
    ParsedEvent,
    Record,
    ToolCall,
    ToolResult,
)
from camillo_server.conversations.messages import BrokenMessage, Setting
from camillo_server.conversations.moments import moment
from camillo_server.conversations.spellings import PATHS, ROLES, TIMES, stated, stated_word, word

KINDS = frozenset(get_args(Kind))
ACTORS = frozenset(get_args(ActorType))
LONGEST_ID = 128


def stated_event(record: Record) -> Record | None:
    """The event that a line holds, without what a service added to it; None if it is none."""
    inner = record.get("stated")
    if isinstance(inner, dict):
        return inner
    is_event = "actor" in record and _kind(record) is not None
    is_event = is_event or isinstance(record.get("tool_call"), dict)
    is_event = is_event or isinstance(record.get("tool_result"), dict)
    return record if is_event else None


def read_event(record: Record, setting: Setting) -> ParsedEvent | None:
    """The event of such a record; None if it is empty. Raises BrokenMessage."""
    content = _content(record)
    if isinstance(content, str) and not content.strip():
        return None
    actor_type, actor_id = _actor(record.get("actor") or stated(record, ("role", "speaker")))
    when = stated(record, TIMES)
    at = moment(when)
    tags = record.get("tags")
    return ParsedEvent(
        setting.session_id,
        actor_type,
        actor_id,
        _kind_of(record, content),
        content,
        setting.place,
        at,
        (*setting.tags, *(word(tag) for tag in tags if word(tag)))
        if isinstance(tags, list)
        else setting.tags,
        word(when)[:LONGEST_ID] if at is None else "",
    )


def _kind(record: Record) -> Kind | None:
    name = stated_word(record, ("kind", "event_kind", "event_type", "type"))
    name = name.lower().removeprefix("event_kind_")
    return cast("Kind", name) if name in KINDS else None


def _kind_of(record: Record, content: Content) -> Kind:
    if isinstance(content, ToolCall):
        return "tool_call"
    if isinstance(content, ToolResult):
        return "tool_result"
    kind = _kind(record) or "message"
    if kind in ("tool_call", "tool_result"):
        raise BrokenMessage(f"is a {kind} without its field {kind}")
    return kind


def _actor(found: Any) -> tuple[ActorType, str]:
    given = found if isinstance(found, dict) else {"type": found, "id": found}
    name = word(given.get("type")).lower().removeprefix("actor_type_")
    known = cast("ActorType", name) if name in ACTORS else ROLES.get(name)
    actor_id = word(given.get("id")) or word(given.get("name")) or name
    if not actor_id:
        raise BrokenMessage("names no actor")
    return known or "human", actor_id[:LONGEST_ID]


def _content(record: Record) -> Content:
    inner = record.get("content")
    fields: Record = inner if isinstance(inner, dict) and _is_content(inner) else record
    call, result, value = (fields.get(name) for name in ("tool_call", "tool_result", "json"))
    if isinstance(call, dict):
        return tool_call(call)
    if isinstance(result, dict):
        text = stated(result, ("excerpt_text", "excerpt", "text", "content", "output"))
        named = tool_result({**result, "content": text, "name": result.get("tool")})
        path = stated_word(result, PATHS)
        return ToolResult(named.tool or "tool", named.call_id, named.text, path, named.is_error)
    if isinstance(value, dict):
        return value
    text = stated(fields, ("text", "content", "message"))
    return text if isinstance(text, dict) else text_of(text)


def _is_content(found: Record) -> bool:
    return bool(found.keys() & {"text", "json", "tool_call", "tool_result"})
