"""The provider behind litellm, against a real server on this machine that fails in every way."""

import asyncio
import logging
from typing import Any

import numpy as np
import pytest
from camillo_server.models.embedding.circuit_breaker import BreakerState, CircuitBreaker, CircuitOpen
from camillo_server.models.embedding.embedder import EmbeddingUnavailable
from camillo_server.models.embedding.litellm import LiteLLMEmbedder
from camillo_server.models.embedding.litellm_library import ProviderFailure
from camillo_server.models.embedding.onnx_model import EmbeddingError
from camillo_server.models.embedding.providers import prefixes_of
from camillo_server.settings.settings import MemorySettings

from tests.embeddings_server import (
    DIMENSIONS,
    EmbeddingsServer,
    backwards,
    garbage,
    never,
    not_a_number,
    reset,
    status,
    too_few,
    too_short,
    unit,
    well,
)
from tests.unit.embedding.remote import ACME, Make, Monotonic, Pauses, state

# One worker imports the library, which takes three seconds.
pytestmark = pytest.mark.xdist_group("litellm")

TEXTS = ["tea", "一只耐心的斑马", "مرحبا", "🎉", "e\u0301"]


async def test_vectors_come_in_order_and_at_unit_length(provider: EmbeddingsServer, make: Make) -> None:
    for answer in (well, backwards):
        provider.then(answer)
        rows = await make().embed(TEXTS, ACME)
        assert rows.dtype == np.float32
        np.testing.assert_allclose(rows, [unit(text) for text in TEXTS], atol=1e-6)
    assert provider.requests == [TEXTS, TEXTS]
    assert provider.authorizations[0] == "Bearer sk-test"


async def test_a_text_without_content_gives_a_zero_row_and_is_not_sent(provider: EmbeddingsServer, make: Make) -> None:
    rows = await make().embed(["", "tea", " \n"], ACME)
    np.testing.assert_array_equal(np.linalg.norm(rows, axis=1).round(5), [0, 1, 0])
    assert provider.requests == [["tea"]]
    assert not (await make().embed(["", " "])).any()
    assert (await make().embed([])).shape == (0, DIMENSIONS)
    assert len(provider.requests) == 1


async def test_a_lone_surrogate_does_no_harm(make: Make) -> None:
    assert np.linalg.norm(await make().embed(["\ud800"])) == pytest.approx(1, abs=1e-5)


@pytest.mark.parametrize("failure", [status(429), status(500), status(503), reset, garbage])
async def test_what_may_pass_is_tried_again(
    provider: EmbeddingsServer, make: Make, pauses: Pauses, failure: Any
) -> None:
    provider.then(failure, failure)
    rows = await make().embed(["tea"], ACME)
    np.testing.assert_allclose(rows[0], unit("tea"), atol=1e-6)
    assert len(provider.requests) == 3
    assert len(pauses.seconds) == 2
    assert pauses.seconds[1] > 0


async def test_an_answer_that_takes_too_long_is_given_up_and_asked_for_again(
    provider: EmbeddingsServer, make: Make
) -> None:
    embedder = make(litellm_timeout_seconds=0.3)
    await embedder.embed(["warm"])
    provider.then(never)
    assert (await embedder.embed(["tea"])).any()
    assert provider.requests[1:] == [["tea"], ["tea"]]
    assert embedder.figures.calls["timeout"] == 1


async def test_it_ends_after_so_many_repeats(provider: EmbeddingsServer, make: Make) -> None:
    provider.always = status(500)
    with pytest.raises(EmbeddingUnavailable, match="500"):
        await make(litellm_retries=2).embed(["tea"])
    assert len(provider.requests) == 3


@pytest.mark.parametrize("code", [400, 401, 403, 404, 422])
async def test_what_stays_wrong_is_not_tried_again(provider: EmbeddingsServer, make: Make, code: int) -> None:
    provider.always = status(code)
    with pytest.raises(EmbeddingUnavailable, match=str(code)) as caught:
        await make().embed(["a secret text"])
    assert "secret" not in caught.value.reason
    assert len(provider.requests) == 1


