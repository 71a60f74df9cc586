"""UpdateArtifact's field mask into new values."""

from collections.abc import Callable
from typing import Any

from camillo.v1 import artifact_pb2 as pb
from camillo.v1 import artifact_service_pb2 as service

from camillo_server.rpc import convert
from camillo_server.rpc.artifact_requests import description, name
from camillo_server.rpc.validate import Checks

# What a caller may change, and how the new value is read and checked.
CHANGES: dict[str, Callable[[pb.NewArtifact, Checks], Any]] = {
    "name": lambda m, c: name(m, c, "artifact"),
    "description": lambda m, c: description(m, c, "artifact"),
    "session_id": lambda m, c: convert.session_id(m.session_id, c, "artifact.session_id"),
    "tags": lambda m, c: tuple(convert.tags(m.tags, c, "artifact.tags")),
    "metadata": lambda m, c: convert.metadata(m.metadata, c, "artifact.metadata"),
    "expires_at": lambda m, c: convert.moment(m, "expires_at", c, "artifact"),
    "pinned": lambda m, c: m.pinned,
    "source_refs": lambda m, c: tuple(
        convert.source_refs(m.source_refs, c, "artifact.source_refs")
    ),
}


def artifact_changes(request: service.UpdateArtifactRequest, checks: Checks) -> dict[str, Any]:
    """The new values by field. Adds to the checks what is wrong with the update."""
    if request.expected_version < 1:
        checks.fail("expected_version", "must be 1 or more: the version that you have read")
    if not request.update_mask.paths:
        checks.fail("update_mask", "must name at least one field")
    values: dict[str, Any] = {}
    for path in request.update_mask.paths[: len(CHANGES) + 1]:
        if path in CHANGES:
            values[path] = CHANGES[path](request.artifact, checks)
        else:
            checks.fail("update_mask", f"may name {', '.join(CHANGES)}")
    return values
