"""Codex: lines of `{"timestamp", "type", "payload"}`; what was said and done are those of type `response_item`."""

import re
from collections.abc import Iterator
from typing import Any

from camillo_cli.hooks.transcripts.entries import (
    NO_MESSAGE,
    OF_CLIENT,
    THOUGHT,
    LeftOut,
    Line,
    TranscriptEntry,
    decoded,
    parts,
    said_by_person,
    string,
    text_of,
)

CALLS = ("function_call", "custom_tool_call", "local_shell_call")
RESULTS = ("function_call_output", "custom_tool_call_output")
# Newer versions say of each part of a message what it is: `user.text`, `environments.environment_context` and so on.
PARTS = "internal_chat_message_metadata_passthrough"
OF_PERSON = ("user.", "images.", "audio.", "unknown")
# Stands by itself around a picture.
PICTURE = re.compile(r"\s*</?image\b[^<>]{0,500}>\s*")


def read_line(line: Line, line_key: str) -> Iterator[TranscriptEntry | LeftOut]:
    """The entry of one line. Not all have ids: what a line holds and where it is names it."""
    payload = line.get("payload")
    if line.get("type") != "response_item" or not isinstance(payload, dict):
        yield LeftOut(NO_MESSAGE)
        return
    time = string(line.get("timestamp"))
    kind = payload.get("type")
    call_id = string(payload.get("call_id"))
    if kind == "message":
        yield _message(payload, line_key, time)
    elif kind in CALLS:
        arguments = payload.get("arguments", payload.get("input", payload.get("action")))
        yield TranscriptEntry(
            line_key,
            "call",
            tool=_tool(payload),
            call_id=call_id,
            arguments=decoded(arguments),
            occurred_at=time,
        )
    elif kind in RESULTS:
        text, is_failed = _output(payload.get("output"))
        yield TranscriptEntry(line_key, "result", text, call_id=call_id, is_error=is_failed, occurred_at=time)
    else:
        yield LeftOut(THOUGHT if kind == "reasoning" else NO_MESSAGE)


def _message(payload: Line, line_key: str, time: str) -> TranscriptEntry | LeftOut:
    role = payload.get("role")
    content = parts(payload.get("content"))
    texts = [string(part.get("text")) for part in content]
    if role == "assistant":
        return TranscriptEntry(line_key, "assistant", "\n".join(texts), occurred_at=time)
    if role != "user":  # `developer`: instructions, and the context of hooks
        return LeftOut(OF_CLIENT)
    stated = payload.get(PARTS)
    kinds = stated.get("content_item_kinds") if isinstance(stated, dict) else None
    if isinstance(kinds, list) and len(kinds) == len(texts):
        named = zip(kinds, texts, strict=True)
        texts = [text for kind, text in named if not kind or string(kind).startswith(OF_PERSON)]
    return said_by_person(line_key, [text for text in texts if not PICTURE.fullmatch(text)], time)


def _tool(payload: Line) -> str:
    """The name of a tool, behind that of its MCP server if it is of one."""
    name = string(payload.get("name")) or "shell"
    namespace = string(payload.get("namespace"))
    return f"{namespace.rstrip('_')}__{name}" if namespace else name


def _output(output: Any) -> tuple[str, bool]:
    """The text of an output, and whether the call failed: a text, perhaps of JSON, an object, or a list of parts."""
    found = decoded(output) if isinstance(output, str) and output.startswith("{") else output
    if not isinstance(found, dict):
        return text_of(output), False
    content = found.get("output", found.get("content"))
    metadata = found.get("metadata")
    code = metadata.get("exit_code") if isinstance(metadata, dict) else None
    is_failed = found.get("success") is False or code not in (None, 0)
    return (string(output) if content is None else text_of(content)), is_failed
