"""The values that every format is read into, and the fields and blocks of records by their names in different logs."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from itertools import groupby
from typing import TYPE_CHECKING, Any, TypeAlias

from camillo_cli.hooks.transcripts.entries import LeftOut
from camillo_cli.options import WorkflowStatus

if TYPE_CHECKING:
    from camillo.v1.event_pb2 import NewEvent
    from camillo_client.event_fields import ActorTypeName, EventKindName

# An object of JSON.
Record: TypeAlias = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Location:
    """A position in a file: `line 12`, `messages[3]`."""

    file: str
    position: str

    def __str__(self) -> str:
        return f"{self.file}, {self.position}"


@dataclass(frozen=True, slots=True)
class ToolCall:
    """A call of a tool; `call_id` links it to its result, and may be empty."""

    tool: str
    call_id: str
    arguments: Record


@dataclass(frozen=True, slots=True)
class ToolResult:
    """The result of a tool; `path` is the file that it was called for, if any."""

    tool: str
    call_id: str
    text: str
    path: str = ""
    is_error: bool = False


@dataclass(frozen=True, slots=True)
class Step:
    """A step of a workflow, in a run of it where that is told."""

    workflow: str
    run: str
    step: str
    status: WorkflowStatus
    output: str


@dataclass(frozen=True, slots=True)
class Thought:
    """Reasoning of a model that is not part of its answer."""

    text: str


# Text, a JSON object, a tool call or its result.
Content: TypeAlias = str | Record | ToolCall | ToolResult | Step
# A part of the content of a message.
Block: TypeAlias = str | Thought | ToolCall | ToolResult


@dataclass(frozen=True, slots=True)
class ParsedEvent:
    """An event of a log. `unread_time` is a time that could not be parsed."""

    session_id: str
    actor_type: ActorTypeName
    actor_id: str
    kind: EventKindName
    content: Content
    location: Location
    occurred_at: datetime | None = None
    tags: tuple[str, ...] = ()
    unread_time: str = ""


@dataclass(frozen=True, slots=True)
class Broken:
    """A line or message that could not be read, and why; the others are read all the same."""

    location: Location
    reason: str


@dataclass(frozen=True, slots=True)
class ReadyEvent:
    """An event of a transcript, as hooks record it."""

    message: NewEvent
    location: Location


Part: TypeAlias = ParsedEvent | ReadyEvent | Broken | LeftOut


@dataclass(frozen=True, slots=True)
class Conversation:
    """Messages in order, each with its position in the file; among them what is not recorded.

    `session_id` may be empty; then `name` distinguishes the conversations of a file.
    """

    messages: Iterable[tuple[str, object]]
    session_id: str = ""
    name: str = ""


class BrokenMessage(Exception):
    """A message that cannot be read or sent; the text is a reason that follows its location."""


class UnreadableConversation(Exception):
    """A whole file that cannot be read; the text is a reason that follows the name of the file."""


SPEAKERS = ("role", "speaker", "author", "sender", "from", "actor", "user", "username", "name")
TEXTS = ("content", "text", "message", "value", "body", "utterance")
TIMES = (
    *("timestamp", "time", "ts", "occurred_at", "occurredAt", "created_at", "createdAt"),
    *("create_time", "created", "sent_at", "date", "datetime"),
)
SESSIONS = (
    *("session_id", "sessionId", "session", "conversation_id", "conversationId", "conversation"),
    *("chat_id", "chatId", "thread_id", "threadId", "thread", "chat"),
)
CALL_IDS = ("tool_call_id", "call_id", "tool_use_id", "toolCallId", "tool_call_ids")
PATHS = (
    *("path", "file_path", "filepath", "file_name", "filename", "file", "target_file"),
    *("notebook_path",),
)
# Lists of messages within an object.
MESSAGE_LISTS = ("messages", "chat_messages", "conversation", "conversations", "turns")

ROLES: dict[str, ActorTypeName] = {
    **dict.fromkeys(("user", "human", "customer", "me", "prompter"), "human"),
    **dict.fromkeys(("assistant", "ai", "bot", "agent", "model", "chatbot", "gpt"), "agent"),
    **dict.fromkeys(("tool", "function", "tool_result", "observation", "ipython"), "tool"),
    **dict.fromkeys(("system", "developer"), "system"),
}
CALLS = frozenset({"tool_use", "server_tool_use", "tool_call", "tool-call", "function_call"})
RESULTS = frozenset({"tool_result", "tool-result", "function_call_output"})
THOUGHTS = frozenset({"thinking", "reasoning"})
# Content that is not text is replaced by its name in brackets.
PICTURES = frozenset({"image", "image_url", "input_image"})
SOUNDS = frozenset({"audio", "audio_url", "input_audio"})
FILES = frozenset({"document", "file", "input_file"})
# Blocks without readable content.
UNREADABLE = frozenset({"redacted_thinking"})
# Names and ids are cut to this length.
MAX_ID_LENGTH = 128


def first_value(record: Record, names: Iterable[str]) -> Any:
    """The first value under one of the names; None if there is none."""
    for name in names:
        value = record.get(name)
        if value is not None and value != "":
            return value
    return None


def word(value: object) -> str:
    """A name or id as text; empty where the value is neither text nor a number."""
    if isinstance(value, str):
        return value.strip()
    return str(value) if isinstance(value, int) and not isinstance(value, bool) else ""


def first_word(record: Record, names: Iterable[str]) -> str:
    """The first name or id under one of the names; empty if there is none."""
    for name in names:
        value = record.get(name)
        if isinstance(value, list) and len(value) == 1:
            value = value[0]
        if found := word(value):
            return found
    return ""


def blocks_of(content: object) -> Iterator[Block]:
    """The blocks of a content, neighbouring texts joined; none for an empty one."""
    for kind, blocks in groupby(_single_blocks(content), type):
        if kind is not str:
            yield from blocks
        elif (text := "\n".join(map(str, blocks))).strip():
            yield text


def text_of(content: object) -> str:
    """The text of any content; JSON where it is not text."""
    if isinstance(content, dict) and not _is_block(content):
        return as_json(content)
    if isinstance(content, list) and not all(isinstance(p, str) or _is_block(p) for p in content):
        return as_json(content)
    blocks = (_shown(block) for block in _single_blocks(content))
    return "\n".join(text for text in blocks if text)


def as_json(value: object) -> str:
    """A value as JSON, with characters that are not ASCII unescaped."""
    return json.dumps(value, ensure_ascii=False)


def tool_call(block: Record) -> ToolCall:
    """A tool call, with the field names of several APIs."""
    inner = block.get("function")
    called: Record = inner if isinstance(inner, dict) else block
    name = word(called.get("name")) or word(inner) or word(block.get("tool")) or "tool"
    values = (called[key] for key in ("arguments", "input", "args", "kwargs") if key in called)
    call_id = first_word(block, (*CALL_IDS, "id"))
    return ToolCall(name[:MAX_ID_LENGTH], call_id[:MAX_ID_LENGTH], arguments(next(values, None)))


def arguments(value: object) -> dict[str, Any]:
    """Arguments as an object, also if they are JSON in a string, or missing."""
    if isinstance(value, str):
        if not value.strip():
            return {}
        try:
            value = json.loads(value, parse_constant=str)
        except (ValueError, RecursionError):
            return {"input": value}
    if value is None:
        return {}
    return value if isinstance(value, dict) else {"input": value}


def tool_result(block: Record) -> ToolResult:
    """A tool result; the tool and the path are empty where only the call names them."""
    content = next((block[key] for key in ("content", "output", "result") if key in block), None)
    failed = block.get("is_error") or block.get("error") or block.get("status") == "error"
    return ToolResult(
        tool=(word(block.get("name")) or word(block.get("tool_name")))[:MAX_ID_LENGTH],
        call_id=first_word(block, (*CALL_IDS, "id"))[:MAX_ID_LENGTH],
        text=text_of(content),
        is_error=bool(failed),
    )


def _shown(block: Block) -> str:
    if isinstance(block, str):
        return block
    if isinstance(block, ToolCall):
        return f"{block.tool}({as_json(block.arguments)})"
    return block.text


def _is_block(part: object) -> bool:
    return isinstance(part, dict) and (isinstance(part.get("type"), str) or isinstance(part.get("text"), str))


def _single_blocks(content: object) -> Iterator[Block]:
    if isinstance(content, str):
        yield content
    elif isinstance(content, list):
        for part in content:
            yield from _single_blocks(part)
    elif isinstance(content, dict):
        parts = content.get("parts")
        if isinstance(parts, list):
            yield from _single_blocks(parts)
        else:
            yield from _typed_block(content)


def _typed_block(block: Record) -> Iterator[Block]:
    kind = word(block.get("type"))
    if kind in CALLS:
        yield tool_call(block)
    elif kind in RESULTS or kind.endswith("_tool_result"):
        yield tool_result(block)
    elif kind in THOUGHTS:
        text = word(block.get("thinking")) or text_of(block.get("summary")) or _own_text(block)
        if text.strip():
            yield Thought(text)
    elif kind in PICTURES:
        yield "[image]"
    elif kind in SOUNDS:
        yield _own_text(block) or "[audio]"
    elif kind in FILES:
        yield _file(block)
    elif kind not in UNREADABLE:
        yield _own_text(block) or (f"[{kind}]" if kind else as_json(block))


def _own_text(block: Record) -> str:
    found = (block.get(key) for key in ("text", "refusal", "transcript", "content"))
    return next((text for text in found if isinstance(text, str)), "")


def _file(block: Record) -> str:
    source = block.get("source")
    inner: Record = source if isinstance(source, dict) else {}
    is_text = word(inner.get("type")) in ("text", "content")
    text = text_of(inner.get("data") or inner.get("content")) if is_text else ""
    name = word(block.get("title")) or word(block.get("filename"))
    return "\n".join(part for part in (name, text) if part) or "[document]"
