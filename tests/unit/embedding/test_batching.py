"""Calls of several callers: at once where the provider is free, together where it is not."""

import asyncio
from collections.abc import Coroutine
from typing import Any

import numpy as np
import pytest
from camillo_server.kernel.clock import remaining_seconds, set_deadline
from camillo_server.kernel.ids import AgentId, TenantId
from camillo_server.models.embedding.batching import Batching, Sharing
from camillo_server.models.embedding.embedder import EmbeddingUnavailable
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.unit.embedding.gated_embedder import GatedEmbedder, turns

ACME, RIVAL = TenantId("acme"), TenantId("rival")
SHARING = Sharing(texts=4, characters=100)


@pytest.fixture
def embedder() -> GatedEmbedder:
    return GatedEmbedder()


async def begin(call: Coroutine[Any, Any, Any]) -> asyncio.Task[Any]:
    task = asyncio.create_task(call)
    await turns()
    return task


async def assert_vectors(task: asyncio.Task[Any], texts: list[str]) -> None:
    expected = await GatedEmbedder(gated=False).embed(texts)
    np.testing.assert_array_equal(await task, expected)


async def test_a_call_that_finds_the_provider_free_goes_at_once_and_alone(embedder: GatedEmbedder) -> None:
    batching = Batching(embedder, SHARING)
    first = await begin(batching.embed(["a"], ACME))
    assert embedder.calls == [(ACME, ["a"])]
    embedder.open()
    await assert_vectors(first, ["a"])
    await assert_vectors(await begin(batching.embed(["b"])), ["b"])
    assert len(embedder.calls) == 2


async def test_calls_that_arrive_meanwhile_go_together_and_each_gets_its_own(embedder: GatedEmbedder) -> None:
    batching = Batching(embedder, SHARING)
    texts = ["first", "一只", "مرحبا", "🎉", "e\u0301", "sixth"]
    tasks = [await begin(batching.embed([text])) for text in texts]
    assert len(embedder.calls) == 1
    embedder.open()
    for task, text in zip(tasks, texts, strict=True):
        await assert_vectors(task, [text])
    assert [call[1] for call in embedder.calls] == [["first"], texts[1:5], ["sixth"]]


async def test_a_batch_has_a_bound_of_characters_padded_or_not(embedder: GatedEmbedder) -> None:
    for padded, expected in ((False, [["x" * 60, "y", "z"]]), (True, [["x" * 60], ["y", "z"]])):
        embedder = GatedEmbedder()
        batching = Batching(embedder, Sharing(4, 100, padded=padded))
        tasks = [await begin(batching.embed([text])) for text in ("first", "x" * 60, "y", "z")]
        embedder.open()
        await asyncio.gather(*tasks)
        assert [call[1] for call in embedder.calls[1:]] == expected


async def test_where_padding_costs_texts_of_like_length_go_together_and_none_is_forgotten(
    embedder: GatedEmbedder,
) -> None:
    batching = Batching(embedder, Sharing(4, 1000, padded=True))
    texts = ["x" * 60, "y" * 30, "z" * 58, "a" * 31, "b" * 200]
    tasks = [await begin(batching.embed([text])) for text in ("first", *texts)]
    embedder.open()
    for task, text in zip(tasks[1:], texts, strict=True):
        await assert_vectors(task, [text])
    await tasks[0]
    together = [[texts[0], texts[2]], [texts[1], texts[3]], [texts[4]]]
    assert [call[1] for call in embedder.calls[1:]] == together


async def test_many_texts_are_divided_and_put_back_in_order(embedder: GatedEmbedder) -> None:
    embedder.open()
    for padded in (False, True):
        batching = Batching(embedder, Sharing(4, 100, padded=padded))
        texts = ["x" * (1 + number * 7 % 40) + str(number) for number in range(23)]
        await assert_vectors(await begin(batching.embed(texts)), texts)
    assert max(len(call[1]) for call in embedder.calls) == 4


async def test_a_single_text_goes_before_the_rest_of_an_import_and_not_with_it(embedder: GatedEmbedder) -> None:
    batching = Batching(embedder, SHARING)
    texts = [str(number) for number in range(12)]
    imported = await begin(batching.embed(texts))
    query = await begin(batching.embed(["query"]))
    embedder.open()
    await assert_vectors(query, ["query"])
    assert [call[1] for call in embedder.calls[:2]] == [texts[:4], ["query"]]
    await assert_vectors(imported, texts)


