"""UpdateMemory's field mask into new values."""

from collections.abc import Callable
from typing import Any

from camillo.v1 import memory_service_pb2 as service

from camillo_server.domain.update_memory import MemoryUpdate
from camillo_server.rpc import convert
from camillo_server.rpc.validate import Checks

Reader = Callable[[service.UpdateMemoryRequest, Checks], Any]

# What a caller may change, and how the new value is read and checked.
FIELDS: dict[str, Reader] = {
    "content": lambda r, c: convert.content(r.memory.content, c, "memory.content"),
    "kind": lambda r, c: convert.kind(r.memory.kind, c, "memory.kind"),
    "session_id": lambda r, c: convert.session_id(r.memory.session_id, c, "memory.session_id"),
    "occurred_at": lambda r, c: convert.moment(r.memory, "occurred_at", c, "memory"),
    "tags": lambda r, c: tuple(convert.tags(r.memory.tags, c, "memory.tags")),
    "sensitivity": lambda r, c: convert.sensitivity(r.memory.sensitivity, c, "memory.sensitivity"),
    "importance": lambda r, c: convert.importance(r.memory, c, "memory"),
    "metadata": lambda r, c: convert.metadata(r.memory.metadata, c, "memory.metadata"),
    "expires_at": lambda r, c: convert.moment(r.memory, "expires_at", c, "memory"),
    "pinned": lambda r, c: r.memory.pinned,
    "archived": lambda r, c: r.memory.archived,
    "source_refs": lambda r, c: tuple(
        convert.source_refs(r.memory.source_refs, c, "memory.source_refs")
    ),
    "vector": lambda r, c: convert.vector(r.memory.vector, c, "memory.vector"),
}


def memory_update(request: service.UpdateMemoryRequest, checks: Checks) -> MemoryUpdate:
    """What the caller changes. Adds to the checks what is wrong with it."""
    if request.expected_version < 1:
        checks.fail("expected_version", "must be 1 or more: the version that you have read")
    if not request.update_mask.paths:
        checks.fail("update_mask", "must name at least one field")
    values: dict[str, Any] = {}
    for path in request.update_mask.paths[: len(FIELDS) + 1]:
        if path in FIELDS:
            values[path] = FIELDS[path](request, checks)
        else:
            checks.fail("update_mask", f"may name {', '.join(FIELDS)}")
    vector = values.pop("vector", None)
    if values.get("occurred_at", ...) is None:
        checks.fail("memory.occurred_at", "must be given where update_mask names it")
    return MemoryUpdate(
        memory_id=convert.memory_id(request.memory_id, checks, "memory_id"),
        expected_version=request.expected_version,
        values=values,
        vector=vector,
    )
