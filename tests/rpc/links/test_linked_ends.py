"""Ends of links, as a search reads them: kept for most scopes, read anew if there are too many or they changed."""

from uuid import UUID

import pytest
from camillo.v1.link_service_pb2 import RemoveLinksRequest
from camillo_server.kernel.ids import AgentId, TenantId
from camillo_server.kernel.kinds import Source
from camillo_server.kernel.scope import Scope
from camillo_server.search.store.linked_ends import LinkedEnd, LinkedEnds

from tests.rpc.links.calls import add, memory, new_link
from tests.rpc.memories.calls import remember
from tests.server_fixtures import Server

pytestmark = pytest.mark.own_server

ALICE = Scope(TenantId("acme"), AgentId("alice"))


@pytest.mark.parametrize("max_kept", [1, 100])
async def test_an_end_has_what_its_links_lead_to(server: Server, max_kept: int) -> None:
    ids = [(await remember(server.alice, f"memory {each}")).memory_id for each in range(4)]
    ends = [memory(each) for each in ids]
    await add(server.alice, new_link(ends[0], ends[1]), new_link(ends[2], ends[0]))
    linked = LinkedEnds(server.app.kernel.database, max_kept)
    found = await linked.of(ALICE, 1, [UUID(ids[0]), UUID(ids[3])])
    assert set(found[UUID(ids[0])]) == {LinkedEnd(Source.MEMORY, UUID(ids[1])), LinkedEnd(Source.MEMORY, UUID(ids[2]))}
    assert UUID(ids[3]) not in found


async def test_links_are_read_again_when_they_have_changed(server: Server) -> None:
    ids = [(await remember(server.alice, f"memory {each}")).memory_id for each in range(2)]
    link = new_link(memory(ids[0]), memory(ids[1]))
    await add(server.alice, link)
    linked = LinkedEnds(server.app.kernel.database)
    (kept,) = await _neighbours(linked, server, ids[0])
    assert kept.id == UUID(ids[1])
    await server.alice(RemoveLinksRequest(links=[link]))
    assert await _neighbours(linked, server, ids[0]) == []


async def test_a_scope_that_is_used_least_gives_way(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("camillo_server.search.store.linked_ends.MAX_LINKS_IN_MEMORY", 3)
    linked = LinkedEnds(server.app.kernel.database)
    for agent in ("one", "two", "three"):
        await linked.of(Scope(TenantId("acme"), AgentId(agent)), 0, [])
    assert len(linked) == 3
    await linked.of(ALICE, 0, [])
    assert len(linked) == 3


async def _neighbours(linked: LinkedEnds, server: Server, memory_id: str) -> list[LinkedEnd]:
    (row,) = await server.app.kernel.database.rows(
        ALICE, "select links_revision from scopes where tenant_id = 'acme' and agent_id = 'alice'", {}
    )
    found = await linked.of(ALICE, row[0], [UUID(memory_id)])
    return list(found.get(UUID(memory_id), ()))
