"""Vectors of queries: cached within bounds, made once for all who ask at the same time."""

import asyncio
import time
from collections.abc import Coroutine
from contextlib import nullcontext
from typing import Any

import numpy as np
import pytest
from camillo_server.kernel.ids import AgentId, TenantId
from camillo_server.kernel.scope import Scope
from camillo_server.models.embedding.embedder import EmbeddingUnavailable, Vector
from camillo_server.models.embedding.text_embedding import QueryVectors, TextEmbedding

from tests.unit.embedding.gated_embedder import GatedEmbedder, turns

# A loop of its own: in the one that tests share, the servers of other tests begin tasks, too.
pytestmark = pytest.mark.asyncio(loop_scope="function")

ACME, RIVAL = TenantId("acme"), TenantId("rival")
SPACE = Scope(ACME, AgentId("users/ana"))
TEXTS = ["tea", "一只耐心的斑马", "مرحبا", "🎉", "e\u0301", "\u00e9"]


@pytest.fixture
def embedder() -> GatedEmbedder:
    return GatedEmbedder(gated=False)


class Asking:
    """A TextEmbedding and the failures it told of."""

    def __init__(
        self, embedder: GatedEmbedder, cached: int = 100, timeout: float = 30, is_immediate: bool = False
    ) -> None:
        self.failures: list[str] = []
        self.embedding = TextEmbedding(embedder, timeout, self.failures.append, cached, is_immediate=is_immediate)

    @property
    def use(self) -> Any:
        return self.embedding.query_cache

    async def __call__(self, text: str, tenant: TenantId = ACME) -> Vector | None:
        return await self.embedding.query_vector(text, Scope(tenant, AgentId("")))


async def begin(call: Coroutine[Any, Any, Any]) -> asyncio.Task[Any]:
    task = asyncio.create_task(call)
    await turns()
    return task


async def test_a_query_asked_again_is_not_embedded_again(embedder: GatedEmbedder) -> None:
    ask = Asking(embedder)
    for _ in range(3):
        for text in TEXTS:
            vector = await ask(text)
            assert vector is not None
            assert vector.model_id == embedder.model_id
            np.testing.assert_array_equal(vector.values, (await embedder_row(text)))
    assert [call[1] for call in embedder.calls] == [[text] for text in TEXTS]
    assert (ask.use.hits, ask.use.misses, ask.use.entries) == (12, 6, 6)


async def embedder_row(text: str) -> Any:
    return (await GatedEmbedder(gated=False).embed([text]))[0]


async def test_a_remembered_vector_cannot_be_changed(embedder: GatedEmbedder) -> None:
    vector = await Asking(embedder)("tea")
    assert vector is not None
    with pytest.raises(ValueError, match="read-only"):
        vector.values[0] = 5


async def test_a_text_without_a_feature_is_remembered_as_such(embedder: GatedEmbedder) -> None:
    ask = Asking(embedder)
    assert await ask(" ") is None
    assert await ask(" ") is None
    assert len(embedder.calls) == 1
    assert not ask.failures


async def test_tenants_do_not_see_what_others_have_asked(embedder: GatedEmbedder) -> None:
    ask = Asking(embedder)
    await ask("tea", ACME)
    await ask("tea", RIVAL)
    await ask("tea", RIVAL)
    assert embedder.calls == [(ACME, ["tea"]), (RIVAL, ["tea"])]


async def test_the_one_asked_for_longest_ago_goes_first(embedder: GatedEmbedder) -> None:
    ask = Asking(embedder, cached=2)
    for text in ("one", "two", "one", "three", "one", "two"):
        await ask(text)
    assert [call[1] for call in embedder.calls] == [["one"], ["two"], ["three"], ["two"]]
    assert ask.use.entries == 2


async def test_bytes_are_bounded_too(embedder: GatedEmbedder) -> None:
    vectors = QueryVectors(embedder, max_entries=1000, max_bytes=20_000)
    for number in range(200):
        await vectors.embed(f"{number} " + "x" * (number * 10), SPACE)
        assert vectors.use.size_bytes <= 20_000
    assert 5 <= vectors.use.entries < 30
    assert vectors.cached("199 " + "x" * 1990, ACME) is not None
    await vectors.embed("x" * 30_000, SPACE)
    assert vectors.cached("x" * 30_000, ACME) is None, "too large to be kept"
    assert vectors.cached("199 " + "x" * 1990, ACME) is not None, "and puts nothing out"


async def test_with_0_entries_nothing_is_kept(embedder: GatedEmbedder) -> None:
    ask = Asking(embedder, cached=0)
    await ask("tea")
    await ask("tea")
    assert len(embedder.calls) == 2
    assert (ask.use.hits, ask.use.entries, ask.use.size_bytes) == (0, 0, 0)


