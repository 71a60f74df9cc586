"""Artifacts that have expired are hidden at that moment; retention removes what is old and not pinned."""

from dataclasses import asdict
from datetime import UTC, datetime, timedelta

import grpc
import pytest
from camillo.v1 import artifact_service_pb2 as service

from tests.rpc.artifacts.calls import change, listed, offload, put_text, read
from tests.server_fixtures import Caller, Server, StartServer, refused

BEGIN = datetime(2030, 1, 1, tzinfo=UTC)


async def hidden_everywhere(server: Server, artifact_id: str) -> bool:
    """Whether every way to the artifact says that it is not there; all or none have to."""
    search = service.SearchArtifactRequest(artifact_id=artifact_id, literal="x")
    ways = [
        server.alice(service.GetArtifactRequest(artifact_id=artifact_id)),
        server.alice(service.ReadArtifactPageRequest(artifact_id=artifact_id)),
        server.alice(service.ListCitationsRequest(artifact_id=artifact_id)),
        read(server.alice, artifact_id),
        first_of(server.alice, search),
    ]
    hidden = []
    for way in ways:
        try:
            await way
            hidden.append(False)
        except grpc.aio.AioRpcError as error:
            assert error.code() == grpc.StatusCode.NOT_FOUND  # noqa: PT017
            hidden.append(True)
    ids = {artifact.artifact_id for artifact in await listed(server.alice)}
    assert len({*hidden, artifact_id not in ids}) == 1
    return hidden[0]


async def first_of(caller: Caller, request: service.SearchArtifactRequest) -> object:
    return await anext(aiter(caller.begin(request)))


@pytest.mark.own_server
@pytest.mark.parametrize("pinned", [False, True])
async def test_what_expires_is_hidden_at_that_moment_and_later_removed(server: Server, pinned: bool) -> None:
    expires_at = BEGIN + timedelta(seconds=10)
    gone = await put_text(server.alice, "x one\n", expires_at=expires_at, pinned=pinned)
    stays = await put_text(server.alice, "x two\n", pinned=pinned)
    assert gone.expires_at.ToDatetime(tzinfo=UTC) == expires_at
    server.clock.move(9.999999)
    assert not await hidden_everywhere(server, gone.artifact_id)
    server.clock.move(0.000001)
    assert await hidden_everywhere(server, gone.artifact_id)
    assert not await hidden_everywhere(server, stays.artifact_id)
    collected = await server.app.artifacts.collection()
    assert (collected.expired_artifacts, collected.contents) == (1, 1)
    assert await read(server.alice, stays.artifact_id) == b"x two\n"


async def test_what_has_expired_cannot_be_changed_and_what_has_not_can_be_kept(server: Server) -> None:
    expires_at = BEGIN + timedelta(seconds=10)
    late = await put_text(server.alice, "x late", expires_at=expires_at)
    kept = await put_text(server.alice, "x kept", expires_at=expires_at)
    clear = change(kept.artifact_id, 1)
    clear.update_mask.paths.append("expires_at")
    answer = await server.alice(clear)
    assert not answer.artifact.HasField("expires_at")
    server.clock.move(10)
    clear.artifact_id = late.artifact_id
    assert (await refused(server.alice(clear))).reason == "ARTIFACT_NOT_FOUND"
    told = await refused(server.alice(service.DeleteArtifactRequest(artifact_id=late.artifact_id)))
    assert told.reason == "ARTIFACT_NOT_FOUND"
    assert not await hidden_everywhere(server, kept.artifact_id)
    now = change(kept.artifact_id, 2, expires_at=BEGIN + timedelta(seconds=10))
    await server.alice(now)
    assert await hidden_everywhere(server, kept.artifact_id)


async def test_retention_removes_what_is_old_and_not_pinned(start_server: StartServer) -> None:
    server = await start_server(artifacts={"retention_days": 1.5})
    old = await put_text(server.alice, "x old")
    pinned = await put_text(server.alice, "x pinned", pinned=True)
    unpinned = await put_text(server.alice, "x unpinned", pinned=True)
    await server.alice(change(unpinned.artifact_id, 1, pinned=False))
    server.clock.move(3600)
    young = (await offload(server.alice, "x young", threshold_tokens=1)).artifact
    server.clock.move(1.5 * 86_400 - 3600)
    assert (await server.app.artifacts.collection()).expired_artifacts == 0
    server.clock.move(1)
    collected = await server.app.artifacts.collection()
    assert (collected.expired_artifacts, collected.contents) == (2, 2)
    assert await hidden_everywhere(server, old.artifact_id)
    assert await hidden_everywhere(server, unpinned.artifact_id)
    assert not await hidden_everywhere(server, pinned.artifact_id)
    assert not await hidden_everywhere(server, young.artifact_id)


@pytest.mark.own_server
async def test_without_retention_nothing_grows_old(server: Server) -> None:
    old = await put_text(server.alice, "x old")
    server.clock.move(50 * 365 * 86_400)
    assert not any(asdict(await server.app.artifacts.collection()).values())
    assert await read(server.alice, old.artifact_id) == b"x old"
