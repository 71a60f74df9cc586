"""Messages of chat frameworks in the form of chat APIs: Vercel's UI messages, and those of LangChain and LangGraph."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from camillo_cli.ingest.records import CALLS, PICTURES, Record, word

# Types and classes of LangChain's messages.
_ROLES = {
    **dict.fromkeys(("human", "HumanMessage", "HumanMessageChunk"), "user"),
    **dict.fromkeys(("ai", "AIMessage", "AIMessageChunk"), "assistant"),
    **dict.fromkeys(("system", "SystemMessage", "remove", "RemoveMessage"), "system"),
    **dict.fromkeys(("tool", "ToolMessage", "function", "FunctionMessage"), "tool"),
}
# Parts of UI messages that only show where something began or came from.
_SILENT = ("step-start", "source-", "data-")
# Keys under which a state of LangGraph holds its messages.
_STATES = ("values", "channel_values")


def as_message(record: Record) -> Record:
    """The message with a role and a content; any other record as it is."""
    parts = record.get("parts")
    if isinstance(parts, list) and record.get("role"):
        beside = ("parts", "content", "toolInvocations")
        fields = {name: value for name, value in record.items() if name not in beside}
        return {**fields, "content": [block for part in parts for block in _blocks(part)]}
    return _of_langchain(record)


def state_of(document: Any) -> Any:
    """The contents of a state of LangGraph; any other document as it is."""
    if isinstance(document, dict):
        for name in _STATES:
            if isinstance(document.get(name), dict):
                return document[name]
    return document


def _of_langchain(record: Record) -> Record:
    names = record.get("id")
    name = word(names[-1]) if isinstance(names, list) and names else word(record.get("type"))
    inner = next((each for key in ("data", "kwargs") if (each := record.get(key))), record)
    is_message = name in _ROLES and isinstance(inner, dict) and "content" in inner
    if not is_message or record.get("role"):
        return record
    fields = {key: value for key, value in inner.items() if key != "type"}
    content = fields["content"]
    if isinstance(content, list) and any(
        isinstance(each, dict) and word(each.get("type")) in CALLS for each in content
    ):
        # The same calls stand beside the content.
        fields.pop("tool_calls", None)
    return {**fields, "role": _ROLES[name]}


def _blocks(part: object) -> Iterator[object]:
    """Blocks of a part of a UI message."""
    if not isinstance(part, dict):
        yield part
        return
    kind = word(part.get("type"))
    if kind == "file":
        is_picture = word(part.get("mediaType") or part.get("mimeType")).startswith("image/")
        yield ({"type": "image"} if is_picture else {"type": "file", "filename": part.get("filename")})
    elif kind == "reasoning":
        yield {"type": "thinking", "thinking": part.get("text") or part.get("reasoning") or ""}
    elif kind == "tool-invocation" or kind == "dynamic-tool" or kind.startswith("tool-"):
        inner = part.get("toolInvocation")
        yield from _call(kind, inner if isinstance(inner, dict) else part)
    elif not kind.startswith(_SILENT):
        yield {"type": "image"} if kind in PICTURES else part


def _call(kind: str, part: Record) -> Iterator[Record]:
    """The call of a tool, and what it returned."""
    name = word(part.get("toolName")) or kind.removeprefix("tool-")
    called = {"name": name, "toolCallId": part.get("toolCallId")}
    yield {"type": "tool_call", **called, "arguments": part.get("input", part.get("args"))}
    failed = part.get("errorText")
    result = next((part[key] for key in ("output", "result") if key in part), failed)
    if result is not None:
        yield {"type": "tool_result", **called, "content": result, "is_error": bool(failed)}
