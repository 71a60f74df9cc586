"""Reranking as a best effort: a budget of time, a bounded queue, a cache that tells nobody's texts."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from camillo_server.kernel.clock import set_deadline
from camillo_server.kernel.ids import AgentId, TenantId
from camillo_server.kernel.scope import Scope
from camillo_server.models.embedding.embedder import EmbeddingUnavailable
from camillo_server.models.reranking.text_reranking import (
    MAX_WAITING_OF_TENANT,
    PairCache,
    RerankDefaults,
    RerankTimeout,
    RerankUnavailable,
    TextReranking,
)

from tests.unit.embedding.gated_embedder import turns
from tests.unit.reranking.gated_reranker import GatedReranker
from tests.unit.reranking.test_cross_encoder import logistic

ALICE = Scope(TenantId("acme"), AgentId("alice"))
BOB = Scope(TenantId("acme"), AgentId("bob"))
RIVAL = Scope(TenantId("rival"), AgentId("alice"))
TEXTS = ["tea", "茶", "قهوة", "🎉", "e\u0301", "tea"]
SHORT, LONG = 0.001, 30.0


class Asking:
    """A reranker behind its budget, and how its calls ended."""

    def __init__(self, reranker: GatedReranker, cached: int = 1_000) -> None:
        self.reranker, self.outcomes = reranker, list[str]()
        defaults = RerankDefaults(budget_seconds=LONG)
        self.reranking = TextReranking(reranker, defaults, cached, self.outcomes.append)

    async def __call__(
        self, texts: list[str], query: str = "?", scope: Scope = ALICE, budget: float | None = None
    ) -> list[float]:
        found: list[float] = (await self.reranking.scores(query, texts, scope, budget)).tolist()
        return found


@pytest.fixture
async def ask(tmp_path: Path) -> AsyncIterator[Asking]:
    asking = Asking(GatedReranker(tmp_path / "m"))
    yield asking
    await asking.reranking.close()


@contextmanager
def deadline(seconds: float) -> Iterator[None]:
    set_deadline(seconds)
    try:
        yield
    finally:
        set_deadline(None)


async def test_equal_texts_are_read_once_and_all_get_their_score(ask: Asking) -> None:
    found = await ask(TEXTS)
    expected = [logistic(logit) for logit in (1, 3, -2, 0, 0, 1)]
    assert found == pytest.approx(expected, abs=1e-6)
    assert ask.reranker.calls == [("?", TEXTS[:-1])]


async def test_what_was_read_is_not_read_again_but_what_is_new_is(ask: Asking) -> None:
    first = await ask(TEXTS)
    assert await ask(TEXTS) == first
    assert ask.outcomes == ["ok", "cached"]
    await ask([*TEXTS, "new"])
    await ask(["tea"], "another query")
    assert ask.reranker.calls[1:] == [("?", ["new"]), ("another query", ["tea"])]


@pytest.mark.parametrize("scope", [BOB, RIVAL])
async def test_nobody_else_is_answered_faster_by_what_one_has_asked(ask: Asking, scope: Scope) -> None:
    await ask(["tea"])
    await ask(["tea"], scope=scope)
    assert len(ask.reranker.calls) == 2
    await ask(["tea"])
    assert len(ask.reranker.calls) == 2


async def test_a_budget_that_ends_ends_the_wait_and_the_scores_come_later(ask: Asking) -> None:
    ask.reranker.gated = True
    with pytest.raises(RerankTimeout):
        await ask(TEXTS, budget=SHORT)
    assert ask.outcomes == ["timeout"]
    ask.reranker.gate.set()
    while ask.reranking._work._tasks:
        await asyncio.wait(ask.reranking._work._tasks)
    assert len(await ask(TEXTS)) == len(TEXTS)
    assert ask.outcomes[1:] == ["cached"]
    assert len(ask.reranker.calls) == 1


async def test_the_deadline_of_the_caller_leaves_time_for_the_answer(ask: Asking) -> None:
    ask.reranker.gated = True
    with deadline(0.02), pytest.raises(RerankTimeout):
        await ask(TEXTS, budget=LONG)
    ask.reranker.gate.set()
    with deadline(60.0):
        assert len(await ask(TEXTS, budget=LONG)) == len(TEXTS)


async def test_what_a_caller_that_went_away_asked_for_is_not_read(ask: Asking) -> None:
    ask.reranker.gated = True
    task = asyncio.create_task(ask(TEXTS))
    await turns()
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)
    await turns()
    assert ask.reranker.cancelled == 1
    assert not ask.reranking._work._tasks


async def test_a_full_queue_refuses_one_tenant_and_not_another(ask: Asking) -> None:
    ask.reranker.gated = True
    many = [f"text {n}" for n in range(MAX_WAITING_OF_TENANT)]
    waiting = asyncio.create_task(ask(many))
    await turns()
    with pytest.raises(RerankUnavailable, match="too many"):
        await ask(["one more"])
    assert ask.outcomes == ["full"]
    other = asyncio.create_task(ask(["tea"], scope=RIVAL))
    await turns()
    ask.reranker.gate.set()
    assert len(await waiting) == len(many)
    assert len(await other) == 1
    assert len(await ask(["one more"])) == 1


async def test_a_failure_is_told_and_the_next_call_tries_again(ask: Asking) -> None:
    ask.reranker.error = EmbeddingUnavailable("out of order")
    with pytest.raises(RerankUnavailable, match="out of order"):
        await ask(TEXTS)
    ask.reranker.error = None
    assert len(await ask(TEXTS)) == len(TEXTS)
    assert ask.outcomes == ["EmbeddingUnavailable", "ok"]


async def test_without_a_cache_everything_is_read_each_time(tmp_path: Path) -> None:
    ask = Asking(GatedReranker(tmp_path / "m"), cached=0)
    assert await ask(["tea"]) == await ask(["tea"])
    assert len(ask.reranker.calls) == 2
    await ask.reranking.close()


async def test_closing_ends_what_nobody_waits_for(ask: Asking) -> None:
    ask.reranker.gated = True
    with pytest.raises(RerankTimeout):
        await ask(TEXTS, budget=SHORT)
    await ask.reranking.close()
    assert ask.reranker.cancelled == 1


def test_the_cache_keeps_digests_alone_and_the_latest() -> None:
    cache = PairCache[float](2)
    first, second, third = cache.digests(ALICE, "?", ["tea", "茶", "🎉"])
    for digest in (first, second):
        cache.put(digest, 0.5)
    assert cache.get(first) == 0.5
    cache.put(third, 0.5)
    assert (cache.get(first), cache.get(second), cache.get(third)) == (0.5, None, 0.5)
    assert len(cache) == 2
    assert all(len(digest) == 16 for digest in cache._values)


def test_digests_differ_where_anything_does_and_between_processes() -> None:
    cache = PairCache[float](10)
    told = [
        *cache.digests(ALICE, "ab", ["c", "C", "e\u0301", "é", "\ud800"]),
        *cache.digests(ALICE, "a", ["bc"]),
        *cache.digests(BOB, "ab", ["c"]),
        *cache.digests(RIVAL, "ab", ["c"]),
        *PairCache[float](10).digests(ALICE, "ab", ["c"]),
    ]
    assert len(set(told)) == len(told)
    assert cache.digests(ALICE, "ab", ["c"]) == told[:1]
