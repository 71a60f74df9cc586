"""The values that every format is read into, and the names of the same fields in different logs."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal, TypeAlias

ActorType: TypeAlias = Literal["human", "agent", "tool", "system"]
Kind: TypeAlias = Literal[
    "message",
    "tool_call",
    "tool_result",
    "decision",
    "task_update",
    "workflow_step",
    "artifact",
]
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


# Text, a JSON object, a tool call or its result.
Content: TypeAlias = str | Record | ToolCall | ToolResult


@dataclass(frozen=True, slots=True)
class ParsedEvent:
    """An event of a log. `unread_time` is a time that could not be parsed."""

    session_id: str
    actor_type: ActorType
    actor_id: str
    kind: Kind
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


Part: TypeAlias = ParsedEvent | Broken


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

ROLES: dict[str, ActorType] = {
    **dict.fromkeys(("user", "human", "customer", "me", "prompter"), "human"),
    **dict.fromkeys(("assistant", "ai", "bot", "agent", "model", "chatbot", "gpt"), "agent"),
    **dict.fromkeys(("tool", "function", "tool_result", "observation", "ipython"), "tool"),
    **dict.fromkeys(("system", "developer"), "system"),
}


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
