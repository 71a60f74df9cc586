"""A model that puts memories together: whatever it answers, nothing is lost, and what is sensitive never reaches it."""

from collections.abc import AsyncIterator

import pytest
from camillo_server.features.compaction.compaction import CompactionState, Refusal, SummaryUnavailable
from camillo_server.features.compaction.merge import MAX_MODEL_CALLS
from camillo_server.kernel.errors import QuotaExceeded
from camillo_server.kernel.kinds import Sensitivity

from tests.postgres_fixtures import TestDatabase
from tests.secret_samples import samples
from tests.storage.compaction.compaction_store import ALIKE, CompactionHarness, Dictated, compaction_store, fact
from tests.storage.context.ground_store import request

FACTS = ("Anna pays 40 EUR for the room", "Anna pays 40 EUR for the room.")


@pytest.fixture
async def store(database: TestDatabase) -> AsyncIterator[CompactionHarness]:
    async with compaction_store(database) as opened:
        opened.model = Dictated()
        yield opened


def model(store: CompactionHarness) -> Dictated:
    assert store.model is not None
    return store.model


async def test_what_the_model_writes_is_stored(store: CompactionHarness) -> None:
    await store.remember(*map(fact, FACTS))
    model(store).answer = "For the room Anna pays 40 EUR. "
    compaction = await store.one()
    assert compaction.state is CompactionState.COMMITTED
    assert compaction.content == "For the room Anna pays 40 EUR."
    assert compaction.summary_model_id == "dictated"
    (asked,) = model(store).asked
    assert sorted(asked) == list(FACTS)
    assert await store.active() == [compaction.content]


@pytest.mark.parametrize(
    ("answer", "refusal", "lost"),
    [
        ("", Refusal.BAD_SUMMARY, ()),
        (" \n\t", Refusal.BAD_SUMMARY, ()),
        ("x" * 2_001, Refusal.BAD_SUMMARY, ()),
        ("Anna pays 40 EUR for the room\0", Refusal.BAD_SUMMARY, ()),
        ("Anna pays 40 EUR for the room\ud800", Refusal.BAD_SUMMARY, ()),
        (SummaryUnavailable("down"), Refusal.BAD_SUMMARY, ()),
        ("Anna pays for the room", Refusal.LOSES_FACTS, ("40 EUR", "EUR")),
        ("Bob pays 40 EUR for the room", Refusal.LOSES_FACTS, ("Anna",)),
    ],
)
async def test_a_bad_answer_changes_nothing(
    store: CompactionHarness, answer: str | SummaryUnavailable, refusal: Refusal, lost: tuple[str, ...]
) -> None:
    ids = await store.remember(*map(fact, FACTS))
    before = await store.memories(*ids)
    model(store).answer = answer
    compaction = await store.one()
    assert (compaction.state, compaction.refusal) == (CompactionState.REFUSED, refusal)
    assert compaction.lost == lost
    assert bool(compaction.content) is (refusal is Refusal.LOSES_FACTS)
    assert await store.memories(*ids) == before
    assert await store.listed() == [compaction]
    assert len(await store.active()) == 2


async def test_a_refusal_is_kept_once_however_often_it_happens(store: CompactionHarness) -> None:
    await store.remember(*map(fact, FACTS))
    model(store).answer = ""
    refused = [await store.one() for _ in range(3)]
    assert await store.listed() == refused[-1:]
    model(store).answer = None
    assert (await store.one()).state is CompactionState.COMMITTED


@pytest.mark.parametrize("level", list(Sensitivity))
async def test_what_is_more_than_internal_is_put_together_by_rules(
    store: CompactionHarness, level: Sensitivity
) -> None:
    await store.remember(*(fact(text, sensitivity=level) for text in FACTS))
    compaction = await store.one()
    assert compaction.state is CompactionState.COMMITTED
    assert bool(model(store).asked) is (level <= Sensitivity.INTERNAL)
    assert bool(compaction.summary_model_id) is (level <= Sensitivity.INTERNAL)


async def test_without_budget_nothing_is_done_and_the_caller_is_told(store: CompactionHarness) -> None:
    await store.remember(*map(fact, FACTS))
    model(store).answer = QuotaExceeded("embedding_budget_cents", 7)
    with pytest.raises(QuotaExceeded):
        await store.compact()
    assert await store.listed() == []
    assert len(await store.active()) == 2


async def test_without_budget_what_needs_none_is_done(store: CompactionHarness) -> None:
    await store.remember(*map(fact, FACTS))
    await store.remember(*(fact(text, sensitivity=Sensitivity.RESTRICTED) for text in ALIKE))
    model(store).answer = QuotaExceeded("embedding_budget_cents", 7)
    done = await store.compact()
    assert [each.state for each in done.compactions] == [CompactionState.COMMITTED]
    assert done.has_more
    with pytest.raises(QuotaExceeded):
        await store.compact()


async def test_a_repeated_request_does_not_ask_again(store: CompactionHarness) -> None:
    await store.remember(*map(fact, FACTS))
    first = await store.compact(request=request("c"))
    assert await store.compact(request=request("c")) == first
    assert len(model(store).asked) == 1


async def test_calling_again_comes_to_an_end_whatever_is_refused(store: CompactionHarness) -> None:
    words = ["zebra", "lion", "wolf", "bear", "deer", "crane", "otter", "heron", "lynx", "mole"]
    for word in words:
        await store.remember(fact(f"{word} " * 4), fact(f"{word} " * 4 + "."))
    model(store).answer = ""
    calls = 1
    done = await store.compact()
    assert len(done.compactions) == MAX_MODEL_CALLS < len(words)
    while done.has_more:
        done = await store.compact()
        calls += 1
    assert calls == 2
    assert len({each.source_ids for each in await store.listed()}) == len(words)


async def test_a_secret_that_a_model_makes_up_is_not_stored(store: CompactionHarness) -> None:
    await store.remember(*map(fact, FACTS))
    secret = samples(1)["aws-access-token"]
    model(store).answer = f"Anna pays 40 EUR for the room. {secret}"
    compaction = await store.one()
    assert compaction.state is CompactionState.COMMITTED
    assert secret not in compaction.content
    assert "Anna pays 40 EUR" in compaction.content
