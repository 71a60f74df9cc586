"""Quotas: what a tenant may have, by the server's settings or of its own; who is at a bound is told, and others are
not."""

import asyncio

import grpc
import pytest
from camillo.v1 import admin_pb2, event_service_pb2, task_pb2, task_service_pb2
from camillo.v1 import admin_service_pb2 as service
from camillo.v1 import event_pb2 as events
from camillo.v1 import memory_pb2 as pb
from camillo.v1 import memory_service_pb2 as memories
from camillo.v1.actor_pb2 import ACTOR_TYPE_HUMAN, Actor
from google.protobuf.message import Message

from tests.rpc.artifacts.calls import put
from tests.rpc.memories.calls import listed, remember
from tests.rpc.memories.test_update import update
from tests.server_fixtures import Caller, Server, StartServer, refusal, refused

pytestmark = pytest.mark.own_server


def new(content: str) -> memories.RememberRequest:
    return memories.RememberRequest(memory=pb.NewMemory(content=content))


async def quotas(caller: Caller, tenant_id: str = "") -> dict[str, admin_pb2.Quota]:
    answer = await caller(service.GetQuotasRequest(tenant_id=tenant_id))
    return {each.name: each for each in answer.quotas}


def as_quotas(limits: dict[str, int]) -> list[admin_pb2.Quota]:
    return [admin_pb2.Quota(name=name, limit=limit) for name, limit in limits.items()]


async def set_limits(server: Server, tenant_id: str = "acme", **limits: int) -> None:
    await server.root(service.SetQuotasRequest(tenant_id=tenant_id, limits=as_quotas(limits)))


async def test_a_tenant_at_its_bound_is_told_and_others_write_on(server: Server) -> None:
    await set_limits(server, memories=2)
    for content in ("eins", "δύο"):
        await remember(server.alice, content)
    failed = await refused(server.alice(new("三")))
    assert (failed.code, failed.reason) == (grpc.StatusCode.RESOURCE_EXHAUSTED, "QUOTA_EXCEEDED")
    assert failed.metadata == {"quota": "memories", "limit": "2"}
    batch = memories.BatchRememberRequest(memories=[pb.NewMemory(content="四")])
    assert (await refused(server.alice(batch))).reason == "QUOTA_EXCEEDED"
    imported = memories.ImportMemoriesRequest(memories=[pb.Memory(content="五")])
    assert (await refused(server.alice.send([imported]))).reason == "QUOTA_EXCEEDED"
    assert sorted(await listed(server.alice)) == ["eins", "δύο"]
    await remember(server.rival, "三")
    # Reads cost nothing.
    assert (await quotas(server.admin))["memories"].used == 2


async def test_what_was_removed_makes_room(server: Server) -> None:
    await set_limits(server, memories=1)
    stored = await remember(server.alice, "first")
    await refused(server.alice(new("second")))
    ids = memories.MemoryIds(ids=[stored.memory_id])
    await server.alice(memories.ForgetMemoriesRequest(memory_ids=ids))
    assert (await quotas(server.admin))["memories"].used == 0
    await remember(server.alice, "second")


async def test_bytes_of_memories_are_bounded(server: Server) -> None:
    async def used() -> int:
        return (await quotas(server.admin))["bytes"].used

    texts = ["Ärger mit dem Zähler", "記憶のバイト", "ذاكرة"]
    stored = [await remember(server.alice, text) for text in texts]
    sizes = [len(text.encode()) for text in texts]
    assert await used() == sum(sizes)
    # An encrypted text counts as it is stored.
    secret = pb.NewMemory(content="only here", sensitivity=pb.SENSITIVITY_RESTRICTED)
    sealed = (await server.alice(memories.RememberRequest(memory=secret))).memory
    assert await used() > sum(sizes) + len("only here")
    await server.alice(update(stored[0].memory_id, stored[0].version, content="kurz"))
    ids = memories.MemoryIds(ids=[stored[1].memory_id, sealed.memory_id])
    await server.alice(memories.ForgetMemoriesRequest(memory_ids=ids))
    assert await used() == len("kurz") + sizes[2]
    imported = memories.ImportMemoriesRequest(memories=[pb.Memory(content="añadido")])
    await server.alice.send([imported])
    await set_limits(server, bytes=100)
    assert await used() == len("kurz") + sizes[2] + len("añadido".encode())
    told = await refused(server.alice(new("ж" * 50)))
    assert told.metadata == {"quota": "bytes", "limit": "100"}
    await remember(server.alice, "fits")


EVENT = events.NewEvent(session_id="s", actor=Actor(type=ACTOR_TYPE_HUMAN, id="ada"), text="съобщение")
WRITES: dict[str, Message] = {
    "events": event_service_pb2.RecordEventRequest(event=EVENT),
    "tasks": task_service_pb2.UpsertTaskRequest(task=task_pb2.NewTask(title="zkusit")),
    "bytes": event_service_pb2.BatchRecordEventsRequest(events=[EVENT]),
}


@pytest.mark.parametrize("name", WRITES)
async def test_every_kind_has_its_bound(server: Server, name: str) -> None:
    await server.alice(WRITES[name])
    await server.root(service.SetQuotasRequest(tenant_id="acme", limits=as_quotas({name: 1})))
    used = (await quotas(server.admin))[name].used
    assert used >= 1
    failed = await refused(server.alice(WRITES[name]))
    assert (failed.reason, failed.metadata) == ("QUOTA_EXCEEDED", {"quota": name, "limit": "1"})


