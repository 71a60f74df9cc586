"""Messages of the contract into domain values, and back."""

import math
from collections.abc import Callable, Iterable, Mapping
from functools import lru_cache
from typing import Any
from uuid import UUID

import numpy as np
from camillo.v1 import memory_pb2 as pb
from camillo.v1 import memory_service_pb2 as service
from numpy.typing import NDArray

from camillo_server.doors.rpc.field_limits import limit_of, replaces, rule
from camillo_server.doors.rpc.fields import (
    distinct,
    fill_struct,
    fill_timestamp,
    member,
    sensitivity_of,
    tags_of,
    time_of,
)
from camillo_server.doors.rpc.json_values import flat_object
from camillo_server.doors.rpc.validate import Checks, OwnModel
from camillo_server.kernel.ids import MemoryId
from camillo_server.kernel.kinds import MemoryKind
from camillo_server.kernel.scope import ACTOR_TYPES, TRUST_LEVELS, Attribution, Principal, TrustLevel, attributed
from camillo_server.models.embedding.embedder import Vector
from camillo_server.rows.occurrences import Occurrences
from camillo_server.rows.row import MemoryDraft, Row

# By the names of their types.
ACTOR_NUMBERS = {name: number for number, name in enumerate(ACTOR_TYPES, 1)}
MAX_DIMENSIONS = limit_of(pb.Vector, "values").items.max


def memory_draft(message: pb.NewMemory | pb.Memory, caller: Principal, given: Vector | None = None) -> MemoryDraft:
    """The draft that this caller sends; of an exported memory also its times, version and statistics. `given` is its
    vector where that has been read. Raises ScopeForbidden where the caller may not name its actor."""
    if given is None and message.HasField("vector"):
        given = vector(message.vector)
    return MemoryDraft(
        content=message.content,
        memory_id=read_memory_id(message.memory_id) if message.memory_id else None,
        kind=memory_kind(message.kind),
        session_id=message.session_id,
        occurred_at=time_of(message, "occurred_at"),
        tags=list(tags_of(message.tags)),
        sensitivity=sensitivity_of(message.sensitivity),
        importance=message.importance if message.HasField("importance") else None,
        metadata=flat_object(message.metadata) if message.HasField("metadata") else {},
        expires_at=time_of(message, "expires_at"),
        pinned=message.pinned,
        source_refs=list(distinct(message.source_refs)),
        # Few memories have these fields; an absent field is not parsed.
        valid_from=time_of(message, "valid_from") if message.HasField("valid_from") else None,
        valid_until=time_of(message, "valid_until") if message.HasField("valid_until") else None,
        supersedes=_ids(message.supersedes) if message.supersedes else (),
        vector=given,
        **(
            _history(message, caller)
            if isinstance(message, pb.Memory)
            else {"never_expires": message.never_expires, **attribution(message, caller)._asdict()}
        ),
    )


def attribution(message: pb.NewMemory | pb.Memory, caller: Principal) -> Attribution:
    """By the caller and the actor whom the message names; the level that it states can only lower that. Raises
    ScopeForbidden."""
    return attributed(caller, actor_text(message)).at_most(TRUST_LEVELS[message.trust_level])


def actor_text(message: pb.NewMemory | pb.Memory) -> str:
    if not message.HasField("actor"):
        return ""
    return f"{ACTOR_TYPES[message.actor.type - 1]}:{message.actor.id}"


def _history(message: pb.Memory, caller: Principal) -> dict[str, Any]:
    own = attribution(message, caller)
    return {
        # Whom an export does not name nobody knew, nor a level that it leaves out.
        "trust_level": own.trust_level if message.trust_level else TrustLevel.UNKNOWN,
        "actor": actor_text(message),
        "credential": own.credential,
        "archived": message.archived,
        "superseded_by": read_memory_id(message.superseded_by) if message.superseded_by else None,
        "version": message.version or 1,
        "created_at": time_of(message, "created_at"),
        "updated_at": time_of(message, "updated_at"),
        "accessed_at": time_of(message, "accessed_at"),
        "access_count": message.access_count,
        "stated_count": message.stated_count or 1,
    }


