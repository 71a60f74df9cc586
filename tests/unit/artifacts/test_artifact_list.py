"""Requests for a list of artifacts; each limit with what is at it and what is beyond."""

from datetime import UTC, datetime
from typing import Any
from uuid import UUID

from camillo.v1 import artifact_pb2 as pb
from camillo.v1 import artifact_service_pb2 as service
from camillo.v1.memory_pb2 import SENSITIVITY_INTERNAL
from camillo_server.features.artifacts import request_messages
from camillo_server.features.artifacts.artifact import ArtifactFilter
from camillo_server.kernel.channel import Channel
from camillo_server.kernel.kinds import Sensitivity
from camillo_server.kernel.scope import Principal
from camillo_server.lib.outputs.summary.sample import ContentKind
from google.protobuf.timestamp_pb2 import Timestamp

from tests.cases import each_case
from tests.unit.rpc.records import CALLS
from tests.unit.rpc.violations import broken

MOMENT = datetime(2026, 3, 1, 12, 30, tzinfo=UTC)
TOO_LATE = Timestamp(seconds=253402300800)
MEMORY_ID = "01890a5d-ac96-774b-bcce-b302099a8057"


def test_a_filter_has_all_its_conditions() -> None:
    moment = Timestamp()
    moment.FromDatetime(MOMENT)
    message = pb.ArtifactFilter(
        session_id="s",
        tool="shell",
        kinds=[pb.CONTENT_KIND_JSON, pb.CONTENT_KIND_UNSPECIFIED],
        created_from=moment,
        created_before=moment,
        min_size_bytes=1,
        max_size_bytes=2,
        tags_any=["a"],
        tags_all=["b"],
        max_sensitivity=SENSITIVITY_INTERNAL,
        cited_by_memory_id=MEMORY_ID,
    )
    assert broken(message) == []
    assert request_messages.artifact_filter(message) == ArtifactFilter(
        session_id="s",
        tool="shell",
        kinds=(ContentKind.JSON,),
        created_from=MOMENT,
        created_before=MOMENT,
        min_size=1,
        max_size=2,
        tags_any=("a",),
        tags_all=("b",),
        max_sensitivity=Sensitivity.INTERNAL,
        cited_by=UUID(MEMORY_ID),  # type: ignore[arg-type]
    )


def test_an_empty_filter_passes_everything(ada: Principal) -> None:
    request = service.ListArtifactsRequest()
    asked = request_messages.query_of(request, CALLS.read_at_once(request))
    assert asked.filter == ArtifactFilter()
    assert (asked.scope, asked.channel, asked.include_shared) == (ada.scope(""), Channel.PRIVATE, False)


@each_case(
    ("field", "beyond", "within"),
    [
        ("session_id", {"session_id": "x" * 129}, {"session_id": "x" * 128}),
        ("tool", {"tool": "x" * 65}, {"tool": "x" * 64}),
        ("kinds", {"kinds": [7]}, {"kinds": [6]}),
        ("min_size_bytes", {"min_size_bytes": -1}, {"min_size_bytes": 2**62}),
        ("max_size_bytes", {"max_size_bytes": -1}, {"max_size_bytes": 1}),
        ("tags_any", {"tags_any": [*map(str, range(65))]}, {"tags_any": [*map(str, range(64))]}),
        ("tags_all[0]", {"tags_all": [""]}, {"tags_all": [" "]}),
        ("max_sensitivity", {"max_sensitivity": 5}, {"max_sensitivity": 4}),
        ("cited_by_memory_id", {"cited_by_memory_id": "x"}, {"cited_by_memory_id": MEMORY_ID}),
        ("created_from", {"created_from": TOO_LATE}, {"created_from": Timestamp()}),
    ],
)
def test_a_limit_of_a_filter_holds(field: str, beyond: dict[str, Any], within: dict[str, Any]) -> None:
    refused = broken(pb.ArtifactFilter(**beyond), "filter.")
    taken = broken(pb.ArtifactFilter(**within), "filter.")
    assert (refused, taken) == ([f"filter.{field}"], [])


def test_the_kinds_have_the_numbers_of_the_contract() -> None:
    named = {f"CONTENT_KIND_{kind.name}": kind.value for kind in ContentKind}
    assert named == dict(pb.ContentKind.items())
