"""Memories and their values in the words that people read."""

from __future__ import annotations

import json
from datetime import datetime
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from camillo.v1.memory_pb2 import Chunk, Memory
    from camillo_client.convert import MetadataValue
    from google.protobuf.struct_pb2 import Struct
    from google.protobuf.timestamp_pb2 import Timestamp

STEPS = (
    (60, 1, "s"),
    (3600, 60, "min"),
    (86_400, 3600, "h"),
    (60 * 86_400, 86_400, "d"),
    (730 * 86_400, 30.44 * 86_400, "mo"),
)
MAX_TAGS_LENGTH = 28
YEAR_SECONDS = 365.25 * 86_400


def age(since: datetime, now: datetime) -> str:
    """How long ago, in its largest unit."""
    seconds = (now - since).total_seconds()
    if seconds < 0:
        return "ahead"
    for below, unit, name in STEPS:
        if seconds < below:
            return f"{int(seconds / unit)} {name}"
    return f"{int(seconds / YEAR_SECONDS)} y"


def age_of(memory: Memory | Chunk, now: datetime) -> str:
    """How long ago that which it tells happened."""
    from camillo_client import to_datetime

    return age(to_datetime(memory.occurred_at), now)


def kind_of(memory: Memory) -> str:
    """The kind of a memory, in one word."""
    from camillo.v1.memory_pb2 import MemoryKind
    from camillo_client import enum_name

    return enum_name(MemoryKind, memory.kind)


def short_tags(memory: Memory | Chunk) -> str:
    """Its tags, cut where they are many."""
    tags = ", ".join(memory.tags)
    return tags if len(tags) <= MAX_TAGS_LENGTH else tags[: MAX_TAGS_LENGTH - 1] + "…"


def moment(timestamp: Timestamp) -> str:
    """A time of the contract, to the second, in UTC."""
    from camillo_client import to_datetime

    return to_datetime(timestamp).strftime("%Y-%m-%d %H:%M:%S") + "Z"


def pairs(metadata: Struct) -> str:
    """`key=value` of all, as `--meta` takes them."""
    from camillo_client import to_dict

    known = sorted(to_dict(metadata).items())
    return ", ".join(f"{key}={_scalar(value)}" for key, value in known)


def _scalar(value: MetadataValue) -> str:
    if isinstance(value, str):
        return value
    # The contract has no integers here.
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return json.dumps(value)


def details(memory: Memory) -> list[tuple[str, str]]:
    """What there is to say of a memory beside its content."""
    from camillo.v1.memory_pb2 import Sensitivity
    from camillo_client import enum_name

    optional = [
        ("session", memory.session_id),
        ("tags", ", ".join(memory.tags)),
        ("metadata", pairs(memory.metadata)),
        ("source refs", ", ".join(memory.source_refs)),
        ("expires", moment(memory.expires_at) if memory.HasField("expires_at") else ""),
        ("pinned", "yes" if memory.pinned else ""),
        ("archived", "yes" if memory.archived else ""),
    ]
    return [
        ("id", memory.memory_id),
        ("kind", kind_of(memory)),
        ("importance", f"{memory.importance:.2f}"),
        ("sensitivity", enum_name(Sensitivity, memory.sensitivity)),
        *[(name, value) for name, value in optional if value],
        ("happened", moment(memory.occurred_at)),
        ("version", f"{memory.version}, of {moment(memory.updated_at)}"),
        ("recalled", f"{memory.access_count} times"),
        *([("stated", f"{memory.stated_count} times")] if memory.stated_count > 1 else []),
        ("vector of", memory.vector_model_id or "none yet"),
    ]
