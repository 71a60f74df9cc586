"""Texts that say the same in almost the same words."""

import random

import pytest
from camillo_server.context.deduplication import TextSimilarity
from camillo_server.context.rendering import comparable

WORDS = [f"word{chr(97 + i % 26)}{chr(97 + i // 26)}" for i in range(100)]
LONG = " ".join(WORDS)


def pairs(*texts: str) -> list[tuple[int, int]]:
    return sorted(TextSimilarity([comparable(text) for text in texts]).pairs())


def test_a_word_of_a_long_text_may_differ() -> None:
    assert pairs(LONG, LONG.replace("wordcb", "other")) == [(0, 1)]


def test_many_words_may_not() -> None:
    other = " ".join(word if i % 8 else "other" for i, word in enumerate(WORDS))
    assert pairs(LONG, other) == []


def test_a_figure_may_not_differ() -> None:
    assert pairs(f"{LONG} 17", f"{LONG} 18") == []
    assert pairs(f"{LONG} 17", f"{LONG} 17 end") == [(0, 1)]


def test_marks_between_words_do_not_count() -> None:
    assert pairs(LONG, LONG.replace(" ", ", ")) == [(0, 1)]


def test_of_short_texts_every_word_counts() -> None:
    assert pairs("one two three four", "one two three five") == []


def test_in_scripts_without_spaces_each_character_is_a_word() -> None:
    text = (
        "昨日の会議で決まったことを全員に知らせてください。来週の月曜日までに返事をお願いします。"
        * 3
    )
    assert len(set(text)) > 20
    other = text[:70] + "火" + text[71:]
    assert pairs(text, other + "。") == [(0, 1)]
    assert pairs(text, text[:40]) == []


def test_the_order_of_words_counts() -> None:
    assert pairs(LONG, " ".join(reversed(WORDS))) == []


@pytest.mark.parametrize("texts", [(), ("",), ("", ""), ("a", "", LONG, "")])
def test_texts_without_words_are_like_nothing(texts: tuple[str, ...]) -> None:
    assert pairs(*texts) == []


def test_like_texts_are_found_among_many_whatever_stands_around_them() -> None:
    chance = random.Random(3)  # noqa: S311
    vocabulary = [
        f"w{chr(97 + i % 26)}{chr(97 + i // 26 % 26)}{chr(97 + i // 676)}" for i in range(3_000)
    ]
    texts = [" ".join(chance.choices(vocabulary, k=90)) for _ in range(400)]
    texts[350] = texts[20].replace(" ", "  ", 5) + " end"
    texts[399] = texts[200]
    assert pairs(*texts) == [(20, 350), (200, 399)]


def test_a_passage_is_contained_in_what_it_was_cut_from() -> None:
    similarity = TextSimilarity([LONG, " ".join(WORDS[10:40]), " ".join(WORDS[40:45])])
    assert similarity.contains(0, 1)
    assert not similarity.contains(1, 0)
    assert not similarity.contains(0, 2)