async def test_imports_get_their_turn_among_many_single_texts(embedder: GatedEmbedder) -> None:
    batching = Batching(embedder, SHARING)
    first = await begin(batching.embed(["first"]))
    singles = [await begin(batching.embed([f"q{number}"])) for number in range(20)]
    imported = await begin(batching.embed(["i", "j"]))
    embedder.open()
    await asyncio.gather(first, imported, *singles)
    assert [call[1] for call in embedder.calls].index(["i", "j"]) == 2


async def test_a_cancelled_caller_does_not_take_the_others_along(embedder: GatedEmbedder) -> None:
    batching = Batching(embedder, SHARING)
    first = await begin(batching.embed(["first"]))
    one, two, waiting = [await begin(batching.embed([text])) for text in ("one", "two", "three")]
    waiting.cancel()
    embedder.gates[0].set()
    await turns()
    assert embedder.calls[1][1] == ["one", "two"], "the one that went away is not embedded"
    one.cancel()
    await turns()
    assert not embedder.cancelled
    embedder.open()
    await assert_vectors(two, ["two"])
    await assert_vectors(first, ["first"])
    assert one.cancelled()
    assert waiting.cancelled()


async def test_a_batch_that_nobody_waits_for_any_longer_is_cancelled(embedder: GatedEmbedder) -> None:
    batching = Batching(embedder, SHARING)
    first = await begin(batching.embed(["first"]))
    others = [await begin(batching.embed([text])) for text in ("one", "two")]
    embedder.gates[0].set()
    await first
    for task in others:
        assert not embedder.cancelled
        task.cancel()
        await turns()
    assert embedder.cancelled == [1]
    embedder.open()
    await assert_vectors(await begin(batching.embed(["next"])), ["next"])


async def test_a_failed_batch_falls_on_its_own_callers_alone(embedder: GatedEmbedder) -> None:
    batching = Batching(embedder, Sharing(2, 100))
    embedder.refused = {"bad"}
    texts = ["first", "bad", "beside", "behind"]
    tasks = [await begin(batching.embed([text])) for text in texts]
    embedder.open()
    answers = await asyncio.gather(*tasks, return_exceptions=True)
    failed = [isinstance(answer, EmbeddingUnavailable) for answer in answers]
    assert failed == [False, True, True, False]


async def test_a_piece_that_fails_ends_the_call_it_belongs_to(embedder: GatedEmbedder) -> None:
    batching = Batching(embedder, Sharing(2, 100))
    embedder.refused = {"bad"}
    task = await begin(batching.embed(["bad", "b", "c", "d", "e", "f"]))
    embedder.open()
    with pytest.raises(EmbeddingUnavailable):
        await task
    assert len(embedder.calls) == 1, "what is left of it is not made"
    await assert_vectors(await begin(batching.embed(["c", "d"])), ["c", "d"])


async def test_a_defect_reaches_the_callers_too(embedder: GatedEmbedder) -> None:
    batching = Batching(embedder, SHARING)
    embedder.refused, embedder.error = {"bad"}, ZeroDivisionError()
    tasks = [await begin(batching.embed([text])) for text in ("first", "bad", "beside")]
    embedder.open()
    answers = await asyncio.gather(*tasks, return_exceptions=True)
    failed = [isinstance(answer, ZeroDivisionError) for answer in answers]
    assert failed == [False, True, True]


async def test_tenants_who_pay_are_kept_apart_and_several_calls_may_run(embedder: GatedEmbedder) -> None:
    batching = Batching(embedder, Sharing(4, 100, calls=2, per_tenant=True))
    asked = [(ACME, "a"), (RIVAL, "b"), (ACME, "c"), (RIVAL, "d"), (ACME, "e")]
    tasks = [await begin(batching.embed([text], tenant)) for tenant, text in asked]
    assert embedder.calls == [(ACME, ["a"]), (RIVAL, ["b"])]
    embedder.open()
    await asyncio.gather(*tasks)
    assert embedder.calls[2:] == [(ACME, ["c", "e"]), (RIVAL, ["d"])]