async def test_agents_and_keys_are_bounded_also_where_a_write_makes_the_agent(server: Server) -> None:
    await remember(server.alice, "here")
    await set_limits(server, agents=1, keys=4)
    failed = await refused(server.admin(service.CreateAgentRequest(agent_id="second")))
    assert failed.metadata == {"quota": "agents", "limit": "1"}
    implicit = memories.RememberRequest(agent_id="second", memory=pb.NewMemory(content="new"))
    failed = await refused(server.admin(implicit))
    assert failed.metadata == {"quota": "agents", "limit": "1"}
    imported = memories.ImportMemoriesRequest(agent_id="second", memories=[pb.Memory(content="五")])
    assert (await refused(server.admin.send([imported]))).metadata == failed.metadata
    uploaded = put(server.admin, b"new", agent_id="second")
    assert (await refused(uploaded)).metadata == failed.metadata
    # An agent that is there writes on.
    await remember(server.alice, "still here")
    await put(server.admin, b"new", agent_id="alice")
    key = service.CreateKeyRequest(agent_id="alice", role=admin_pb2.ROLE_READER)
    failed = await refused(server.admin(key))
    assert failed.metadata == {"quota": "keys", "limit": "4"}
    # Root is bounded by the quotas of the tenant that it administers.
    await server.root(service.CreateAgentRequest(tenant_id="rival", agent_id="second"))


async def test_calls_beyond_their_rate_are_told_when_to_come_back(server: Server) -> None:
    await set_limits(server, calls_per_second=1)
    answers = await asyncio.gather(*(server.alice(new(f"number {n}")) for n in range(20)), return_exceptions=True)
    refusals = [each for each in answers if isinstance(each, grpc.aio.AioRpcError)]
    assert refusals
    failed = refusal(refusals[0])
    assert (failed.reason, failed.metadata) == ("OVERLOADED", {"limit": "1"})
    assert failed.retry_seconds
    await remember(server.rival, "as often as it likes")


async def test_bounds_are_the_servers_until_a_tenant_has_its_own(start_server: StartServer) -> None:
    server = await start_server(quotas={"memories": 1})
    assert await quotas(server.rival)
    shown = (await quotas(server.admin))["memories"]
    assert (shown.limit, shown.is_own) == (1, False)
    await set_limits(server, memories=5)
    shown = (await quotas(server.admin))["memories"]
    assert (shown.limit, shown.is_own) == (5, True)
    assert (await quotas(server.rival))["memories"].limit == 1
    await server.root(service.SetQuotasRequest(tenant_id="acme", reset=["memories"]))
    assert (await quotas(server.admin))["memories"].limit == 1


async def test_bounds_are_set_by_root_alone_and_have_names(server: Server) -> None:
    asked = service.SetQuotasRequest(tenant_id="acme", limits=as_quotas({"memories": 5}))
    assert (await refused(server.admin(asked))).reason == "SCOPE_FORBIDDEN"
    assert (await refused(server.alice(service.GetQuotasRequest()))).reason == "SCOPE_FORBIDDEN"
    other = service.GetQuotasRequest(tenant_id="rival")
    assert (await refused(server.admin(other))).reason == "SCOPE_FORBIDDEN"
    for limits in ({"mice": 1}, {"memories": -1}, {"weight": 0}, {"weight": 101}):
        failed = await refused(server.root(service.SetQuotasRequest(tenant_id="acme", limits=as_quotas(limits))))
        assert failed.reason == "INVALID_FIELD"
    failed = await refused(server.root(service.SetQuotasRequest(tenant_id="acme", reset=["mice"])))
    assert failed.fields == ("reset",)
    failed = await refused(server.root(service.SetQuotasRequest(tenant_id="nobody")))
    assert failed.reason == "TENANT_NOT_FOUND"


async def test_names_that_postgres_cannot_hold_are_refused_and_not_counted(
    server: Server, caplog: pytest.LogCaptureFixture
) -> None:
    """Quotas are counted before the limits of a request are checked."""
    hostile = "no\0one 😈"
    key = service.CreateKeyRequest(tenant_id=hostile, agent_id="bob", role=admin_pb2.ROLE_READER)
    failed = await refused(server.root(key))
    assert (failed.code, failed.fields) == (grpc.StatusCode.INVALID_ARGUMENT, ("tenant_id",))
    await remember(server.root, "the only agent", agent_id="alice")
    await set_limits(server, agents=1)
    await quotas(server.root)
    request = new("никому")
    request.agent_id = hostile
    failed = await refused(server.root(request))
    assert (failed.code, failed.metadata) == (grpc.StatusCode.RESOURCE_EXHAUSTED, {"quota": "agents", "limit": "1"})
    assert not [each for each in caplog.records if each.levelname == "ERROR"]
    # The control: below the bound the limits say what is wrong with the name.
    await set_limits(server, agents=2)
    failed = await refused(server.root(request))
    assert (failed.code, failed.fields) == (grpc.StatusCode.INVALID_ARGUMENT, ("agent_id",))
