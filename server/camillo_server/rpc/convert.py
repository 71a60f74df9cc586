"""Messages of the contract into domain values, and back."""

import json
import math
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

import numpy as np
from camillo.v1 import memory_pb2 as pb
from google.protobuf.struct_pb2 import NULL_VALUE, Struct
from google.protobuf.timestamp_pb2 import Timestamp

from camillo_server.domain.ids import MemoryId
from camillo_server.domain.memory import (
    NO_FILTER,
    Archived,
    Memory,
    MemoryDraft,
    MemoryFilter,
    MemoryKind,
    Scalar,
    Sensitivity,
    Vector,
)
from camillo_server.domain.moments import microseconds
from camillo_server.domain.redaction import Redaction
from camillo_server.rpc import limits
from camillo_server.rpc.validate import Checks

KINDS = frozenset({0, *MemoryKind})
SENSITIVITIES = frozenset({0, *Sensitivity})
ARCHIVED = frozenset({0, *Archived})


def memory_draft(message: pb.NewMemory | pb.Memory, checks: Checks, path: str) -> MemoryDraft:
    """What a caller wants remembered; of an exported memory also its times, version and statistics."""
    return MemoryDraft(
        content=content(message.content, checks, f"{path}.content"),
        memory_id=memory_id(message.memory_id, checks, f"{path}.memory_id")
        if message.memory_id
        else None,
        kind=kind(message.kind, checks, f"{path}.kind"),
        session_id=session_id(message.session_id, checks, f"{path}.session_id"),
        occurred_at=moment(message, "occurred_at", checks, path),
        tags=tags(message.tags, checks, f"{path}.tags"),
        sensitivity=sensitivity(message.sensitivity, checks, f"{path}.sensitivity"),
        importance=importance(message, checks, path),
        metadata=metadata(message.metadata, checks, f"{path}.metadata"),
        expires_at=moment(message, "expires_at", checks, path),
        pinned=message.pinned,
        source_refs=source_refs(message.source_refs, checks, f"{path}.source_refs"),
        vector=vector(message.vector, checks, f"{path}.vector")
        if message.HasField("vector")
        else None,
        **(
            _history(message, checks, path)
            if isinstance(message, pb.Memory)
            else {"never_expires": message.never_expires}
        ),
    )


def _history(message: pb.Memory, checks: Checks, path: str) -> dict[str, Any]:
    if not 0 <= message.version < 2**31:
        checks.fail(f"{path}.version", "must be from 1 to 2147483647, or 0 for 1")
    if not 0 <= message.access_count < 2**31:
        checks.fail(f"{path}.access_count", "must be from 0 to 2147483647")
    if not 0 <= message.stated_count < 2**31:
        checks.fail(f"{path}.stated_count", "must be from 1 to 2147483647, or 0 for 1")
    return {
        "archived": message.archived,
        "version": message.version or 1,
        "created_at": moment(message, "created_at", checks, path),
        "updated_at": moment(message, "updated_at", checks, path),
        "accessed_at": moment(message, "accessed_at", checks, path),
        "access_count": message.access_count,
        "stated_count": message.stated_count or 1,
    }


def content(value: str, checks: Checks, field: str) -> str:
    return checks.text(field, value, 1, limits.CONTENT_CHARACTERS)


def session_id(value: str, checks: Checks, field: str) -> str:
    return checks.text(field, value, 0, limits.SESSION_ID_CHARACTERS)


def tags(values: Any, checks: Checks, field: str) -> list[str]:
    return checks.texts(field, values, limits.TAGS, limits.TAG_CHARACTERS)


def source_refs(values: Any, checks: Checks, field: str) -> list[str]:
    return checks.texts(field, values, limits.SOURCE_REFS, limits.SOURCE_REF_CHARACTERS)


def memory_id(value: str, checks: Checks, field: str) -> MemoryId:
    return MemoryId(checks.uuid(field, value))


def kind(value: int, checks: Checks, field: str) -> MemoryKind:
    """Unspecified is a fact."""
    known = checks.known(field, value, KINDS) in KINDS
    return MemoryKind(value) if known and value else MemoryKind.FACT


def sensitivity(value: int, checks: Checks, field: str) -> Sensitivity:
    """Unspecified is internal."""
    known = checks.known(field, value, SENSITIVITIES) in SENSITIVITIES
    return Sensitivity(value) if known and value else Sensitivity.INTERNAL


def importance(message: pb.NewMemory | pb.Memory, checks: Checks, path: str) -> float:
    """Absent is 0.5."""
    value = message.importance if message.HasField("importance") else 0.5
    return checks.number(f"{path}.importance", value, 0, 1)


def moment(message: Any, name: str, checks: Checks, path: str) -> datetime | None:
    """The time in a field of a message, None where it is absent."""
    if not message.HasField(name):
        return None
    return checks.moment(f"{path}.{name}", getattr(message, name))


