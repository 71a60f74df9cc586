"""An event that is larger than the server takes is not sent: what is that large belongs into an artifact."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from grpc import StatusCode

from camillo.v1.event_pb2 import NewEvent
from camillo_client.errors import Failure, FieldViolation, InvalidArgument

MAX_TEXT_BYTES = 1024 * 1024
MAX_TOOL_RESULT_BYTES = 8 * 1024 * 1024
AN_ARTIFACT = "store it as an artifact (artifacts.put, or 'camillo artifact put')"
INTO_AN_ARTIFACT = f"{AN_ARTIFACT} and name its id in refs"
BESIDE_AN_ARTIFACT = f"{AN_ARTIFACT} and give its artifact_id with the beginning"


class EventTooLarge(InvalidArgument):
    """The content of an event is larger than an event can be: put it into an artifact. Nothing was sent."""


def too_large(event: NewEvent) -> EventTooLarge | None:
    """Why the event cannot be sent; None if it can."""
    content = event.WhichOneof("content")
    if content == "tool_result":
        text, most, way = (
            event.tool_result.excerpt_text,
            MAX_TOOL_RESULT_BYTES,
            BESIDE_AN_ARTIFACT,
        )
        field = "content.tool_result.excerpt_text"
    elif content == "text":
        text, most, way, field = event.text, MAX_TEXT_BYTES, INTO_AN_ARTIFACT, "content.text"
    else:
        # The size of JSON is another one than that of its message: the server measures it.
        return None
    size = len(text.encode("utf-8"))
    if size <= most:
        return None
    told = f"{size:,} bytes, more than the {most:,} that an event holds: {way}"
    violation = FieldViolation(field, told)
    return EventTooLarge(
        Failure(
            StatusCode.INVALID_ARGUMENT,
            "the event is too large",
            reason="INVALID_FIELD",
            field_violations=(violation,),
        )
    )


class Sendable:
    """Passes on the events that can be sent, and keeps the others with their places."""

    def __init__(self, events: Iterable[NewEvent]) -> None:
        self._events = events
        self.refused: list[tuple[int, EventTooLarge]] = []

    def __iter__(self) -> Iterator[NewEvent]:
        for place, event in enumerate(self._events):
            refusal = too_large(event)
            if refusal is None:
                yield event
            else:
                self.refused.append((place, refusal))
