"""A transcript from where the last hook stopped, a line at a time: however long it is, little of it is in memory."""

import json
import os
import stat
from collections.abc import Iterator
from dataclasses import dataclass
from hashlib import sha256
from typing import Any, BinaryIO

from camillo_cli.hooks.endpoint import HookError
from camillo_cli.hooks.transcripts import (
    claude_code,
    codex,
    copilot_cli,
    cursor,
    gemini_cli,
    opencode,
    pi,
    qwen_code,
)
from camillo_cli.hooks.transcripts.entries import (
    OF_SUBAGENT,
    LeftOut,
    Line,
    ReadLine,
    TranscriptEntry,
)

READERS: dict[str, ReadLine] = {
    "claude-code": claude_code.read_line,
    "codex": codex.read_line,
    "cursor": cursor.read_line,
    "gemini-cli": gemini_cli.read_line,
    "opencode": opencode.read_line,
    "pi": pi.read_line,
    "copilot-cli": copilot_cli.read_line,
    "qwen-code": qwen_code.read_line,
}
MAX_LINE_BYTES = 32 * 1024 * 1024
MAX_DOCUMENT_BYTES = 128 * 1024 * 1024
SKIP_BYTES = 1024 * 1024
# So many bytes at the beginning and at the end of what was read tell whether it is still the same.
COMPARED_BYTES = 64 * 1024


@dataclass(frozen=True, slots=True)
class LineRead:
    """The entries of one line, and where the next one begins."""

    end: int
    entries: list[TranscriptEntry]
    # It could not be read: broken, or too long.
    is_unreadable: bool = False
    # Reasons why parts of it are not recorded.
    left_out: tuple[str, ...] = ()


def transcript_steps(client: str, path: str, start: int) -> Iterator[LineRead]:
    """The lines that are complete, from where an earlier step ended. Raises HookError and OSError."""
    if is_document(path):
        yield from message_steps(client, _messages(path), start)
        return
    with _opened(path) as file:
        yield from line_steps(client, file, start)


def line_steps(client: str, file: BinaryIO, start: int = 0) -> Iterator[LineRead]:
    """The steps of an open file with lines."""
    file.seek(0)
    header = _parsed(file.readline(MAX_LINE_BYTES))
    file.seek(start)
    if header is not None and is_of_subagent(header):
        yield from _line_steps(_nobodys_words, file, start)
    else:
        yield from _line_steps(READERS[client], file, start)


def is_of_subagent(header: Line) -> bool:
    """Whether the first line of a transcript says that a sub-agent wrote all of it: another agent asks there, and no
    person."""
    payload = header.get("payload")
    source = payload.get("source") if isinstance(payload, dict) else None
    is_codex = header.get("type") == "session_meta" and isinstance(source, dict) and "subagent" in source
    return is_codex or ("projectHash" in header and header.get("kind") == "subagent")


def _nobodys_words(line: Line, line_key: str) -> Iterator[TranscriptEntry | LeftOut]:
    yield LeftOut(OF_SUBAGENT)


def digest_before(path: str, end: int) -> str:
    """Digest that identifies the part of a transcript before `end`: another file, or one that was emptied and written
    again, has another.

    Raises HookError and OSError.
    """
    digest = sha256()
    if is_document(path):
        # Without the last message, which may get results.
        for message in _messages(path)[: max(end - 1, 0)]:
            fields = (message.get("id"), message.get("timestamp")) if isinstance(message, dict) else ()
            digest.update(json.dumps(fields, default=str).encode())
        return digest.hexdigest()[:32]
    with _opened(path) as file:
        digest.update(file.read(min(end, COMPARED_BYTES)))
        file.seek(max(end - COMPARED_BYTES, 0))
        digest.update(file.read(min(end, COMPARED_BYTES)))
        return digest.hexdigest()[:32]


def is_document(path: str) -> bool:
    """Whether a transcript is one JSON document, as those of older versions of Gemini CLI: its steps end at
    numbers of messages."""
    return path.endswith(".json")


def _opened(path: str) -> BinaryIO:
    # Not waiting for a writer, where it is a pipe.
    handle = os.open(path, os.O_RDONLY | os.O_NONBLOCK)
    if not stat.S_ISREG(os.fstat(handle).st_mode):
        os.close(handle)
        raise HookError(f"the transcript {path[:200]!r} is no file")
    return os.fdopen(handle, "rb")


def _line_steps(read_line: ReadLine, file: BinaryIO, start: int) -> Iterator[LineRead]:
    begin = start
    while content := file.readline(MAX_LINE_BYTES):
        end = begin + len(content)
        if len(content) == MAX_LINE_BYTES and not content.endswith(b"\n"):
            after = _after_line(file)
            if after is None:
                return
            yield LineRead(after, [], is_unreadable=True)
            begin = after
            continue
        if not content.endswith(b"\n") and _parsed(content) is None:
            return  # the client is writing it
        yield _step(read_line, content, begin, end)
        begin = end


def _after_line(file: BinaryIO) -> int | None:
    """Reads on to the end of a line; None where the file ends first."""
    while content := file.readline(SKIP_BYTES):
        if content.endswith(b"\n"):
            return file.tell()
    return None


def _step(read_line: ReadLine, content: bytes, begin: int, end: int) -> LineRead:
    if not content.strip():
        return LineRead(end, [])
    line = _parsed(content)
    if line is None:
        return LineRead(end, [], is_unreadable=True)
    # The same for the same line where it was: files of some clients are written anew, with other lines there.
    return _read(read_line, line, end, f"at-{begin}-{sha256(content).hexdigest()[:16]}")


def _read(read_line: ReadLine, line: Line, end: int, line_key: str) -> LineRead:
    found = list(read_line(line, line_key))
    entries = [each for each in found if isinstance(each, TranscriptEntry)]
    left_out = tuple(each.what for each in found if isinstance(each, LeftOut))
    return LineRead(end, entries, left_out=left_out)


def _parsed(content: bytes) -> Line | None:
    try:
        line = json.loads(content.decode("utf-8", "replace"), parse_constant=str)
    except (ValueError, RecursionError):
        return None
    return line if isinstance(line, dict) else None


def message_steps(client: str, messages: list[Any], start: int = 0) -> Iterator[LineRead]:
    """The steps of the messages of a document."""
    # The last one that was read may have got results since.
    for number in range(max(start - 1, 0), len(messages)):
        message = messages[number]
        if isinstance(message, dict):
            yield _read(READERS[client], message, number + 1, f"at-{number}")
        else:
            yield LineRead(number + 1, [])


def _messages(path: str) -> list[Any]:
    with _opened(path) as file:
        content = file.read(MAX_DOCUMENT_BYTES + 1)
    if len(content) > MAX_DOCUMENT_BYTES:
        raise HookError(f"the transcript {path[:200]!r} is too long for one JSON document")
    document = _parsed(content)
    messages = document.get("messages") if document else None
    if not isinstance(messages, list):
        raise HookError(f"the transcript {path[:200]!r} is no JSON with messages")
    return messages