def metadata(message: Struct, checks: Checks, field: str) -> dict[str, Scalar]:
    """A flat object of scalars."""
    found: dict[str, Scalar] = {}
    if len(message.fields) > limits.METADATA_KEYS:
        checks.fail(field, f"must have at most {limits.METADATA_KEYS} keys")
        return found
    for key, value in message.fields.items():
        checks.text(f"{field} key", key, 1, limits.METADATA_KEY_CHARACTERS)
        name = value.WhichOneof("kind")
        if name in ("struct_value", "list_value"):
            checks.fail(f"{field}.{key[:40]}", "must be a string, number, bool or null")
        elif name == "number_value" and not math.isfinite(value.number_value):
            checks.fail(f"{field}.{key[:40]}", "must be a finite number")
        elif name == "string_value" and "\0" in value.string_value:
            checks.fail(f"{field}.{key[:40]}", "must not contain NUL")
        else:
            found[key] = None if name in (None, "null_value") else getattr(value, name)
    if found and len(json.dumps(found, ensure_ascii=False).encode()) > limits.METADATA_JSON_BYTES:
        checks.fail(field, f"must take at most {limits.METADATA_JSON_BYTES} bytes as JSON")
    return found


def vector(message: pb.Vector, checks: Checks, field: str) -> Vector:
    """A vector brought to unit length."""
    checks.text(f"{field}.model_id", message.model_id, 0, limits.MODEL_ID_CHARACTERS)
    checks.vector_length(f"{field}.values", message.model_id, len(message.values))
    # In double precision: the square of a number that float32 holds may be beyond it.
    values = np.array(message.values, dtype=np.float64)
    length = math.sqrt(values @ values)
    if not math.isfinite(length) or length == 0:
        checks.fail(f"{field}.values", "must be finite numbers, not all zero")
        return Vector(message.model_id, np.zeros(1, np.float32))
    return Vector(message.model_id, (values / length).astype(np.float32))


def memory_filter(message: pb.MemoryFilter, checks: Checks, path: str) -> MemoryFilter:
    """The conditions of a filter."""
    if not message.ListFields():
        return NO_FILTER
    archived = checks.known(f"{path}.archived", message.archived, ARCHIVED) or Archived.EXCLUDE
    level = checks.known(f"{path}.max_sensitivity", message.max_sensitivity, SENSITIVITIES)
    numbers: Sequence[int] = message.kinds
    if checks.are_too_many(f"{path}.kinds", numbers, limits.ENUM_VALUES):
        numbers = ()
    for value in numbers:
        checks.known(f"{path}.kinds", value, KINDS)
    return MemoryFilter(
        tags_any=tuple(tags(message.tags_any, checks, f"{path}.tags_any")),
        tags_all=tuple(tags(message.tags_all, checks, f"{path}.tags_all")),
        kinds=tuple(MemoryKind(value) for value in numbers if value and value in KINDS),
        session_id=session_id(message.session_id, checks, f"{path}.session_id"),
        occurred_from=moment(message, "occurred_from", checks, path),
        occurred_before=moment(message, "occurred_before", checks, path),
        min_importance=checks.number(f"{path}.min_importance", message.min_importance, 0, 1),
        max_sensitivity=Sensitivity(level) if level and level in SENSITIVITIES else None,
        archived=Archived(archived) if archived in ARCHIVED else Archived.EXCLUDE,
        metadata=metadata(message.metadata, checks, f"{path}.metadata"),
    )


def memory_message(memory: Memory, with_vector: Vector | None = None) -> pb.Memory:
    """A memory as the contract has it."""
    message = pb.Memory()
    fill_memory(message, memory)
    if with_vector is not None:
        message.vector.CopyFrom(vector_message(with_vector))
    return message


def fill_memory(message: pb.Memory, memory: Memory) -> None:
    """Puts a memory into an empty message, which saves making one and copying it to its place."""
    message.memory_id = str(memory.memory_id)
    message.agent_id = memory.agent_id
    message.content = memory.content
    message.kind = int(memory.kind)  # type: ignore[assignment]
    message.session_id = memory.session_id
    fill_timestamp(message.occurred_at, memory.occurred_at)
    message.sensitivity = int(memory.sensitivity)  # type: ignore[assignment]
    message.importance = memory.importance
    message.version = memory.version
    fill_timestamp(message.created_at, memory.created_at)
    fill_timestamp(message.updated_at, memory.updated_at)
    message.vector_model_id = memory.vector_model_id
    # Most memories have none of these.
    if memory.tags:
        message.tags.extend(memory.tags)
    if memory.metadata:
        fill_struct(message.metadata, memory.metadata)
    if memory.expires_at is not None:
        fill_timestamp(message.expires_at, memory.expires_at)
    if memory.pinned:
        message.pinned = True
    if memory.archived:
        message.archived = True
    if memory.source_refs:
        message.source_refs.extend(memory.source_refs)
    if memory.accessed_at is not None:
        fill_timestamp(message.accessed_at, memory.accessed_at)
    if memory.access_count:
        message.access_count = memory.access_count
    message.stated_count = memory.stated_count


def redaction_messages(redactions: Sequence[Redaction]) -> list[pb.Redaction]:
    """What was taken out, as the contract has it."""
    return [
        pb.Redaction(field=each.field, kind=each.kind, offset=each.offset) for each in redactions
    ]


def fill_timestamp(message: Timestamp, moment: datetime) -> None:
    """Puts a time into a message; several times faster than leaving that to protobuf."""
    message.seconds, rest = divmod(microseconds(moment), 1_000_000)
    message.nanos = rest * 1_000


def fill_struct(message: Struct, values: Mapping[str, Scalar]) -> None:
    """Puts a flat object into a message."""
    for key, value in values.items():
        if value is None:
            message.fields[key].null_value = NULL_VALUE
        else:
            message[key] = value


def vector_message(value: Vector) -> pb.Vector:
    return pb.Vector(model_id=value.model_id, values=value.values.tolist())
