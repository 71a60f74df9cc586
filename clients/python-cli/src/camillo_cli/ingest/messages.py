"""Messages of chat APIs and logs, and events of one line each, read as events."""

from __future__ import annotations

import re
from collections import OrderedDict
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, cast

from camillo_cli.ingest.frameworks import as_message
from camillo_cli.ingest.records import (
    MAX_ID_LENGTH,
    PATHS,
    ROLES,
    SPEAKERS,
    TEXTS,
    TIMES,
    Block,
    BrokenMessage,
    Content,
    Location,
    ParsedEvent,
    Record,
    Step,
    Thought,
    ToolCall,
    ToolResult,
    as_json,
    blocks_of,
    first_value,
    first_word,
    text_of,
    tool_call,
    tool_result,
    word,
)
from camillo_cli.ingest.times import parse_time
from camillo_cli.options import ActorType, EventKind, WorkflowStatus

if TYPE_CHECKING:
    from camillo_client.event_fields import ActorTypeName, EventKindName

    # The type and the id.
    Actor = tuple[ActorTypeName, str]

MAX_PATH_LENGTH = 1024
# Calls without a result that are remembered; if there are more, the oldest are forgotten.
MAX_OPEN_CALLS = 10_000
# The first line of the output of agents' file viewers.
SHOWN_FILE = re.compile(r"\[File: (\S.{0,1000}?) \(\d+ lines total\)\]")
CALL_ITEMS = frozenset({"function_call", "custom_tool_call", "local_shell_call", "mcp_call"})
RESULT_ITEMS = frozenset({"function_call_output", "custom_tool_call_output"})
CONTENTS = frozenset({"text", "json", "tool_call", "tool_result", "workflow_step"})
KINDS = frozenset(EventKind)
ACTOR_TYPES = frozenset(ActorType)


@dataclass(frozen=True, slots=True)
class MessageContext:
    """The session, location and tags of all events of one message."""

    session_id: str
    location: Location
    tags: tuple[str, ...] = ()

    def event(self, record: Record, actor: Actor, kind: EventKindName, content: Content) -> ParsedEvent:
        """An event at the time of the record."""
        when = first_value(record, TIMES)
        at = parse_time(when)
        unread = word(when)[:MAX_ID_LENGTH] if at is None else ""
        return ParsedEvent(self.session_id, *actor, kind, content, self.location, at, self.tags, unread)


class MessageReader:
    """Reads the messages of a file in order, and remembers the calls that have no result yet."""

    def __init__(self) -> None:
        self._calls: OrderedDict[tuple[str, str], ToolCall] = OrderedDict()

    def events(self, record: Record, context: MessageContext) -> Iterator[ParsedEvent]:
        """The events of a message, in order; none if it is empty. Raises BrokenMessage."""
        record = as_message(_unwrapped(record))
        actor = _speaker(record)
        event = context.event(record, actor, "message", "")
        for block in _blocks(record, actor):
            yield self._event(event, block)

    def _event(self, event: ParsedEvent, block: Block) -> ParsedEvent:
        if isinstance(block, ToolCall):
            self._calls[event.session_id, block.call_id] = block
            if len(self._calls) > MAX_OPEN_CALLS:
                self._calls.popitem(last=False)
            return replace(event, kind="tool_call", content=block)
        if isinstance(block, ToolResult):
            result = self._completed(event.session_id, block)
            return replace(event, actor_type="tool", actor_id=result.tool, kind="tool_result", content=result)
        if isinstance(block, Thought):
            return replace(event, tags=(*event.tags, "thinking"), content=block.text)
        return replace(event, content=block)

    def _completed(self, session_id: str, result: ToolResult) -> ToolResult:
        """The result with what only the call names: the tool, and the file."""
        call = self._calls.pop((session_id, result.call_id), None)
        tool = result.tool or (call.tool if call else "tool")
        shown = SHOWN_FILE.match(result.text)
        path = shown[1] if shown else _path(call)
        return replace(result, tool=tool, path=path)


def _path(call: ToolCall | None) -> str:
    found = first_word(call.arguments, PATHS) if call else ""
    return found if len(found) <= MAX_PATH_LENGTH else ""


def _unwrapped(record: Record) -> Record:
    """The message in a line of a log that has the time and the session beside it."""
    inner = record.get("message")
    if isinstance(inner, dict) and (inner.keys() & {"role", "author", "content"}):
        beside = {name: record[name] for name in TIMES if name in record}
        return beside | inner
    return record


def _speaker(record: Record) -> Actor:
    named_type = word(record.get("type"))
    if named_type in CALL_ITEMS or named_type == "reasoning":
        return "agent", "assistant"
    if named_type in RESULT_ITEMS:
        return "tool", "tool"
    found = first_value(record, SPEAKERS)
    name = word(record.get("name"))
    if isinstance(found, dict):
        name = word(found.get("name")) or name
        found = found.get("role") or found.get("type") or found.get("id") or name
    role = word(found) or (named_type if named_type.lower() in ROLES else "")
    if not role:
        raise BrokenMessage("names nobody who said it")
    known = ROLES.get(role.lower())
    return known or "human", (name if known and name else role)[:MAX_ID_LENGTH]


