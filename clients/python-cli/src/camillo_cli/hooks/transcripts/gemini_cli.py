"""Gemini CLI: lines with messages, of which a later one with the same id replaces the earlier; older versions write one
document."""

from collections.abc import Iterator
from typing import Any

from camillo_cli.hooks.transcripts.authorship import persons_words
from camillo_cli.hooks.transcripts.entries import (
    NO_MESSAGE,
    LeftOut,
    Line,
    TranscriptEntry,
    said_by_person,
    string,
    text_of,
)

# Between these the client puts the files that a prompt names with `@`.
FILES_BEGIN, FILES_END = "--- Content from referenced files ---", "--- End of content ---"


def read_line(line: Line, line_key: str) -> Iterator[TranscriptEntry | LeftOut]:
    """The entries of one line. A message that is written again brings those that were there before under the same
    keys."""
    changed = line.get("$set")
    messages = changed.get("messages") if isinstance(changed, dict) else [line]
    for number, message in enumerate(messages if isinstance(messages, list) else []):
        if isinstance(message, dict) and message.get("type") in ("user", "gemini"):
            yield from _message(message, string(message.get("id")) or f"{line_key}:{number}")
        else:
            yield LeftOut(NO_MESSAGE)


def _message(message: Line, key: str) -> Iterator[TranscriptEntry | LeftOut]:
    time = string(message.get("timestamp"))
    if message["type"] == "user":
        if texts := _written(message):
            yield said_by_person(f"{key}:text", texts, time)
    elif text := text_of(message.get("content")):
        yield TranscriptEntry(f"{key}:text", "assistant", text, occurred_at=time)
    calls = message.get("toolCalls")
    for call in calls if isinstance(calls, list) else []:
        if isinstance(call, dict):
            yield from _call(call, key, time)


def _written(message: Line) -> list[str]:
    """The texts of a message of the person: as they were shown to the person where that differs from what the model
    got."""
    content = message.get("displayContent") or message.get("content")
    # Each by itself: context of hooks stands before, behind and in parts of their own.
    texts = [text_of(part) for part in (content if isinstance(content, list) else [content])]
    texts = [text for text in texts if text]
    joined = "\n".join(texts)
    if FILES_BEGIN not in joined:
        return texts
    before, _, files = "\n".join(map(persons_words, texts)).partition(FILES_BEGIN)
    return [before, files.rpartition(FILES_END)[2] if FILES_END in files else ""]


def _call(call: Line, key: str, time: str) -> Iterator[TranscriptEntry]:
    call_id, tool = string(call.get("id")), string(call.get("name"))
    time = string(call.get("timestamp")) or time
    yield TranscriptEntry(
        f"{key}:call:{call_id}",
        "call",
        tool=tool,
        call_id=call_id,
        arguments=call.get("args"),
        occurred_at=time,
    )
    if call.get("result") is not None:
        yield TranscriptEntry(
            f"{key}:result:{call_id}",
            "result",
            _result(call["result"]),
            tool=tool,
            call_id=call_id,
            is_error=call.get("status") == "error",
            occurred_at=time,
        )


def _result(result: Any) -> str:
    """The text of a list of parts: texts, and responses of functions with an `output` or an `error`."""
    texts = []
    for part in result if isinstance(result, list) else [result]:
        response = part.get("functionResponse") if isinstance(part, dict) else None
        body = response.get("response") if isinstance(response, dict) else None
        if isinstance(body, dict):
            texts.append(text_of(body.get("output", body.get("error"))))
        else:
            texts.append(text_of(part))
    return "\n".join(filter(None, texts))
