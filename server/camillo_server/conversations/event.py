"""What every format is read into."""

from collections.abc import Mapping
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
class Place:
    """Where in which file something stands: `line 12`, `messages[3]`."""

    file: str
    position: str

    def __str__(self) -> str:
        return f"{self.file}, {self.position}"


@dataclass(frozen=True, slots=True)
class ToolCall:
    """A call of a tool; `call_id` joins it with its result, and is empty where nothing does."""

    tool: str
    call_id: str
    arguments: Record


@dataclass(frozen=True, slots=True)
class ToolResult:
    """What a tool answered; `path` is what it was asked about, if that was a file."""

    tool: str
    call_id: str
    text: str
    path: str = ""
    is_error: bool = False


# Text, an object of JSON, or what a tool was asked or answered.
Content: TypeAlias = str | Record | ToolCall | ToolResult


@dataclass(frozen=True, slots=True)
class ParsedEvent:
    """One thing that happened. `unread_time` is a time that was stated, but in no known spelling."""

    session_id: str
    actor_type: ActorType
    actor_id: str
    kind: Kind
    content: Content
    place: Place
    occurred_at: datetime | None = None
    tags: tuple[str, ...] = ()
    unread_time: str = ""


@dataclass(frozen=True, slots=True)
class Broken:
    """A line or message that could not be read, and why; the others are not touched by it."""

    place: Place
    reason: str


Part: TypeAlias = ParsedEvent | Broken


class UnreadableConversation(Exception):
    """A whole file that cannot be read; says why in a few words that follow the file's name."""
