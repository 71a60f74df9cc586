"""UpdateArtifact's field mask into new values."""

from collections.abc import Callable
from typing import Any

from camillo.v1 import artifact_pb2 as pb
from camillo.v1 import artifact_service_pb2 as service

from camillo_server.rpc.context_json import flat_object
from camillo_server.rpc.field_limits import rule
from camillo_server.rpc.field_values import check_mask, distinct, time_of
from camillo_server.rpc.validate import Checks

# What a caller may change, and how the new value is read.
CHANGES: dict[str, Callable[[pb.NewArtifact], Any]] = {
    "name": lambda m: m.name,
    "description": lambda m: m.description,
    "session_id": lambda m: m.session_id,
    "tags": lambda m: distinct(m.tags),
    "metadata": lambda m: flat_object(m.metadata),
    "expires_at": lambda m: time_of(m, "expires_at"),
    "pinned": lambda m: m.pinned,
    "source_refs": lambda m: distinct(m.source_refs),
}


@rule(service.UpdateArtifactRequest)
def check_changes(request: service.UpdateArtifactRequest, path: str, checks: Checks) -> None:
    """What is named can be changed."""
    check_mask(request.update_mask.paths, CHANGES, checks, "must name at least one field")


def artifact_changes(request: service.UpdateArtifactRequest) -> dict[str, Any]:
    """The new values by field."""
    return {name: CHANGES[name](request.artifact) for name in request.update_mask.paths}
