"""Tenants and agents with many rows are deleted in steps, each committed."""

import psycopg
import pytest
from camillo.v1 import admin_service_pb2 as admin
from camillo.v1 import memory_pb2 as pb
from camillo.v1 import memory_service_pb2 as service
from camillo.v1.admin_pb2 import ROLE_WRITER
from camillo_server.across.forgetting.store import scopes

from tests.rpc.memories.calls import listed, remember
from tests.rpc.records import record_all, text_event
from tests.server_fixtures import Server, refused

pytestmark = pytest.mark.own_server

MEMORIES, EVENTS = 55, 45


@pytest.fixture(autouse=True)
def small_steps(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scopes, "STEP", 10)


async def fill(server: Server) -> None:
    """The scope of `alice`, which is large, and that of `bob`, which is not."""
    memories = [pb.NewMemory(content=f"记忆 {i} 🧠") for i in range(MEMORIES)]
    await server.alice(service.BatchRememberRequest(memories=memories))
    await record_all(server.alice, [text_event(f"event {i}") for i in range(EVENTS)])
    await server.root(admin.CreateAgentRequest(agent_id="bob"))
    await remember(server.root, "bob's", agent_id="bob")


def rows(server: Server, table: str) -> int:
    with psycopg.connect(server.database.superuser_url) as superuser:
        found = superuser.execute(
            f"select count(*) from camillo.{table} where tenant_id = 'acme' and agent_id = 'alice'".encode()
        )
        [count] = found.fetchone() or (0,)
    return int(count)


async def test_a_large_agent_goes_with_all_its_memories(server: Server) -> None:
    await fill(server)
    request = admin.DeleteAgentRequest(agent_id="alice", confirm_agent_id="alice", request_id="once")
    gone = await server.root(request)
    assert gone.forgotten_memories == MEMORIES
    assert [rows(server, table) for table in ("memories", "events", "memory_vectors")] == [0, 0, 0]
    assert await listed(server.root, agent_id="bob") == ["bob's"]
    # The repeat of a request deletes nothing of an agent of the same name that came later.
    await server.root(admin.CreateAgentRequest(agent_id="alice"))
    new = [pb.NewMemory(content=f"new {i}") for i in range(25)]
    await server.root(service.BatchRememberRequest(agent_id="alice", memories=new))
    assert await server.root(request) == gone
    assert rows(server, "memories") == 25


async def test_a_deletion_that_ends_early_is_gone_on_with(server: Server) -> None:
    await fill(server)
    request = admin.DeleteAgentRequest(agent_id="alice", confirm_agent_id="alice")
    with psycopg.connect(server.database.superuser_url) as holder:
        # The last step waits for this row until the deadline.
        holder.execute(
            "select from camillo.memories where memory_id = (select memory_id from camillo.memories"
            " where agent_id = 'alice' and kind < 16 order by memory_id desc limit 1) for update"
        )
        short = server.caller(server.keys.root, timeout_seconds=3)
        assert (await refused(short(request))).code.name == "DEADLINE_EXCEEDED"
    assert 0 < rows(server, "memories") < MEMORIES
    left = len(await listed(server.root, agent_id="alice", page_size=200))
    assert (await server.root(request)).forgotten_memories == left
    assert rows(server, "memories") == 0


async def test_a_large_tenant_goes_with_all_its_memories(server: Server) -> None:
    await server.root(admin.CreateTenantRequest(tenant_id="new.tenant"))
    asked = admin.CreateKeyRequest(tenant_id="new.tenant", any_agent=True, role=ROLE_WRITER)
    writer = server.caller((await server.root(asked)).secret)
    for agent in ("one", "two"):
        memories = [pb.NewMemory(content=f"{agent} {i}") for i in range(25)]
        await writer(service.BatchRememberRequest(agent_id=agent, memories=memories))
    request = admin.DeleteTenantRequest(tenant_id="new.tenant", confirm_tenant_id="new.tenant", request_id="once")
    gone = await server.root(request)
    assert gone.forgotten_memories == 50
    assert await server.root(request) == gone
    names = [t.tenant_id for t in (await server.root(admin.ListTenantsRequest())).tenants]
    assert names == ["acme", "rival"]
