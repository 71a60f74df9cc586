"""The floor of merging: nothing that any source says is lost, and what all say is said once."""

from itertools import pairwise

import pytest
from camillo_server.features.compaction.compaction import MAX_CHARACTERS, MAX_SOURCES
from camillo_server.features.compaction.guard import lost_facts
from camillo_server.features.compaction.merging import fitting_runs, merged_text, sentences
from hypothesis import given
from hypothesis import strategies as some

from tests.cases import each_case
from tests.unit.compaction.memories import contents, memories

WORDS = ["Anna agreed.", "Did Bob pay? Yes.", "他同意了。", "وافق أحمد؟", "48 €.", "e\u0301", "👩‍👩‍👧"]


@pytest.mark.parametrize(
    "equal",
    [
        ["User likes tea.", "user likes tea"],
        ["User likes tea.", "User  likes\ttea!"],
        ["他喜欢茶。", "他喜欢茶"],
        ["caf\u00e9 au lait", "cafe\u0301 au lait."],
        ["يحب الشاي.", "يحب الشاي"],
    ],
)
def test_what_is_written_a_little_differently_is_said_once(equal: list[str]) -> None:
    assert merged_text(equal) == equal[0]


@each_case(
    "different",
    [
        ["The server is up.", "The server is up?"],
        ["They told us.", "They told US."],
        ["10² units", "102 units"],
        ["He likes tea.", "He dislikes tea."],
        ["cafe", "caf\u00e9"],
        ["👍", "👎"],
        ["他去了。", "他不去了。"],
    ],
)
def test_what_may_be_something_else_is_said_as_well(different: list[str]) -> None:
    assert merged_text(different) == "\n".join(different)


def test_a_text_within_another_is_not_said_again() -> None:
    assert merged_text(["Anna came.", "Anna came. She paid 40 €."]) == "Anna came. She paid 40 €."


def test_an_answer_stays_behind_its_question() -> None:
    merged = merged_text(["Did Anna sign? Yes.", "Did Bob pay? Yes."])
    assert merged == "Did Anna sign? Yes.\nDid Bob pay? Yes."


def test_of_long_texts_only_what_differs_is_said_behind_what_it_stood_behind() -> None:
    one = "Anna came. Bob left. It rained."
    other = "Anna came. Bob left. Carl slept. It rained."
    assert merged_text([one, other]) == f"{one}\nBob left. Carl slept. It rained."
    third = "Anna came. It snowed. Bob left. It rained. It hailed."
    assert merged_text([one, third]) == (f"{one}\nAnna came. It snowed. Bob left. … It rained. It hailed.")


def test_the_order_is_that_of_the_texts() -> None:
    assert merged_text(["b", "a", "c", "a"]) == "b\na\nc"


@given(some.lists(some.lists(some.sampled_from(WORDS), max_size=5).map(" ".join), max_size=6))
def test_every_sentence_stands_behind_the_one_it_stood_behind(texts: list[str]) -> None:
    merged = merged_text(texts)
    flat = " ".join(merged.split())
    for text in texts:
        found = sentences(text)
        for before, after in pairwise(found):
            assert _close(text[before.start : after.end]) in _close(flat)
        for sentence in found:
            assert text[sentence.start : sentence.end] in merged
    assert not lost_facts(texts, merged)


def _close(text: str) -> str:
    return "".join(text.split())


def test_sources_are_cut_where_no_more_has_room() -> None:
    found = memories([f"{number}: " + "x" * 640 for number in range(8)])
    cut = [len(piece) for piece in fitting_runs(found)]
    assert cut == [3, 3, 2]
    texts = [merged_text([each.content for each in piece]) for piece in fitting_runs(found)]
    assert all(len(text) <= MAX_CHARACTERS for text in texts)


def test_what_has_no_room_beside_another_is_left_alone() -> None:
    found = memories(["a" * 1_999, "b" * 1_999, "c", "d"])
    assert contents(list(fitting_runs(found))) == [["c", "d"]]
    assert list(fitting_runs(found[:2])) == []


def test_no_piece_has_more_sources_than_a_memory_may_name() -> None:
    cut = [len(piece) for piece in fitting_runs(memories([str(number) for number in range(130)]))]
    assert cut == [MAX_SOURCES, MAX_SOURCES, 2]


def test_long_texts_that_say_the_same_have_room_together() -> None:
    long = " ".join(f"Sentence {number} is told." for number in range(80))
    found = memories([long, f"{long} One more."])
    assert len(long) > MAX_CHARACTERS / 2
    assert [len(piece) for piece in fitting_runs(found)] == [2]