@pytest.mark.parametrize("failure", [too_few, not_a_number, too_short])
async def test_vectors_that_cannot_be_right_are_refused(provider: EmbeddingsServer, make: Make, failure: Any) -> None:
    provider.always = failure
    embedder = make()
    with pytest.raises(EmbeddingUnavailable, match="answered with"):
        await embedder.embed(["tea", "milk"])
    assert len(provider.requests) == 1
    assert embedder.figures.calls == {"malformed": 1}


async def test_the_pause_is_as_long_as_the_provider_asks_for(
    provider: EmbeddingsServer, make: Make, pauses: Pauses
) -> None:
    provider.then(status(429, "3.5"), status(503, "2"), status(429, "Fri, 20 Nov 2026 10:00:00 GMT"))
    await make().embed(["tea"])
    assert 3.5 <= pauses.seconds[0] < 4.5
    assert 2 <= pauses.seconds[1] < 4
    assert pauses.seconds[2] < 2


async def test_a_provider_that_asks_for_a_long_pause_is_not_waited_for(
    provider: EmbeddingsServer, make: Make, pauses: Pauses
) -> None:
    provider.then(status(429, "3600"))
    with pytest.raises(EmbeddingUnavailable):
        await make().embed(["tea"])
    assert not pauses.seconds
    assert (await make().embed(["tea"])).any()


async def test_a_provider_that_keeps_failing_is_left_alone_for_a_while(provider: EmbeddingsServer, make: Make) -> None:
    monotonic = Monotonic()
    breaker = CircuitBreaker(3, 30, monotonic)
    embedder = make(breaker=breaker, litellm_retries=1)
    provider.always = status(500)
    with pytest.raises(ProviderFailure):
        await embedder.embed(["one"])
    with pytest.raises(CircuitOpen):
        await embedder.embed(["two"])
    with pytest.raises(CircuitOpen):
        await embedder.embed(["three"])
    assert provider.requests == [["one"], ["one"], ["two"]]
    assert state(embedder) == "open"
    monotonic.now = 30
    provider.always = None
    assert (await embedder.embed(["four"])).any()
    assert state(embedder) == "closed"
    assert embedder.figures.calls == {"server_error": 3, "circuit_open": 2, "ok": 1}


async def test_what_is_wrong_with_a_text_is_not_held_against_the_provider(
    provider: EmbeddingsServer, make: Make
) -> None:
    for code, expected in ((400, BreakerState.CLOSED), (401, BreakerState.OPEN)):
        embedder = make(breaker=CircuitBreaker(2, 30))
        provider.always = status(code)
        for _ in range(3):
            with pytest.raises(EmbeddingUnavailable):
                await embedder.embed(["tea"])
        assert embedder.breaker_state is expected


async def test_a_try_that_is_cancelled_lets_the_next_one_try(provider: EmbeddingsServer, make: Make) -> None:
    monotonic = Monotonic()
    embedder = make(breaker=CircuitBreaker(1, 30, monotonic), litellm_retries=0)
    provider.then(status(500), never)
    with pytest.raises(ProviderFailure):
        await embedder.embed(["one"])
    monotonic.now = 30
    task = asyncio.create_task(embedder.embed(["two"]))
    assert await asyncio.to_thread(provider.holding.wait, 30)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert (await embedder.embed(["three"])).any()


async def test_a_provider_too_slow_for_its_callers_is_left_alone_too(provider: EmbeddingsServer, make: Make) -> None:
    for waited, expected in ((0.9, "closed"), (1.1, "open")):
        monotonic = Monotonic()
        embedder = make(breaker=CircuitBreaker(1, 30, monotonic), embed_timeout_seconds=2.0)
        provider.then(never)
        provider.holding.clear()
        task = asyncio.create_task(embedder.embed(["tea"]))
        assert await asyncio.to_thread(provider.holding.wait, 30)
        monotonic.now = waited
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert state(embedder) == expected


