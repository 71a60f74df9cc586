"""UpdateArtifact: what changes and what stays, versions, masks, repeats; who may write at all."""

import asyncio
from datetime import UTC, datetime
from typing import Any

import grpc
import pytest
from camillo.v1 import artifact_pb2 as pb
from camillo.v1 import artifact_service_pb2 as service
from camillo.v1 import memory_pb2 as memory
from google.protobuf.field_mask_pb2 import FieldMask
from google.protobuf.message import Message

from tests.rpc.artifacts.calls import change, listed, output, put, put_text, read, upload
from tests.server_fixtures import Server, refused

MOMENT = datetime(2031, 5, 4, 3, 2, 1, 500, tzinfo=UTC)
STATED: dict[str, Any] = {
    "name": "before.txt",
    "description": "before",
    "media_type": "text/plain",
    "tool": "shell",
    "command": "cat",
    "exit_code": 0,
    "session_id": "s1",
    "tags": ["a"],
    "metadata": {"k": "v"},
    "expires_at": datetime(2032, 1, 1, tzinfo=UTC),
    "pinned": True,
    "source_refs": ["r1"],
}
CHANGES: dict[str, tuple[Any, Any]] = {
    "name": ("日志.txt", ""),
    "description": ("بعد 🙂", ""),
    "session_id": ("s2", ""),
    "tags": (["x", "y", "x"], []),
    "metadata": ({"n": 1.5, "b": True, "none": None, "🙂": "é"}, {}),
    "expires_at": (MOMENT, None),
    "pinned": (False, True),
    "source_refs": (["r2", "r3"], []),
}


# The description stands in the memory ref.
REF_OF = {"description": {"memory_ref"}}


@pytest.mark.parametrize("level", [memory.SENSITIVITY_INTERNAL, memory.SENSITIVITY_CONFIDENTIAL])
async def test_one_field_changes_and_all_else_stays(server: Server, level: Any) -> None:
    for field, values in CHANGES.items():
        before = (await put(server.alice, b"the bytes\n", sensitivity=level, **STATED)).artifact
        server.clock.move(60)
        for version, value in enumerate(values, 1):
            await assert_changed(server, before, version, {field: value} if value else {}, field)
        assert await read(server.alice, before.artifact_id) == b"the bytes\n"


async def assert_changed(server: Server, before: pb.Artifact, version: int, values: dict[str, Any], field: str) -> None:
    """Gives the field this value, or none, and looks at what came of it."""
    request = change(before.artifact_id, version, **values)
    # Fields that the mask does not name are ignored.
    request.update_mask.paths[:] = [field]
    request.artifact.tool = "other"
    request.artifact.is_shared = True
    after = (await server.alice(request)).artifact
    assert after.version == version + 1
    assert after.updated_at.ToSeconds() == before.created_at.ToSeconds() + 60
    wanted = pb.NewArtifact(**values)
    wanted.tags[:] = list(dict.fromkeys(wanted.tags))
    if field != "description" or values:
        assert getattr(after, field) == getattr(wanted, field)
    changed = {"version", "updated_at", field} | REF_OF.get(field, set())
    expected = pb.Artifact()
    expected.CopyFrom(before)
    FieldMask(paths=sorted(changed)).MergeMessage(after, expected, True, True)
    assert after == expected, field
    got = await server.alice(service.GetArtifactRequest(artifact_id=before.artifact_id))
    assert got.artifact == after


async def test_without_its_own_description_an_artifact_gets_the_made_one_back(server: Server) -> None:
    made = await put_text(server.alice, "some words\n")
    told = await server.alice(change(made.artifact_id, 1, description="told [MemoryRef: x]"))
    assert told.artifact.description == "told [MemoryRef: x]"
    assert told.artifact.memory_ref == f"[MemoryRef: {made.artifact_id} - told (MemoryRef: x)]"
    clear = change(made.artifact_id, 2)
    clear.update_mask.paths.append("description")
    again = await server.alice(clear)
    assert again.artifact.description == made.description
    assert again.artifact.memory_ref == made.memory_ref


async def test_of_two_updates_of_one_version_one_is_in_conflict(server: Server) -> None:
    artifact_id = (await put_text(server.alice, "x")).artifact_id
    told = await refused(server.alice(change(artifact_id, 2, pinned=True)))
    assert (told.code, told.reason) == (grpc.StatusCode.ABORTED, "VERSION_CONFLICT")
    assert told.metadata == {"expected_version": "2", "actual_version": "1"}
    outcomes = await asyncio.gather(
        *(server.alice(change(artifact_id, 1, name=str(i))) for i in range(8)), return_exceptions=True
    )
    done = [each for each in outcomes if not isinstance(each, BaseException)]
    failed = [each for each in outcomes if isinstance(each, grpc.aio.AioRpcError)]
    assert (len(done), len(failed)) == (1, 7)
    assert {each.code() for each in failed} == {grpc.StatusCode.ABORTED}
    got = await server.alice(service.GetArtifactRequest(artifact_id=artifact_id))
    assert got.artifact == done[0].artifact


BAD_MASKS: list[tuple[list[str], int, str]] = [
    ([], 1, "update_mask"),
    (["size_bytes"], 1, "update_mask"),
    (["sensitivity"], 1, "update_mask"),
    (["is_shared"], 1, "update_mask"),
    (["tool"], 1, "update_mask"),
    (["*"], 1, "update_mask"),
    (["metadata.k"], 1, "update_mask"),
    (["name", "artifact_id"], 1, "update_mask"),
    (["name"], 0, "expected_version"),
    (["name"], -1, "expected_version"),
]


