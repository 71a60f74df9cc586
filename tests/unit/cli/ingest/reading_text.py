"""Reads what a test writes down, as a file of it would be read."""

import io
import json
from typing import Any

from camillo_cli.ingest.documents import Format
from camillo_cli.ingest.reading import Origin, Reading, read_conversations
from camillo_cli.ingest.records import Broken, ParsedEvent

ORIGIN = Origin("log.json", "log")


def reading_of(content: bytes | str, form: Format | None = None, origin: Origin = ORIGIN) -> Reading | None:
    raw = content.encode() if isinstance(content, str) else content
    return read_conversations(io.BytesIO(raw), origin, form)


def read(
    content: bytes | str, form: Format | None = None, origin: Origin = ORIGIN
) -> tuple[list[ParsedEvent], list[Broken]]:
    """The events and what is broken, of content that is a conversation."""
    reading = reading_of(content, form, origin)
    assert reading is not None
    parts = list(reading.parts)
    events = [part for part in parts if isinstance(part, ParsedEvent)]
    return events, [part for part in parts if isinstance(part, Broken)]


def events_of(document: Any, form: Format | None = None) -> list[ParsedEvent]:
    """The events of a document that has nothing broken in it."""
    events, broken = read(json.dumps(document), form)
    assert not broken
    return events


def told(events: list[ParsedEvent]) -> list[tuple[str, str, object]]:
    """Who did what, in short."""
    return [(f"{event.actor_type}:{event.actor_id}", event.kind, event.content) for event in events]
