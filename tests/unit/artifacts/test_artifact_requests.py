"""Requests of ArtifactService into values; each limit with what is at it and what is beyond."""

from datetime import UTC, datetime
from typing import Any

import pytest
from camillo.v1 import artifact_pb2 as pb
from camillo.v1 import artifact_service_pb2 as service
from camillo.v1 import channel_pb2
from camillo.v1.memory_pb2 import SENSITIVITY_CONFIDENTIAL, SENSITIVITY_RESTRICTED
from camillo_server.doors.rpc.call import TEXT_BYTES
from camillo_server.doors.rpc.fields import channel_of
from camillo_server.features.artifacts import request_messages as requests
from camillo_server.features.artifacts.artifact import ArtifactDraft, ArtifactLookup
from camillo_server.kernel.channel import Channel
from camillo_server.kernel.errors import InvalidField, NotFound, ScopeForbidden
from camillo_server.kernel.kinds import Sensitivity
from camillo_server.kernel.off_loop import MAX_LOOP_CHARACTERS
from camillo_server.kernel.scope import Principal
from google.protobuf.struct_pb2 import Struct
from google.protobuf.timestamp_pb2 import Timestamp

from tests.cases import each_case
from tests.unit.rpc.records import CALLS
from tests.unit.rpc.violations import broken, refused_fields

MOMENT = datetime(2026, 3, 1, 12, 30, tzinfo=UTC)
TOO_LATE = Timestamp(seconds=253402300800)
MEMORY_ID = "01890a5d-ac96-774b-bcce-b302099a8057"
REF = "[MemoryRef: npm_install_7f3k9q2mxd - 依赖安装日志 🎉]"


def asked_by(request: service.GetArtifactRequest) -> ArtifactLookup:
    return requests.lookup_of(request, CALLS.read_at_once(request))


def test_a_draft_has_all_that_was_stated() -> None:
    metadata = Struct()
    metadata.update({"ключ": "значение", "n": 1.5, "none": None})
    expires = Timestamp()
    expires.FromDatetime(MOMENT)
    message = pb.NewArtifact(
        name="ログ.txt",
        description="תיאור",
        media_type="text/plain",
        tool="shell",
        command="npm install",
        exit_code=0,
        session_id="s",
        tags=["b", "a", "b"],
        sensitivity=SENSITIVITY_CONFIDENTIAL,
        metadata=metadata,
        expires_at=expires,
        pinned=True,
        source_refs=["r", "r"],
        is_shared=True,
    )
    assert broken(message) == []
    assert requests.artifact_draft(message) == ArtifactDraft(
        name="ログ.txt",
        description="תיאור",
        media_type="text/plain",
        tool="shell",
        command="npm install",
        exit_code=0,
        session_id="s",
        tags=("b", "a"),
        sensitivity=Sensitivity.CONFIDENTIAL,
        metadata={"ключ": "значение", "n": 1.5, "none": None},
        expires_at=MOMENT,
        pinned=True,
        source_refs=("r",),
        is_shared=True,
    )


def test_everything_in_a_draft_is_optional() -> None:
    message = pb.NewArtifact()
    assert (requests.artifact_draft(message), broken(message)) == (ArtifactDraft(), [])


@each_case(
    ("field", "beyond", "within"),
    [
        ("name", {"name": "x" * 257}, {"name": "é" * 256}),
        ("name", {"name": "a\0"}, {"name": "a\x01"}),
        ("description", {"description": "x" * 201}, {"description": "字" * 200}),
        ("media_type", {"media_type": "x" * 129}, {"media_type": "x" * 128}),
        ("tool", {"tool": "x" * 65}, {"tool": "x" * 64}),
        ("command", {"command": "x" * 4001}, {"command": "😀" * 4000}),
        ("session_id", {"session_id": "x" * 129}, {"session_id": "x" * 128}),
        ("tags", {"tags": [*map(str, range(65))]}, {"tags": [*map(str, range(64))]}),
        ("tags[0]", {"tags": ["x" * 129]}, {"tags": ["x" * 128]}),
        ("sensitivity", {"sensitivity": 5}, {"sensitivity": 4}),
        ("source_refs", {"source_refs": [*map(str, range(65))]}, {"source_refs": ["x" * 256]}),
        ("source_refs[0]", {"source_refs": ["x" * 257]}, {"source_refs": ["x"]}),
        ("expires_at", {"expires_at": TOO_LATE}, {"expires_at": Timestamp(seconds=253402300799)}),
        ("sensitivity", {"sensitivity": 4, "is_shared": True}, {"sensitivity": 3, "is_shared": True}),
    ],
)
def test_a_limit_of_a_draft_holds(field: str, beyond: dict[str, Any], within: dict[str, Any]) -> None:
    assert broken(pb.NewArtifact(**beyond), "artifact.") == [f"artifact.{field}"]
    assert broken(pb.NewArtifact(**within), "artifact.") == []


def test_nothing_restricted_is_put_into_the_shared_scope_by_an_operator(operator: Principal) -> None:
    restricted = pb.NewArtifact(sensitivity=SENSITIVITY_RESTRICTED)
    request = service.OffloadOutputRequest(output=b"x", artifact=restricted)
    with pytest.raises(InvalidField) as caught:
        CALLS.read_at_once(request)
    assert refused_fields(caught) == ["artifact.sensitivity"]
    request.agent_id = "ada"
    assert CALLS.read_at_once(request).scope == operator.scope("ada")


