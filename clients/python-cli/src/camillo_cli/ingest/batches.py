"""Events on their way to the server: as messages, in batches, at most two at a time, those of a session in order."""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from camillo_cli import options
from camillo_cli.cutting import cut
from camillo_cli.hooks.transcripts.entries import LeftOut
from camillo_cli.ingest.records import (
    Broken,
    BrokenMessage,
    Location,
    ParsedEvent,
    Part,
    ReadyEvent,
    Step,
    ToolCall,
    ToolResult,
)

if TYPE_CHECKING:
    from camillo.v1.event_pb2 import NewEvent
    from camillo.v1.event_service_pb2 import RecordedEvent
    from camillo_client import CamilloError

MAX_EVENTS = 500
ENOUGH_EVENTS = 250
# With its frame below the 4 MiB that a gRPC server takes, and within what the client sends in one call.
MAX_BYTES = 3 * 1024 * 1024 - 4096
FRAME_BYTES = 6
IN_FLIGHT = 2
MAX_TAGS = 64
MAX_TAG_LENGTH = 128
MAX_DEPTH = 32
# Larger integers are not exact as numbers of a Struct; they are sent as text.
MAX_EXACT_INTEGER = 2**53


@dataclass(slots=True)
class MessageBatch:
    """Events of one file that are sent together, and their locations in it; `read_bytes` of all input were read by
    then."""

    file_number: int
    events: list[NewEvent] = field(default_factory=list)
    locations: list[Location] = field(default_factory=list)
    size_bytes: int = 0
    read_bytes: int = 0

    def has_room(self, event: NewEvent, size_bytes: int) -> bool:
        """Whether an event may be added: the first always, one of another session only while there are few."""
        count = len(self.events)
        if count >= MAX_EVENTS or self.size_bytes + size_bytes > MAX_BYTES:
            return count == 0
        # Batches that end with a session can be sent at the same time.
        return count < ENOUGH_EVENTS or event.session_id == self.events[-1].session_id

    def sessions(self) -> set[str]:
        return {event.session_id for event in self.events}


@dataclass(frozen=True, slots=True)
class Outcome:
    """A batch, and the result of each of its events; None where it was not sent."""

    batch: MessageBatch
    results: list[RecordedEvent | CamilloError] | None


Sender = Callable[[MessageBatch], Outcome]
# Whether an event is not to be sent, since it is recorded already.
IsKnown = Callable[["NewEvent"], bool]


def batches(
    parts: Iterable[Part],
    broken: Callable[[Broken], None],
    file_number: int = 0,
    is_known: IsKnown = lambda _: False,
) -> Iterator[MessageBatch]:
    """The events of a file that are not known, in batches; `broken` is called for each that cannot be sent."""
    batch = MessageBatch(file_number)
    for part in parts:
        if isinstance(part, Broken):
            broken(part)
            continue
        if isinstance(part, LeftOut):
            continue
        try:
            message = _sendable_message(part)
        except BrokenMessage as error:
            broken(Broken(part.location, str(error)))
            continue
        if is_known(message):
            continue
        size = message.ByteSize() + FRAME_BYTES
        if not batch.has_room(message, size):
            yield batch
            batch = MessageBatch(file_number)
        batch.events.append(message)
        batch.locations.append(part.location)
        batch.size_bytes += size
    if batch.events:
        yield batch


def _sendable_message(event: ParsedEvent | ReadyEvent) -> NewEvent:
    """The message of an event, if the client would send it. Raises BrokenMessage."""
    from camillo_client.event_fields import too_large

    message = event.message if isinstance(event, ReadyEvent) else message_of(event)
    if refusal := too_large(message):
        raise BrokenMessage(refusal.field_violations[0].description)
    return message


def send_all(waiting: Iterable[MessageBatch], send: Sender) -> Iterator[Outcome]:
    """Sends batches, and yields their outcomes in order. Batches with a common session are never sent at the same time.

    Raises what `send` raises, after the batches in flight have ended.
    """
    in_flight: deque[tuple[MessageBatch, Future[Outcome]]] = deque()
    with ThreadPoolExecutor(IN_FLIGHT) as pool:
        for batch in waiting:
            while in_flight and (len(in_flight) == IN_FLIGHT or _follows(batch, in_flight)):
                yield in_flight.popleft()[1].result()
            in_flight.append((batch, pool.submit(send, batch)))
        while in_flight:
            yield in_flight.popleft()[1].result()


def _follows(batch: MessageBatch, in_flight: Iterable[tuple[MessageBatch, object]]) -> bool:
    return any(batch.sessions() & before.sessions() for before, _ in in_flight)


def message_of(event: ParsedEvent) -> NewEvent:
    """The message of an event. Raises BrokenMessage."""
    from camillo_client import new_event, tool_call, tool_result, workflow_step

    content = event.content
    fields: dict[str, Any] = {
        "session_id": sendable(event.session_id),
        "actor": (event.actor_type, sendable(event.actor_id)),
        "kind": event.kind,
        "tags": _tags(event.tags),
        "occurred_at": event.occurred_at,
    }
    if isinstance(content, str):
        return new_event(sendable(content), **fields)
    if isinstance(content, ToolCall):
        fields["tool_call"] = tool_call(
            sendable(content.tool),
            _exact(content.arguments),
            call_id=sendable(content.call_id),
        )
    elif isinstance(content, ToolResult):
        fields["tool_result"] = tool_result(
            sendable(content.tool),
            sendable(content.text),
            call_id=sendable(content.call_id),
            path=sendable(content.path),
            is_error=content.is_error,
        )
    elif isinstance(content, Step):
        names = map(sendable, (content.workflow, content.step, content.output))
        fields["workflow_step"] = workflow_step(
            *names, status=options.literal(content.status), run=sendable(content.run)
        )
    else:
        fields["json"] = _exact(content)
    return new_event(**fields)


def sendable(text: str) -> str:
    """The text without characters that UTF-8 or Postgres cannot hold: lone surrogates and NUL are replaced."""
    if not text.isascii():
        try:
            text.encode()
        except UnicodeEncodeError:
            text = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return text.replace("\0", "\N{REPLACEMENT CHARACTER}")


def _tags(tags: tuple[str, ...]) -> list[str]:
    short = (cut(sendable(tag), MAX_TAG_LENGTH) for tag in tags)
    return list(dict.fromkeys(short))[:MAX_TAGS]


def _exact(value: Any, levels: int = MAX_DEPTH) -> Any:
    """JSON whose values a Struct holds without changing them. Raises BrokenMessage."""
    if isinstance(value, str):
        return sendable(value)
    if isinstance(value, dict | list) and levels == 0:
        raise BrokenMessage(f"its JSON is more than {MAX_DEPTH} levels deep")
    if isinstance(value, dict):
        return {sendable(key): _exact(each, levels - 1) for key, each in value.items()}
    if isinstance(value, list):
        return [_exact(each, levels - 1) for each in value]
    is_exact = isinstance(value, bool) or not isinstance(value, int) or abs(value) <= MAX_EXACT_INTEGER
    is_finite = not isinstance(value, float) or math.isfinite(value)
    return value if is_exact and is_finite else str(value)