def _blocks(record: Record, actor: Actor) -> Iterator[Block]:
    kind = word(record.get("type"))
    content = first_value(record, TEXTS)
    if kind in CALL_ITEMS:
        yield tool_call(record)
    elif kind in RESULT_ITEMS:
        yield tool_result(record)
    elif kind == "reasoning":
        yield from blocks_of([record])
    elif actor[0] == "tool" and not _has_results(content):
        fields = {key: value for key, value in record.items() if key not in TEXTS}
        yield tool_result({"content": content, **fields})
    else:
        yield from _text_and_calls(record, content)


def _text_and_calls(record: Record, content: object) -> Iterator[Block]:
    if content is not None and not isinstance(content, str | list | dict):
        content = as_json(content)
    thought = record.get("reasoning_content") or record.get("thinking")
    if isinstance(thought, str) and thought.strip():
        yield Thought(thought)
    yield from blocks_of(content if content is not None else record.get("refusal"))
    calls = record.get("tool_calls")
    legacy = record.get("function_call")
    for call in [*(calls if isinstance(calls, list) else ()), legacy]:
        if isinstance(call, dict):
            yield tool_call(call)


def _has_results(content: object) -> bool:
    """Whether blocks of a message are results of tools."""
    return isinstance(content, list) and any(
        isinstance(part, dict) and "tool_result" in word(part.get("type")).replace("-", "_") for part in content
    )


def event_record(record: Record) -> Record | None:
    """The event in a line, without the fields that a server has added; None if the line holds none."""
    inner = record.get("stated")
    if isinstance(inner, dict):
        return inner
    is_event = (
        ("actor" in record and _kind(record) is not None)
        or isinstance(record.get("tool_call"), dict)
        or isinstance(record.get("tool_result"), dict)
        or isinstance(record.get("workflow_step"), dict)
    )
    return record if is_event else None


def read_event(record: Record, context: MessageContext) -> ParsedEvent | None:
    """Reads an event record; None if it is empty. Raises BrokenMessage."""
    content = _content(record)
    if isinstance(content, str) and not content.strip():
        return None
    actor = _actor(record.get("actor") or first_value(record, ("role", "speaker")))
    event = context.event(record, actor, _kind_of(record, content), content)
    tags = record.get("tags")
    own_tags = [word(tag) for tag in tags if word(tag)] if isinstance(tags, list) else []
    return replace(event, tags=(*event.tags, *own_tags))


def _kind(record: Record) -> EventKindName | None:
    name = first_word(record, ("kind", "event_kind", "event_type", "type"))
    name = name.lower().removeprefix("event_kind_")
    return cast("EventKindName", name) if name in KINDS else None


def _kind_of(record: Record, content: Content) -> EventKindName:
    if isinstance(content, ToolCall):
        return "tool_call"
    if isinstance(content, ToolResult):
        return "tool_result"
    if isinstance(content, Step):
        return "workflow_step"
    kind = _kind(record) or "message"
    if kind in ("tool_call", "tool_result"):
        raise BrokenMessage(f"is a {kind} without its field {kind}")
    return kind


def _actor(found: Any) -> Actor:
    fields = found if isinstance(found, dict) else {"type": found, "id": found}
    name = word(fields.get("type")).lower().removeprefix("actor_type_")
    known = cast("ActorTypeName", name) if name in ACTOR_TYPES else ROLES.get(name)
    actor_id = word(fields.get("id")) or word(fields.get("name")) or name
    if not actor_id:
        raise BrokenMessage("names no actor")
    return known or "human", actor_id[:MAX_ID_LENGTH]


def _step(step: Record) -> Step:
    status = word(step.get("status")).lower().removeprefix("workflow_status_")
    if status not in ("", *WorkflowStatus):
        raise BrokenMessage(f"has a step that stands as nothing known: {status[:40]}")
    names = [word(step.get(name))[:MAX_ID_LENGTH] for name in ("workflow", "run", "step")]
    if not (names[0] and names[2]):
        raise BrokenMessage("has a step without its workflow or its name")
    workflow, run, name = names
    stands = WorkflowStatus(status or WorkflowStatus.SUCCEEDED)
    return Step(workflow, run, name, stands, text_of(step.get("output")))


def _content(record: Record) -> Content:
    inner = record.get("content")
    fields: Record = inner if isinstance(inner, dict) and inner.keys() & CONTENTS else record
    call, result, value = (fields.get(name) for name in ("tool_call", "tool_result", "json"))
    if isinstance(call, dict):
        return tool_call(call)
    if isinstance(result, dict):
        text = first_value(result, ("excerpt_text", "excerpt", "text", "content", "output"))
        named = tool_result({**result, "content": text, "name": result.get("tool")})
        path = first_word(result, PATHS)
        return ToolResult(named.tool or "tool", named.call_id, named.text, path, named.is_error)
    if isinstance(step := fields.get("workflow_step"), dict):
        return _step(step)
    if isinstance(value, dict):
        return value
    text = first_value(fields, ("text", "content", "message"))
    return text if isinstance(text, dict) else text_of(text)
