"""Qwen Code: lines with a message of Gemini's form, and whose words they are in `provenance`."""

from collections.abc import Iterator

from camillo_cli.hooks.transcripts.entries import (
    NO_MESSAGE,
    OF_CLIENT,
    OF_SUBAGENT,
    LeftOut,
    Line,
    TranscriptEntry,
    parts,
    said_by_person,
    string,
    text_of,
)

# A hook adds a part of its own to a prompt.
HOOK_CONTEXT = "<qwen:"


def read_line(line: Line, line_key: str) -> Iterator[TranscriptEntry | LeftOut]:
    """The entries of one line."""
    message = line.get("message")
    if not isinstance(message, dict):
        yield LeftOut(NO_MESSAGE)
        return
    if line.get("isSidechain") is True:
        yield LeftOut(OF_SUBAGENT)
        return
    key, time = string(line.get("uuid")) or line_key, string(line.get("timestamp"))
    for number, part in enumerate(parts(message.get("parts"))):
        yield from _part(line, part, f"{key}:{number}", time)


def _part(line: Line, part: Line, key: str, time: str) -> Iterator[TranscriptEntry | LeftOut]:
    text, is_thought = string(part.get("text")), part.get("thought") is True
    call, response = part.get("functionCall"), part.get("functionResponse")
    if line.get("type") == "user":
        is_person = line.get("provenance", "real_user") == "real_user"
        is_person = is_person and not text.startswith(HOOK_CONTEXT)
        yield said_by_person(key, [text], time) if is_person else LeftOut(OF_CLIENT)
    elif isinstance(response, dict):
        body = response.get("response")
        output = body.get("output", body.get("error")) if isinstance(body, dict) else body
        yield TranscriptEntry(
            key,
            "result",
            text_of(output),
            tool=string(response.get("name")),
            call_id=string(response.get("id")),
            is_error=isinstance(body, dict) and "error" in body,
            occurred_at=time,
        )
    elif isinstance(call, dict):
        yield TranscriptEntry(
            key,
            "call",
            tool=string(call.get("name")),
            call_id=string(call.get("id")),
            arguments=call.get("args"),
            occurred_at=time,
        )
    elif line.get("type") == "assistant" and text and not is_thought:
        yield TranscriptEntry(key, "assistant", text, occurred_at=time)
