"""Recall: the best hits, why they are, and what bounds them."""

from datetime import timedelta

import grpc
import pytest
from camillo.v1 import memory_pb2 as pb
from camillo.v1 import memory_service_pb2 as service
from camillo.v1.consistency_pb2 import Freshness

from tests.rpc.memories.calls import recall, remember
from tests.server_fixtures import Server, StartServer, refusal_of

WEEK = timedelta(hours=168)


def contents(answer: service.RecallResponse) -> list[str]:
    return [hit.memory.content for hit in answer.hits]


async def test_the_memory_that_answers_comes_first(start_server: StartServer) -> None:
    server = await start_server(memory={"embedding_model": "lexical"})
    for content in (
        "The deployment window is every Tuesday at nine.",
        "Anna prefers tea to coffee.",
        "The build broke because of a missing header.",
    ):
        await remember(server.alice, content)
    answer = await recall(server.alice, "what does Anna like to drink, tea?", limit=1)
    assert contents(answer) == ["Anna prefers tea to coffee."]
    assert answer.hits[0].source == pb.SOURCE_MEMORY
    in_memory = server.answered_from == "memory"
    assert answer.answered_by == (pb.ANSWERED_BY_CACHE if in_memory else pb.ANSWERED_BY_POSTGRES)
    assert answer.model_id.startswith("lexical")
    assert not answer.degraded


async def test_an_equal_text_is_found_by_meaning_and_by_words(server: Server) -> None:
    await remember(server.alice, "blue whales sing")
    await remember(server.alice, "red kites fly")
    answer = await recall(server.alice, "blue whales sing")
    best, other = answer.hits
    assert best.memory.content == "blue whales sing"
    assert best.breakdown.similarity == pytest.approx(1.0, abs=1e-5)
    assert best.breakdown.order_score == pytest.approx(1.0 + best.breakdown.boost, abs=1e-5)
    assert 0.95 < best.score <= 1
    assert best.breakdown.dense.rank == best.breakdown.lexical.rank == 1
    assert best.breakdown.dense.raw == pytest.approx(1.0, abs=1e-3)
    assert best.breakdown.dense.normalized == best.breakdown.lexical.normalized == 1.0
    assert not other.breakdown.HasField("lexical")
    assert other.breakdown.dense.rank == 2


async def test_without_explain_there_is_no_breakdown(server: Server) -> None:
    await remember(server.alice, "plain")
    answer = await recall(server.alice, "plain", explain=False)
    assert contents(answer) == ["plain"]
    assert not answer.hits[0].HasField("breakdown")


async def test_a_vector_finds_its_neighbours_of_the_same_model_alone(server: Server) -> None:
    for content, model, values in (
        ("near", "mine", [1.0, 0.1]),
        ("far", "mine", [-0.2, 1.0]),
        ("of another model", "other", [1.0, 0.0]),
    ):
        vector = pb.Vector(model_id=model, values=values)
        await remember(server.alice, content, vector=vector)
    query = pb.Vector(model_id="mine", values=[5.0, 0.0])
    answer = await server.alice(service.RecallRequest(vector=query, explain=True))
    assert contents(answer) == ["near", "far"]
    assert answer.model_id == "mine"
    assert answer.hits[0].breakdown.dense.raw == pytest.approx(1 / 1.01**0.5, abs=1e-4)
    assert not answer.hits[0].breakdown.HasField("lexical")


async def test_the_limit_is_five_unless_said_otherwise(server: Server) -> None:
    batch = service.BatchRememberRequest(memories=[pb.NewMemory(content=f"apple {i}") for i in range(20)])
    await server.alice(batch)
    assert len((await recall(server.alice, "apple", limit=0)).hits) == 5
    assert len((await recall(server.alice, "apple", limit=7)).hits) == 7
    assert len((await recall(server.alice, "apple", limit=200)).hits) == 20


async def test_hits_below_the_least_score_are_left_out(server: Server) -> None:
    for content in ("orange juice", "unrelated words"):
        await remember(server.alice, content)
    everything = await recall(server.alice, "orange juice")
    assert len(everything.hits) == 2
    good = await recall(server.alice, "orange juice", min_score=0.9)
    assert contents(good) == ["orange juice"]
    assert not (await recall(server.alice, "orange juice", min_score=1.5)).hits
    assert good.hits[0].score > 0.9 > 0.6 > everything.hits[1].score


async def test_a_token_budget_bounds_the_content_and_lets_shorter_hits_pass(server: Server) -> None:
    long, short = "plum " * 300, "plum"
    for content in (long, short):
        await remember(server.alice, content)
    unbounded = await recall(server.alice, "plum")
    assert len(unbounded.hits) == 2
    assert unbounded.tokens > 300
    bounded = await recall(server.alice, "plum", max_tokens=100)
    assert contents(bounded) == [short]
    assert 1 <= bounded.tokens <= 100
    exact = await recall(server.alice, "plum", max_tokens=unbounded.tokens)
    assert len(exact.hits) == 2


