"""GetUsage: what scopes take, in Postgres and in the answering process."""

from datetime import timedelta
from typing import Any

import pytest
from camillo.v1 import lifecycle_pb2 as pb
from camillo.v1 import lifecycle_service_pb2 as service
from google.protobuf.timestamp_pb2 import Timestamp
from grpc import StatusCode

from tests.rpc.lifecycle.calls import archive
from tests.rpc.memories.calls import recall, remember
from tests.server_fixtures import Caller, Server, StartServer, refused


async def usage(caller: Caller, **fields: Any) -> list[pb.ScopeUsage]:
    return list((await caller(service.GetUsageRequest(**fields))).scopes)


def rows(told: pb.ScopeUsage) -> dict[str, int]:
    return {each.store: each.rows for each in told.stores}


async def test_an_agent_sees_what_its_own_scope_takes(server: Server) -> None:
    (nothing,) = await usage(server.reader)
    assert (nothing.agent_id, len(nothing.stores), nothing.active_memories) == ("alice", 0, 0)
    assert not nothing.HasField("oldest_at")
    texts = ["会议 am Dienstag", "🦓"]
    first = await remember(server.alice, texts[0], pinned=True)
    server.clock.move(60)
    last = await remember(server.alice, texts[1])
    away = await remember(server.alice, "away")
    await remember(server.admin, "not hers", agent_id="bob")
    await server.alice(archive(memory_ids=[away.memory_id]))
    (told,) = await usage(server.reader)
    assert rows(told)["memories"] == 3
    assert rows(told)["memory_history"] == 1
    assert [each.store for each in told.stores] == sorted(rows(told))
    stores = {each.store: each.bytes for each in told.stores}
    assert stores["memories"] == len("".join([*texts, "away"]).encode())
    counts = (told.active_memories, told.archived_memories, told.pinned_memories)
    assert counts == (2, 1, 1)
    assert (told.oldest_at, told.newest_at) == (first.created_at, last.created_at)
    assert told.memory_quota == 1_000_000


async def test_a_date_that_passes_moves_a_memory_from_active_to_expired(server: Server) -> None:
    ends = Timestamp()
    ends.FromDatetime(server.clock.now() + timedelta(seconds=5))
    await remember(server.alice, "dated", expires_at=ends)
    for seconds, counts in ((4, (1, 0)), (1, (0, 1))):
        server.clock.move(seconds)
        (told,) = await usage(server.alice)
        assert (told.active_memories, told.expired_memories) == counts


@pytest.mark.parametrize("answered_from", ["memory"])
@pytest.mark.caches
async def test_what_is_held_in_memory_is_told_with_its_bytes(server: Server) -> None:
    await remember(server.alice, "one")
    (cold,) = await usage(server.alice)
    assert (cold.is_in_memory, cold.memory_bytes) == (False, 0)
    await recall(server.alice, "one")
    (warm,) = await usage(server.alice)
    assert warm.is_in_memory
    assert warm.memory_bytes > 0


async def test_the_quota_is_that_of_the_policy(start_server: StartServer) -> None:
    server = await start_server(lifecycle={"memory_quota": 7})
    assert (await usage(server.alice))[0].memory_quota == 7


async def test_an_operator_pages_through_all_scopes_of_the_tenant(server: Server) -> None:
    for agent_id in ("carol", "", "bob", "Zed"):
        await remember(server.admin, f"of {agent_id}", agent_id=agent_id)
    await remember(server.rival, "not of this tenant", agent_id="dave")
    seen: list[str] = []
    token = ""
    while not seen or token:
        answer = await server.admin(service.GetUsageRequest(all_scopes=True, page_size=3, page_token=token))
        assert len(answer.scopes) <= 3
        seen += [each.agent_id for each in answer.scopes]
        assert all(each.active_memories == 1 for each in answer.scopes)
        token = answer.next_page_token
    assert seen == ["", "Zed", "bob", "carol"]


async def test_all_scopes_are_for_those_who_reach_any_agent(server: Server) -> None:
    refusal = await refused(server.alice(service.GetUsageRequest(all_scopes=True)))
    assert (refusal.code, refusal.reason) == (StatusCode.PERMISSION_DENIED, "SCOPE_FORBIDDEN")
    other = await refused(server.alice(service.GetUsageRequest(agent_id="bob")))
    assert other.reason == "SCOPE_FORBIDDEN"
    await remember(server.admin, "one", agent_id="bob")
    assert rows((await usage(server.admin, agent_id="bob"))[0])["memories"] == 1
