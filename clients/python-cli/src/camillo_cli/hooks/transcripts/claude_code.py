"""Claude Code: a JSON object on each line, with a `uuid`; a message has the form of Anthropic's API."""

from collections.abc import Iterator

from camillo_cli.hooks.transcripts.entries import (
    API_ERROR,
    NO_MESSAGE,
    OF_CLIENT,
    OF_COMPACTION,
    OF_SUBAGENT,
    THOUGHT,
    LeftOut,
    Line,
    TranscriptEntry,
    parts,
    said_by_person,
    string,
    text_of,
)

# Keys that mark a line as something else than words of the person or the model, and what it is then. Lines of
# `--output-format stream-json` have the names with underscores.
MARKS = {
    "isSidechain": OF_SUBAGENT,
    "parent_tool_use_id": OF_SUBAGENT,
    "isCompactSummary": OF_COMPACTION,
    "is_compact_summary": OF_COMPACTION,
    "isApiErrorMessage": API_ERROR,
    "isMeta": OF_CLIENT,
    "is_meta": OF_CLIENT,
    "isSynthetic": OF_CLIENT,
    "isVirtual": OF_CLIENT,
    "isVisibleInTranscriptOnly": OF_CLIENT,
}
# The model of messages that the client wrote in the role of the model.
SYNTHETIC = "<synthetic>"


def read_line(line: Line, line_key: str) -> Iterator[TranscriptEntry | LeftOut]:
    """The entries of one line."""
    queued = _queued_prompt(line)
    message = line.get("message") if queued is None else queued
    if line.get("type") not in ("user", "assistant", "attachment") or not isinstance(message, dict):
        yield LeftOut(NO_MESSAGE)
    elif what := _not_said(line, message):
        yield LeftOut(what)
    else:
        role = "assistant" if line["type"] == "assistant" else "user"
        key = string(line.get("uuid")) or line_key
        yield from _read_parts(message, role, key, string(line.get("timestamp")))


def _queued_prompt(line: Line) -> Line | None:
    """Words of the person while the model was at work: it stands in an attachment, as a message would."""
    attachment = line.get("attachment")
    if line.get("type") != "attachment" or not isinstance(attachment, dict):
        return None
    is_prompt = attachment.get("commandMode", "prompt") == "prompt" and not attachment.get("isMeta")
    if attachment.get("type") != "queued_command" or not is_prompt:
        return None
    return {"content": attachment.get("prompt"), "origin": attachment.get("origin")}


def _not_said(line: Line, message: Line) -> str:
    """Kind of a line that nobody said; empty for words of the person or the model."""
    for mark, what in MARKS.items():
        if line.get(mark):
            return what
    if message.get("model") == SYNTHETIC:
        return API_ERROR
    origin = line.get("origin", message.get("origin"))
    kind = origin.get("kind") if isinstance(origin, dict) else origin
    # Other origins: ended tasks, other sessions, channels, automation. In older versions the person's lines have none.
    is_persons = kind in (None, "", "human") and line.get("promptSource") != "system"
    return "" if is_persons or line["type"] == "assistant" else OF_CLIENT


def _read_parts(message: Line, role: str, key: str, time: str) -> Iterator[TranscriptEntry | LeftOut]:
    for number, part in enumerate(parts(message.get("content"))):
        name = f"{key}:{number}"
        match part.get("type"):
            case "text" if role == "user":
                yield said_by_person(name, [string(part.get("text"))], time)
            case "text":
                yield TranscriptEntry(name, "assistant", string(part.get("text")), occurred_at=time)
            case "tool_use":
                yield TranscriptEntry(
                    name,
                    "call",
                    tool=string(part.get("name")),
                    call_id=string(part.get("id")),
                    arguments=part.get("input"),
                    occurred_at=time,
                )
            case "tool_result":
                yield TranscriptEntry(
                    name,
                    "result",
                    text_of(part.get("content")),
                    call_id=string(part.get("tool_use_id")),
                    is_error=part.get("is_error") is True,
                    occurred_at=time,
                )
            case "thinking" | "redacted_thinking":
                yield LeftOut(THOUGHT)
