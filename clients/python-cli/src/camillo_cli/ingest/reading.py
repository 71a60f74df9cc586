"""A file as a stream of events, whatever its format.

JSON lines are read one at a time, and so are the conversations in a list of ChatGPT's or claude.ai's; any other JSON
document is read whole, and may therefore not be larger than MAX_DOCUMENT_BYTES."""

import hashlib
import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from itertools import islice
from typing import Any, BinaryIO

from camillo_cli.arguments import encoding, numbered_lines
from camillo_cli.hooks.transcripts.entries import LeftOut
from camillo_cli.imports.json_stream import read_parts
from camillo_cli.ingest.documents import (
    LINE_FORMATS,
    MAX_INSPECTED,
    Format,
    conversation,
    is_message,
    message_list,
    read_document,
)
from camillo_cli.ingest.exports import chatgpt_conversations, claude_ai_conversations
from camillo_cli.ingest.messages import (
    MessageContext,
    MessageReader,
    event_record,
    read_event,
)
from camillo_cli.ingest.records import (
    SESSIONS,
    Broken,
    BrokenMessage,
    Conversation,
    Location,
    ParsedEvent,
    Part,
    Record,
    UnreadableConversation,
    first_word,
)

MAX_LINE_BYTES = 16 * 1024 * 1024
MAX_DOCUMENT_BYTES = 64 * 1024 * 1024
# Byte order marks, and white space.
BEFORE_JSON = b"\xef\xbb\xbf\xff\xfe\0 \t\r\n"
# The name under which an export of chats has the messages of a conversation.
EXPORTS = {Format.CHATGPT: "mapping", Format.CLAUDE_AI: "chat_messages"}
MAX_SESSION_LENGTH = 128
# Equal times are moved apart by less than their own precision.
STEP, FINE_STEP = timedelta(milliseconds=1), timedelta(microseconds=1)


@dataclass(frozen=True, slots=True)
class Origin:
    """The name of a file in reports, the session of messages that name none, and one for all messages if it is
    given."""

    file: str
    session_name: str
    session_id: str = ""
    tags: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Reading:
    """The format of a file and its parts; the file has to stay open while the parts are read."""

    format: Format
    parts: Iterator[Part]


def read_conversations(file: BinaryIO, origin: Origin, form: Format | None = None) -> Reading | None:
    """The events of a seekable file; None for a file that is no conversation.

    Raises UnreadableConversation for one that cannot be read at all, and for any file that is not of the format
    that was asked for.
    """
    if form is None:
        form = _line_format(file)
    if form in LINE_FORMATS:
        file.seek(0)
        return Reading(form, in_order(_line_parts(file, origin, form)))
    if export := _export_format(file, form):
        return Reading(export, in_order(_export_parts(file, origin, export)))
    found = read_document(_document(file, is_required=form is not None), form)
    if found is not None:
        found_form, conversations = found
        return Reading(found_form, in_order(_parts(conversations, origin, MessageReader())))
    if form:
        raise UnreadableConversation(f"holds no messages in the format {form.value}")
    return None


def _export_format(file: BinaryIO, form: Format | None) -> Format | None:
    """The format of a list of conversations as ChatGPT and claude.ai export them; None for any other file."""
    if form not in (None, *EXPORTS):
        return None
    file.seek(0)
    if file.read(len(BEFORE_JSON)).lstrip(BEFORE_JSON)[:1] != b"[":
        return None
    try:
        first = list(islice(read_parts(file, MAX_DOCUMENT_BYTES), MAX_INSPECTED))
    except UnicodeDecodeError:
        return None
    records = [part.value for part in first if isinstance(part.value, dict)]
    for found in EXPORTS if form is None else (form,):
        if any(isinstance(each.get(EXPORTS[found]), dict | list) for each in records):
            return found
    return None


def _export_parts(file: BinaryIO, origin: Origin, form: Format) -> Iterator[Part]:
    reader = MessageReader()
    read = chatgpt_conversations if form is Format.CHATGPT else claude_ai_conversations
    for number, part in enumerate(read_parts(file, MAX_DOCUMENT_BYTES)):
        found = [] if part.problem else list(read([part.value], number))
        if not found:
            yield Broken(Location(origin.file, part.where), part.problem or "is no conversation")
        yield from _parts(found, origin, reader)


def in_order(parts: Iterator[Part]) -> Iterator[Part]:
    """Moves equal successive times of a session a little apart: some logs know only minutes or days."""
    latest: dict[str, tuple[datetime, int]] = {}
    for part in parts:
        if isinstance(part, ParsedEvent) and part.occurred_at is not None:
            time, count = latest.get(part.session_id, (None, 0))
            count = count + 1 if time == part.occurred_at else 0
            latest[part.session_id] = (part.occurred_at, count)
            step = FINE_STEP if part.occurred_at.microsecond else STEP
            yield replace(part, occurred_at=_add(part.occurred_at, count * step))
        else:
            yield part


def _add(time: datetime, span: timedelta) -> datetime:
    return time + span if datetime.max.replace(tzinfo=UTC) - time >= span else time