async def test_a_mask_that_names_what_cannot_be_changed_is_refused(server: Server) -> None:
    artifact_id = (await put_text(server.alice, "x")).artifact_id
    request = service.UpdateArtifactRequest(artifact_id=artifact_id, artifact=pb.NewArtifact(name="new"))
    for paths, version, field in BAD_MASKS:
        request.expected_version = version
        request.update_mask.paths[:] = paths
        told = await refused(server.alice(request))
        assert (told.code, told.reason) == (grpc.StatusCode.INVALID_ARGUMENT, "INVALID_FIELD")
        assert field in told.fields, paths
    request.expected_version, request.update_mask.paths[:] = 1, ["name"]
    assert (await server.alice(request)).artifact.name == "new"


async def test_a_repeated_update_writes_nothing_more(server: Server) -> None:
    artifact_id = (await put_text(server.alice, "x")).artifact_id
    request = change(artifact_id, 1, name="new")
    request.request_id = "once"
    first = await server.alice(request)
    assert await server.alice(request) == first
    assert first.artifact.version == 2
    other = change(artifact_id, 2, name="newer")
    other.request_id = "once"
    told = await refused(server.alice(other))
    assert (told.code, told.reason) == (grpc.StatusCode.ALREADY_EXISTS, "REQUEST_ID_REUSED")
    server.clock.move(86_401)
    assert (await server.alice(other)).artifact.version == 3


async def test_a_repeat_gives_the_artifact_as_it_is_by_now(server: Server) -> None:
    artifact_id = (await put_text(server.alice, "x")).artifact_id
    request = change(artifact_id, 1, name="first")
    request.request_id = "once"
    await server.alice(request)
    await server.alice(change(artifact_id, 2, name="second"))
    repeated = (await server.alice(request)).artifact
    assert (repeated.name, repeated.version) == ("second", 3)
    request.request_id = "another"
    assert (await refused(server.alice(request))).reason == "VERSION_CONFLICT"


async def test_one_update_sent_many_times_at_once_is_answered_the_same(server: Server) -> None:
    artifact_id = (await put_text(server.alice, "x")).artifact_id
    for version in range(1, 6):
        request = change(artifact_id, version, name=f"name {version}")
        request.request_id = f"r{version}"
        answers = await asyncio.gather(*(server.alice(request) for _ in range(6)))
        assert all(answer == answers[0] for answer in answers)
        assert answers[0].artifact.version == version + 1


async def test_a_reader_writes_nothing_and_reads_all(server: Server) -> None:
    artifact_id = (await put_text(server.alice, "x\n")).artifact_id
    writes: list[Message] = [
        output("x" * 5000, threshold_tokens=1),
        change(artifact_id, 1, name="new"),
        service.DeleteArtifactRequest(artifact_id=artifact_id),
        service.GetUploadRequest(upload_id="01890a5d-ac96-774b-bcce-b302099a8057"),
    ]
    calls = [server.reader(request) for request in writes]
    for call in (*calls, server.reader.send(upload(b"x"), "PutArtifact")):
        told = await refused(call)
        assert (told.code, told.reason) == (grpc.StatusCode.PERMISSION_DENIED, "SCOPE_FORBIDDEN")
        assert told.metadata["required_role"]
    assert [each.version for each in await listed(server.reader)] == [1]
    assert await read(server.reader, artifact_id) == b"x\n"


async def test_a_shared_artifact_is_changed_only_by_its_maker_or_an_operator(server: Server) -> None:
    """Else an agent could end what another shared by a date in the past."""
    shared = await put_text(server.admin, "x", agent_id="bob", is_shared=True)
    end = change(shared.artifact_id, 1, expires_at=datetime(2029, 1, 1, tzinfo=UTC))
    assert (await refused(server.alice(end))).reason == "SCOPE_FORBIDDEN"
    deletion = service.DeleteArtifactRequest(artifact_id=shared.artifact_id)
    assert (await refused(server.alice(deletion))).reason == "SCOPE_FORBIDDEN"
    assert await read(server.alice, shared.artifact_id) == b"x"
    own = await put_text(server.alice, "y", is_shared=True)
    await server.alice(change(own.artifact_id, 1, name="new"))
    await server.admin(change(own.artifact_id, 2, name="newer"))
    await server.admin(end)
    assert (await refused(read(server.alice, shared.artifact_id))).reason == "ARTIFACT_NOT_FOUND"


async def test_a_writer_of_one_agent_is_not_another(server: Server) -> None:
    artifact_id = (await put_text(server.admin, "x", agent_id="bob")).artifact_id
    for request in (
        change(artifact_id, 1, name="new"),
        service.DeleteArtifactRequest(artifact_id=artifact_id),
        service.GetArtifactRequest(artifact_id=artifact_id),
    ):
        assert (await refused(server.alice(request))).reason == "ARTIFACT_NOT_FOUND"
        request.agent_id = "bob"
        assert (await refused(server.alice(request))).reason == "SCOPE_FORBIDDEN"
    assert [each.version for each in await listed(server.admin, agent_id="bob")] == [1]
