"""Transcripts of coding agents, read by the readers of the hooks: a session that a hook has recorded is not recorded
again."""

from __future__ import annotations

import base64
import json
import os
from codecs import BOM_UTF8
from collections.abc import Iterator
from io import BytesIO
from itertools import islice
from typing import TYPE_CHECKING, Any, BinaryIO

from camillo_cli.arguments import encoding
from camillo_cli.hooks.endpoint import Endpoint
from camillo_cli.hooks.events import TranscriptEvents
from camillo_cli.hooks.payload import session_name
from camillo_cli.hooks.recorded import RecordedEvents
from camillo_cli.hooks.transcripts.entries import LeftOut
from camillo_cli.hooks.transcripts.reading import (
    MAX_DOCUMENT_BYTES,
    MAX_LINE_BYTES,
    LineRead,
    line_steps,
    message_steps,
)
from camillo_cli.ingest.documents import TRANSCRIPTS, Format
from camillo_cli.ingest.records import Broken, Location, Part, ReadyEvent, word

if TYPE_CHECKING:
    from camillo_client import Camillo

# So many lines show whose transcript a file is; some begin with many that are no messages.
INSPECTED_LINES = 200
RECALLED = "recalled text and nothing else"
OWN_TOOLS = "calls of memory's own tools, and their results"
CODEX_LINES = frozenset({"session_meta", "response_item", "event_msg", "turn_context", "compacted"})
NOBODY = Endpoint("localhost", 1, is_encrypted=False, key="", agent="default")


def as_utf8(file: BinaryIO) -> BinaryIO:
    """The file, or what is in it as UTF-8 without a mark where it has a byte order mark: lines are looked for as
    bytes."""
    file.seek(0)
    head = file.read(4)
    name = encoding(head)
    file.seek(0)
    if name == "utf-8-sig" and not head.startswith(BOM_UTF8):
        return file
    return BytesIO(file.read().decode(name, "replace").removeprefix("\ufeff").encode())


class Transcript:
    """A transcript in an open file: whose it is, and the id of its session."""

    def __init__(self, file: BinaryIO, form: Format | None = None) -> None:
        self._file = file
        self._messages: list[Any] | None = None
        lines = [self._line(line) for line in islice(self._lines(), INSPECTED_LINES)]
        records = [line for line in lines if line]
        self.form = form if form in TRANSCRIPTS else self._recognized(records)
        self.session_id = next((found for each in records if (found := _session(each))), "")

    def steps(self) -> Iterator[LineRead]:
        """Entries that its lines or messages hold."""
        assert self.form is not None  # noqa: S101 (asked for once it is recognized)
        if self._messages is not None:
            return message_steps(self.form.value, self._messages)
        return line_steps(self.form.value, self._file)

    def _lines(self) -> Iterator[bytes]:
        self._file.seek(0)
        while line := self._file.readline(MAX_LINE_BYTES):
            yield line

    def _line(self, content: bytes) -> dict[str, Any]:
        try:
            found = json.loads(content)
        except (ValueError, RecursionError):
            return {}
        return found if isinstance(found, dict) else {}

    def _recognized(self, records: list[dict[str, Any]]) -> Format | None:
        for form, is_of in RECOGNIZED.items():
            if any(map(is_of, records)):
                return form
        if records or self._file.seek(0, os.SEEK_END) > MAX_DOCUMENT_BYTES:
            return self._document(records[0]) if len(records) == 1 else None
        self._file.seek(0)
        return self._document(self._line(self._file.read()))

    def _document(self, document: dict[str, Any]) -> Format | None:
        """Gemini CLI, whose older versions write one document."""
        messages = document.get("messages")
        is_gemini = "sessionId" in document and ("projectHash" in document or "startTime" in document)
        if not is_gemini or not isinstance(messages, list):
            return None
        self._messages = messages
        return Format.GEMINI_CLI


def _is_claude_code(line: dict[str, Any]) -> bool:
    if line.get("type") == "summary":
        return "leafUuid" in line
    is_message = line.get("type") in ("user", "assistant") and isinstance(line.get("message"), dict)
    return is_message and bool({"uuid", "parentUuid", "isSidechain", "parent_tool_use_id"} & line.keys())


def _is_codex(line: dict[str, Any]) -> bool:
    return line.get("type") in CODEX_LINES and isinstance(line.get("payload"), dict)


def _is_gemini(line: dict[str, Any]) -> bool:
    return "projectHash" in line and "sessionId" in line and "messages" not in line


def _is_cursor(line: dict[str, Any]) -> bool:
    is_message = line.get("role") == "user" and isinstance(line.get("message"), dict)
    return is_message and "<user_query>" in json.dumps(line)


RECOGNIZED = {
    Format.CLAUDE_CODE: _is_claude_code,
    Format.CODEX: _is_codex,
    Format.GEMINI_CLI: _is_gemini,
    Format.CURSOR: _is_cursor,
}


def _session(line: dict[str, Any]) -> str:
    payload = line.get("payload") if line.get("type") == "session_meta" else None
    if isinstance(payload, dict):
        return word(payload.get("id"))
    return word(line.get("sessionId")) or word(line.get("session_id"))


class TranscriptImport(TranscriptEvents):
    """The events of a transcript, through a client; without one, as they would be."""

    def __init__(self, camillo: Camillo | None, form: Format, session_id: str) -> None:
        super().__init__(form.value, session_name(session_id), NOBODY, {})
        self._camillo = camillo
        if camillo is not None:
            events = camillo.events.list(session_id=self.session_id, tags_any=[form.value], page_size=1000)
            self.recorded = RecordedEvents(_as_json(event.stated) for event in events)

    def offload(self, request: dict[str, Any]) -> dict[str, object]:
        output = base64.b64decode(request["output"])
        if self._camillo is None:
            return {"inline": (text := output.decode("utf-8", "ignore")[:400]), "text": text}
        artifact = request["artifact"]
        session = artifact.pop("sessionId")
        offloaded = self._camillo.artifacts.offload(
            output,
            threshold_tokens=request["thresholdTokens"],
            request_id=request["requestId"],
            session_id=session,
            **artifact,
        )
        return _as_json(offloaded.response)


def transcript_parts(transcript: Transcript, events: TranscriptImport, file: str, tag: str) -> Iterator[Part]:
    """The events of a transcript that are not recorded, and what of it is left out."""
    from google.protobuf.json_format import ParseDict

    from camillo.v1.event_pb2 import NewEvent

    unit = "line"
    seen: set[str] = set()
    for number, step in enumerate(transcript.steps(), 1):
        location = Location(file, f"{unit} {number}")
        if step.is_unreadable:
            yield Broken(location, "cannot be read: it is broken, or too long")
        yield from map(LeftOut, step.left_out)
        for entry in step.entries:
            # Some clients write a message several times.
            if entry.key in seen:
                continue
            seen.add(entry.key)
            taken = events.recorded.taken
            event = events.event(entry)
            if event is not None:
                message = ParseDict(event, NewEvent())
                message.tags.append(tag)
                yield ReadyEvent(message, location)
            elif events.recorded.taken == taken:
                yield LeftOut(OWN_TOOLS if entry.kind in ("call", "result") else RECALLED)


def _as_json(message: Any) -> dict[str, Any]:
    from google.protobuf.json_format import MessageToDict

    return MessageToDict(message)
