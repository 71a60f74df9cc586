"""Items of a conversation as events, and back."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any, TypeAlias, cast

from google.protobuf.struct_pb2 import Struct

from camillo.v1.event_pb2 import Event, NewEvent
from camillo_client import Camillo, new_event, to_dict, tool_result

Item: TypeAlias = dict[str, Any]

# Marks the events of sessions among others of the same conversation.
TAG = "openai-agents"
# Bytes of an item as JSON that an event takes, and that stay in the event itself.
MAX_BYTES = 8 * 1024 * 1024
MAX_JSON_BYTES = 512 * 1024
MAX_LEVELS = 30
# Fields that stay of an item that the server refuses because it repeats a forgotten value.
KEPT = {"type", "role", "id", "call_id", "name", "status"}


class ItemTooLarge(ValueError):
    """An item has more than 8 MiB as JSON. Nothing was stored."""


def _output(item_id: str, text: str, more: Item) -> Item:
    content = [{"annotations": [], "text": text, "type": "output_text"} | more]
    return {"id": item_id, "content": content, "role": "assistant", "status": "completed", "type": "message"}


# Items that say nothing but a text, an id and a role are stored as that text: so recalls and bundles show what was
# said, and not its JSON.
SPOKEN: dict[str, Callable[[str, str, str], Item]] = {
    "input": lambda role, _, text: {"role": role, "content": text},
    "message": lambda role, _, text: {"type": "message", "role": role, "content": text},
    "output": lambda _, item_id, text: _output(item_id, text, {}),
    "output-logprobs": lambda _, item_id, text: _output(item_id, text, {"logprobs": []}),
}

# Forms that the package for TypeScript writes, as this SDK has them.
SPOKEN_IN_TYPESCRIPT: dict[str, Callable[[str, str, str], Item]] = {
    "input-text": lambda role, _, text: {
        "type": "message",
        "role": role,
        "content": [{"type": "input_text", "text": text}],
    },
    "output-text": lambda _, item_id, text: _output(item_id, text, {}),
    "output-annotations": lambda _, item_id, text: _output(item_id, text, {}),
    "output-annotations-logprobs": lambda _, item_id, text: _output(item_id, text, {"logprobs": []}),
}


def event_of(item: Item, session_id: str, batch: str, speaker: str) -> NewEvent:
    """The event that an item is stored as: a text, its JSON, or, where that would change or is long, the text of its
    JSON as the result of a tool. TypeError or ValueError for what has no JSON; ItemTooLarge."""
    text = json.dumps(item, sort_keys=True, allow_nan=False)
    if len(text) > MAX_BYTES:
        raise ItemTooLarge(f"an item has {len(text)} bytes as JSON, at most {MAX_BYTES} are stored")
    role, item_id = str(item.get("role", "")), str(item.get("id", ""))
    said = {"user": ("human", speaker), "system": ("system", "system"), "developer": ("system", "developer")}
    fields: dict[str, Any] = {"session_id": session_id, "tags": [TAG, f"add:{batch}"]}
    if role in said:
        fields["actor"] = said[role]
    spoken = _text_of(item)
    for form, shape in SPOKEN.items() if spoken and len(item_id) < 120 else ():
        if shape(role, item_id, spoken) == item:
            fields["tags"] += [f"as:{form}", f"role:{role}", *([f"id:{item_id}"] if item_id else [])]
            return new_event(spoken, **fields)
    struct = _struct(item, text)
    if struct is not None:
        return new_event(json={"item": item}, **fields)
    fields.pop("actor", None)
    return new_event(tool_result=tool_result(TAG, text), **fields)


def item_of(event: Event, camillo: Camillo) -> Item:
    """The item that an event was made of; a long one is read from its artifact."""
    stated = event.stated
    match stated.WhichOneof("content"):
        case "text":
            known = dict(tag.split(":", 1) for tag in stated.tags if ":" in tag)
            shape = SPOKEN.get(known["as"]) or SPOKEN_IN_TYPESCRIPT[known["as"]]
            return shape(known["role"], known.get("id", ""), stated.text)
        case "json":
            item: Any = to_dict(stated.json)["item"]
            return cast(Item, item)
    result = stated.tool_result
    text = camillo.artifacts.read_text(result.artifact_id) if result.artifact_id else result.excerpt_text
    read: Item = json.loads(text)
    return read


def without_texts(item: Any, name: str = "") -> Any:
    """An item whose texts are gone, while calls and their outputs still belong together."""
    if isinstance(item, dict):
        return {key: each if key in KEPT else without_texts(each, key) for key, each in item.items()}
    if isinstance(item, list):
        return [without_texts(each, name) for each in item]
    return ("{}" if name == "arguments" else "[forgotten]") if isinstance(item, str) else item


def _text_of(item: Item) -> str:
    """The text of an item that may say nothing else; empty if it has none, or one that no event takes."""
    content = item.get("content")
    if isinstance(content, list) and len(content) == 1 and isinstance(content[0], dict):
        content = content[0].get("text")
    if not isinstance(content, str) or "\x00" in content:
        return ""
    try:
        return content if len(content.encode()) <= MAX_JSON_BYTES else ""
    except UnicodeEncodeError:
        return ""


def _struct(item: Item, text: str) -> Struct | None:
    """Whether an item comes back from a message as it was: with its numbers, and without what a message cannot have."""
    if len(text) > MAX_JSON_BYTES or "\\u0000" in text or _levels(item) > MAX_LEVELS:
        return None
    struct = Struct()
    try:
        struct.update({"item": item})
        same = json.dumps(to_dict(struct)["item"], sort_keys=True) == text
    except (ValueError, TypeError, UnicodeError):
        return None
    return struct if same else None


def _levels(value: Any) -> int:
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return 1 + max(map(_levels, inner), default=0)
