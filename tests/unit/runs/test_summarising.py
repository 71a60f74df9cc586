"""Summary of a round."""

from camillo_server.across.runs.summarizing import beginning, summary_of

from tests.cases import each_case
from tests.unit.runs.samples import SCRIPTS, answer, call


def test_a_round_is_its_calls_and_what_was_answered() -> None:
    steps = [
        call("search", "3 orders were found. The first is 7.", query="tea", limit=3),
        answer("Order 7 is late. I will write to the supplier."),
    ]
    assert summary_of(steps).sentence == (
        'called search(limit=3, query="tea") -> 3 orders were found.; answered "Order 7 is late."'
    ) or summary_of(steps).sentence == (
        'called search(query="tea", limit=3) -> 3 orders were found.; answered "Order 7 is late."'
    )


def test_a_call_that_failed_says_why() -> None:
    summary = summary_of([call("ship", "No such address. Try again.", is_error=True)])
    assert summary.sentence == "called ship() -> error: No such address."
    assert summary.failures == ("ship: No such address.",)
    silent = summary_of([call("ship", is_error=True)])
    assert silent.sentence == "called ship() -> error: no reason told"


def test_a_call_that_answered_nothing_says_only_that_it_was_made() -> None:
    assert summary_of([call("wait")]).sentence == "called wait()"
    assert summary_of([call("wait")]).failures == ()


def test_of_many_calls_the_first_are_told_and_the_others_counted() -> None:
    summary = summary_of([call(f"function_{number}", "It went well.") for number in range(100)])
    assert summary.sentence.startswith("called function_0() -> It went well.; called function_1()")
    assert summary.sentence.endswith(" more calls")
    assert len(summary.sentence) < 350
    told = summary.sentence.count("called ")
    assert f"and {100 - told} more calls" in summary.sentence


@each_case("text", SCRIPTS)
def test_a_sentence_ends_as_its_script_ends_sentences(text: str) -> None:
    first = summary_of([answer(f"{text} And then there is more of it.")]).sentence
    assert first.removeprefix('answered "').removesuffix('"') in text
    assert len(first) > 10


def test_nothing_makes_it_longer_than_a_few_hundred_characters_nor_breaks_its_line() -> None:
    steps = [call("n" * 128, "x" * 60_000, argument="a\nb" * 5_000, is_error=True), answer("long\n" * 10_000)]
    summary = summary_of(steps)
    assert len(summary.sentence) < 500
    assert "\n" not in summary.sentence + summary.answer + "".join(summary.failures)
    assert len(summary.answer) <= 600
    assert len(summary.failures[0]) < 240


def test_only_the_last_failures_are_kept_each_once() -> None:
    steps = [call("a", f"reason {number}.", is_error=True) for number in (1, 2, 2, 3, 4)]
    assert summary_of(steps).failures == ("a: reason 2.", "a: reason 3.", "a: reason 4.")


def test_the_beginning_of_a_text_ends_with_a_sentence_where_it_can() -> None:
    assert beginning("One. Two. Three is too long.", 12) == "One. Two."
    assert beginning("All of it.", 12) == "All of it."
    assert beginning("一。二三。四五六七八九十百千万。", 6) == "一。二三。"
    assert beginning("no end in sight anywhere", 10) == "no end in\N{HORIZONTAL ELLIPSIS}"


def test_a_beginning_cuts_no_character_in_two() -> None:
    family = "👩‍👩‍👧"
    assert beginning(family * 20, 9) == family + "\N{HORIZONTAL ELLIPSIS}"
    assert beginning("e\u0301" * 20, 8) == "e\u0301" * 3 + "\N{HORIZONTAL ELLIPSIS}"
