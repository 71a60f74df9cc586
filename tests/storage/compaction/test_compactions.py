"""Compactions in Postgres: carried out whole or not at all, and undone exactly."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from datetime import timedelta
from typing import Any

import pytest
from camillo_server.features.compaction.compaction import (
    PROPOSAL_LIFETIME,
    CompactionReason,
    CompactionState,
    Criteria,
    Merge,
    Refusal,
)
from camillo_server.kernel.errors import NotFound, WrongState
from camillo_server.kernel.ids import MemoryId
from camillo_server.kernel.kinds import MemoryKind, Sensitivity
from camillo_server.lib.text.value_fingerprints import value_fingerprint
from camillo_server.rows.store.removal import delete_rows
from camillo_server.rows.write_records import UpdatedVersions
from camillo_server.storage.blocklist import Blocking, block

from tests.postgres_fixtures import TestDatabase
from tests.storage.compaction.compaction_store import ALIKE, CompactionHarness, compaction_store, fact, two_alike
from tests.storage.context.ground_store import ALICE, BOB, NOW, RIVAL, later, row
from tests.storage.replays import OF_UPDATE


@pytest.fixture
async def store(database: TestDatabase) -> AsyncIterator[CompactionHarness]:
    async with compaction_store(database) as opened:
        yield opened


async def test_near_duplicates_become_one_and_their_sources_are_archived(store: CompactionHarness) -> None:
    sources = await two_alike(store)
    await store.remember(fact("Something else altogether 🦓"))
    compaction = await store.one()
    assert compaction.state is CompactionState.COMMITTED
    assert compaction.reason is CompactionReason.NEAR_DUPLICATE
    assert compaction.source_ids == tuple(sorted(each.memory_id for each in sources))
    assert await store.active() == sorted([compaction.content, "Something else altogether 🦓"])
    archived = await store.memories(*(each.memory_id for each in sources))
    assert [each.archived for each in archived] == [True, True]
    assert [each.version for each in archived] == [2, 2]
    assert all(text in compaction.content for text in ALIKE)
    assert store.ground.count("memory_history") == 2
    assert store.ground.counts_are_right()


async def test_the_merged_memory_has_what_its_sources_have_in_common(store: CompactionHarness) -> None:
    first, second = (
        fact(
            ALIKE[0],
            tags=("a", "b"),
            importance=0.25,
            session_id="s",
            metadata={"k": 1, "l": True},
            expires_at=later(100),
        ),
        fact(
            ALIKE[1],
            tags=("b", "c"),
            importance=0.75,
            session_id="s",
            metadata={"k": 1, "l": 1},
            expires_at=later(200),
            occurred_at=later(50),
        ),
    )
    await store.remember(first, second)
    compaction = await store.one()
    assert compaction.memory_id is not None
    (merged,) = await store.memories(compaction.memory_id)
    assert merged.kind is MemoryKind.SUMMARY
    assert (merged.tags, merged.session_id, merged.metadata) == (("b",), "s", {"k": 1})
    assert (merged.importance, merged.occurred_at) == (0.75, later(50))
    assert merged.expires_at == later(200)
    assert merged.source_refs == tuple(map(str, compaction.source_ids))
    assert merged.vector_model_id
    assert store.ground.count("memory_sources") == 2


async def test_what_never_expires_makes_its_merged_memory_never_expire(store: CompactionHarness) -> None:
    await store.remember(fact(ALIKE[0]), fact(ALIKE[1], expires_at=later(9)))
    compaction = await store.one()
    assert compaction.memory_id is not None
    assert (await store.memories(compaction.memory_id))[0].expires_at is None


async def test_a_crowded_tag_is_put_together_without_loss(store: CompactionHarness) -> None:
    told = [f"Nr. {number}: 会议 {number} 🦓" for number in range(120)]
    await store.remember(*(fact(text, tags=("t",)) for text in told))
    done = await store.compact()
    assert [each.tag for each in done.compactions] == ["t", "t"]
    assert not done.has_more
    merged = "\n".join(each.content for each in done.compactions)
    assert all(text in merged for text in told)
    assert sorted(await store.active()) == sorted(each.content for each in done.compactions)


@pytest.mark.parametrize(
    "spared",
    [
        {"pinned": True},
        {"tags": ("pinned",)},
        {"archived": True},
        {"expires_at": NOW - timedelta(seconds=1)},
        {"kind": MemoryKind.INSTRUCTION},
        {"kind": MemoryKind.PREFERENCE},
        {"kind": MemoryKind.SUMMARY},
        {"sensitivity": Sensitivity.CONFIDENTIAL},
    ],
)
async def test_what_is_exempt_is_left_alone(store: CompactionHarness, spared: dict[str, Any]) -> None:
    await store.remember(fact(ALIKE[0]), fact(ALIKE[1], **spared))
    assert (await store.compact()).compactions == []
    await store.remember(fact(f"{ALIKE[1]}.."))
    assert len((await store.compact()).compactions) == 1


async def test_chunks_are_never_sources(store: CompactionHarness) -> None:
    chunks = [row(each.memory.memory_id, each.memory.content) for each in map(fact, ALIKE)]
    await store.remember(*chunks)
    assert (await store.compact()).compactions == []


async def test_what_is_asked_for_is_done_and_nothing_else(store: CompactionHarness) -> None:
    await two_alike(store, tags=("x",))
    await store.remember(*(fact(f"{number} of many", tags=("t",)) for number in range(6)))
    for criteria, expected in (
        (Criteria(skip_tags=True), [""]),
        (Criteria(skip_near_duplicates=True), ["t"]),
        (Criteria(tags=("x",)), [""]),
        (Criteria(tags=("y",)), []),
        (Criteria(tag_threshold=6), [""]),
        (Criteria(likeness=0.999999), ["t"]),
        (Criteria(), ["", "t"]),
    ):
        done = await store.compact(criteria, dry_run=True)
        assert [each.tag for each in done.compactions] == expected, criteria


async def test_a_dry_run_changes_nothing_and_its_proposals_can_be_committed(store: CompactionHarness) -> None:
    before = await two_alike(store)
    proposed = await store.propose()
    assert proposed.state is CompactionState.PROPOSED
    assert proposed.memory_id is None
    assert await store.memories(*(each.memory_id for each in before)) == before
    assert await store.listed() == [proposed]
    done = await store.compact([proposed.compaction_id, proposed.compaction_id])
    (committed,) = done.compactions
    assert committed.compaction_id == proposed.compaction_id
    assert committed.content == proposed.content
    assert await store.active() == [committed.content]
    assert await store.listed() == [committed]
    with pytest.raises(WrongState, match="committed"):
        await store.compact([proposed.compaction_id])


async def test_a_proposal_lives_for_a_day(store: CompactionHarness) -> None:
    await two_alike(store)
    proposed = await store.propose()
    store.clock.moment = NOW + PROPOSAL_LIFETIME - timedelta(seconds=1)
    assert await store.listed() == [proposed]
    store.clock.moment = NOW + PROPOSAL_LIFETIME
    assert await store.listed() == []
    with pytest.raises(NotFound):
        await store.compact([proposed.compaction_id])
    assert store.ground.count("compactions") == 1
    await store.compact(Criteria(tags=("none",)), dry_run=True)
    assert store.ground.count("compactions") == 0


@pytest.mark.parametrize("change", ["update", "archive", "pin", "forget", "expire"])
async def test_a_source_that_is_not_as_it_was_refuses_its_compaction_alone(
    store: CompactionHarness, change: str
) -> None:
    sources = await two_alike(store, expires_at=later(60))
    others = await store.remember(fact("一只耐心的斑马在河边"), fact("一只耐心的斑马在河边。"))
    proposals = (await store.compact(dry_run=True)).compactions
    assert len(proposals) == 2
    first = sources[0].memory_id
    if change == "update":
        changed = fact("Another text", memory_id=first, version=2)
        await store.ground.memories.update(ALICE, changed, UpdatedVersions(1, 1), OF_UPDATE, None, now=NOW)
    elif change == "forget":
        store.change("delete from memories where memory_id = %s", first)
    elif change == "expire":
        store.clock.moment = later(60)
    else:
        column = {"archive": "archived", "pin": "pinned"}[change]
        store.change(f"update memories set {column} = true where memory_id = %s", first)
    done = await store.compact([each.compaction_id for each in proposals])
    states = {each.source_ids: (each.state, each.refusal) for each in done.compactions}
    assert states[tuple(sorted(others))] == (CompactionState.COMMITTED, None)
    of_two = tuple(sorted(each.memory_id for each in sources))
    assert states[of_two] == (CompactionState.REFUSED, Refusal.SOURCE_CHANGED)
    (other,) = await store.memories(sources[1].memory_id)
    assert not other.archived
    assert other.version == 1


async def test_of_two_proposals_with_a_source_in_common_the_first_is_carried_out(store: CompactionHarness) -> None:
    await two_alike(store)
    one, other = await store.propose(), await store.propose()
    done = await store.compact([one.compaction_id, other.compaction_id])
    assert [(each.state, each.refusal) for each in done.compactions] == [
        (CompactionState.COMMITTED, None),
        (CompactionState.REFUSED, Refusal.SOURCE_CHANGED),
    ]
    assert len(await store.active()) == 1


async def test_two_at_once_carry_a_group_out_once(store: CompactionHarness) -> None:
    await two_alike(store)
    done = await asyncio.gather(store.compact(), store.compact())
    states = sorted(each.state for answer in done for each in answer.compactions)
    assert states.count(CompactionState.COMMITTED) == 1
    assert len(await store.active()) == 1
    assert store.ground.counts_are_right()


async def test_a_proposal_is_carried_out_once_however_many_ask(store: CompactionHarness) -> None:
    await two_alike(store)
    proposed = await store.propose()
    asked = [store.compact([proposed.compaction_id]) for _ in range(3)]
    done = await asyncio.gather(*asked, return_exceptions=True)
    answered = [each for each in done if not isinstance(each, WrongState)]
    assert len(answered) == 1, done
    (committed,) = await store.listed()
    assert committed.state is CompactionState.COMMITTED
    assert (await store.revert(committed)).restored == 2


async def test_calling_again_proposes_the_groups_that_had_no_room(
    store: CompactionHarness, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("camillo_server.features.compaction.compactions.MAX_COMPACTIONS", 1)
    await two_alike(store)
    await store.remember(fact("一只耐心的斑马在河边"), fact("一只耐心的斑马在河边。"))
    first = await store.compact(dry_run=True)
    second = await store.compact(dry_run=True)
    assert (first.has_more, second.has_more) == (True, False)
    assert first.compactions[0].source_ids != second.compactions[0].source_ids
    committed = await store.compact()
    assert committed.has_more, "only proposed so far"


async def test_of_a_compaction_whose_memories_are_all_gone_no_word_is_kept(store: CompactionHarness) -> None:
    sources = [each.memory_id for each in await two_alike(store)]
    committed = await store.one()
    assert committed.memory_id is not None
    await removed(store, sources)
    assert [each.compaction_id for each in await store.listed()] == [committed.compaction_id]
    await removed(store, [committed.memory_id])
    assert await store.listed() == []


async def removed(store: CompactionHarness, memory_ids: Sequence[MemoryId]) -> None:
    """Removes memories as a pass does: without what rests on them."""
    await store.ground.database.transaction(ALICE, lambda session: delete_rows(session, ALICE, memory_ids, 99, NOW))


async def test_of_a_source_that_is_gone_before_it_is_proposed_no_word_is_kept(store: CompactionHarness) -> None:
    sources = await two_alike(store)
    found = await store.propose()
    assert "dark mode" in str(store.ground.rows("select details from compactions"))
    store.change("delete from memories where memory_id = %s", sources[0].memory_id)
    store.change("delete from compactions")
    await store.store.propose(ALICE, [Merge(found, None)], None, has_more=False, now=NOW)
    (kept,) = await store.listed()
    assert (kept.refusal, kept.content) == (Refusal.SOURCE_CHANGED, "")
    assert "dark mode" not in str(store.ground.rows("select details from compactions"))


async def test_what_was_forgotten_is_not_said_again_and_not_a_word_of_it_is_kept(store: CompactionHarness) -> None:
    await two_alike(store)
    proposed = await store.propose()
    mark = value_fingerprint(ALICE.tenant_id, proposed.content)
    blocking = Blocking([mark], proposed.compaction_id, NOW)
    await store.ground.database.transaction(ALICE, lambda session: block(session, ALICE, blocking))
    (refused,) = (await store.compact([proposed.compaction_id])).compactions
    assert (refused.state, refused.refusal) == (CompactionState.REFUSED, Refusal.VALUE_REJECTED)
    (again,) = (await store.compact(dry_run=True)).compactions
    assert again.refusal is Refusal.VALUE_REJECTED
    assert len(await store.active()) == 2
    assert refused.content == again.content == ""
    assert "dark mode" not in str(store.ground.rows("select details from compactions"))
    assert "dark mode" in str(store.ground.rows("select content from memories"))


async def test_what_the_scope_says_already_is_not_said_twice(store: CompactionHarness) -> None:
    await two_alike(store)
    proposed = await store.propose()
    await store.remember(fact(proposed.content, kind=MemoryKind.SUMMARY))
    (refused,) = (await store.compact([proposed.compaction_id])).compactions
    assert (refused.state, refused.refusal) == (CompactionState.REFUSED, Refusal.SOURCE_CHANGED)
    assert len(await store.active()) == 3


async def test_nothing_crosses_a_scope(store: CompactionHarness) -> None:
    await store.remember(fact(ALIKE[0]))
    await store.remember(fact(ALIKE[1], BOB), scope=BOB)
    await store.remember(fact(ALIKE[1], RIVAL), scope=RIVAL)
    for scope in (ALICE, BOB, RIVAL):
        assert (await store.compact(scope=scope)).compactions == []
    await store.remember(fact(ALIKE[1]))
    compaction = await store.one()
    for scope in (BOB, RIVAL):
        assert await store.listed(scope=scope) == []
        with pytest.raises(NotFound):
            await store.revert(compaction, scope=scope)
        with pytest.raises(NotFound):
            await store.compact([compaction.compaction_id], scope=scope)


@pytest.mark.parametrize("level", list(Sensitivity))
async def test_what_is_sensitive_is_stored_sealed(store: CompactionHarness, level: Sensitivity) -> None:
    await two_alike(store, sensitivity=level)
    compaction = await store.one()
    assert compaction.content in await store.active()
    assert await store.listed() == [compaction]
    kept = "".join(
        str(store.ground.rows(f"select * from {table}"))
        for table in ("compactions", "memories", "memory_history", "memory_vectors")
    )
    assert ("dark mode" in kept) is (level < Sensitivity.CONFIDENTIAL)


async def test_lists_are_newest_first_and_go_on_where_they_ended(store: CompactionHarness) -> None:
    for number in range(3):
        store.clock.moment = later(number)
        told = f"lion bear wolf fox deer {number}"
        await store.remember(fact(told), fact(f"{told}."))
        await store.compact()
    found = await store.listed()
    assert [each.created_at for each in found] == [later(2), later(1), later(0)]
    page = await store.store.page(ALICE, None, (found[0].created_at, found[0].compaction_id), 1, now=store.clock.now())
    assert page == [found[1]]
    await store.revert(found[1])
    assert [each.compaction_id for each in await store.listed(CompactionState.REVERTED)] == [found[1].compaction_id]
