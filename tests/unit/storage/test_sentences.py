"""Sentences of a text, and the text without some of them, in a time that grows as the text does."""

import time

import pytest
from camillo_server.storage.blocklist import sentences, without_spans

SENTENCES = [
    "...and so it began. ",
    "See v1.2.3 at a.example (really!). ",
    '"Is it?" ',
    "Yes!?\n\n",
    "a line\n",
    "茶。",
    "好！ \t",
    "Wait\u2026 ",
    "it ends..",
]


def test_a_text_is_divided_at_the_ends_of_sentences_and_lines() -> None:
    text = "".join(SENTENCES)
    assert [text[start:end] for start, end in sentences(text)] == SENTENCES
    assert sentences("\n \nBelow") == [(0, 3), (3, 8)]


@pytest.mark.parametrize("text", ["." * 300_000 + "x", ".'" * 150_000 + "x", "a." + "'" * 300_000 + "x"])
def test_a_long_run_of_marks_takes_no_longer_than_it_is(text: str) -> None:
    began = time.process_time()
    assert sentences(text) == [(0, len(text))]
    # Milliseconds where it is read once; many minutes where each mark is a place to begin anew.
    assert time.process_time() - began < 2


def test_many_sentences_are_left_out_as_fast_as_few() -> None:
    text, length = "Kept.\nGone.\n" * 30_000, len("Kept.\nGone.\n")
    began = time.process_time()
    shortened = without_spans(text, [(at + 6, at + length) for at in range(0, len(text), length)])
    places = [each.offset for each in shortened.omitted("content")]
    assert (shortened.text, places) == ("Kept.\n" * 30_000, list(range(6, 6 * 30_000 + 1, 6)))
    assert time.process_time() - began < 2


def test_spans_that_overlap_are_one_gap() -> None:
    shortened = without_spans("abcdefgh", [(4, 6), (1, 3), (2, 4)])
    assert (shortened.text, shortened.gone) == ("agh", [(1, 6)])
    assert [shortened.offset(each) for each in (0, 1, 5, 6, 7)] == [0, None, None, 1, 2]
