"""Codex: lines of `{"timestamp", "type", "payload"}`; what was said and done are those of type `response_item`."""

from collections.abc import Iterator
from typing import Any

from camillo_server.hooks.transcripts.entries import (
    Entry,
    Line,
    decoded,
    parts,
    string,
    text_of,
)

# What Codex itself puts into the role of the user.
OWN = ("<environment_context>", "<user_instructions>", "# AGENTS.md instructions for ")
CALLS = ("function_call", "custom_tool_call", "local_shell_call")
RESULTS = ("function_call_output", "custom_tool_call_output")


def read_line(line: Line, place: str) -> Iterator[Entry]:
    """The entry of one line. They have no ids: the place of the line names them, as lines are only added."""
    payload = line.get("payload")
    if line.get("type") != "response_item" or not isinstance(payload, dict):
        return
    time = string(line.get("timestamp"))
    kind = payload.get("type")
    call_id = string(payload.get("call_id"))
    if kind == "message":
        yield from _message(payload, place, time)
    elif kind in CALLS:
        tool = string(payload.get("name")) or "shell"
        arguments = payload.get("arguments", payload.get("input", payload.get("action")))
        yield Entry(
            place,
            "call",
            tool=tool,
            call_id=call_id,
            arguments=decoded(arguments),
            occurred_at=time,
        )
    elif kind in RESULTS:
        text, is_failed = _output(payload.get("output"))
        yield Entry(place, "result", text, call_id=call_id, is_error=is_failed, occurred_at=time)


def _message(payload: Line, place: str, time: str) -> Iterator[Entry]:
    role = payload.get("role")
    if role not in ("user", "assistant"):  # `developer`: instructions, and the context of hooks
        return
    texts = [string(part.get("text")) for part in parts(payload.get("content"))]
    if role == "user":
        texts = [text for text in texts if not text.lstrip().startswith(OWN)]
    yield Entry(
        place, "user" if role == "user" else "assistant", "\n".join(texts), occurred_at=time
    )


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
