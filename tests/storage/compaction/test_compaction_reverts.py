"""Undoing compactions in Postgres, and answering requests that come again."""

from collections.abc import AsyncIterator

import pytest
from camillo_server.features.compaction.compaction import CompactionState
from camillo_server.kernel.errors import RequestIdReused, WrongState
from camillo_server.kernel.kinds import MemoryKind
from camillo_server.rows.row import Row
from camillo_server.rows.write_records import UpdatedVersions

from tests.postgres_fixtures import TestDatabase
from tests.storage.compaction.compaction_store import ALIKE, CompactionHarness, compaction_store, fact, two_alike
from tests.storage.context.ground_store import ALICE, NOW, later, request
from tests.storage.replays import OF_UPDATE


@pytest.fixture
async def store(database: TestDatabase) -> AsyncIterator[CompactionHarness]:
    async with compaction_store(database) as opened:
        yield opened


def as_stated(memory: Row) -> Row:
    """The memory without what every change changes."""
    return memory._replace(version=0, updated_at=NOW)


async def test_undoing_brings_the_sources_back_and_takes_the_merged_memory_away(store: CompactionHarness) -> None:
    before = await two_alike(store, tags=("a", "{}"), metadata={"k": "é"}, importance=0.3)
    compaction = await store.one()
    assert compaction.memory_id is not None
    store.clock.moment = later(10)
    reverted = await store.revert(compaction)
    assert reverted.restored == 2
    assert reverted.compaction.state is CompactionState.REVERTED
    assert reverted.compaction.reverted_at == later(10)
    assert reverted.compaction.memory_id is None
    after = await store.memories(*(each.memory_id for each in before))
    assert list(map(as_stated, after)) == list(map(as_stated, before))
    assert [each.version for each in after] == [3, 3]
    assert await store.memories(compaction.memory_id) == []
    assert store.ground.count("memory_tombstones", f"memory_id = '{compaction.memory_id}'") == 1
    assert store.ground.counts_are_right()
    with pytest.raises(WrongState, match="reverted"):
        await store.revert(compaction)


async def test_undoing_passes_over_what_was_forgotten_or_taken_back_and_takes_no_notice_of_changes(
    store: CompactionHarness,
) -> None:
    third = fact(f"{ALIKE[0]}..")
    sources = [each.memory_id for each in await two_alike(store)] + await store.remember(third)
    compaction = await store.one()
    assert compaction.memory_id is not None
    await store.ground.memories.restore(ALICE, sources[:1], None, now=later(1))
    store.change("delete from memories where memory_id = %s", sources[1])
    changed = fact("Changed", memory_id=compaction.memory_id, kind=MemoryKind.SUMMARY, version=2)
    await store.ground.memories.update(ALICE, changed, UpdatedVersions(1, 1), OF_UPDATE, None, now=NOW)
    assert (await store.revert(compaction)).restored == 1
    assert await store.active() == sorted([ALIKE[0], f"{ALIKE[0]}.."])


async def test_a_source_that_somebody_took_back_is_not_put_together_again(store: CompactionHarness) -> None:
    sources = await two_alike(store)
    compaction = await store.one()
    memory_ids = [each.memory_id for each in sources]
    await store.ground.memories.restore(ALICE, memory_ids, None, now=later(1))
    assert (await store.compact()).compactions == []
    await store.revert(compaction)
    assert len((await store.compact()).compactions) == 1


async def test_a_repeated_request_is_answered_as_it_was_and_does_nothing(store: CompactionHarness) -> None:
    await two_alike(store)
    proposed = await store.compact(request=request("p"), dry_run=True)
    assert await store.compact(request=request("p"), dry_run=True) == proposed
    first = await store.compact(request=request("c"))
    again = await store.compact(request=request("c"))
    assert again == first
    (compaction,) = first.compactions
    reverted = await store.revert(compaction, request("r"))
    assert await store.revert(compaction, request("r")) == reverted
    assert (await store.compact(request=request("c"))) == first, "as it was then"
    with pytest.raises(RequestIdReused):
        await store.compact(request=request("c", b"other"))
    facts = str(store.ground.rows("select facts from requests"))
    assert "dark mode" not in facts
    assert str(compaction.compaction_id) in facts
