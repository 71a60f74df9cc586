"""GitHub Copilot CLI: lines of events with `type` and `data`."""

from collections.abc import Iterator

from camillo_cli.hooks.transcripts.entries import (
    NO_MESSAGE,
    OF_SUBAGENT,
    LeftOut,
    Line,
    TranscriptEntry,
    said_by_person,
    string,
    text_of,
)


def read_line(line: Line, line_key: str) -> Iterator[TranscriptEntry | LeftOut]:
    """The entries of one line. `content` is what was typed, `transformedContent` what the client made of it."""
    data = line.get("data")
    if not isinstance(data, dict):
        yield LeftOut(NO_MESSAGE)
        return
    if data.get("parentToolCallId"):
        yield LeftOut(OF_SUBAGENT)  # it has the call that began it
        return
    key, time = string(line.get("id")) or line_key, string(line.get("timestamp"))
    text = string(data.get("content"))
    if line.get("type") == "user.message" and text and data.get("source", "user") == "user":
        yield said_by_person(key, [text], time)
    elif line.get("type") == "assistant.message" and text:
        yield TranscriptEntry(key, "assistant", text, occurred_at=time)
    elif line.get("type") == "tool.execution_start":
        yield TranscriptEntry(
            key,
            "call",
            tool=string(data.get("toolName")),
            call_id=string(data.get("toolCallId")),
            arguments=data.get("arguments"),
            occurred_at=time,
        )
    elif line.get("type") == "tool.execution_complete":
        yield _result(data, key, time)
    else:
        yield LeftOut(NO_MESSAGE)


def _result(data: Line, key: str, time: str) -> TranscriptEntry:
    is_error = data.get("success") is False
    body = data.get("error" if is_error else "result")
    text = text_of(body.get("message" if is_error else "content")) if isinstance(body, dict) else ""
    return TranscriptEntry(
        key,
        "result",
        text,
        call_id=string(data.get("toolCallId")),
        is_error=is_error,
        occurred_at=time,
    )
