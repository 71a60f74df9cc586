"""One copy of what several candidates say, with the refs of all."""

from camillo_server.across.context.bundle import Candidate, ItemType
from camillo_server.across.context.packing import distinct
from camillo_server.across.context.prepared_texts import Distinct, PreparedText, PreparedTexts

from tests.unit.context.samples import candidate, turn

LONG = " ".join(f"word{chr(97 + i % 26)}{chr(97 + i // 26)}" for i in range(100))


def of(*candidates: Candidate) -> list[tuple[Candidate, PreparedText]]:
    return [(each, PreparedTexts().of(each)) for each in candidates]


def alone(*candidates: Candidate) -> list[Distinct]:
    return distinct({"evidence": of(*candidates)})["evidence"]


def test_different_texts_all_stay_in_their_order() -> None:
    found = alone(candidate("b", 0), candidate("a", 1), candidate("c", 2))
    assert [each.candidate.text for each in found] == ["b", "a", "c"]
    assert len({each.key for each in found}) == 3
    assert not any(each.copies for each in found)


def test_the_same_message_five_times_is_one_with_the_refs_of_all() -> None:
    (found,) = alone(*(candidate("We ship on Friday", number) for number in range(5)))
    expected = [f"{kind}-{n}" for n in range(5) for kind in ("chunk", "event")]
    assert list(found.candidate.refs) == expected
    assert len(found.copies) == 4


def test_white_space_case_and_what_nobody_sees_make_no_difference() -> None:
    texts = ["We ship on Friday", "we  SHIP\non friday", "We ship\u200b on Ｆriday", "We ship on Friday!"]
    found = alone(*(candidate(text, number) for number, text in enumerate(texts)))
    assert [each.candidate.text for each in found] == [texts[0], texts[3]]


def test_the_best_copy_is_shown_and_of_equal_ones_the_earliest() -> None:
    (best,) = alone(candidate("Same", 0, score=0.1), candidate("SAME", 1, score=0.9))
    assert (best.candidate.text, best.candidate.score) == ("SAME", 0.9)
    (earliest,) = alone(candidate("Same", 3, score=0.5), candidate("SAME", 1, score=0.5))
    assert earliest.candidate.text == "SAME"


def test_marks_between_the_words_of_a_longer_text_make_no_difference() -> None:
    found = alone(candidate(LONG, 0), candidate(LONG.replace(" ", ", ") + ".", 1))
    assert len(found) == 1
    assert len(alone(candidate(LONG, 0), candidate(LONG[:400], 1))) == 2


def test_a_word_that_differs_makes_another_statement() -> None:
    texts = [LONG, LONG.replace("wordcb", "other"), LONG.replace("wordcb", "not wordcb")]
    found = alone(*(candidate(text, number) for number, text in enumerate(texts)))
    assert [each.candidate.text for each in found] == texts


def test_what_a_passage_says_otherwise_than_its_file_is_not_lost() -> None:
    part = " ".join(LONG.split()[20:80]).replace("wordcb", "not wordcb")
    found = alone(candidate(part, 0, path="a.py"), candidate(LONG, 1, path="a.py"))
    assert len(found) == 2


def test_ground_truth_stays_and_the_summary_of_the_same_words_goes() -> None:
    summary = candidate("It rained", 0, is_derived=True, score=0.9, type=ItemType.MEMORY)
    (found,) = alone(summary, candidate("It rained", 1, score=0.2))
    assert not found.candidate.is_derived
    assert found.candidate.refs[:2] == ("chunk-1", "event-1")
    assert "event-0" in found.candidate.refs
    assert found.candidate.score == 0.9


def test_a_section_shows_the_ground_truth_that_stands_in_another() -> None:
    summary = candidate("It rained", 0, is_derived=True)
    found = distinct({"evidence": of(summary), "recent": of(candidate("It rained", 1))})
    assert not found["evidence"][0].candidate.is_derived
    assert found["evidence"][0].key == found["recent"][0].key


def test_passages_of_one_file_that_hold_each_other_are_one() -> None:
    part = " ".join(LONG.split()[20:80])
    of_one = alone(candidate(part, 0, path="a.py"), candidate(LONG, 1, path="a.py"))
    assert [each.candidate.text for each in of_one] == [LONG]
    of_two = alone(candidate(part, 0, path="a.py"), candidate(LONG, 1, path="b.py"))
    assert len(of_two) == 2


def test_what_the_caller_says_now_is_nobodys_copy() -> None:
    found = distinct({"turns": of(turn("yes", 1), turn("yes", 0)), "evidence": of(candidate("yes"))})
    assert len(found["turns"]) == 2
    assert len(found["evidence"]) == 1


def test_refs_are_at_most_two_hundred() -> None:
    (found,) = alone(*(candidate("Same", number) for number in range(300)))
    assert len(found.candidate.refs) == 200


def test_nothing_is_nothing() -> None:
    assert distinct({}) == {}
    assert distinct({"evidence": []}) == {"evidence": []}
