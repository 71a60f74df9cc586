"""Cursor: lines of `{"role", "message": {"content": [...]}}`, without ids and, so far as is known, without outputs of
tools."""

from collections.abc import Iterator

from camillo_cli.hooks.transcripts.entries import (
    NO_MESSAGE,
    LeftOut,
    Line,
    TranscriptEntry,
    parts,
    said_by_person,
    string,
    text_of,
)

# Cursor puts what the person wrote between these, beside what it adds itself.
BEGIN, END = "<user_query>", "</user_query>"


def read_line(line: Line, line_key: str) -> Iterator[TranscriptEntry | LeftOut]:
    """The entries of one line. The key of each is `line_key`, which identifies the line, and its number in it."""
    role = line.get("role")
    message = line.get("message")
    if role not in ("user", "assistant"):
        yield LeftOut(NO_MESSAGE)
        return
    content = message.get("content") if isinstance(message, dict) else line.get("content")
    for number, part in enumerate(parts(content)):
        name = f"{line_key}:{number}"
        match part.get("type"):
            case "text" if role == "user":
                yield said_by_person(name, [_query(string(part.get("text")))])
            case "text":
                yield TranscriptEntry(name, "assistant", string(part.get("text")))
            case "tool_use":
                yield TranscriptEntry(
                    name,
                    "call",
                    tool=string(part.get("name")),
                    call_id=string(part.get("id")),
                    arguments=part.get("input"),
                )
            case "tool_result":
                yield TranscriptEntry(
                    name,
                    "result",
                    text_of(part.get("content")),
                    call_id=string(part.get("tool_use_id")),
                    is_error=part.get("is_error") is True,
                )


def _query(text: str) -> str:
    begin, end = text.find(BEGIN), text.rfind(END)
    return text[begin + len(BEGIN) : end].strip() if 0 <= begin < end else text
