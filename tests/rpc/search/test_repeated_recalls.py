"""Repeated recalls of one text: what was found last time is known, and every answer is of now."""

from datetime import timedelta

import pytest
from camillo.v1 import channel_pb2
from camillo.v1 import memory_pb2 as pb
from camillo.v1 import memory_service_pb2 as service
from camillo_server.kernel.ids import AgentId, TenantId
from camillo_server.kernel.scope import Scope

from tests.rpc.forgetting.test_forget import forget
from tests.rpc.memories.calls import recall, remember
from tests.rpc.memories.test_update import update
from tests.server_fixtures import Caller, Server

pytestmark = pytest.mark.caches

ALICE = Scope(TenantId("acme"), AgentId("alice"))
TEXT = "where is the walrus 海象 🦭 فظ"


@pytest.fixture
def answered_from() -> str:
    return "memory"


async def repeated(server: Server, caller: Caller | None = None, **fields: object) -> list[str]:
    """The contents of the hits, best first, which are the same the second time."""
    answers = [await recall(caller or server.alice, TEXT, **fields) for _ in range(2)]
    assert answers[0] == answers[1]
    assert answers[0].answered_by == pb.ANSWERED_BY_CACHE
    resident = server.app.search.engine.caches.budget.get(ALICE)
    assert resident is not None
    assert resident.snapshot.recent_results.nbytes
    return [hit.memory.content for hit in answers[0].hits]


@pytest.mark.own_server
async def test_every_write_is_seen_by_the_next_recall_of_the_same_text(server: Server) -> None:
    expected = {"walrus at the harbour", "walrus 海象 in the zoo"}
    for content in expected:
        await remember(server.alice, content)
    assert set(await repeated(server)) == expected
    for number in range(5):
        memory = await remember(server.alice, f"walrus number {number}")
        assert set(await repeated(server)) == expected | {f"walrus number {number}"}
        await server.alice(update(memory.memory_id, 1, content=f"walrus changed {number}"))
        assert set(await repeated(server)) == expected | {f"walrus changed {number}"}
        await server.alice(forget(memory.memory_id))
        assert set(await repeated(server)) == expected


@pytest.mark.own_server
async def test_what_expires_between_two_recalls_is_gone_and_scores_age(server: Server) -> None:
    now = server.clock.now()
    await remember(server.alice, "walrus for now", expires_at=now + timedelta(hours=1))
    await remember(server.alice, "walrus for good", occurred_at=now)
    assert set(await repeated(server)) == {"walrus for now", "walrus for good"}
    server.clock.move(1_800)
    assert set(await repeated(server)) == {"walrus for now", "walrus for good"}
    aged = await recall(server.alice, TEXT)
    assert {hit.breakdown.age_hours for hit in aged.hits} == {0.5}
    server.clock.move(1_801)
    assert await repeated(server) == ["walrus for good"]
    (hit,) = (await recall(server.alice, TEXT)).hits
    assert hit.breakdown.age_hours == pytest.approx(1.0, abs=0.001)


@pytest.mark.own_server
async def test_filters_channels_profiles_and_limits_are_those_of_each_call(server: Server) -> None:
    level = pb.SENSITIVITY_PUBLIC
    stated = pb.NewMemory(content="walrus for all to see", sensitivity=level, tags=["sea"])
    stated.importance = 0.9
    await server.alice(service.RememberRequest(memory=stated))
    await remember(server.alice, "walrus", importance=0.5)
    await remember(server.alice, "where is the walrus 海象", importance=0.1)
    by_importance = ["walrus for all to see", "walrus", "where is the walrus 海象"]
    important = pb.ScoringProfile(weights=pb.ScoringWeights(importance=1.0))
    for _ in range(2):
        best = await repeated(server)
        assert set(best) == set(by_importance)
        shown = await repeated(server, channel=channel_pb2.CHANNEL_PUBLIC)
        assert shown == ["walrus for all to see"]
        tagged = pb.MemoryFilter(tags_all=["sea"])
        assert await repeated(server, filter=tagged) == ["walrus for all to see"]
        assert await repeated(server, limit=1) == best[:1]
        assert await repeated(server, profile=important) == by_importance


@pytest.mark.own_server
async def test_two_agents_who_ask_the_same_find_their_own(server: Server) -> None:
    await remember(server.alice, "walrus of alice")
    await remember(server.admin, "walrus of bob", agent_id="bob")
    for _ in range(3):
        assert await repeated(server) == ["walrus of alice"]
        assert await repeated(server, server.admin, agent_id="bob") == ["walrus of bob"]
        assert await repeated(server, server.admin, agent_id="alice") == ["walrus of alice"]


@pytest.mark.own_server
async def test_a_batch_of_the_same_text_is_answered_alike(server: Server) -> None:
    await remember(server.alice, "walrus at the harbour")
    assert await repeated(server)
    request = service.RecallRequest(text=TEXT)
    answer = await server.alice(service.BatchRecallRequest(requests=[request] * 5))
    hits = [result.response.hits for result in answer.results]
    assert all(each == hits[0] for each in hits)
    assert hits[0][0].memory.content == "walrus at the harbour"