@pytest.mark.parametrize("text", ["npm_install_7f3k9q2mxd", REF, f" {REF}\n"])
def test_an_artifact_is_asked_for_by_its_id_or_a_whole_ref(text: str, ada: Principal) -> None:
    asked = asked_by(service.GetArtifactRequest(artifact_id=text))
    assert (asked.artifact_id, asked.channel) == ("npm_install_7f3k9q2mxd", Channel.PRIVATE)
    assert asked.scope == ada.scope("")


@each_case("text", ["", "ab", "Upper_case", "_a_b", "a b c", "a" * 65, "а" * 9, "x" * 9999])
def test_what_no_artifact_is_called_is_not_found(text: str, ada: Principal) -> None:
    with pytest.raises(NotFound) as caught:
        asked_by(service.GetArtifactRequest(artifact_id=text))
    assert (caught.value.noun, caught.value.wanted_id) == ("artifact", text[:64])


@pytest.mark.parametrize("text", ["abc", "0_1", "a" * 64])
def test_an_id_within_the_limits_is_taken(text: str) -> None:
    assert requests.artifact_id(text) == text


def test_a_ref_is_no_id_where_the_contract_does_not_say_so() -> None:
    with pytest.raises(NotFound):
        requests.artifact_id(REF)


@pytest.mark.parametrize(
    ("sent", "meant"),
    [
        (channel_pb2.CHANNEL_UNSPECIFIED, Channel.PRIVATE),
        (channel_pb2.CHANNEL_PUBLIC, Channel.PUBLIC),
        (channel_pb2.CHANNEL_PRIVATE, Channel.PRIVATE),
        (channel_pb2.CHANNEL_TEAM, Channel.TEAM),
        (channel_pb2.CHANNEL_AGENT, Channel.AGENT),
    ],
)
def test_a_channel_is_known_by_its_number(sent: int, meant: Channel) -> None:
    request = service.GetArtifactRequest(channel=sent)  # type: ignore[arg-type]
    assert (channel_of(sent), broken(request)) == (meant, [])


def test_an_unknown_channel_is_refused() -> None:
    request = service.GetArtifactRequest(artifact_id="abc", channel=5)  # type: ignore[arg-type]
    assert broken(request) == ["channel"]


def test_another_agents_artifact_cannot_be_asked_for(ada: Principal) -> None:
    with pytest.raises(ScopeForbidden):
        asked_by(service.GetArtifactRequest(agent_id="bob", artifact_id="abc"))


def test_an_operator_names_the_agent(operator: Principal) -> None:
    request = service.GetArtifactRequest(agent_id="bob", artifact_id="abc")
    assert asked_by(request).scope == operator.scope("bob")


async def test_output_is_read_with_its_default_threshold(ada: Principal) -> None:
    request = service.OffloadOutputRequest(
        output="العربية".encode(), artifact=pb.NewArtifact(tool="shell"), request_id="r1"
    )
    wanted = requests.output_to_offload(request, await CALLS.read(request))
    assert (wanted.scope, wanted.draft) == (ada.scope(""), ArtifactDraft(tool="shell"))
    assert (wanted.output, wanted.threshold_tokens) == ("العربية".encode(), 500)
    assert wanted.request is not None
    assert wanted.request.request_id == "r1"


@pytest.mark.parametrize("size", [1, MAX_LOOP_CHARACTERS * TEXT_BYTES + 1])
async def test_the_digest_of_an_output_is_of_all_but_the_request_id(size: int, ada: Principal) -> None:
    async def digest(request_id: str, output: bytes, tool: str = "") -> bytes:
        request = service.OffloadOutputRequest(request_id=request_id, output=output, artifact=pb.NewArtifact(tool=tool))
        key = requests.output_to_offload(request, await CALLS.read(request)).request
        assert key is not None
        return key.content_digest

    first = await digest("a", b"x" * size)
    assert len(first) == 32
    assert await digest("b", b"x" * size) == first
    assert await digest("a", b"y" * size) != first
    assert await digest("a", b"x" * size, "shell") != first


async def test_output_without_a_request_id_has_no_key(ada: Principal) -> None:
    request = service.OffloadOutputRequest(output=b"x")
    assert requests.output_to_offload(request, await CALLS.read(request)).request is None


@pytest.mark.parametrize(
    ("field", "beyond", "within"),
    [
        ("output", {"output": b""}, {"output": b"x"}),
        ("threshold_tokens", {"threshold_tokens": 100_001}, {"threshold_tokens": 100_000}),
        ("threshold_tokens", {"threshold_tokens": -1}, {"threshold_tokens": 1}),
        ("request_id", {"request_id": "x" * 129}, {"request_id": "x" * 128}),
    ],
)
def test_a_limit_of_an_output_holds(field: str, beyond: dict[str, Any], within: dict[str, Any]) -> None:
    refused = broken(service.OffloadOutputRequest(**{"output": b"x", **beyond}))
    taken = broken(service.OffloadOutputRequest(**{"output": b"x", **within}))
    assert (refused, taken) == ([field], [])
