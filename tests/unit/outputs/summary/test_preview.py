"""First and last lines: how many, how long, and where they are cut."""

import pytest
from camillo_server.lib.outputs.summary.sample import Sample, preview

from tests.cases import each_case
from tests.unit.outputs.summary.samples import whole

NUMBERED = "".join(f"line {number}\n" for number in range(1, 101))
FAMILY = "👩‍👩‍👧‍👦"


def test_both_ends_are_shown() -> None:
    shown = preview(whole(NUMBERED), 2, 3)
    assert shown.head == "line 1\nline 2"
    assert shown.tail == "line 98\nline 99\nline 100"


@pytest.mark.parametrize(("text", "tail"), [("a\nb\n", ""), ("a\nb", ""), ("a\nb\nc", "c"), ("a\nb\nc\nd\n", "c\nd")])
def test_the_tail_holds_nothing_that_the_head_shows(text: str, tail: str) -> None:
    assert preview(whole(text), 2, 2).tail == tail


def test_the_tail_of_a_large_output_is_its_end() -> None:
    shown = preview(Sample("begin\n" * 100, "x\nlast but one\nlast\n", 9_999_999, 500_000), 1, 2)
    assert (shown.head, shown.tail) == ("begin", "last but one\nlast")


def test_no_lines_are_shown_where_none_are_wanted() -> None:
    shown = preview(whole(NUMBERED), 0, 0)
    assert (shown.head, shown.tail) == ("", "")
    assert preview(whole(NUMBERED), 0, 1).tail == "line 100"


@pytest.mark.parametrize("line", ["x" * 5_000, "слово " * 2_000, "漢字" * 5_000])
def test_long_lines_are_shortened(line: str) -> None:
    shown = preview(whole(f"{line}\n{line}\nlast"), 1, 2)
    assert shown.head.endswith("…")
    assert 100 < len(shown.head) <= 120
    assert shown.tail.endswith("…\nlast")


def test_many_lines_stay_within_two_thousand_characters() -> None:
    shown = preview(whole(("word " * 23 + "\n") * 500), 200, 200)
    assert 1_800 < len(shown.head) <= 2_000
    assert 1_800 < len(shown.tail) <= 2_000
    assert not shown.tail.startswith("…")


@each_case("character", [FAMILY, "e\u0301", "👍🏽", "🇧🇷", "நி", "ש\u05b8\u05c1"])
def test_no_character_is_cut_in_two(character: str) -> None:
    for before in range(13):
        shown = preview(whole("x" * before + character * 200), 1, 1).head
        kept = shown.removesuffix("…").removeprefix("x" * before)
        assert shown.endswith("…")
        assert kept
        assert kept == character * (len(kept) // len(character))


def test_what_a_terminal_would_not_show_is_left_out() -> None:
    shown = preview(whole("\x1b[1;31mred\x1b[0m\n\x1b]0;title\x07plain\n 10%\r 60%\r100%\ndone\r\n"), 4, 0)
    assert shown.head == "red\nplain\n100%\ndone"