def read_memory_id(value: str) -> MemoryId:
    return MemoryId(UUID(value))


def _ids(values: Iterable[str]) -> list[MemoryId]:
    """Each once, in their order, however it is written."""
    return list(dict.fromkeys(map(read_memory_id, values)))


@rule(pb.NewMemory)
def check_validity(message: pb.NewMemory, path: str, checks: Checks) -> None:
    """Refuses a memory that is true no longer before it is."""
    if message.HasField("valid_until") and message.HasField("valid_from"):
        begin, end = message.valid_from, message.valid_until
        if (end.seconds, end.nanos) <= (begin.seconds, begin.nanos):
            checks.fail(f"{path}valid_until", "must be later than valid_from")


def memory_kind(value: int) -> MemoryKind:
    """Unspecified is a fact."""
    return member(value, MemoryKind.FACT)


def importance(message: pb.NewMemory | pb.Memory) -> float:
    """Absent is 0.5."""
    return message.importance if message.HasField("importance") else 0.5


@replaces(pb.Vector, "values")
def check_vector(message: pb.Vector, path: str, checks: Checks) -> None:
    """One of the server's own model has its length, one of another model a length within the limit."""
    own, length, field = checks.own_model, len(message.values), f"{path}values"
    if own is not None and message.model_id in ("", own.model_id):
        if length != own.dimensions:
            checks.fail(field, f"must have the {own.dimensions} numbers of {own.model_id}")
    elif not 1 <= length <= MAX_DIMENSIONS:
        checks.fail(field, f"must have 1 to {MAX_DIMENSIONS} numbers")
    values = checks.read[path] = _numbers(message)
    if not 0 < np.dot(values, values) < math.inf:
        checks.fail(field, "must be finite numbers, not all zero")


def vector(message: pb.Vector, read: NDArray[np.float64] | None = None, own_model_id: str = "") -> Vector:
    """A vector brought to unit length; `read` are its numbers where the check has read them. Where it names no model,
    it is of the server's own."""
    values = _numbers(message) if read is None else read
    model_id = message.model_id or own_model_id
    return Vector(model_id, (values / math.sqrt(np.dot(values, values))).astype(np.float32))


def checked_vector(
    message: pb.NewMemory | pb.Memory, path: str, read: Mapping[str, Any], own_model: OwnModel
) -> Vector | None:
    """The vector of a message at this path, of which a check has read the numbers, or None where it has none."""
    numbers = read.get(f"{path}vector.")
    return None if numbers is None else vector(message.vector, numbers, own_model.model_id)


def _numbers(message: pb.Vector) -> NDArray[np.float64]:
    """In double precision: the square of a number that float32 holds may be beyond it."""
    # They are the end of the message's own bytes, which saves taking them one by one: but for fields that are not
    # known.
    message.DiscardUnknownFields()
    size = 4 * len(message.values)
    packed = np.frombuffer(message.SerializeToString()[-size:] if size else b"", "<f4")
    return packed.astype(np.float64)


def memory_message(memory: Row, with_vector: Vector | None = None) -> pb.Memory:
    message = pb.Memory()
    fill_memory(message, memory)
    if with_vector is not None:
        message.vector.CopyFrom(vector_message(with_vector))
    return message


@lru_cache(maxsize=1_000)
def _common_fields(
    agent_id: str,
    kind: int,
    sensitivity: int,
    vector_model_id: str,
    trust_level: int,
    actor: str,
    credential: str,
) -> bytes:
    """The fields that many memories have in common, as protobuf encodes them: merging them into a message takes half
    as long as setting them one by one."""
    message = pb.Memory(
        agent_id=agent_id,
        kind=kind,  # type: ignore[arg-type]
        sensitivity=sensitivity,  # type: ignore[arg-type]
        vector_model_id=vector_model_id,
        trust_level=trust_level,  # type: ignore[arg-type]
        credential=credential,
    )
    if actor:
        actor_type, _, message.actor.id = actor.partition(":")
        message.actor.type = ACTOR_NUMBERS[actor_type]  # type: ignore[assignment]
    return message.SerializeToString()