async def test_tenants_take_turns_by_characters_when_a_batch_is_filled(embedder: GatedEmbedder) -> None:
    batching = Batching(embedder, SHARING)
    first = await begin(batching.embed(["first"], ACME))
    noisy = [await begin(batching.embed([f"noisy {n}"], ACME)) for n in range(8)]
    quiet = [await begin(batching.embed([text], RIVAL)) for text in ("茶", "q", "r")]
    noisy[1].cancel()
    embedder.open()
    await asyncio.gather(first, *noisy[:1], *noisy[2:], *quiet)
    assert [call[1] for call in embedder.calls] == [
        ["first"],
        ["noisy 0", "茶", "q", "noisy 2"],
        ["r", "noisy 3", "noisy 4", "noisy 5"],
        ["noisy 6", "noisy 7"],
    ]


async def test_the_deadline_of_one_caller_is_not_that_of_a_batch() -> None:
    found: list[float] = []

    class Looking(GatedEmbedder):
        async def embed(self, texts: Any, tenant_id: TenantId = ACME, agent_ids: Any = ()) -> Any:
            answer = await super().embed(texts, tenant_id, agent_ids)
            found.append(remaining_seconds(99))
            return answer

    embedder = Looking()
    batching = Batching(embedder, SHARING)

    async def hurried(text: str) -> None:
        set_deadline(5)
        await batching.embed([text])

    tasks = [await begin(hurried(text)) for text in ("alone", "together", "with")]
    embedder.open()
    await asyncio.gather(*tasks)
    assert found[0] <= 5
    assert found[1] == 99


async def test_closing_ends_what_runs_and_what_waits(embedder: GatedEmbedder) -> None:
    batching = Batching(embedder, Sharing(2, 100))
    tasks = [await begin(batching.embed(texts)) for texts in (["a", "b", "c"], ["d"])]
    await batching.close()
    answers = await asyncio.gather(*tasks, return_exceptions=True)
    assert all(isinstance(answer, EmbeddingUnavailable) for answer in answers)
    assert embedder.closed


async def test_no_texts_give_no_rows(embedder: GatedEmbedder) -> None:
    batching = Batching(embedder, SHARING)
    busy = await begin(batching.embed(["busy"]))
    assert (await batching.embed([])).shape == (0, 8)
    embedder.open()
    await busy
    assert (await batching.embed([])).shape == (0, 8)


@settings(max_examples=50)
@given(
    st.lists(st.lists(st.text(max_size=60), max_size=9), max_size=12),
    st.builds(
        Sharing,
        texts=st.integers(1, 5),
        characters=st.integers(1, 80),
        calls=st.integers(1, 3),
        padded=st.booleans(),
        per_tenant=st.booleans(),
    ),
)
async def test_whatever_is_asked_everyone_gets_what_they_would_get_alone(
    asked: list[list[str]], sharing: Sharing
) -> None:
    embedder = GatedEmbedder(gated=False)
    batching = Batching(embedder, sharing)
    tenants = (ACME, RIVAL)
    answers = await asyncio.gather(*(batching.embed(texts, tenants[place % 2]) for place, texts in enumerate(asked)))
    for texts, answer in zip(asked, answers, strict=True):
        np.testing.assert_array_equal(answer, await embedder.embed(texts))


async def test_a_batch_names_the_space_of_each_text(embedder: GatedEmbedder) -> None:
    batching = Batching(embedder, SHARING)
    ana, shop = AgentId("users/ana"), AgentId("projects/shop")
    tasks = [
        await begin(batching.embed(texts, ACME, agent_ids))
        for texts, agent_ids in (
            (["alone"], (ana,)),
            (["a", "b"], (ana,)),
            (["c"], (ana,)),
            (["茶"], (shop,)),
            (["d", "e"], (shop,)),
        )
    ]
    embedder.open()
    await asyncio.gather(*tasks)
    told = dict(zip(map(tuple, (texts for _, texts in embedder.calls)), map(tuple, embedder.agent_ids), strict=True))
    assert told == {("alone",): (ana,), ("c", "茶"): (ana, shop), ("a", "b", "d", "e"): (ana, ana, shop, shop)}