def test_the_model_id_names_model_and_dimensions(make: Make) -> None:
    assert make().model_id == f"litellm-openai/test-{DIMENSIONS}"
    assert make().dimensions == DIMENSIONS


def test_texts_get_the_prefixes_that_the_family_of_the_model_wants(make: Make) -> None:
    families = {
        "together_ai/intfloat/multilingual-e5-large": ("query: ", "passage: "),
        "huggingface/intfloat/multilingual-e5-large-instruct": ("Instruct: ", ""),
        "huggingface/BAAI/bge-large-en-v1.5": ("Represent this sentence", ""),
        "huggingface/BAAI/bge-m3": ("", ""),
        "ollama/nomic-embed-text:latest": ("search_query: ", "search_document: "),
        "ollama/snowflake-arctic-embed2": ("query: ", ""),
        "ollama/snowflake-arctic-embed:335m": ("Represent this sentence", ""),
        "openai/text-embedding-3-small": ("", ""),
    }
    for model, (query, document) in families.items():
        embedder = make(litellm_model=model)
        found = prefixes_of(embedder)
        assert found.query.startswith(query), model
        assert (bool(found.query), found.document) == (bool(query), document), model
        plain = make(litellm_model=model, litellm_prefixes=False)
        assert prefixes_of(plain) == ("", "")
        assert plain.model_id == f"litellm-{model}-{DIMENSIONS}"
        assert (embedder.model_id == plain.model_id) == (found == ("", "")), "other vectors have another name"


def test_length_and_price_of_a_known_model_are_the_librarys() -> None:
    settings = MemorySettings(litellm_model="openai/text-embedding-3-small", embedding_budget_usd=1)
    embedder = LiteLLMEmbedder(settings)
    assert embedder.dimensions == 1536


async def test_dimensions_that_are_set_are_asked_for_where_the_model_can_shorten(
    provider: EmbeddingsServer, make: Make
) -> None:
    for model, asked in (("openai/text-embedding-3-small", DIMENSIONS), ("openai/test", None)):
        embedder = make(litellm_model=model)
        assert (await embedder.embed(["tea"])).shape == (1, DIMENSIONS)
        assert provider.bodies[-1].get("dimensions") == asked


def test_of_an_unknown_model_both_have_to_be_told() -> None:
    def unknown(**more: Any) -> MemorySettings:
        return MemorySettings(litellm_model="openai/of-my-own", **more)

    with pytest.raises(EmbeddingError, match="embedding_dimensions"):
        LiteLLMEmbedder(unknown())
    with pytest.raises(EmbeddingError, match="litellm_price_per_million_tokens"):
        LiteLLMEmbedder(unknown(embedding_dimensions=8, embedding_budget_usd=1))
    LiteLLMEmbedder(unknown(embedding_dimensions=8))
    free = unknown(embedding_dimensions=8, embedding_budget_usd=1, litellm_price_per_million_tokens=0)
    LiteLLMEmbedder(free)


async def test_a_closed_embedder_is_unavailable(make: Make) -> None:
    embedder = make()
    assert (await embedder.embed(["tea"])).any()
    await embedder.close()
    with pytest.raises(EmbeddingUnavailable, match="closed"):
        await embedder.embed(["tea"])


async def test_the_library_says_nothing_by_itself(
    provider: EmbeddingsServer, make: Make, capfd: pytest.CaptureFixture[str], caplog: pytest.LogCaptureFixture
) -> None:
    provider.then(status(500), reset, status(429))
    with caplog.at_level(logging.INFO):
        await make().embed(["tea"])
    assert [record.name for record in caplog.records if "camillo" not in record.name] == []
    assert capfd.readouterr() == ("", "")
