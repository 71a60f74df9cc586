"""Who may be shown what: channels and sensitivities, agents, tenants."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import grpc
import psycopg
import pytest
from camillo.v1 import artifact_service_pb2 as service
from camillo.v1 import channel_pb2 as channels
from camillo.v1 import memory_pb2 as memory

from tests.postgres_fixtures import TestDatabase
from tests.rpc.artifacts.calls import put, put_text, read
from tests.server_fixtures import Caller, Server, StartServer, refusal, refused

LEVELS = {
    memory.SENSITIVITY_PUBLIC: "public",
    memory.SENSITIVITY_INTERNAL: "internal",
    memory.SENSITIVITY_CONFIDENTIAL: "confidential",
    memory.SENSITIVITY_RESTRICTED: "restricted",
}
MATRIX = {
    channels.CHANNEL_PUBLIC: {"public"},
    channels.CHANNEL_PRIVATE: {"public", "internal", "confidential", "restricted"},
    channels.CHANNEL_UNSPECIFIED: {"public", "internal", "confidential", "restricted"},
    channels.CHANNEL_TEAM: {"public", "internal", "confidential"},
    channels.CHANNEL_AGENT: {"public", "internal"},
}


async def put_each_level(caller: Caller) -> dict[str, str]:
    """An artifact of every level: its id by the level's name."""
    return {
        name: (
            await put_text(caller, f"needle of {name}\n" * 9, sensitivity=level, description=f"d {name}")
        ).artifact_id
        for level, name in LEVELS.items()
    }


@contextmanager
def maybe_hidden(is_shown: bool) -> Iterator[None]:
    """The block works where it is shown, else it fails with NOT_FOUND."""
    if is_shown:
        yield
        return
    with pytest.raises(grpc.aio.AioRpcError) as error:
        yield
    told = refusal(error.value)
    assert (told.code, told.reason) == (grpc.StatusCode.NOT_FOUND, "ARTIFACT_NOT_FOUND")


@pytest.mark.parametrize("channel", MATRIX)
async def test_each_channel_loads_its_levels_in_every_way_to_read(server: Server, channel: channels.Channel) -> None:
    ids = await put_each_level(server.alice)
    listed = await server.alice(service.ListArtifactsRequest(channel=channel))
    assert {each.description.removeprefix("d ") for each in listed.artifacts} == MATRIX[channel]
    for name, artifact_id in ids.items():
        asked: dict[str, Any] = {"artifact_id": artifact_id, "channel": channel}
        shown = name in MATRIX[channel]
        with maybe_hidden(shown):
            assert f"needle of {name}" in (await read(server.alice, **asked)).decode()
        with maybe_hidden(shown):
            got = await server.alice(service.GetArtifactRequest(**asked))
            assert name in got.preview.head
        with maybe_hidden(shown):
            page = await server.alice(service.ReadArtifactPageRequest(**asked))
            assert name in page.text
        queries: tuple[dict[str, Any], ...] = ({"literal": "needle"}, {"ranked": "needle"})
        for query in queries:
            with maybe_hidden(shown):
                search = service.SearchArtifactRequest(**asked, **query)
                found = [answer async for answer in server.alice.begin(search)]
                assert any(answer.matches or answer.passages for answer in found)


async def test_what_channels_load_is_a_setting(start_server: StartServer) -> None:
    server = await start_server(channels={"public": "internal", "team": "public"})
    await put_each_level(server.alice)
    for channel, wanted in ((channels.CHANNEL_PUBLIC, {"public", "internal"}), (channels.CHANNEL_TEAM, {"public"})):
        listed = await server.alice(service.ListArtifactsRequest(channel=channel))
        assert {each.description.removeprefix("d ") for each in listed.artifacts} == wanted


async def test_another_agents_or_tenants_artifact_is_not_found(server: Server) -> None:
    mine = await put_text(server.alice, "mine\n")
    operator = server.admin
    requests = [
        service.GetArtifactRequest(artifact_id=mine.artifact_id),
        service.ReadArtifactPageRequest(artifact_id=mine.artifact_id),
        service.DeleteArtifactRequest(artifact_id=mine.artifact_id),
        service.ListCitationsRequest(artifact_id=mine.artifact_id),
    ]
    for request in requests:
        for caller in (server.rival, operator):  # the operator names the shared scope
            assert (await refused(caller(request))).reason == "ARTIFACT_NOT_FOUND"
    found = await operator(service.GetArtifactRequest(artifact_id=mine.artifact_id, agent_id="alice"))
    assert found.artifact.artifact_id == mine.artifact_id