def session_id(name: str) -> str:
    """A name as the id of a session; one that is too long is cut, and ends in its digest."""
    if len(name) <= MAX_SESSION_LENGTH:
        return name
    digest = hashlib.sha256(name.encode("utf-8", "surrogatepass")).hexdigest()[:16]
    return f"{name[: MAX_SESSION_LENGTH - 17]}-{digest}"


def _line_format(file: BinaryIO) -> Format | None:
    """The format of JSON lines, from the first readable ones; None for any other file."""
    # Whoever looked into it before has left it somewhere behind.
    file.seek(0)
    lines = list(islice(numbered_lines(file, MAX_LINE_BYTES), MAX_INSPECTED))
    file.seek(0)
    records = [record for record in (_as_record(line) for _, line in lines) if record]
    # A document over several lines may contain one that is JSON by itself.
    if not records or 2 * len(records) < len(lines):
        return None
    if any(event_record(record) is not None for record in records):
        return Format.EVENTS
    if any(is_message(record) for record in records):
        return Format.JSONL
    # A single object with messages is a document, whether it has line ends or not.
    return Format.JSONL if len(lines) > 1 and any(map(message_list, records)) else None


def _as_record(line: bytes | None) -> Record | None:
    try:
        found = _parsed(line or b"")
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) else None


def _parsed(content: bytes) -> Any:
    """Raises ValueError, RecursionError."""
    # NaN and Infinity, which are not JSON, are kept as words.
    return json.loads(content.decode(encoding(content)), parse_constant=str)


def _document(file: BinaryIO, *, is_required: bool) -> Any:
    """The JSON document in a file; None if it does not look like JSON and the user has named no format.

    Raises UnreadableConversation.
    """
    file.seek(0)
    content = file.read(MAX_DOCUMENT_BYTES + 1)
    if not is_required and content.lstrip(BEFORE_JSON)[:1] not in (b"{", b"["):
        return None
    if len(content) > MAX_DOCUMENT_BYTES:
        raise UnreadableConversation(
            f"is larger than {MAX_DOCUMENT_BYTES >> 20} MiB, the limit for a file that is not JSON lines: split it, "
            f"or convert it"
        )
    try:
        return _parsed(content)
    except (ValueError, RecursionError) as error:
        # A whole JSON value that something follows: the file holds lines of another kind, or text.
        if not is_required and isinstance(error, json.JSONDecodeError) and error.msg == "Extra data":
            return None
        raise UnreadableConversation(_why(error)) from error


def _why(error: Exception, *, is_line: bool = False) -> str:
    if isinstance(error, UnicodeDecodeError):
        return "is not UTF-8"
    if isinstance(error, json.JSONDecodeError):
        where = "" if is_line else f"line {error.lineno}: "
        return f"is not JSON ({where}{error.msg})"
    if isinstance(error, RecursionError):
        return "is nested too deeply"
    return "is not JSON that can be read"


def _parts(conversations: Iterable[Conversation], origin: Origin, reader: MessageReader) -> Iterator[Part]:
    for each in conversations:
        name = f"{origin.session_name}/{each.name}" if each.name else origin.session_name
        session = session_id(origin.session_id or each.session_id or name)
        for position, message in each.messages:
            context = MessageContext(session, Location(origin.file, position), origin.tags)
            yield from _message_parts(message, context, reader)


def _message_parts(message: object, context: MessageContext, reader: MessageReader) -> Iterator[Part]:
    if isinstance(message, LeftOut):
        yield message
        return
    if not isinstance(message, dict):
        yield Broken(context.location, "is not a JSON object")
        return
    try:
        event = event_record(message)
        if event is None:
            yield from reader.events(message, context)
        elif read := read_event(event, context):
            yield read
    except BrokenMessage as error:
        yield Broken(context.location, str(error))
    except RecursionError:
        yield Broken(context.location, "is nested too deeply")


def _line_parts(file: BinaryIO, origin: Origin, form: Format) -> Iterator[Part]:
    reader = MessageReader()
    for number, line in numbered_lines(file, MAX_LINE_BYTES):
        location = Location(origin.file, f"line {number}")
        if line is None:
            yield Broken(location, f"is longer than {MAX_LINE_BYTES >> 20} MiB")
            continue
        try:
            record = _parsed(line)
        except (ValueError, RecursionError) as error:
            yield Broken(location, _why(error, is_line=True))
            continue
        if isinstance(record, dict):
            whole = conversation(record, f"line {number}", str(number))
            if whole is not None:
                yield from _parts([whole], origin, reader)
                continue
        context = MessageContext(_line_session(record, origin), location, origin.tags)
        if form is Format.EVENTS and isinstance(record, dict) and event_record(record) is None:
            record = {"stated": record}
        yield from _message_parts(record, context, reader)


def _line_session(record: object, origin: Origin) -> str:
    name = ""
    if isinstance(record, dict):
        name = first_word(record, SESSIONS)
        inner = record.get("stated")
        if not name and isinstance(inner, dict):
            name = first_word(inner, SESSIONS)
    return session_id(origin.session_id or name or origin.session_name)
