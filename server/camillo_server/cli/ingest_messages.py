"""Events that were read, in the form in which they are sent."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from camillo_server.conversations.event import ParsedEvent, ToolCall, ToolResult

if TYPE_CHECKING:
    from camillo.v1.event_pb2 import NewEvent

MOST_TAGS = 64
LONGEST_TAG = 128
DEEPEST = 32
# Whole numbers beyond are no longer exact in JSON of the contract; as text they are.
EXACT = 2**53


class NotSendable(Exception):
    """An event that the contract has no room for; says why."""


def message_of(event: ParsedEvent) -> NewEvent:
    """The event as it is sent. Raises NotSendable."""
    from camillo_client import new_event, tool_call, tool_result

    content = event.content
    fields: dict[str, Any] = {
        "session_id": sendable(event.session_id),
        "actor": (event.actor_type, sendable(event.actor_id)),
        "kind": event.kind,
        "tags": _tags(event.tags),
        "occurred_at": event.occurred_at,
    }
    if isinstance(content, str):
        return new_event(sendable(content), **fields)
    if isinstance(content, ToolCall):
        call_id, asked = sendable(content.call_id), _exact_object(content.arguments)
        fields["tool_call"] = tool_call(sendable(content.tool), asked, call_id=call_id)
    elif isinstance(content, ToolResult):
        fields["tool_result"] = tool_result(
            sendable(content.tool),
            sendable(content.text),
            call_id=sendable(content.call_id),
            path=sendable(content.path),
            is_error=content.is_error,
        )
    else:
        fields["json"] = _exact_object(content)
    return new_event(**fields)


def sendable(text: str) -> str:
    """The text; what UTF-8 or the contract has no place for, half characters and NUL, is replaced."""
    if not text.isascii():
        try:
            text.encode()
        except UnicodeEncodeError:
            text = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return text.replace("\0", "\N{REPLACEMENT CHARACTER}")


def _tags(tags: tuple[str, ...]) -> list[str]:
    cut = (sendable(tag)[:LONGEST_TAG] for tag in tags)
    return list(dict.fromkeys(cut))[:MOST_TAGS]


def _exact_object(value: Any) -> dict[str, Any]:
    found: dict[str, Any] = _exact(value, DEEPEST)
    return found


def _exact(value: Any, levels: int) -> Any:
    """JSON that a Struct can hold without changing its values."""
    if isinstance(value, str):
        return sendable(value)
    if isinstance(value, dict | list) and levels == 0:
        raise NotSendable(f"its JSON is more than {DEEPEST} levels deep")
    if isinstance(value, dict):
        return {sendable(key): _exact(each, levels - 1) for key, each in value.items()}
    if isinstance(value, list):
        return [_exact(each, levels - 1) for each in value]
    is_exact = isinstance(value, bool) or not isinstance(value, int) or abs(value) <= EXACT
    is_finite = not isinstance(value, float) or math.isfinite(value)
    return value if is_exact and is_finite else str(value)
