"""One conversation of a file, and what tells messages from other JSON."""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from camillo_server.conversations.event import Record
from camillo_server.conversations.messages import CALL_ITEMS, RESULT_ITEMS
from camillo_server.conversations.spellings import MESSAGE_LISTS, TEXTS, word

LOOKED_AT = 20
# Names of speakers that hardly anything but a message has.
SPEAKERS = frozenset({"role", "speaker", "author", "sender", "from", "user", "username"})
SAID = frozenset({*TEXTS, "tool_calls", "function_call", "action"})


class Format(StrEnum):
    """What a file is read as."""

    JSONL = "jsonl"
    EVENTS = "events"
    OPENAI = "openai"
    ANTHROPIC = "anthropic"
    SWE_AGENT = "swe-agent"
    TAU_BENCH = "tau-bench"
    CHAT = "chat"


LINED = frozenset({Format.JSONL, Format.EVENTS})


@dataclass(frozen=True, slots=True)
class Conversation:
    """Messages in order, each with its position in the file.

    `session_id` is what the file says, or empty; `name` tells it from others in a file that says nothing.
    """

    messages: Iterable[tuple[str, object]]
    session_id: str = ""
    name: str = ""


def placed(messages: Iterable[object], prefix: str) -> Iterable[tuple[str, object]]:
    """Messages with their positions in a list of that name."""
    return ((f"{prefix}[{index}]", message) for index, message in enumerate(messages))


def is_message(found: object) -> bool:
    """Whether it looks like a message: somebody says something."""
    if not isinstance(found, dict):
        return False
    inner = found.get("message")
    if isinstance(inner, dict):
        return is_message(inner)
    if word(found.get("type")) in CALL_ITEMS | RESULT_ITEMS:
        return True
    return bool(SPEAKERS & found.keys()) and bool(SAID & found.keys())


def has_messages(found: object) -> bool:
    """Whether it is a list of which the beginning holds a message."""
    return isinstance(found, list) and any(is_message(each) for each in found[:LOOKED_AT])


def message_list(record: Record) -> str:
    """The name under which an object has its messages; empty if it has none."""
    return next((name for name in MESSAGE_LISTS if has_messages(record.get(name))), "")
