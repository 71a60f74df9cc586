"""Texts and lists made to fit."""

import pytest
from camillo_server.lib.outputs.summary.sample import counted, listed, shortened, shortened_front
from hypothesis import given
from hypothesis import strategies as st


@given(st.text(), st.integers(1, 60))
def test_a_shortened_text_is_a_beginning_that_fits(text: str, longest: int) -> None:
    short = shortened(text, longest)
    assert len(short) <= longest
    assert short == text or text.startswith(short.removesuffix("…"))


@given(st.text(), st.integers(1, 60))
def test_shortened_at_the_front_it_is_an_end_that_fits(text: str, longest: int) -> None:
    short = shortened_front(text, longest)
    assert len(short) <= longest
    assert short == text or text.endswith(short.removeprefix("…"))


def test_a_text_that_fits_stays() -> None:
    assert shortened("שלום", 4) == "שלום"
    assert shortened("שלום", 3) == "של…"
    assert shortened_front("src/app/cart.py", 9) == "…/cart.py"


@pytest.mark.parametrize(
    ("room", "expected"), [(30, "one, two, three"), (15, "one, two, three"), (14, "one and 2 more"), (2, "o…")]
)
def test_as_many_items_are_listed_as_fit(room: int, expected: str) -> None:
    assert listed(["one", "two", "three"], room) == expected


@given(st.lists(st.text(min_size=1, max_size=12), min_size=1), st.integers(1, 80), st.integers(0, 2_000))
def test_a_list_keeps_to_its_room(items: list[str], room: int, total: int) -> None:
    assert len(listed(items, room, total)) <= room + len(" and 2,000 more")


def test_items_beyond_those_given_are_counted() -> None:
    assert listed(["a", "b"], 40, 1_204) == "a, b and 1,202 more"


def test_one_is_singular() -> None:
    assert [counted(number, "match", "matches") for number in (0, 1, 1_204)] == [
        "0 matches",
        "1 match",
        "1,204 matches",
    ]
