"""pi: lines of a tree of messages. Texts of extensions, summaries and the person's shell commands are other kinds."""

from collections.abc import Iterator

from camillo_cli.hooks.transcripts.entries import (
    NO_MESSAGE,
    OF_CLIENT,
    OF_COMPACTION,
    LeftOut,
    Line,
    TranscriptEntry,
    parts,
    said_by_person,
    string,
    text_of,
)

KINDS = {
    "compaction": OF_COMPACTION,
    "branch_summary": OF_COMPACTION,
    "custom_message": OF_CLIENT,
}


def read_line(line: Line, line_key: str) -> Iterator[TranscriptEntry | LeftOut]:
    """The entries of one line."""
    message = line.get("message")
    if line.get("type") != "message" or not isinstance(message, dict):
        yield LeftOut(KINDS.get(string(line.get("type")), NO_MESSAGE))
        return
    key, time = string(line.get("id")) or line_key, string(line.get("timestamp"))
    content = message.get("content")
    if message.get("role") == "user":
        yield said_by_person(key, [text_of(part) for part in parts(content)], time)
    elif message.get("role") == "assistant":
        yield from _assistant(content, key, time)
    elif message.get("role") == "toolResult":
        yield TranscriptEntry(
            key,
            "result",
            text_of(content),
            tool=string(message.get("toolName")),
            call_id=string(message.get("toolCallId")),
            is_error=message.get("isError") is True,
            occurred_at=time,
        )
    else:
        yield LeftOut(OF_CLIENT)


def _assistant(content: object, key: str, time: str) -> Iterator[TranscriptEntry]:
    for number, part in enumerate(parts(content)):
        named = f"{key}:{number}"
        if part.get("type") == "text" and string(part.get("text")):
            yield TranscriptEntry(named, "assistant", part["text"], occurred_at=time)
        elif part.get("type") == "toolCall":
            yield TranscriptEntry(
                named,
                "call",
                tool=string(part.get("name")),
                call_id=string(part.get("id")),
                arguments=part.get("arguments"),
                occurred_at=time,
            )
