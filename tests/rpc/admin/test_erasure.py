"""An agent that is deleted: every store is counted, and nothing is left but the proof."""

from typing import Any

import pytest
from camillo.v1 import admin_service_pb2 as admin
from camillo.v1 import lifecycle_service_pb2 as lifecycle
from camillo.v1 import memory_service_pb2 as service
from camillo_server.across.forgetting.store import scopes

from tests.rpc.audit.test_actions import action
from tests.rpc.audit.test_actions import record as record_action
from tests.rpc.audit.test_audit import entries, facts
from tests.rpc.context.test_handoffs import handoffs
from tests.rpc.forgetting.test_reset import STAYS, filled, rows_of
from tests.rpc.links.calls import add, memory, new_link
from tests.rpc.memories.calls import listed, remember
from tests.rpc.slots.calls import set_memory
from tests.server_fixtures import Server, refused

pytestmark = pytest.mark.own_server

ADDRESS = "Ada 住在汉堡港口路 12 号 🏠 وتحب الشاي"


@pytest.fixture
async def server(server: Server) -> Server:
    """A server with another agent, to whom things are handed over."""
    await server.admin(admin.CreateAgentRequest(agent_id="bob"))
    return server


def erase(**fields: Any) -> admin.DeleteAgentRequest:
    return admin.DeleteAgentRequest(**{"agent_id": "alice", "confirm_agent_id": "alice", "tenant_id": "acme", **fields})


def counts(answer: admin.DeleteAgentResponse) -> dict[str, int]:
    """Rows by store, but for vectors, which come when they come."""
    stores = {each.store: each.rows for each in answer.receipt.stores}
    return {store: rows for store, rows in stores.items() if store != "memory_vectors"}


async def receipts(server: Server) -> list[Any]:
    answer = await server.admin(lifecycle.ListReceiptsRequest(agent_id="alice"))
    return [each for each in answer.receipts if each.cause == "delete_agent"]


@pytest.mark.parametrize("by", ["admin", "root"])
async def test_every_store_is_counted_and_empty_afterwards(server: Server, by: str) -> None:
    await filled(server)
    one = memory((await remember(server.alice, ADDRESS)).memory_id)
    other = memory((await remember(server.alice, "she moved")).memory_id)
    await add(server.alice, new_link(one, other))
    await set_memory(server.alice, "/ada/address", '"汉堡"')
    await record_action(server.alice, action("подтвердила адрес"))
    caller = getattr(server, by)
    planned = await caller(erase(dry_run=True))
    assert not planned.receipt.receipt_id
    assert len(await handoffs(server, "bob")) == 1
    # To her and from her.
    assert counts(planned)["handoffs"] == 2
    assert {"memories", "events", "slots", "artifacts", "decisions", "tasks", "runs", "actions", "links", "views"} <= {
        *counts(planned)
    }
    before = {store: rows for store, rows in rows_of(server, "alice").items() if store not in STAYS}
    assert before["links"] == 1
    gone = await caller(erase(request_id="once"))
    assert counts(gone) == counts(planned)
    assert gone.forgotten_memories == counts(planned)["memories"]
    assert {*rows_of(server, "alice")} <= STAYS
    assert await handoffs(server, "bob") == []
    assert await caller(erase(request_id="once")) == gone
    (receipt,) = await receipts(server)
    assert receipt == gone.receipt
    told = [
        facts(each) for each in await entries(server.admin, scope_agent_id="@shared", method="AdminService/DeleteAgent")
    ]
    assert [each["receipt_id"] for each in told] == [gone.receipt.receipt_id]
    assert told[0]["agent_id"] == "alice"
    assert (await refused(caller(erase(dry_run=True)))).reason == "AGENT_NOT_FOUND"


@pytest.mark.parametrize("step", [2_000, 2])
async def test_what_it_stated_is_blocked_where_that_is_asked_for(
    server: Server, step: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(scopes, "STEP", step)
    for text in (ADDRESS, "yes", "her cat is called Mieze", "her dog is called Rex"):
        await remember(server.alice, text)
    planned = await server.admin(erase(dry_run=True, block_values=True))
    gone = await server.admin(erase(block_values=True))
    # Anybody says yes.
    assert planned.receipt.blocked_values == gone.receipt.blocked_values == 3
    assert gone.forgotten_memories == 4
    said_again = remember(server.admin, ADDRESS.upper(), agent_id="alice")
    assert (await refused(said_again)).reason == "VALUE_REJECTED"
    await remember(server.admin, "yes", agent_id="alice")
    await remember(server.admin, ADDRESS, agent_id="bob")
    receipt_id = gone.receipt.receipt_id
    lift = lifecycle.LiftValueBlocksRequest(agent_id="alice", receipt_id=receipt_id)
    assert (await server.admin(lift)).lifted == 3
    await remember(server.admin, ADDRESS, agent_id="alice")


async def test_what_is_not_to_be_blocked_may_be_stated_again(server: Server) -> None:
    await remember(server.alice, ADDRESS)
    assert (await server.admin(erase())).receipt.blocked_values == 0
    await server.admin(service.RememberRequest(agent_id="alice", memory={"content": ADDRESS}))
    assert await listed(server.admin, agent_id="alice") == [ADDRESS]
