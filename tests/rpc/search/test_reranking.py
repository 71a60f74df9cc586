"""Recall with a reranker: who is read, what becomes of the order, and that nothing fails where it fails."""

import asyncio
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import grpc
import pytest
from camillo.v1 import memory_pb2 as pb
from camillo.v1 import memory_service_pb2 as service
from camillo.v1 import recall_pb2

from tests.rerank_server import RerankServer, fails, never, rerank_server
from tests.rpc.memories.calls import recall, remember
from tests.server_fixtures import Caller, Server, StartServer, refused
from tests.tiny_models import write_reranker

ON = recall_pb2.Rerank(enabled=True)
# A cross-encoder is slow where it has but a part of a processor.
PATIENT = recall_pb2.Rerank(enabled=True, budget_ms=10_000)
LEXICAL = {"embedding_model": "lexical", "embedding_dimensions": 384}
# By their words all fit the query; the tiny model prefers 茶 to milk to tea, and dislikes قهوة.
DRINKS = (
    "what to drink at noon tea",
    "what to drink at noon قهوة",
    "what to drink at noon 茶 🎉",
    "what to drink at noon milk",
)
BEST_FIRST = [DRINKS[2], DRINKS[3], DRINKS[0], DRINKS[1]]
QUERY = "what to drink at noon"


