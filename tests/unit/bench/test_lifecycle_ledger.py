"""The ledger of acknowledged writes tells what is lost and what was done twice; figures told first have goals."""

from collections.abc import Sequence

import pytest
from camillo.v1.memory_pb2 import Memory

from bench.lifecycle.__main__ import LIFECYCLE
from bench.lifecycle.ledger import Fate, Ledger, Verdict


def stored(content: str = "紫藤", **fields: object) -> Memory:
    """A memory that was stated once and never changed, unless told otherwise."""
    told = {"memory_id": "1", "version": 1, "stated_count": 1, **fields}
    return Memory(content=content, **told)  # type: ignore[arg-type]


def verdict(fate: Fate, memories: Sequence[Memory], rounds: int = 2, events: Sequence[str] = ("said",)) -> Verdict:
    """The verdict on one statement of this fate, a run of two rounds and an event."""
    ledger = Ledger("alice", rounds={"run": 2}, events=["said"])
    ledger.state("紫藤", "1")
    ledger.statements["紫藤"].fate = fate
    return ledger.judge(memories, {"run": rounds}, events)


@pytest.mark.parametrize("fate", [Fate.KEPT, Fate.EITHER])
def test_what_is_there_once_is_well(fate: Fate) -> None:
    assert verdict(fate, [stored(), stored("another's", memory_id="2")]) == Verdict([], [])


def test_an_archived_memory_is_well_where_it_was_to_be_archived() -> None:
    assert verdict(Fate.ARCHIVED, [stored(archived=True)]) == Verdict([], [])
    assert verdict(Fate.EITHER, [stored(archived=True, version=2)]) == Verdict([], [])
    assert verdict(Fate.KEPT, [stored(archived=True)]).lost == ["紫藤: where it was put"]
    assert verdict(Fate.ARCHIVED, [stored()]).lost == ["紫藤: where it was put"]


@pytest.mark.parametrize("fate", [Fate.GONE, Fate.FORGOTTEN])
def test_a_removal_is_lost_where_the_memory_is_there(fate: Fate) -> None:
    assert verdict(fate, []) == Verdict([], [])
    assert verdict(fate, [stored()]).lost == ["紫藤: its removal"]


def test_a_memory_that_is_missing_or_another_is_lost() -> None:
    assert verdict(Fate.KEPT, []).lost == ["紫藤"]
    assert verdict(Fate.KEPT, [stored(memory_id="2")]).lost == ["紫藤: its id"]


def test_a_memory_that_is_there_twice_is_doubled() -> None:
    assert verdict(Fate.KEPT, [stored(), stored(memory_id="2")]).doubled == ["紫藤"]


def test_repeats_and_versions_are_counted() -> None:
    ledger = Ledger("alice")
    ledger.state("紫藤", "1")
    ledger.state("紫藤", "1")
    ledger.of_id("1").version = 2
    assert ledger.judge([stored(stated_count=2, version=2)], {}, []) == Verdict([], [])
    assert ledger.judge([stored()], {}, []).lost == ["紫藤: a repeat", "紫藤: a version"]
    assert ledger.judge([stored(stated_count=3, version=3)], {}, []).doubled == ["紫藤: a repeat", "紫藤: a version"]


def test_rounds_and_events_are_counted() -> None:
    assert verdict(Fate.KEPT, [stored()], rounds=1).lost == ["run run: a round"]
    assert verdict(Fate.KEPT, [stored()], rounds=3).doubled == ["run run: a round"]
    assert verdict(Fate.KEPT, [stored()], events=()).lost == ["event said"]
    assert verdict(Fate.KEPT, [stored()], events=("said", "said")).doubled == ["event said"]


def test_every_key_that_is_told_first_has_a_goal() -> None:
    assert set(LIFECYCLE.keys) <= {goal.figure for goal in LIFECYCLE.goals}
