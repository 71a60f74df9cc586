"""The rows of chunks, which stand beside memories in the index: one or more for each event."""

from datetime import UTC, datetime, timedelta
from hashlib import sha256
from uuid import UUID

from camillo_server.domain.events.chunker import chunk_texts
from camillo_server.domain.events.event import (
    Event,
    EventKind,
    ToolCallContent,
    ToolResultContent,
)
from camillo_server.domain.events.importance import importance
from camillo_server.domain.ids import MemoryId
from camillo_server.domain.memory import Memory, Scalar
from camillo_server.domain.ports import NewRow
from camillo_server.domain.source import ChunkKind

_FIRST_KIND = 16
_LOW_BITS = 2**62 - 1
_LAST_MOMENT = datetime.max.replace(tzinfo=UTC)


def chunk_id(origin: UUID, place: int) -> MemoryId:
    """A UUID version 8 (RFC 9562): the first half its origin's, the second a digest of origin and place."""
    high = origin.int >> 64 & ~(0xF << 12) | 0x8 << 12
    low = int.from_bytes(sha256(origin.bytes + place.to_bytes(4, "big")).digest()[:8], "big")
    return MemoryId(UUID(int=high << 64 | 0b10 << 62 | low & _LOW_BITS))


def chunk_kind(kind: EventKind) -> ChunkKind:
    """The kind of an event's chunks."""
    if kind is EventKind.WORKFLOW_STEP:
        return ChunkKind.WORKFLOW_STEP
    return ChunkKind(_FIRST_KIND + kind)


def chunk_rows(event: Event) -> list[NewRow]:
    """Without vectors, which follow; a microsecond apart, so that their order tells itself."""
    rated, said = importance(event), _said(event)
    return [
        NewRow(
            Memory(
                memory_id=chunk_id(event.event_id, place),
                agent_id=event.agent_id,
                content=text,
                kind=chunk_kind(event.kind),
                session_id=event.session_id,
                occurred_at=_later(event.occurred_at, timedelta(microseconds=place)),
                tags=event.tags,
                sensitivity=event.sensitivity,
                importance=rated,
                metadata={**said, "place": place},
                expires_at=None,
                pinned=False,
                archived=False,
                version=1,
                source_refs=_origins(event),
                created_at=event.recorded_at,
                updated_at=event.recorded_at,
                vector_model_id="",
            ),
            vector=None,
        )
        for place, text in enumerate(chunk_texts(event))
    ]


def _said(event: Event) -> dict[str, Scalar]:
    said: dict[str, Scalar] = {
        "channel": event.channel.name.lower(),
        "actor": event.actor.id,
        "actor_type": event.actor.type.name.lower(),
    }
    content = event.content
    if isinstance(content, ToolCallContent | ToolResultContent):
        said["tool"] = content.tool
    if isinstance(content, ToolResultContent) and content.path:
        said["path"] = content.path
    return said


def _origins(event: Event) -> tuple[str, ...]:
    artifact_id = event.content.artifact_id if isinstance(event.content, ToolResultContent) else ""
    return (str(event.event_id), artifact_id) if artifact_id else (str(event.event_id),)


def _later(moment: datetime, span: timedelta) -> datetime:
    """So much later; behind the last moment there is none."""
    return moment + span if _LAST_MOMENT - moment >= span else _LAST_MOMENT