@pytest.fixture(params=["memory", "postgres"])
def answered_from(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture(scope="module")
def tiny(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The directory of the tiny reranker."""
    directory = tmp_path_factory.mktemp("rerankers") / "tiny"
    write_reranker(directory)
    return directory


@pytest.fixture
def server_settings(tiny: Path) -> dict[str, Any]:
    """The tiny reranker alone decides."""
    return {"memory": LEXICAL, "reranking": {"provider": "onnx", "model": str(tiny), "weight": 1.0}}


async def with_drinks(caller: Caller, **fields: Any) -> None:
    for content in DRINKS:
        await remember(caller, content, **fields)


def contents(answer: service.RecallResponse) -> list[str]:
    return [hit.memory.content for hit in answer.hits]


async def test_the_best_are_read_again_and_the_order_follows(server: Server) -> None:
    await with_drinks(server.alice)
    plain = await recall(server.alice, QUERY)
    assert sorted(contents(plain)) == sorted(DRINKS)
    assert contents(plain) != BEST_FIRST
    assert not any(hit.breakdown.HasField("rerank") for hit in plain.hits)
    answer = await recall(server.alice, QUERY, rerank=PATIENT)
    assert contents(answer) == BEST_FIRST
    assert not answer.degraded
    parts = [hit.breakdown for hit in answer.hits]
    assert [part.rerank for part in parts] == sorted((p.rerank for p in parts), reverse=True)
    assert {part.rerank_weight for part in parts} == {1.0}
    # How likely each answers is judged as ever: only the order is another.
    scores = {hit.memory.content: hit.score for hit in plain.hits}
    assert {hit.memory.content: hit.score for hit in answer.hits} == pytest.approx(scores)


async def test_the_profile_asks_for_it_as_well(server: Server) -> None:
    await with_drinks(server.alice)
    named = pb.ScoringProfile(name="reranked")
    assert contents(await recall(server.alice, QUERY, profile=named, rerank=PATIENT)) == BEST_FIRST
    wrong = await refused(recall(server.alice, QUERY, profile=pb.ScoringProfile(name="rerank")))
    assert "reranked" in wrong.message


async def test_only_so_many_are_read_and_stay_before_the_rest(server: Server) -> None:
    await with_drinks(server.alice)
    plain = contents(await recall(server.alice, QUERY))
    two = recall_pb2.Rerank(enabled=True, candidates=2, budget_ms=10_000)
    answer = await recall(server.alice, QUERY, rerank=two)
    assert sorted(contents(answer)[:2]) == sorted(plain[:2])
    assert contents(answer)[2:] == plain[2:]
    assert [hit.breakdown.HasField("rerank") for hit in answer.hits] == [True, True, False, False]
    limited = await recall(server.alice, QUERY, rerank=PATIENT, limit=1)
    assert contents(limited) == BEST_FIRST[:1]


async def test_filters_limits_of_the_answer_and_masks_hold_as_ever(server: Server) -> None:
    await with_drinks(server.alice, tags=["drink"])
    await remember(server.alice, "what to drink at noon 茶 茶 茶", tags=["other"])
    await remember(server.rival, "what to drink at noon 茶 茶", agent_id="bob")
    tagged = pb.MemoryFilter(tags_any=["drink"])
    assert contents(await recall(server.alice, QUERY, rerank=PATIENT, filter=tagged)) == BEST_FIRST
    everything = await recall(server.alice, QUERY, rerank=PATIENT)
    assert contents(everything)[0] == "what to drink at noon 茶 茶 茶"
    assert len(everything.hits) == 5
    two = await recall(server.alice, QUERY, rerank=PATIENT, filter=tagged, limit=2)
    few = await recall(server.alice, QUERY, rerank=PATIENT, filter=tagged, max_tokens=two.tokens)
    assert contents(few) == contents(two) == BEST_FIRST[:2]
    masked = await recall(server.alice, QUERY, rerank=PATIENT, filter=tagged, masked=True)
    assert contents(masked) == BEST_FIRST
    diverse = pb.ScoringProfile(name="reranked", diversity=0.1)
    found = await recall(server.alice, QUERY, rerank=PATIENT, filter=tagged, profile=diverse)
    assert contents(found)[0] == BEST_FIRST[0]


async def test_what_is_not_relevant_enough_is_not_read(server: Server) -> None:
    await with_drinks(server.alice)
    await remember(server.alice, "茶 茶 茶")
    plain = await recall(server.alice, QUERY)
    least = min(hit.score for hit in plain.hits if hit.memory.content in DRINKS)
    answer = await recall(server.alice, QUERY, rerank=PATIENT, min_score=least - 0.01)
    assert contents(answer) == BEST_FIRST
    assert contents(await recall(server.alice, QUERY, rerank=PATIENT))[0] == "茶 茶 茶"


async def test_chunks_of_several_sources_are_read_as_memories_are(server: Server) -> None:
    await with_drinks(server.alice)
    answer = await recall(server.alice, QUERY, rerank=PATIENT, sources=[pb.SOURCE_MEMORY, pb.SOURCE_SLOT])
    assert contents(answer) == BEST_FIRST


async def test_an_empty_scope_and_an_odd_query_are_no_failure(server: Server) -> None:
    assert not (await recall(server.alice, QUERY, rerank=ON)).degraded
    await with_drinks(server.alice)
    for text in ("?", "🎉", "e\u0301" * 50, "drink " * 1_000, "ماذا أشرب"):
        assert not (await recall(server.alice, text, rerank=PATIENT)).degraded


async def test_a_vector_has_nothing_to_read_beside_the_candidates(server: Server) -> None:
    vector = pb.Vector(values=[1.0] + [0.0] * (384 - 1))
    for fields in ({"rerank": ON}, {"profile": pb.ScoringProfile(name="reranked")}):
        refusal = await refused(server.alice(service.RecallRequest(vector=vector, **fields)))
        assert refusal.code == grpc.StatusCode.INVALID_ARGUMENT
        assert refusal.fields == (("rerank.enabled",) if "rerank" in fields else ("profile.name",))
    assert (await server.alice(service.RecallRequest(vector=vector))).revision.token


@pytest.mark.parametrize(("field", "value"), [("candidates", 101), ("candidates", -1), ("budget_ms", 10_001)])
async def test_bounds_are_checked(server: Server, field: str, value: int) -> None:
    rerank = recall_pb2.Rerank(enabled=True, **{field: value})
    refusal = await refused(recall(server.alice, QUERY, rerank=rerank))
    assert refusal.fields == (f"rerank.{field}",)


async def test_a_batch_is_read_together(server: Server) -> None:
    await with_drinks(server.alice)
    one = service.RecallRequest(text=QUERY, rerank=PATIENT)
    by_vector = service.RecallRequest(vector=pb.Vector(values=[1.0] * 384), rerank=PATIENT)
    answer = await server.alice(service.BatchRecallRequest(requests=[one, by_vector, one]))
    first, wrong, last = answer.results
    assert contents(first.response) == contents(last.response) == BEST_FIRST
    assert wrong.error.code == grpc.StatusCode.INVALID_ARGUMENT.value[0]


@pytest.mark.own_server
async def test_a_time_budget_that_ends_leaves_the_order_of_fusion(server: Server) -> None:
    await with_drinks(server.alice)
    await asyncio.gather(*(remember(server.alice, f"noon {n} " + "drink " * 300) for n in range(60)))
    plain = contents(await recall(server.alice, "drink"))
    brief = recall_pb2.Rerank(enabled=True, candidates=60, budget_ms=1)
    answer = await recall(server.alice, "drink", rerank=brief)
    assert answer.degraded == [pb.DEGRADED_REASON_RERANK_TIMEOUT]
    assert contents(answer) == plain
    patient = recall_pb2.Rerank(enabled=True, candidates=60, budget_ms=10_000)
    assert not (await recall(server.alice, "drink", rerank=patient)).degraded
    assert server.app.kernel.telemetry.instruments.reranked["timeout"] == 1


async def test_without_a_reranker_the_answer_says_so(start_server: StartServer) -> None:
    server = await start_server(memory=LEXICAL)
    await with_drinks(server.alice)
    answer = await recall(server.alice, QUERY, rerank=ON)
    assert answer.degraded == [pb.DEGRADED_REASON_RERANK_UNAVAILABLE]
    assert contents(answer) == contents(await recall(server.alice, QUERY))


@pytest.fixture
def provider() -> Iterator[RerankServer]:
    with rerank_server() as running:
        yield running


@pytest.fixture
async def remote(start_server: StartServer, provider: RerankServer, answered_from: str) -> Server:
    reranking = {
        "provider": "litellm",
        "model": "jina_ai/test",
        "api_base": provider.url,
        "api_key": "sk-test",
        "budget_ms": 10_000,
        "usd_per_request": 0.5,
        "weight": 1.0,
    }
    memory = {**LEXICAL, "embedding_budget_usd": 1.4}
    return await start_server(memory=memory, reranking=reranking)


@pytest.mark.caches
async def test_nothing_confidential_leaves_for_a_remote_reranker(
    remote: Server, provider: RerankServer, answered_from: str
) -> None:
    for level in ("PUBLIC", "INTERNAL", "CONFIDENTIAL", "RESTRICTED"):
        text = f"what to drink at noon: {level.lower()}"
        await remember(remote.alice, text, sensitivity=f"SENSITIVITY_{level}")
    # Encrypted texts are searched in memory alone.
    seen = 4 if answered_from == "memory" else 2
    answer = await recall(remote.alice, QUERY, rerank=ON)
    if answer.answered_by == pb.ANSWERED_BY_CACHE:
        assert len(answer.hits) == 4
    assert len(answer.hits) <= seen
    assert {text for body in provider.bodies for text in body["documents"]} == {
        "what to drink at noon: public",
        "what to drink at noon: internal",
    }
    assert sum(hit.breakdown.HasField("rerank") for hit in answer.hits) == 2


async def test_a_remote_reranker_orders_and_is_paid_within_the_budget(remote: Server, provider: RerankServer) -> None:
    texts = ["what to drink at noon aaaa", "what to drink at noon", "what to drink at noon aa"]
    for text in texts:
        await remember(remote.alice, text)
    answer = await recall(remote.alice, QUERY, rerank=ON)
    assert contents(answer) == [texts[0], texts[2], texts[1]]
    assert contents(await recall(remote.alice, QUERY, rerank=ON)) == contents(answer)
    assert len(provider.bodies) == 1
    await recall(remote.alice, "drink noon", rerank=ON)
    over = await recall(remote.alice, "at noon drink", rerank=ON)
    assert over.degraded == [pb.DEGRADED_REASON_RERANK_UNAVAILABLE]
    assert len(over.hits) == 3
    assert len(provider.bodies) == 2


async def test_a_remote_reranker_that_fails_or_hangs_fails_no_recall(remote: Server, provider: RerankServer) -> None:
    await with_drinks(remote.alice)
    plain = contents(await recall(remote.alice, QUERY))
    provider.orders.extend([fails(500), never])
    failed = await recall(remote.alice, QUERY, rerank=ON)
    assert failed.degraded == [pb.DEGRADED_REASON_RERANK_UNAVAILABLE]
    hung = await recall(remote.alice, QUERY, rerank=recall_pb2.Rerank(enabled=True, budget_ms=1))
    assert hung.degraded == [pb.DEGRADED_REASON_RERANK_TIMEOUT]
    assert contents(failed) == contents(hung) == plain
