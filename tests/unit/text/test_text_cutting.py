"""Text cut to a number of tokens: never above it, at the end of a line where that costs little."""

import pytest
from camillo_server.lib.text.tokens import count_tokens, opening, shown
from hypothesis import given
from hypothesis import strategies as st

PIECES = st.lists(
    st.one_of(
        st.text(max_size=10),
        st.sampled_from(
            [
                "the river ran by the old house and they knew it well ",
                "los seres humanos nacen libres e iguales en dignidad y derechos ",
                "人人生而自由，",
                "👩🏽‍💻🇩🇪",
                "שלום עולם ",
                "e\u0301\u0301",
                "\n",
                "\r\n",
                "-" * 200,
                " " * 200,
                "\n" * 200,
            ]
        ),
    ),
    max_size=25,
)
BUDGETS = st.integers(1, 60)
# One of these is much cheaper than a token for each character, one much dearer.
HOSTILE = ["a", "\n", " ", "-", "𒀀", "\u0301", "a\n", "é"]


@given(pieces=PIECES, budget=BUDGETS, goes_on=st.booleans())
def test_an_opening_never_has_more_tokens_than_it_may(pieces: list[str], budget: int, goes_on: bool) -> None:
    text = "".join(pieces)
    cut = opening(text, budget, goes_on=goes_on)
    assert text.startswith(cut)
    assert bool(cut) == bool(text)
    assert count_tokens(cut) <= budget or len(cut) == 1


@given(pieces=PIECES)
def test_what_fits_comes_whole_and_what_does_not_is_cut(pieces: list[str]) -> None:
    text = "".join(pieces)
    tokens = count_tokens(text)
    assert opening(text, max(1, tokens)) == text
    if tokens > 1 and len(text) > 1:
        assert opening(text, tokens - 1) != text


@given(pieces=PIECES, budget=BUDGETS)
def test_a_cut_that_is_not_at_a_line_has_no_line_end_in_its_second_half(pieces: list[str], budget: int) -> None:
    cut = opening("".join(pieces), budget, goes_on=True)
    if not cut.endswith("\n"):
        assert (cut.rfind("\n") + 1) * 2 <= len(cut)


def test_an_opening_ends_with_a_line_only_where_that_loses_less_than_half() -> None:
    short_lines, one_line = "they knew it well\n" * 200, "they knew it well " * 200
    assert opening(short_lines, 50).endswith("well\n")
    late = opening("x\n" + one_line, 50)
    assert late.startswith("x\nthey")
    assert not late.endswith("\n")


def test_what_goes_on_ends_with_a_line_even_where_all_of_it_fits() -> None:
    text = "a first line that is whole\nand a second"
    assert opening(text, 1_000) == text
    assert opening(text, 1_000, goes_on=True) == "a first line that is whole\n"


def test_cheap_text_comes_whole_however_long_it_is() -> None:
    text = " " * 90_000
    budget = count_tokens(text)
    assert budget * 8 < len(text)
    assert opening(text, budget) == text


def test_a_line_in_another_language_is_cut_further_than_with_the_english_behind_it() -> None:
    foreign = "nacen libres e iguales en dignidad dotados como razón conciencia deben comportarse\n"
    english = "the river ran by the old house and they knew it well and that is what we have "
    assert count_tokens(foreign) > count_tokens((foreign + english)[:110])
    for budget in range(10, 60):
        assert count_tokens(opening(foreign + english * 9, budget)) <= budget


@pytest.mark.parametrize("character", HOSTILE, ids=ascii)
@pytest.mark.parametrize("budget", [16, 1_000, 32_000])
@pytest.mark.timeout(10)
def test_a_mebibyte_of_one_character_is_cut_at_once(character: str, budget: int) -> None:
    text = character * (1024 * 1024 // len(character.encode()))
    cut = opening(text, budget)
    assert 0 < count_tokens(cut) <= budget


def test_bytes_that_are_not_valid_are_shown_as_such() -> None:
    text = b"tea: \xe8\x8c, \xe8\x8c\xb6, \xff".decode("utf-8", "surrogateescape")
    assert shown(text) == "tea: \ufffd\ufffd, 茶, \ufffd"
    assert len(shown(text)) == len(text)
    shown(text).encode()
