"""Gemini CLI: lines with messages, of which a later one with the same id replaces the earlier; older versions write one document."""

from collections.abc import Iterator
from typing import Any

from camillo_server.hooks.transcripts.entries import Entry, Kind, Line, string, text_of


def read_line(line: Line, place: str) -> Iterator[Entry]:
    """The entries of one line. A message that is written again brings those that were there before under the same keys."""
    changed = line.get("$set")
    messages = changed.get("messages") if isinstance(changed, dict) else [line]
    for number, message in enumerate(messages if isinstance(messages, list) else []):
        if isinstance(message, dict) and message.get("type") in ("user", "gemini"):
            yield from _message(message, string(message.get("id")) or f"{place}:{number}")


def _message(message: Line, key: str) -> Iterator[Entry]:
    time = string(message.get("timestamp"))
    text = text_of(message.get("content"))
    if text:
        kind: Kind = "user" if message["type"] == "user" else "assistant"
        yield Entry(f"{key}:text", kind, text, occurred_at=time)
    calls = message.get("toolCalls")
    for call in calls if isinstance(calls, list) else []:
        if isinstance(call, dict):
            yield from _call(call, key, time)


def _call(call: Line, key: str, time: str) -> Iterator[Entry]:
    call_id, tool = string(call.get("id")), string(call.get("name"))
    time = string(call.get("timestamp")) or time
    yield Entry(
        f"{key}:call:{call_id}",
        "call",
        tool=tool,
        call_id=call_id,
        arguments=call.get("args"),
        occurred_at=time,
    )
    if call.get("result") is not None:
        yield Entry(
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
