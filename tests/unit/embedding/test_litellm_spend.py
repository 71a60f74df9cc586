"""Cost of a remote provider's vectors: within the budget, whatever goes wrong."""

from typing import Any

import pytest
from camillo_server.models.embedding.embedder import EmbeddingUnavailable
from camillo_server.models.embedding.limits import BudgetExhausted
from camillo_server.models.embedding.spend import max_tokens

from tests.embeddings_server import TOKENS_PER_TEXT, EmbeddingsServer, garbage, reset, status, without_usage
from tests.unit.embedding.remote import ACME, Ledger, Make, state

# One worker imports the library, which takes three seconds.
pytestmark = pytest.mark.xdist_group("litellm")

TEXTS = ["tea", "一只耐心的斑马", "مرحبا", "🎉", "e\u0301"]


async def test_a_model_that_the_library_does_not_know_costs_nothing(make: Make) -> None:
    ledger = Ledger(limit=1_000_000)
    embedder = make(ledger, litellm_model="nobody/test", litellm_api_base=None)
    with pytest.raises(EmbeddingUnavailable):
        await embedder.embed(["tea"], ACME)
    assert ledger.spent == 0
    assert embedder.figures.calls == {"refused": 1}


async def test_what_was_used_is_paid_and_the_rest_comes_back(make: Make) -> None:
    ledger = Ledger(limit=1_000_000)
    embedder = make(ledger)
    await embedder.embed(TEXTS, ACME)
    # At a dollar per million tokens one token is a thousand billionths.
    assert ledger.spent == 1000 * TOKENS_PER_TEXT * len(TEXTS)
    assert ledger.tokens == embedder.figures.tokens == TOKENS_PER_TEXT * len(TEXTS)
    assert embedder.figures.nano_usd == ledger.spent


async def test_where_tokens_are_not_counted_as_many_as_there_can_be_are_paid(
    provider: EmbeddingsServer, make: Make
) -> None:
    provider.then(without_usage)
    ledger = Ledger(limit=1_000_000)
    await make(ledger).embed(TEXTS, ACME)
    assert ledger.spent == 1000 * max_tokens(TEXTS)


async def test_without_enough_left_nothing_is_asked(provider: EmbeddingsServer, make: Make) -> None:
    ledger = Ledger(limit=1000 * max_tokens(["tea"]))
    embedder = make(ledger)
    with pytest.raises(BudgetExhausted, match="this day is used up"):
        await embedder.embed(["tea and more"], ACME)
    assert provider.requests == []
    await embedder.embed(["tea"], ACME)
    assert provider.requests == [["tea"]]
    assert embedder.figures.calls == {"budget_exhausted": 1, "ok": 1}
    assert state(embedder) == "closed"


@pytest.mark.parametrize(
    ("failure", "is_charged"), [(status(400), False), (status(500), False), (reset, True), (garbage, True)]
)
async def test_refusals_are_free_and_what_nobody_knows_counts_as_spent(
    provider: EmbeddingsServer, make: Make, failure: Any, is_charged: bool
) -> None:
    provider.always = failure
    ledger = Ledger(limit=10_000_000)
    with pytest.raises(EmbeddingUnavailable):
        await make(ledger, litellm_retries=1).embed(["tea"], ACME)
    attempts = len(provider.requests)
    assert ledger.spent == (attempts * 1000 * max_tokens(["tea"]) if is_charged else 0)


async def test_a_budget_that_cannot_be_asked_is_not_overrun(provider: EmbeddingsServer, make: Make) -> None:
    ledger = Ledger(limit=1_000_000)
    ledger.is_away = True
    embedder = make(ledger)
    with pytest.raises(EmbeddingUnavailable, match="budget cannot be asked"):
        await embedder.embed(["tea"], ACME)
    assert provider.requests == []
    ledger.is_away = False
    assert (await embedder.embed(["tea"], ACME)).any()