async def test_the_same_text_asked_for_at_the_same_time_is_made_once(embedder: GatedEmbedder) -> None:
    for cached in (0, 100):
        embedder = GatedEmbedder()
        ask = Asking(embedder, cached)
        tasks = [await begin(ask("tea")) for _ in range(5)]
        embedder.open()
        vectors = await asyncio.gather(*tasks)
        assert all(np.array_equal(vector.values, vectors[0].values) for vector in vectors)
        assert len(embedder.calls) == 1
        assert (ask.use.misses, ask.use.joined) == (1, 4)


@pytest.mark.parametrize("is_immediate", [True, False])
async def test_an_embedder_that_waits_for_nothing_is_called_without_a_task(
    embedder: GatedEmbedder, is_immediate: bool
) -> None:
    ask = Asking(embedder, is_immediate=is_immediate)
    tasks = asyncio.all_tasks()
    call = ask("مرحبا 斑马 🎉")
    with pytest.raises(StopIteration) if is_immediate else nullcontext():
        call.send(None)
    assert (asyncio.all_tasks() == tasks) == is_immediate
    call.close()
    await turns()
    assert (ask.use.misses, ask.use.entries) == (1, int(is_immediate))


async def test_who_goes_away_leaves_the_others_their_vector() -> None:
    embedder = GatedEmbedder()
    ask = Asking(embedder)
    first, second, third = [await begin(ask("tea")) for _ in range(3)]
    first.cancel()
    await turns()
    assert not embedder.cancelled
    third.cancel()
    embedder.open()
    assert await second is not None
    assert first.cancelled()


async def test_the_last_one_to_go_takes_the_call_along() -> None:
    embedder = GatedEmbedder()
    ask = Asking(embedder)
    tasks = [await begin(ask("tea")) for _ in range(2)]
    for task in tasks:
        assert not embedder.cancelled
        task.cancel()
        await turns()
    assert embedder.cancelled == [0]
    embedder.open()
    assert await ask("tea") is not None


async def test_each_waits_only_as_long_as_it_may() -> None:
    embedder = GatedEmbedder()
    ask = Asking(embedder, timeout=0.02)
    assert await ask("tea") is None
    assert ask.failures == ["TimeoutError"]
    await turns()
    assert embedder.cancelled == [0]
    embedder.open()
    assert await ask("tea") is not None


async def test_a_failure_reaches_all_who_wait_and_is_not_remembered(embedder: GatedEmbedder) -> None:
    embedder = GatedEmbedder()
    ask = Asking(embedder)
    embedder.refused = {"tea"}
    tasks = [await begin(ask("tea")) for _ in range(3)]
    embedder.open()
    assert await asyncio.gather(*tasks) == [None] * 3
    assert ask.failures == ["EmbeddingUnavailable"] * 3
    embedder.refused = set()
    assert await ask("tea") is not None


async def test_a_defect_is_not_hidden(embedder: GatedEmbedder) -> None:
    embedder.refused, embedder.error = {"tea"}, ZeroDivisionError()
    with pytest.raises(ZeroDivisionError):
        await Asking(embedder)("tea")


async def test_what_is_stored_is_neither_taken_from_the_cache_nor_put_there(embedder: GatedEmbedder) -> None:
    ask = Asking(embedder)
    await ask.embedding.vector("tea", SPACE)
    await ask("tea")
    await ask.embedding.vectors(["tea"], SPACE)
    assert len(embedder.calls) == 3
    assert ask.use.entries == 1


async def test_work_in_the_background_may_take_longer() -> None:
    embedder = GatedEmbedder()
    ask = Asking(embedder, timeout=0.01)
    assert await ask.embedding.vectors(["tea"], SPACE) is None
    task = await begin(ask.embedding.vectors(["tea"], SPACE, timeout_seconds=30))
    asyncio.get_running_loop().call_later(0.05, embedder.open)
    assert await task is not None
    assert len(ask.failures) == 1


async def test_an_embedder_that_refuses_is_told_by_kind(embedder: GatedEmbedder) -> None:
    embedder.refused = {"tea"}
    ask = Asking(embedder)
    assert await ask.embedding.vectors(["tea"], SPACE) is None
    assert ask.failures == [EmbeddingUnavailable.__name__]


async def test_a_remembered_vector_comes_in_microseconds(embedder: GatedEmbedder) -> None:
    ask = Asking(embedder)
    await ask("tea")
    best = float("inf")
    for _ in range(20):
        began = time.perf_counter()
        for _ in range(100):
            await ask("tea")
        best = min(best, (time.perf_counter() - began) / 100)
    assert best < 20e-6
