"""Point 9: what is put together loses nothing, and is taken apart in one call: every answer is as it was before."""

from dataclasses import dataclass
from functools import partial

import pytest
from camillo.v1.lifecycle_pb2 import (
    COMPACTION_REASON_NEAR_DUPLICATE,
    COMPACTION_REASON_TAG,
    COMPACTION_STATE_COMMITTED,
    COMPACTION_STATE_REVERTED,
    Compaction,
)
from camillo.v1.memory_pb2 import ARCHIVED_FILTER_INCLUDE, Memory, MemoryFilter
from camillo_client import AsyncCamillo

from tests.scenarios.conftest import settled

THRESHOLD = 3
NEAR = (
    "Ida drinks green tea at half past four in the garden.",
    "At half past four, Ida drinks green tea in the garden!",
    "ida drinks green tea in the garden at half past four",
)
TAGGED = (
    "Kai 7 is closed from 2030-03-01 to 2030-03-09.",
    "The pilot's number is +45 33 12 88 00, ask for Åse Løvgreen.",
    "潮汐表放在 /harbour/tides.csv 里。",
    "דמי העגינה הם 4,200 כתר לשבוע 🛥️",
)
ALONE = "The wisteria needs water on Mondays."
QUESTIONS = ("What does Ida drink?", "When is Kai 7 closed?", "潮汐表", "wisteria", "כתר")
EVERYTHING = MemoryFilter(archived=ARCHIVED_FILTER_INCLUDE)


async def tell(alice: AsyncCamillo) -> None:
    for text in NEAR:
        await alice.remember(text, importance=0.6)
    for text in TAGGED:
        await alice.remember(text, tags=["harbour", "boats"], importance=0.6)
    await alice.remember(ALONE)


def told(memory: Memory) -> bytes:
    """All of a memory but what counts its changes and its use."""
    copied = Memory()
    copied.CopyFrom(memory)
    for name in ("version", "updated_at", "access_count", "accessed_at"):
        copied.ClearField(name)
    return copied.SerializeToString(deterministic=True)


@dataclass(frozen=True, slots=True)
class Answers:
    """Recalled and listed memories; and the scores, which go by the age too, so that a moment later each may differ in
    the last digits."""

    told: list[list[bytes]]
    scores: list[float]

    def are_as(self, before: "Answers") -> bool:
        return self.told == before.told and self.scores == pytest.approx(before.scores, abs=1e-4)


async def answers(alice: AsyncCamillo) -> Answers:
    found = [await settled(partial(alice.recall, question)) for question in QUESTIONS]
    listed = [told(memory) async for memory in alice.list_memories()]
    recalled = [[told(hit.memory) for hit in answer.hits] for answer in found]
    return Answers([*recalled, listed], [hit.score for answer in found for hit in answer.hits])


async def compacted(alice: AsyncCamillo) -> dict[int, Compaction]:
    """Committed compactions, by reason."""
    answer = await alice.lifecycle.compact(tag_threshold=THRESHOLD)
    assert {each.state for each in answer.compactions} == {COMPACTION_STATE_COMMITTED}
    return {each.reason: each for each in answer.compactions}


async def test_nothing_is_lost_in_what_is_put_together(alice: AsyncCamillo) -> None:
    await tell(alice)
    by_reason = await compacted(alice)
    assert set(by_reason) == {COMPACTION_REASON_TAG, COMPACTION_REASON_NEAR_DUPLICATE}
    near, tagged = by_reason[COMPACTION_REASON_NEAR_DUPLICATE], by_reason[COMPACTION_REASON_TAG]
    assert all(text in tagged.content for text in TAGGED)
    assert "half past four" in near.content
    active = {memory.content async for memory in alice.list_memories()}
    assert active == {near.content, tagged.content, ALONE}
    kept = {memory.content: memory async for memory in alice.list_memories(EVERYTHING)}
    assert all(kept[text].archived for text in (*NEAR, *TAGGED))
    merged = await alice.get(tagged.memory_id)
    assert {*merged.tags} == {"harbour", "boats"}
    assert {*merged.source_refs} == {kept[text].memory_id for text in TAGGED}
    [found] = [hit for hit in (await alice.recall("Kai 7", limit=3)).hits if "Kai" in str(hit)]
    assert found.memory.memory_id == tagged.memory_id


async def test_each_is_taken_apart_in_one_call_and_every_answer_is_as_it_was(alice: AsyncCamillo) -> None:
    await tell(alice)
    before = await answers(alice)
    compactions = await compacted(alice)
    assert not (await answers(alice)).are_as(before)
    for compaction in compactions.values():
        reverted = await alice.lifecycle.revert(compaction.compaction_id)
        assert reverted.compaction.state == COMPACTION_STATE_REVERTED
        assert reverted.restored == len(compaction.source_ids)
    assert (await answers(alice)).are_as(before)
    merged = {compaction.content for compaction in compactions.values()}
    everything = {memory.content async for memory in alice.list_memories(EVERYTHING)}
    assert merged - {*NEAR, *TAGGED} != set()
    assert everything == {*NEAR, *TAGGED, ALONE}


async def test_a_source_alone_can_be_brought_back(alice: AsyncCamillo) -> None:
    await tell(alice)
    tagged = (await compacted(alice))[COMPACTION_REASON_TAG]
    await alice.restore(tagged.source_ids[:1])
    active = [memory.memory_id async for memory in alice.list_memories()]
    assert tagged.source_ids[0] in active
    assert tagged.source_ids[1] not in active
