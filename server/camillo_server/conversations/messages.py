"""Messages as chat APIs and logs have them, made into events: one for each text, call and result."""

import re
from collections import OrderedDict
from collections.abc import Iterator
from dataclasses import dataclass, replace

from camillo_server.conversations.blocks import (
    Block,
    Thought,
    as_json,
    blocks_of,
    tool_call,
    tool_result,
)
from camillo_server.conversations.event import (
    ActorType,
    Content,
    Kind,
    ParsedEvent,
    Place,
    Record,
    ToolCall,
    ToolResult,
)
from camillo_server.conversations.moments import moment
from camillo_server.conversations.spellings import (
    PATHS,
    ROLES,
    SPEAKERS,
    TEXTS,
    TIMES,
    stated,
    stated_word,
    word,
)

LONGEST_ID = 128
LONGEST_PATH = 1024
# Calls whose result has not come; of more, the oldest are given up.
CALLS_HELD = 10_000
# How agents with a file viewer begin what they show of a file.
SHOWN_FILE = re.compile(r"\[File: (\S.{0,1000}?) \(\d+ lines total\)\]")
CALL_ITEMS = frozenset({"function_call", "custom_tool_call", "local_shell_call", "mcp_call"})
RESULT_ITEMS = frozenset({"function_call_output", "custom_tool_call_output"})


class BrokenMessage(Exception):
    """A message that cannot be read; says why in a few words that follow its place."""


@dataclass(frozen=True, slots=True)
class Speaker:
    """Who said something."""

    type: ActorType
    id: str


@dataclass(frozen=True, slots=True)
class Setting:
    """What all events of one message have in common."""

    session_id: str
    place: Place
    tags: tuple[str, ...] = ()


class MessageReader:
    """Reads the messages of a file in their order, and knows the calls that have had no result yet."""

    def __init__(self) -> None:
        self._calls: OrderedDict[tuple[str, str], ToolCall] = OrderedDict()

    def events(self, record: Record, setting: Setting) -> Iterator[ParsedEvent]:
        """What a message tells, in order; nothing if it is empty. Raises BrokenMessage."""
        record = _unwrapped(record)
        speaker = _speaker(record)
        when = stated(record, TIMES)
        at = moment(when)
        event = ParsedEvent(
            setting.session_id,
            speaker.type,
            speaker.id,
            "message",
            "",
            setting.place,
            at,
            setting.tags,
            word(when)[:LONGEST_ID] if at is None else "",
        )
        for block in _blocks(record, speaker):
            yield self._event(event, block)

    def _event(self, event: ParsedEvent, block: Block) -> ParsedEvent:
        if isinstance(block, ToolCall):
            self._keep(event.session_id, block)
            return _said(event, "tool_call", block)
        if isinstance(block, ToolResult):
            result = self._completed(event.session_id, block)
            by_tool = replace(event, actor_type="tool", actor_id=result.tool)
            return _said(by_tool, "tool_result", result)
        if isinstance(block, Thought):
            return _said(replace(event, tags=(*event.tags, "thinking")), "message", block.text)
        return _said(event, "message", block)

    def _keep(self, session_id: str, call: ToolCall) -> None:
        self._calls[session_id, call.call_id] = call
        if len(self._calls) > CALLS_HELD:
            self._calls.popitem(last=False)

    def _completed(self, session_id: str, result: ToolResult) -> ToolResult:
        """With what only the call says: the name of the tool, and the file in question."""
        call = self._calls.pop((session_id, result.call_id), None)
        tool = result.tool or (call.tool if call else "tool")
        shown = SHOWN_FILE.match(result.text)
        path = shown[1] if shown else _path(call)
        return replace(result, tool=tool, path=path)


def _said(event: ParsedEvent, kind: Kind, content: Content) -> ParsedEvent:
    return replace(event, kind=kind, content=content)


def _path(call: ToolCall | None) -> str:
    found = stated_word(call.arguments, PATHS) if call else ""
    return found if len(found) <= LONGEST_PATH else ""


def _unwrapped(record: Record) -> Record:
    """A message that a log keeps inside a line of its own, beside the time and the session."""
    inner = record.get("message")
    if isinstance(inner, dict) and (inner.keys() & {"role", "author", "content"}):
        beside = {name: record[name] for name in TIMES if name in record}
        return beside | inner
    return record


def _speaker(record: Record) -> Speaker:
    stated_type = word(record.get("type"))
    if stated_type in CALL_ITEMS or stated_type == "reasoning":
        return Speaker("agent", "assistant")
    if stated_type in RESULT_ITEMS:
        return Speaker("tool", "tool")
    found = stated(record, SPEAKERS)
    name = word(record.get("name"))
    if isinstance(found, dict):
        name = word(found.get("name")) or name
        found = found.get("role") or found.get("type") or found.get("id") or name
    role = word(found) or (stated_type if stated_type.lower() in ROLES else "")
    if not role:
        raise BrokenMessage("names nobody who said it")
    known = ROLES.get(role.lower())
    return Speaker(known or "human", (name if known and name else role)[:LONGEST_ID])


def _blocks(record: Record, speaker: Speaker) -> Iterator[Block]:
    kind = word(record.get("type"))
    content = stated(record, TEXTS)
    if kind in CALL_ITEMS:
        yield tool_call(record)
    elif kind in RESULT_ITEMS:
        yield tool_result(record)
    elif kind == "reasoning":
        yield from blocks_of([record])
    elif speaker.type == "tool" and not _has_results(content):
        yield tool_result({"content": content, **_result_fields(record)})
    else:
        yield from _said_and_called(record, content)


def _said_and_called(record: Record, content: object) -> Iterator[Block]:
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


def _result_fields(record: Record) -> Record:
    return {key: value for key, value in record.items() if key not in TEXTS}


def _has_results(content: object) -> bool:
    """Whether the blocks of a message say themselves which calls they answer."""
    return isinstance(content, list) and any(
        isinstance(part, dict) and "tool_result" in word(part.get("type")).replace("-", "_")
        for part in content
    )
