"""Events on their way to the server: in batches, at most two at a time, a session's in their order."""

from __future__ import annotations

import hashlib
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from camillo_server.cli.ingest_messages import NotSendable, message_of
from camillo_server.conversations.event import Broken, Part, Place

if TYPE_CHECKING:
    from camillo.v1.event_pb2 import NewEvent
    from camillo.v1.event_service_pb2 import RecordedEvent
    from camillo_client import CamilloError

MOST_EVENTS = 500
FEW_EVENTS = 250
# With its frame below the 4 MiB that a gRPC server takes, and within what the client sends in one call.
MOST_BYTES = 3 * 1024 * 1024 - 4096
FRAME_BYTES = 6
IN_FLIGHT = 2


@dataclass(slots=True)
class Batch:
    """Events of one file that are sent together, and where they stand; `first` counts those before it."""

    file_number: int
    first: int
    events: list[NewEvent] = field(default_factory=list)
    places: list[Place] = field(default_factory=list)
    size_bytes: int = 0

    def has_room(self, event: NewEvent, size_bytes: int) -> bool:
        """Whether an event may join: the first always, that of another session only while there are few."""
        count = len(self.events)
        if count >= MOST_EVENTS or self.size_bytes + size_bytes > MOST_BYTES:
            return count == 0
        # Batches that end where a session does can be under way together.
        return count < FEW_EVENTS or event.session_id == self.events[-1].session_id

    def sessions(self) -> set[str]:
        return {event.session_id for event in self.events}

    def request_id(self) -> str:
        """The same for the same events at the same place of a file, whenever they are sent."""
        digest = hashlib.sha256(self.first.to_bytes(8, "big"))
        for event in self.events:
            content = event.SerializeToString(deterministic=True)
            digest.update(len(content).to_bytes(8, "big"))
            digest.update(content)
        return f"ingest-{digest.hexdigest()}"


@dataclass(frozen=True, slots=True)
class Outcome:
    """A batch, and what became of each of its events; None where it was not sent."""

    batch: Batch
    results: list[RecordedEvent | CamilloError] | None


Sender = Callable[[Batch], Outcome]


def batches(
    parts: Iterable[Part], broken: Callable[[Broken], None], file_number: int = 0
) -> Iterator[Batch]:
    """The events of a file in batches; `broken` is told of what cannot be sent."""
    batch = Batch(file_number, 0)
    for part in parts:
        message = _message(part, broken)
        if message is None:
            continue
        size = message.ByteSize() + FRAME_BYTES
        if not batch.has_room(message, size):
            yield batch
            batch = Batch(file_number, batch.first + len(batch.events))
        batch.events.append(message)
        batch.places.append(part.place)
        batch.size_bytes += size
    if batch.events:
        yield batch


def _message(part: Part, broken: Callable[[Broken], None]) -> NewEvent | None:
    from camillo_client.event_fields import too_large

    if isinstance(part, Broken):
        broken(part)
        return None
    try:
        message = message_of(part)
    except NotSendable as error:
        broken(Broken(part.place, str(error)))
        return None
    if refusal := too_large(message):
        broken(Broken(part.place, refusal.field_violations[0].description))
        return None
    return message


def sent(waiting: Iterable[Batch], send: Sender) -> Iterator[Outcome]:
    """What became of each batch, in order. Batches with a session in common are never under way together.

    Raises what a sending raises, after those under way have ended.
    """
    under_way: deque[tuple[Batch, Future[Outcome]]] = deque()
    with ThreadPoolExecutor(IN_FLIGHT) as pool:
        for batch in waiting:
            while under_way and (len(under_way) == IN_FLIGHT or _follows(batch, under_way)):
                yield under_way.popleft()[1].result()
            under_way.append((batch, pool.submit(send, batch)))
        while under_way:
            yield under_way.popleft()[1].result()


def _follows(batch: Batch, under_way: Iterable[tuple[Batch, object]]) -> bool:
    return any(batch.sessions() & before.sessions() for before, _ in under_way)