def fill_memory(message: pb.Memory, memory: Row) -> None:
    """Writes a memory into an empty message of a response, which saves creating one and copying it there."""
    common = _common_fields(
        *(memory.agent_id, int(memory.kind), int(memory.sensitivity), memory.vector_model_id),
        *(int(memory.trust_level), memory.actor, memory.credential),
    )
    message.MergeFromString(common)
    message.memory_id = str(memory.memory_id)
    message.content = memory.content
    message.session_id = memory.session_id
    fill_timestamp(message.occurred_at, memory.occurred_at)
    message.importance = memory.importance
    message.version = memory.version
    fill_timestamp(message.created_at, memory.created_at)
    # Most memories never change, and a copy takes less time.
    if memory.updated_at == memory.created_at:
        message.updated_at.CopyFrom(message.created_at)
    else:
        fill_timestamp(message.updated_at, memory.updated_at)
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
    if memory.valid_from is not None:
        fill_timestamp(message.valid_from, memory.valid_from)
    if memory.valid_until is not None:
        fill_timestamp(message.valid_until, memory.valid_until)
    if memory.supersedes:
        message.supersedes.extend(map(str, memory.supersedes))
    if memory.superseded_by is not None:
        message.superseded_by = str(memory.superseded_by)
    if memory.accessed_at is not None:
        fill_timestamp(message.accessed_at, memory.accessed_at)
    if memory.access_count:
        message.access_count = memory.access_count
    message.stated_count = memory.stated_count
    if memory.occurrences.kept:
        _fill_occurrences(message, memory.occurrences)
    if memory.stale is not None:
        message.stale.source_ref = memory.stale.source_ref
        fill_timestamp(message.stale.since, memory.stale.since)


def _fill_occurrences(message: pb.Memory, occurrences: Occurrences) -> None:
    for each in occurrences.kept:
        told = message.occurrences.add(session_id=each.session_id)
        fill_timestamp(told.occurred_at, each.occurred_at)
        fill_struct(told.metadata, each.metadata)
        if each.actor:
            actor_type, _, told.actor.id = each.actor.partition(":")
            told.actor.type = ACTOR_NUMBERS[actor_type]  # type: ignore[assignment]
    message.omitted_occurrences = occurrences.omitted


def vector_message(value: Vector) -> pb.Vector:
    return pb.Vector(model_id=value.model_id, values=value.values.tolist())


def memory_ids_of(message: service.MemoryIds) -> list[MemoryId]:
    return [read_memory_id(value) for value in message.ids]


# The fields that a caller may change, and how the new value of each is read.
FIELDS: dict[str, Callable[[pb.Memory], Any]] = {
    "content": lambda m: m.content,
    "kind": lambda m: memory_kind(m.kind),
    "session_id": lambda m: m.session_id,
    "occurred_at": lambda m: time_of(m, "occurred_at"),
    "tags": lambda m: tags_of(m.tags),
    "sensitivity": lambda m: sensitivity_of(m.sensitivity),
    "importance": importance,
    "metadata": lambda m: flat_object(m.metadata),
    "expires_at": lambda m: time_of(m, "expires_at"),
    "pinned": lambda m: m.pinned,
    "archived": lambda m: m.archived,
    "source_refs": lambda m: distinct(m.source_refs),
    "valid_from": lambda m: time_of(m, "valid_from"),
    "valid_until": lambda m: time_of(m, "valid_until"),
    "vector": lambda m: vector(m.vector),
    "actor": actor_text,
    "trust_level": lambda m: TRUST_LEVELS[m.trust_level],
}