async def test_a_shared_artifact_is_every_agents_to_read_and_its_makers_to_delete(server: Server) -> None:
    shared = await put_text(server.alice, "for all\n", is_shared=True)
    assert (shared.agent_id, shared.created_by_agent_id) == ("", "alice")
    bob: dict[str, Any] = {"agent_id": "bob"}
    assert await read(server.admin, shared.artifact_id, **bob) == b"for all\n"
    both = service.ListArtifactsRequest(include_shared=True, **bob)
    assert [each.artifact_id for each in (await server.admin(both)).artifacts] == [shared.artifact_id]
    own = service.ListArtifactsRequest(**bob)
    assert not (await server.admin(own)).artifacts
    assert (await refused(read(server.rival, shared.artifact_id))).reason == "ARTIFACT_NOT_FOUND"
    told = await refused(put(server.alice, b"x", is_shared=True, sensitivity=memory.SENSITIVITY_RESTRICTED))
    assert told.reason == "INVALID_FIELD"
    await server.alice(service.DeleteArtifactRequest(artifact_id=shared.artifact_id))
    assert (await refused(read(server.alice, shared.artifact_id))).reason == "ARTIFACT_NOT_FOUND"


def all_bytes(database: TestDatabase) -> str:
    """Every row of the tables of artifacts, as text; bytes as hexadecimal digits."""
    with psycopg.connect(database.superuser_url) as connection:
        tables = ("artifacts", "contents", "content_parts", "uploads", "requests")
        return "\n".join(
            row for table in tables for (row,) in connection.execute(f"select t::text from camillo.{table} t")
        )


async def test_confidential_words_and_bytes_are_encrypted_at_rest(server: Server, database: TestDatabase) -> None:
    # Short, so that its compressed form would show it.
    told = {"name": "wisteria.txt", "description": "wisteria", "command": "wisteria"}
    plain = await put_text(server.alice, "wisteria", **told)
    stored = all_bytes(database)
    assert stored.count("wisteria") >= 3
    assert b"wisteria".hex() in stored
    await server.alice(service.DeleteArtifactRequest(artifact_id=plain.artifact_id))
    assert "wisteria" not in all_bytes(database)
    for level in (memory.SENSITIVITY_CONFIDENTIAL, memory.SENSITIVITY_RESTRICTED):
        sealed = await put_text(server.alice, "wisteria", sensitivity=level, **told)
        stored = all_bytes(database)
        assert sealed.artifact_id in stored
        assert "wisteria" not in stored
        assert b"wisteria".hex() not in stored
        assert await read(server.alice, sealed.artifact_id) == b"wisteria"
        assert sealed.sha256.hex() not in stored


async def test_without_its_key_a_sealed_artifact_says_so(start_server: StartServer, database: TestDatabase) -> None:
    one, two = (f"{name}:{'A' * 42}{end}=" for name, end in (("one", "A"), ("two", "E")))
    first = await start_server(encryption={"keys": one})
    sealed = await put_text(first.alice, "wisteria", sensitivity=memory.SENSITIVITY_CONFIDENTIAL)
    other = await start_server(encryption={"keys": two})
    told = await refused(other.alice(service.GetArtifactRequest(artifact_id=sealed.artifact_id)))
    assert (told.code, told.reason) == (grpc.StatusCode.FAILED_PRECONDITION, "KEY_MISSING")
    assert told.metadata == {"key_id": "one"}
    rotated = await start_server(encryption={"keys": f"{two},{one}"})
    assert await read(rotated.alice, sealed.artifact_id) == b"wisteria"
    newer = await put_text(rotated.alice, "laburnum", sensitivity=memory.SENSITIVITY_CONFIDENTIAL)
    assert await read(other.alice, newer.artifact_id) == b"laburnum"
    keyless = await start_server(database={"url": database.server_url, "owner_url": database.owner_url})
    told = await refused(put(keyless.alice, b"x", sensitivity=memory.SENSITIVITY_CONFIDENTIAL))
    assert (told.reason, told.metadata) == ("KEY_MISSING", {"key_id": ""})
    assert await read(keyless.alice, (await put_text(keyless.alice, "y")).artifact_id) == b"y"
