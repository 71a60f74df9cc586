"""The remote reranker: one request for all texts, checked, paid within the tenant's budget, left alone while it
fails."""

import asyncio
from collections.abc import Iterator
from typing import Any

import pytest
from camillo_server.models.embedding.circuit_breaker import CircuitBreaker, CircuitOpen
from camillo_server.models.embedding.embedder import EmbeddingUnavailable
from camillo_server.models.embedding.limits import NANO, BudgetExhausted
from camillo_server.models.embedding.litellm_library import ProviderFailure
from camillo_server.models.reranking.litellm import LiteLLMReranker
from camillo_server.settings.sections import RerankingSettings
from pydantic import SecretStr

from tests.rerank_server import RerankServer, fails, never, rerank_server, says, score_of
from tests.unit.embedding.remote import ACME, Ledger, Monotonic

TEXTS = ["aa", "b", "茶a", "قهوة", "🎉a\ud800", ""]
PRICE = 0.5


@pytest.fixture
def provider() -> Iterator[RerankServer]:
    with rerank_server() as server:
        yield server


def reranker(
    provider: RerankServer, budget: Any = None, breaker: CircuitBreaker | None = None, **changed: Any
) -> LiteLLMReranker:
    settings = RerankingSettings(
        provider="litellm",
        model="jina_ai/test",
        api_base=provider.url,
        api_key=SecretStr("sk-test"),
        usd_per_request=PRICE,
    )
    return LiteLLMReranker(settings.model_copy(update=changed), budget, breaker=breaker)


async def test_scores_come_in_the_order_of_the_texts(provider: RerankServer) -> None:
    found = await reranker(provider).scores("which has an a?", TEXTS, ACME)
    sent = [text.replace("\ud800", "?") for text in TEXTS]
    assert found.tolist() == pytest.approx([score_of(text) for text in sent])
    (body,) = provider.bodies
    assert (body["query"], body["documents"], body["top_n"]) == ("which has an a?", sent, len(sent))
    assert provider.authorizations == ["Bearer sk-test"]


async def test_scores_beyond_the_bounds_are_the_bounds(provider: RerankServer) -> None:
    provider.orders.append(says({0: 7.5, 1: -3, 2: 0.25}))
    assert (await reranker(provider).scores("?", ["x", "y", "z"])).tolist() == [1, 0, 0.25]


@pytest.mark.parametrize(
    "scores", [{0: 1.0}, {0: 1.0, 2: 0.5}, {0: 1.0, 1: "much"}, {0: 1, 1: None}, {0: 1, 1: 1, 2: 1}]
)
async def test_an_answer_of_no_use_is_refused(provider: RerankServer, scores: dict[int, Any]) -> None:
    provider.orders.append(says(scores))
    with pytest.raises(EmbeddingUnavailable):
        await reranker(provider).scores("?", ["x", "y"])
    assert len(await reranker(provider).scores("?", ["x", "y"])) == 2


async def test_a_request_is_paid_and_a_refused_one_is_given_back(provider: RerankServer) -> None:
    ledger = Ledger(limit=round(1.2 * PRICE * NANO))
    remote = reranker(provider, ledger)
    provider.orders.append(fails(400))
    with pytest.raises(ProviderFailure):
        await remote.scores("?", ["x"], ACME)
    assert ledger.spent == 0
    await remote.scores("?", TEXTS, ACME)
    assert ledger.spent == PRICE * NANO
    with pytest.raises(BudgetExhausted):
        await remote.scores("?", TEXTS, ACME)
    assert len(provider.bodies) == 2


async def test_a_budget_that_cannot_be_asked_spends_nothing(provider: RerankServer) -> None:
    ledger = Ledger(limit=NANO)
    ledger.is_away = True
    with pytest.raises(EmbeddingUnavailable, match="budget"):
        await reranker(provider, ledger).scores("?", ["x"], ACME)
    assert not provider.bodies


async def test_a_provider_that_keeps_failing_is_left_alone_and_tried_again(provider: RerankServer) -> None:
    now = Monotonic()
    remote = reranker(provider, breaker=CircuitBreaker(2, 30, now))
    provider.orders.extend([fails(500), fails(503)])
    for _ in range(2):
        with pytest.raises(ProviderFailure):
            await remote.scores("?", ["x"])
    with pytest.raises(CircuitOpen):
        await remote.scores("?", ["x"])
    assert len(provider.bodies) == 2
    now.now = 31
    assert len(await remote.scores("?", ["x"])) == 1


async def test_a_provider_that_does_not_answer_is_not_waited_for(provider: RerankServer) -> None:
    provider.orders.append(never)
    remote = reranker(provider, timeout_seconds=0.05)
    with pytest.raises(EmbeddingUnavailable):
        await remote.scores("?", ["x"])
    assert remote.figures.calls["timeout"] == 1


async def test_many_calls_at_once_are_answered(provider: RerankServer) -> None:
    remote = reranker(provider)
    answers = await asyncio.gather(*(remote.scores(str(n), ["a", "b"]) for n in range(12)))
    assert [found.tolist() for found in answers] == [[1, 0]] * 12
