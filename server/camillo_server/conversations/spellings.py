"""The names that logs give to the same things."""

from collections.abc import Iterable
from typing import Any

from camillo_server.conversations.event import ActorType, Record

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


def stated(record: Record, names: Iterable[str]) -> Any:
    """The first value that is there under one of the names; None if there is none."""
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


def stated_word(record: Record, names: Iterable[str]) -> str:
    """The first name or id that is there under one of the names."""
    for name in names:
        value = record.get(name)
        if isinstance(value, list) and len(value) == 1:
            value = value[0]
        if found := word(value):
            return found
    return ""
