"""Scores mean the same in every answer: high where what was searched answers the query, low where it does not."""

from typing import Any

import pytest
from camillo.v1 import memory_pb2 as pb
from camillo.v1 import memory_service_pb2 as service

from tests.rpc.memories.calls import remember
from tests.server_fixtures import Server

KNOWN = (
    "Ada prefers green tea to coffee in the morning.",
    "The build broke because a header of libssl is missing.",
    "Ben moves to Lisbon in May and takes his cello along.",
    "部署在周五下午失败了，因为证书过期。",
    "تفضل ليلى القهوة بدون سكر.",
)


@pytest.fixture
def server_settings() -> dict[str, Any]:
    return {"memory": {"embedding_model": "lexical", "embedding_dimensions": 384}}


@pytest.fixture
async def server(server: Server) -> Server:
    """A server that knows these things."""
    for text in KNOWN:
        await remember(server.alice, text)
    return server


async def ask(server: Server, text: str, **fields: object) -> service.RecallResponse:
    answer: service.RecallResponse = await server.alice(
        service.RecallRequest(text=text, explain=True, **fields)  # type: ignore[arg-type]
    )
    return answer


@pytest.mark.parametrize(
    "query",
    [
        "does Ada prefer tea or coffee?",
        "why did the build break?",
        "Ben's cello",
        "周五的部署为什么失败",
        "ليلى القهوة",
    ],
)
async def test_what_has_an_answer_scores_high(server: Server, query: str) -> None:
    answer = await ask(server, query)
    assert 0.4 < answer.hits[0].score <= 1
    assert not answer.no_match


@pytest.mark.parametrize("query", ["best pizza in Naples", "zqzqzq", "🍕", "量子力学", "how do I renew a passport?"])
async def test_what_has_no_answer_scores_low_and_says_so(server: Server, query: str) -> None:
    answer = await ask(server, query)
    assert all(0 <= hit.score < 0.1 for hit in answer.hits)
    assert answer.no_match
    # The order is what it was: it compares the hits with each other.
    assert not answer.hits or answer.hits[0].breakdown.order_score > 0.3
    assert not (await ask(server, query, min_score=0.5)).hits


async def test_an_empty_scope_has_no_match(server: Server) -> None:
    answer = await ask(server, "tea", agent_id="alice", sources=[pb.SOURCE_DECISION])
    assert not answer.hits
    assert answer.no_match


async def test_the_breakdown_has_what_the_score_is_made_of(server: Server) -> None:
    best = (await ask(server, "green tea from Naples")).hits[0].breakdown
    assert 0.2 < best.coverage < 0.9
    nothing = (await ask(server, "zqzqzq")).hits[0].breakdown
    assert nothing.coverage == 0


async def test_a_reply_is_nearly_as_relevant_as_what_it_replies_to(server: Server) -> None:
    said = ("Which airline flies the cello of Ben?", "TAP, since they have room.")
    for text in said:
        await remember(server.alice, text, session_id="s")
    scores = {
        hit.memory.content: hit.score for hit in (await ask(server, "which airline flies the cello?", limit=10)).hits
    }
    assert scores[said[0]] > scores[said[1]] > 0.5
    alone = await ask(server, "which airline flies the cello?", filter=pb.MemoryFilter())
    assert alone.hits[0].memory.content == said[0]


async def test_masking_and_limits_change_no_score(server: Server) -> None:
    few, many = await ask(server, "Ada's tea", limit=1), await ask(server, "Ada's tea", limit=5)
    assert few.hits[0].score == pytest.approx(many.hits[0].score)
