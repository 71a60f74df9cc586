"""Chunks as the contract has them: in the domain they have the form of memories."""

from collections.abc import Mapping

from camillo.v1 import memory_pb2 as pb

from camillo_server.domain.channel import Channel
from camillo_server.domain.events.event import ActorType, EventKind
from camillo_server.domain.memory import Memory
from camillo_server.domain.source import KINDS_OF_A_SOURCE, ChunkKind, Source, source_of
from camillo_server.rpc import convert

CHANNELS: Mapping[str, int] = {channel.name.lower(): channel for channel in Channel}
ACTOR_TYPES: Mapping[str, int] = {type_.name.lower(): type_ for type_ in ActorType}


def fill_chunk(message: pb.Chunk, row: Memory) -> None:
    """Puts a chunk into an empty message. Its metadata tells of the place, the channel and the actor."""
    metadata = row.metadata
    message.chunk_id = str(row.memory_id)
    message.agent_id = row.agent_id
    message.source = int(source_of(row.kind))  # type: ignore[assignment]
    message.origin_id = row.source_refs[0] if row.source_refs else ""
    message.place = int(metadata.get("place") or 0)
    message.text = row.content
    message.session_id = row.session_id
    convert.fill_timestamp(message.occurred_at, row.occurred_at)
    message.event_kind = event_kind(row.kind)  # type: ignore[assignment]
    if metadata.get("actor_type"):
        message.actor.type = ACTOR_TYPES.get(str(metadata["actor_type"]), 0)  # type: ignore[assignment]
        message.actor.id = str(metadata.get("actor") or "")
    message.channel = CHANNELS.get(str(metadata.get("channel")), 0)  # type: ignore[assignment]
    message.tags.extend(row.tags)
    message.sensitivity = int(row.sensitivity)  # type: ignore[assignment]
    message.importance = row.importance
    message.source_refs.extend(row.source_refs)
    message.vector_model_id = row.vector_model_id


def event_kind(kind: int) -> int:
    """The number of the event's kind; 0 for a chunk of what is no event."""
    if kind == ChunkKind.WORKFLOW_STEP:
        return EventKind.WORKFLOW_STEP
    return kind % KINDS_OF_A_SOURCE if source_of(kind) is Source.EVENT else 0
