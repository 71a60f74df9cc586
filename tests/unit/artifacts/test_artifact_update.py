"""Fields that an update changes; each limit with what is at it and what is beyond."""

from typing import Any

from camillo.v1 import artifact_pb2 as pb
from camillo.v1 import artifact_service_pb2 as service
from camillo_server.features.artifacts.artifact import ArtifactDraft
from camillo_server.features.artifacts.request_messages import CHANGES, artifact_changes
from google.protobuf.field_mask_pb2 import FieldMask

from tests.cases import each_case
from tests.unit.rpc.violations import broken


def update(*paths: str, version: int = 1, **values: Any) -> service.UpdateArtifactRequest:
    return service.UpdateArtifactRequest(
        expected_version=version, update_mask=FieldMask(paths=paths), artifact=pb.NewArtifact(**values)
    )


def test_only_what_the_mask_names_is_changed() -> None:
    request = update("tags", "name", "expires_at", name="né", tags=["a", "a"], tool="other")
    assert broken(request) == []
    assert artifact_changes(request) == {"tags": ("a",), "name": "né", "expires_at": None}


def test_every_field_that_may_change_is_a_field_of_a_draft() -> None:
    values = artifact_changes(update(*CHANGES))
    assert broken(update(*CHANGES)) == []
    assert ArtifactDraft(**values) == ArtifactDraft()
    assert sorted(values) == sorted(
        ["name", "description", "session_id", "tags", "metadata", "expires_at", "pinned", "source_refs"]
    )


@each_case(
    ("field", "bad", "good"),
    [
        ("expected_version", update("name", version=0), update("name", version=1)),
        ("update_mask", update(), update("name")),
        ("update_mask", update("tool"), update("pinned")),
        ("update_mask", update("is_shared"), update("description")),
        ("artifact.name", update("name", name="x" * 257), update("pinned", name="x" * 257)),
        (
            "artifact.description",
            update("description", description="x" * 201),
            update("description", description="x" * 200),
        ),
    ],
)
def test_a_limit_of_an_update_holds(
    field: str, bad: service.UpdateArtifactRequest, good: service.UpdateArtifactRequest
) -> None:
    assert (broken(bad), broken(good)) == ([field], [])