@pytest.mark.parametrize("name", ["", "relevance", "recency_weighted", "evidence", "blended"])
async def test_each_profile_scores_as_it_says(server: Server, name: str) -> None:
    now = server.clock.now()
    await remember(server.alice, "pear tree", importance=1.0, occurred_at=now - WEEK)
    answer = await recall(server.alice, "pear tree", profile=pb.ScoringProfile(name=name))
    terms = answer.hits[0].breakdown
    assert terms.recency == pytest.approx(0.5)
    assert terms.age_hours == pytest.approx(168)
    assert (terms.importance, terms.source_priority) == (1.0, 1.0)
    expected = {
        "recency_weighted": terms.similarity * 0.5,
        "evidence": 0.6 * terms.similarity + 0.3 * 0.5 + 0.1,
        "blended": 0.5 * terms.similarity + 0.2 * 0.5 + 0.2 + 0.1,
    }.get(name, terms.similarity + 0.03 + 0.02 * 0.5)
    assert terms.order_score == pytest.approx(expected, rel=1e-5)


async def test_explicit_weights_decide_the_order(server: Server) -> None:
    now = server.clock.now()
    await remember(server.alice, "fig one", importance=0.1, occurred_at=now)
    await remember(server.alice, "fig two", importance=0.9, occurred_at=now - WEEK)

    async def first(**weights: float) -> str:
        profile = pb.ScoringProfile(weights=pb.ScoringWeights(**weights))
        return contents(await recall(server.alice, "fig", profile=profile))[0]

    assert await first(importance=1.0) == "fig two"
    assert await first(recency=1.0) == "fig one"
    assert await first(importance=0.5, recency=1.0, half_life_hours=1e6) == "fig two"


async def test_what_happens_in_the_future_has_no_age(server: Server) -> None:
    await remember(server.alice, "tomorrow", occurred_at=server.clock.now() + WEEK)
    answer = await recall(server.alice, "tomorrow")
    assert answer.hits[0].breakdown.age_hours == 0.0
    assert answer.hits[0].breakdown.recency == 1.0


async def test_a_batch_answers_each_recall_in_its_place(server: Server) -> None:
    await remember(server.alice, "grape")
    requests = [
        service.RecallRequest(text="grape"),
        service.RecallRequest(text=""),
        service.RecallRequest(text="grape", agent_id="bob"),
        service.RecallRequest(text="grape", limit=1),
    ]
    answer = await server.alice(service.BatchRecallRequest(requests=requests))
    assert [result.WhichOneof("outcome") for result in answer.results] == ["response", "error", "error", "response"]
    assert contents(answer.results[0].response) == contents(answer.results[3].response) == ["grape"]
    assert refusal_of(answer.results[1].error).reason == "INVALID_FIELD"
    assert refusal_of(answer.results[2].error).code == grpc.StatusCode.PERMISSION_DENIED


async def test_a_read_at_least_as_fresh_as_a_write_sees_it(server: Server) -> None:
    request = service.RememberRequest(memory=pb.NewMemory(content="fresh"))
    written = await server.alice(request)
    demand = Freshness(at_least_as_fresh=written.revision)
    for freshness in (demand, Freshness(fully_consistent=True), Freshness(minimize_latency=True)):
        answer = await recall(server.alice, "fresh", freshness=freshness)
        assert contents(answer) == ["fresh"]
        assert answer.revision == written.revision


async def test_an_expired_memory_is_hidden_from_its_moment_on(server: Server) -> None:
    now = server.clock.now()
    await remember(server.alice, "cherry short", expires_at=now + timedelta(seconds=10))
    await remember(server.alice, "cherry long")
    server.clock.move(9.999)
    assert len((await recall(server.alice, "cherry")).hits) == 2
    server.clock.move(0.001)
    assert contents(await recall(server.alice, "cherry")) == ["cherry long"]


async def test_an_empty_scope_answers_with_no_hits(server: Server) -> None:
    answer = await recall(server.alice, "anything")
    assert not answer.hits
    assert answer.revision.token
    await remember(server.alice, "anything")
    assert contents(await recall(server.alice, "anything")) == ["anything"]


async def test_vectors_of_one_model_but_of_different_lengths_never_fail_a_recall(server: Server) -> None:
    for values in ([1.0, 0.0], [1.0, 0.0, 0.0]):
        vector = pb.Vector(model_id="mine", values=values)
        await remember(server.alice, f"{len(values)} numbers", vector=vector)
    query = pb.Vector(model_id="mine", values=[1.0, 0.0])
    answer = await server.alice(service.RecallRequest(vector=query))
    assert contents(answer) == ["2 numbers"]
