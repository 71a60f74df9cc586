"""opencode: messages as its server gives them to plugins, an object with `info` and `parts` each."""

from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

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
)


def read_line(line: Line, line_key: str) -> Iterator[TranscriptEntry | LeftOut]:
    """The entries of one message. Texts that are synthetic the client wrote, or a hook; a summary is of a
    compaction."""
    info = line.get("info")
    if not isinstance(info, dict):
        yield LeftOut(NO_MESSAGE)
        return
    if info.get("summary") is True:
        yield LeftOut(OF_COMPACTION)
        return
    is_person = info.get("role") == "user"
    key, time = string(info.get("id")) or line_key, _time(info.get("time"))
    for number, part in enumerate(parts(line.get("parts"))):
        named = string(part.get("id")) or f"{key}:{number}"
        text = string(part.get("text")) if part.get("type") == "text" else ""
        if text and (part.get("synthetic") or part.get("ignored")):
            yield LeftOut(OF_CLIENT)
        elif text and is_person:
            yield said_by_person(named, [text], time)
        elif text:
            yield TranscriptEntry(named, "assistant", text, occurred_at=time)
        elif part.get("type") == "tool" and isinstance(part.get("state"), dict):
            yield from _call(part, part["state"], named, time)


def _call(part: Line, state: Line, key: str, time: str) -> Iterator[TranscriptEntry]:
    call_id, tool = string(part.get("callID")), string(part.get("tool"))
    yield TranscriptEntry(
        f"{key}:call",
        "call",
        tool=tool,
        call_id=call_id,
        arguments=state.get("input"),
        occurred_at=time,
    )
    is_error = state.get("status") == "error"
    if is_error or state.get("status") == "completed":
        text = string(state.get("error" if is_error else "output"))
        yield TranscriptEntry(
            f"{key}:result",
            "result",
            text,
            tool=tool,
            call_id=call_id,
            is_error=is_error,
            occurred_at=time,
        )


def _time(times: Any) -> str:
    created = times.get("created") if isinstance(times, dict) else None
    if not isinstance(created, int | float) or not 0 < created < 2**42:
        return ""
    moment = datetime.fromtimestamp(created / 1000, UTC)
    return moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")
