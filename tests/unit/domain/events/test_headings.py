"""The headings that a part of a text stands under, whatever stands in their lines."""

import time

import pytest
from camillo_server.domain.events.headings import headings


@pytest.mark.parametrize(
    ("line", "name"),
    [
        ("# Tea", "Tea"),
        ("# Tea #", "Tea"),
        ("# Tea \t###  ", "Tea"),
        ("# C#", "C#"),
        ("# 茶 # and #more", "茶 # and #more"),
        ("# Tea ##x#", "Tea ##x#"),
    ],
)
def test_marks_may_close_a_heading(line: str, name: str) -> None:
    text = f"{line}\nbelow"
    assert headings(text).above(len(text) - 1) == name


def test_a_row_of_spaces_takes_no_longer_than_it_is() -> None:
    text = f"# a{' ' * 500_000}b #\nbelow"
    began = time.process_time()
    assert headings(text).above(len(text) - 1).startswith("a ")
    # Milliseconds where it is read once; hours where each space is a place to begin anew.
    assert time.process_time() - began < 2
