"""Near-duplicates: alike by their vectors or their words, never with other figures or another sensitivity."""

from typing import Any

import numpy as np
import pytest
from camillo_server.features.compaction import groups as module
from camillo_server.features.compaction.groups import Comparable, near_duplicates
from camillo_server.kernel.kinds import Sensitivity
from camillo_server.rows.row import Row

from tests.unit.compaction.memories import by_words, contents, memories, memory


def by_vectors(found: list[Row], angles: list[float], model_ids: list[str] | None = None, **changed: Any) -> Comparable:
    """Their vectors are at these angles, in degrees."""
    radians = np.radians(np.array(angles, np.float32))
    vectors = np.stack([np.cos(radians), np.sin(radians)], axis=1)
    return Comparable(found, vectors, model_ids or ["m"] * len(found), changed.get("words"))


def groups(found: Comparable, likeness: float = 0.92) -> list[list[str]]:
    return contents(list(near_duplicates(found, likeness)))


async def test_texts_that_hardly_differ_are_found_by_their_words() -> None:
    found = memories(
        [
            "The user prefers dark mode in the editor",
            "会议改到周五下午三点在大会议室开始",
            "The user likes tea",
            "User prefers dark mode in the editor.",
            "会议改到周五下午三点在大会议室开始。",
            "🎉",
        ]
    )
    assert groups(await by_words(found)) == [[found[0].content, found[3].content], [found[1].content, found[4].content]]


async def test_other_figures_are_something_else() -> None:
    one, other = "The invoice over 400 EUR was sent", "The invoice over 500 EUR was sent"
    same = "The invoice over 400 EUR was sent."
    assert groups(await by_words(memories([one, other, same]))) == [[one, same]]
    alike = by_vectors(memories([one, other]), [0, 0])
    assert groups(alike) == []


def test_another_sensitivity_is_never_in_the_same_group() -> None:
    secret = memory("c", 2, sensitivity=Sensitivity.CONFIDENTIAL)
    assert groups(by_vectors([*memories(["a", "b"]), secret], [0, 0, 0])) == [["a", "b"]]


def test_each_is_like_the_first_of_its_group() -> None:
    found = memories(["a", "b", "c", "d"])
    assert groups(by_vectors(found, [0, 15, 30, 45])) == [["a", "b"], ["c", "d"]]


def test_the_bound_is_the_cosine() -> None:
    found = by_vectors(memories(["a", "b"]), [0, 60])
    assert groups(found, 0.51) == []
    assert groups(found, 0.49) == [["a", "b"]]


def test_vectors_of_different_models_are_not_compared() -> None:
    found = memories(["a", "b"])
    words = np.eye(2, dtype=np.float32)
    assert groups(by_vectors(found, [0, 0], ["m", "n"], words=words)) == []
    assert groups(by_vectors(found, [0, 0], ["m", "m"], words=words)) == [["a", "b"]]
    alike = np.ones((2, 1), np.float32)
    assert groups(by_vectors(found, [0, 90], ["m", "n"], words=alike)) == [["a", "b"]]


def test_a_group_is_not_larger_than_a_compaction_may_be() -> None:
    found = memories(["a"] * 100)
    assert [len(group) for group in groups(by_vectors(found, [0.0] * 100))] == [64, 36]


def test_blocks_make_no_difference(monkeypatch: pytest.MonkeyPatch) -> None:
    angles = [float(7 * number % 360) for number in range(90)]
    found = by_vectors(memories(["a"] * 90), angles)
    whole = list(near_duplicates(found, 0.99))
    monkeypatch.setattr(module, "_BLOCK", 7)
    assert list(near_duplicates(found, 0.99)) == whole
    assert len(whole) > 5
