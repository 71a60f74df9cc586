"""UpdateMemory's field mask into new values."""

from collections.abc import Callable
from typing import Any

from camillo.v1 import memory_pb2 as pb
from camillo.v1 import memory_service_pb2 as service

from camillo_server.domain.update_memory import MemoryUpdate
from camillo_server.rpc import convert
from camillo_server.rpc.context_json import flat_object
from camillo_server.rpc.field_limits import check_message, rule
from camillo_server.rpc.field_values import check_mask, distinct, sensitivity_of, time_of
from camillo_server.rpc.validate import Checks

# What a caller may change, and how the new value is read.
FIELDS: dict[str, Callable[[pb.Memory], Any]] = {
    "content": lambda m: m.content,
    "kind": lambda m: convert.memory_kind(m.kind),
    "session_id": lambda m: m.session_id,
    "occurred_at": lambda m: time_of(m, "occurred_at"),
    "tags": lambda m: distinct(m.tags),
    "sensitivity": lambda m: sensitivity_of(m.sensitivity),
    "importance": convert.importance,
    "metadata": lambda m: flat_object(m.metadata),
    "expires_at": lambda m: time_of(m, "expires_at"),
    "pinned": lambda m: m.pinned,
    "archived": lambda m: m.archived,
    "source_refs": lambda m: distinct(m.source_refs),
    "vector": lambda m: convert.vector(m.vector),
}


@rule(service.UpdateMemoryRequest)
def check_update(request: service.UpdateMemoryRequest, path: str, checks: Checks) -> None:
    """What is named can be changed, and what has no default is there."""
    names, memory = request.update_mask.paths, request.memory
    check_mask(names, FIELDS, checks, "must name at least one field")
    if "occurred_at" in names and not memory.HasField("occurred_at"):
        checks.fail("memory.occurred_at", "must be given where update_mask names it")
    if "vector" in names and not memory.HasField("vector"):
        check_message(memory.vector, checks, "memory.vector.")


def memory_update(request: service.UpdateMemoryRequest) -> MemoryUpdate:
    """What the caller changes."""
    values = {name: FIELDS[name](request.memory) for name in request.update_mask.paths}
    vector = values.pop("vector", None)
    return MemoryUpdate(
        memory_id=convert.memory_id(request.memory_id),
        expected_version=request.expected_version,
        values=values,
        vector=vector,
    )
