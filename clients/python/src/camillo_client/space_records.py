"""The records of a space by store: their ids, and the ids that they name."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from google.protobuf.message import Message

from camillo.v1.artifact_pb2 import Artifact
from camillo.v1.context_pb2 import View
from camillo.v1.decision_pb2 import Decision
from camillo.v1.event_pb2 import Event
from camillo.v1.memory_pb2 import Memory
from camillo.v1.slot_pb2 import Slot
from camillo.v1.task_pb2 import Task

# Bytes of an artifact follow it in lines of this store.
PARTS = "artifact_parts"
# At one moment, what is cited comes before what may cite it.
RECORDS: dict[str, type[Message]] = {
    "artifacts": Artifact,
    "events": Event,
    "memories": Memory,
    "slots": Slot,
    "decisions": Decision,
    "tasks": Task,
    "views": View,
}
_ID_FIELDS = ("memory_id", "event_id", "artifact_id", "slot_id", "decision_id", "task_id", "name")


def beginning(record_id: str) -> str:
    """The first half of a UUID without its version, which its chunks share."""
    return record_id[:14] + record_id[15:18]


def id_of(message: Any) -> str:
    """The id of a record; the name of a view."""
    return str(getattr(message, next(name for name in _ID_FIELDS if hasattr(message, name))))


def refs_of(message: Any) -> Iterator[str]:
    """Every id that a record names."""
    match message:
        case Memory() | Artifact():
            yield from message.source_refs
        case _ if hasattr(message, "stated"):
            yield from message.stated.refs
            if isinstance(message, Event):
                yield message.stated.tool_result.artifact_id
                yield message.stated.workflow_step.artifact_id
