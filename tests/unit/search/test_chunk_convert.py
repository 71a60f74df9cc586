"""Chunks as messages."""

from typing import Any

import pytest
from camillo.v1 import actor_pb2, channel_pb2
from camillo.v1 import memory_pb2 as pb
from camillo_server.kernel.kinds import ChunkKind, Kind, Sensitivity
from camillo_server.rows.row import Row
from camillo_server.search.messages import fill_chunk

from tests.storage.memories.replicas import NOW, new_row, numbered_id

METADATA = {"channel": "team", "actor": "Ада", "actor_type": "human", "place": 2.0}


def chunk(kind: Kind = ChunkKind.EVENT_MESSAGE, **fields: Any) -> Row:
    stated = {"metadata": METADATA, "source_refs": ["event", "artifact"], **fields}
    row = new_row("Ада: 你好 🦭", memory_id=numbered_id(0, 1), **stated)
    return row.memory._replace(kind=kind)


def message(row: Row) -> pb.Chunk:
    filled = pb.Chunk()
    fill_chunk(filled, row)
    return filled


def test_a_chunk_tells_everything_that_is_known_of_it() -> None:
    told = message(
        chunk(session_id="s", tags=["北京"], importance=0.25, sensitivity=Sensitivity.CONFIDENTIAL)._replace(
            vector_model_id="m"
        )
    )
    expected = pb.Chunk(
        chunk_id=str(numbered_id(0, 1)),
        agent_id="alice",
        source=pb.SOURCE_EVENT,
        origin_id="event",
        place=2,
        text="Ада: 你好 🦭",
        session_id="s",
        event_kind=actor_pb2.EVENT_KIND_MESSAGE,
        actor=actor_pb2.Actor(type=actor_pb2.ACTOR_TYPE_HUMAN, id="Ада"),
        channel=channel_pb2.CHANNEL_TEAM,
        tags=["北京"],
        sensitivity=pb.SENSITIVITY_CONFIDENTIAL,
        importance=0.25,
        source_refs=["event", "artifact"],
        vector_model_id="m",
    )
    expected.occurred_at.FromDatetime(NOW)
    assert told == expected


@pytest.mark.parametrize(
    ("kind", "source", "event_kind"),
    [
        (ChunkKind.EVENT_TOOL_RESULT, pb.SOURCE_EVENT, actor_pb2.EVENT_KIND_TOOL_RESULT),
        (ChunkKind.EVENT_ARTIFACT, pb.SOURCE_EVENT, actor_pb2.EVENT_KIND_ARTIFACT),
        (ChunkKind.DECISION, pb.SOURCE_DECISION, actor_pb2.EVENT_KIND_UNSPECIFIED),
        (ChunkKind.WORKFLOW_STEP, pb.SOURCE_WORKFLOW_STEP, actor_pb2.EVENT_KIND_WORKFLOW_STEP),
    ],
)
def test_a_chunk_names_its_source_and_the_kind_of_its_event(kind: ChunkKind, source: int, event_kind: int) -> None:
    told = message(chunk(kind))
    assert (told.source, told.event_kind) == (source, event_kind)


@pytest.mark.parametrize("metadata", [{}, {"channel": "elsewhere", "actor_type": "ghost", "place": None}])
def test_what_is_not_known_is_left_unspecified(metadata: dict[str, Any]) -> None:
    told = message(chunk(metadata=metadata, source_refs=[]))
    assert (told.channel, told.place, told.origin_id, told.actor.type) == (0, 0, "", 0)
