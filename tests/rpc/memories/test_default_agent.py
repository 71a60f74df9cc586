"""The agent of requests that name none, and the name of the tenant's shared scope."""

from __future__ import annotations

import grpc
import pytest
from camillo.v1 import memory_service_pb2 as service
from camillo_client import SHARED

from tests.patience import PATIENCE_SECONDS
from tests.server_fixtures import Server, refused


async def test_a_client_without_an_agent_is_the_default_one(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    async with server.client(server.keys.admin) as client:
        assert (await client.remember("tea")).agent_id == "default"
        assert (await client.remember("coffee", agent_id="bob")).agent_id == "bob"
        assert (await client.remember("milk", agent_id=SHARED)).agent_id == ""
        assert [hit.memory.content for hit in (await client.recall("tea", agent_id="default")).hits] == ["tea"]
    monkeypatch.setenv("CAMILLO_AGENT", "planner")
    async with server.client(server.keys.admin) as client:
        assert (await client.remember("tea")).agent_id == "planner"
    monkeypatch.setenv("CAMILLO_AGENT", SHARED)
    async with server.client(server.keys.admin) as client:
        assert (await client.remember("tea")).agent_id == ""


async def test_a_keys_own_agent_prevails(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CAMILLO_AGENT", "planner")
    async with server.client(server.keys.alice) as client:
        assert (await client.remember("tea")).agent_id == "alice"


async def test_the_shared_scope_is_refused_to_a_key_of_one_agent(server: Server) -> None:
    request = service.RecallRequest(agent_id=SHARED, text="tea")
    assert (await refused(server.alice(request))).reason == "SCOPE_FORBIDDEN"


async def test_requests_without_the_metadata_are_for_the_shared_scope(server: Server) -> None:
    """Clients that were released before there was a default agent send no metadata."""
    request = service.RememberRequest(memory={"content": "tea"})
    assert (await server.admin(request)).memory.agent_id == ""


@pytest.mark.parametrize("key", ["camillo-default-agent", "camillo-space"])
@pytest.mark.parametrize("name", ["-", "a b", "x" * 129, "@other"])
async def test_a_default_agent_that_is_no_name_is_refused(server: Server, name: str, key: str) -> None:
    call = server.channel.unary_unary(
        "/camillo.v1.MemoryService/Recall",
        request_serializer=service.RecallRequest.SerializeToString,
        response_deserializer=service.RecallResponse.FromString,
    )
    metadata = (("authorization", f"Bearer {server.keys.admin}"), (key, name))
    refusal = await refused(call(service.RecallRequest(text="tea"), metadata=metadata, timeout=PATIENCE_SECONDS))
    assert refusal.code is grpc.StatusCode.INVALID_ARGUMENT
    assert refusal.fields == (key,)
