"""Rows of a corpus as chunks of events instead of memories: the same texts and vectors."""

from camillo_server.domain.ports import NewRow
from camillo_server.domain.source import ChunkKind


def as_chunk(row: NewRow) -> NewRow:
    """The row as a chunk of an event that had the same text."""
    memory = row.memory
    chunk = memory._replace(
        kind=ChunkKind.EVENT_MESSAGE,
        source_refs=(str(memory.memory_id),),
        metadata={"channel": "private", "actor": "Ann", "actor_type": "human", "place": 0},
    )
    return NewRow(chunk, row.vector)
