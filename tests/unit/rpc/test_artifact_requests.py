"""Requests of ArtifactService into values; each limit with what is at it and what is beyond."""

from datetime import UTC, datetime
from typing import Any

import pytest
from camillo.v1 import artifact_pb2 as pb
from camillo.v1 import artifact_service_pb2 as service
from camillo.v1 import channel_pb2
from camillo.v1.memory_pb2 import (
    SENSITIVITY_CONFIDENTIAL,
    SENSITIVITY_RESTRICTED,
)
from camillo_server.domain.artifact import ArtifactDraft
from camillo_server.domain.channel import Channel
from camillo_server.domain.errors import NotFound, ScopeForbidden
from camillo_server.domain.memory import Sensitivity
from camillo_server.domain.off_loop import MAX_LOOP_MICROSECONDS
from camillo_server.domain.scope import Principal
from camillo_server.rpc import artifact_requests as requests
from camillo_server.rpc.validate import Checks
from google.protobuf.struct_pb2 import Struct
from google.protobuf.timestamp_pb2 import Timestamp

from tests.unit.rpc.violations import fields

MOMENT = datetime(2026, 3, 1, 12, 30, tzinfo=UTC)
TOO_LATE = Timestamp(seconds=253402300800)
MEMORY_ID = "01890a5d-ac96-774b-bcce-b302099a8057"
REF = "[MemoryRef: npm_install_7f3k9q2mxd - 依赖安装日志 🎉]"


def draft(message: pb.NewArtifact, checks: Checks, scope: Principal) -> ArtifactDraft:
    return requests.artifact_draft(message, scope.scope(""), checks, "artifact")


def test_a_draft_has_all_that_was_stated(ada: Principal) -> None:
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
    checks = Checks()
    assert draft(message, checks, ada) == ArtifactDraft(
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
    checks.done()


def test_everything_in_a_draft_is_optional(ada: Principal) -> None:
    checks = Checks()
    assert draft(pb.NewArtifact(), checks, ada) == ArtifactDraft()
    checks.done()


@pytest.mark.parametrize(
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
        (
            "sensitivity",
            {"sensitivity": 4, "is_shared": True},
            {"sensitivity": 3, "is_shared": True},
        ),
    ],
)
def test_a_limit_of_a_draft_holds(
    field: str, beyond: dict[str, Any], within: dict[str, Any], ada: Principal
) -> None:
    refused, taken = Checks(), Checks()
    draft(pb.NewArtifact(**beyond), refused, ada)
    draft(pb.NewArtifact(**within), taken, ada)
    assert fields(refused) == [f"artifact.{field}"]
    assert fields(taken) == []


def test_nothing_restricted_is_put_into_the_shared_scope_by_an_operator(
    operator: Principal,
) -> None:
    message = pb.NewArtifact(sensitivity=SENSITIVITY_RESTRICTED)
    refused, taken = Checks(), Checks()
    requests.artifact_draft(message, operator.scope(""), refused, "artifact")
    requests.artifact_draft(message, operator.scope("ada"), taken, "artifact")
    assert (fields(refused), fields(taken)) == (["artifact.sensitivity"], [])


@pytest.mark.parametrize("text", ["npm_install_7f3k9q2mxd", REF, f" {REF}\n"])
def test_an_artifact_is_asked_for_by_its_id_or_a_whole_ref(text: str, ada: Principal) -> None:
    checks = Checks()
    asked = requests.asked_of(service.GetArtifactRequest(artifact_id=text), checks)
    checks.done()
    assert (asked.artifact_id, asked.channel) == ("npm_install_7f3k9q2mxd", Channel.PRIVATE)
    assert asked.scope == ada.scope("")


@pytest.mark.parametrize(
    "text", ["", "ab", "Upper_case", "_a_b", "a b c", "a" * 65, "а" * 9, "x" * 9999]
)
def test_what_no_artifact_is_called_is_not_found(text: str, ada: Principal) -> None:
    with pytest.raises(NotFound) as caught:
        requests.asked_of(service.GetArtifactRequest(artifact_id=text), Checks())
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
    checks = Checks()
    assert requests.channel_of(sent, checks, "channel") is meant
    checks.done()


def test_an_unknown_channel_is_refused(ada: Principal) -> None:
    checks = Checks()
    request = service.GetArtifactRequest(artifact_id="abc", channel=5)  # type: ignore[arg-type]
    requests.asked_of(request, checks)
    assert fields(checks) == ["channel"]


def test_another_agents_artifact_cannot_be_asked_for(ada: Principal) -> None:
    with pytest.raises(ScopeForbidden):
        requests.asked_of(service.GetArtifactRequest(agent_id="bob", artifact_id="abc"), Checks())


def test_an_operator_names_the_agent(operator: Principal) -> None:
    request = service.GetArtifactRequest(agent_id="bob", artifact_id="abc")
    assert requests.asked_of(request, Checks()).scope == operator.scope("bob")


async def test_output_is_read_with_its_default_threshold(ada: Principal) -> None:
    checks = Checks()
    request = service.OffloadOutputRequest(
        output="العربية".encode(), artifact=pb.NewArtifact(tool="shell"), request_id="r1"
    )
    wanted = await requests.output_to_offload(request, checks)
    checks.done()
    assert (wanted.scope, wanted.draft) == (ada.scope(""), ArtifactDraft(tool="shell"))
    assert (wanted.output, wanted.threshold_tokens) == ("العربية".encode(), 500)
    assert wanted.request is not None
    assert wanted.request.request_id == "r1"


@pytest.mark.parametrize("size", [1, int(MAX_LOOP_MICROSECONDS / requests.DIGEST_MICROSECONDS) + 1])
async def test_the_digest_of_an_output_is_of_all_but_the_request_id(
    size: int, ada: Principal
) -> None:
    async def digest(request_id: str, output: bytes, tool: str = "") -> bytes:
        request = service.OffloadOutputRequest(
            request_id=request_id, output=output, artifact=pb.NewArtifact(tool=tool)
        )
        key = (await requests.output_to_offload(request, Checks())).request
        assert key is not None
        return key.content_digest

    first = await digest("a", b"x" * size)
    assert len(first) == 32
    assert await digest("b", b"x" * size) == first
    assert await digest("a", b"y" * size) != first
    assert await digest("a", b"x" * size, "shell") != first


async def test_output_without_a_request_id_has_no_key(ada: Principal) -> None:
    request = service.OffloadOutputRequest(output=b"x")
    assert (await requests.output_to_offload(request, Checks())).request is None


@pytest.mark.parametrize(
    ("field", "beyond", "within"),
    [
        ("output", {"output": b""}, {"output": b"x"}),
        ("threshold_tokens", {"threshold_tokens": 100_001}, {"threshold_tokens": 100_000}),
        ("threshold_tokens", {"threshold_tokens": -1}, {"threshold_tokens": 1}),
        ("request_id", {"request_id": "x" * 129}, {"request_id": "x" * 128}),
    ],
)
async def test_a_limit_of_an_output_holds(
    field: str, beyond: dict[str, Any], within: dict[str, Any], ada: Principal
) -> None:
    refused, taken = Checks(), Checks()
    await requests.output_to_offload(
        service.OffloadOutputRequest(**{"output": b"x", **beyond}), refused
    )
    await requests.output_to_offload(
        service.OffloadOutputRequest(**{"output": b"x", **within}), taken
    )
    assert (fields(refused), fields(taken)) == ([field], [])
