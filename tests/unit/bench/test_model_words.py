"""Words that a model knows."""

import json
from collections import Counter
from pathlib import Path

from bench.material.model_words import known_words
from bench.material.texts import Texts


def test_words_that_are_one_token_come_in_the_order_of_the_vocabulary(tmp_path: Path) -> None:
    tokens = ["[PAD]", "[unused1]", "!", "a", "the", "##ing", "of", "茶", "and", "2026"]
    tokenizer = {"model": {"vocab": {token: place for place, token in enumerate(tokens)}}}
    (tmp_path / "tokenizer.json").write_text(json.dumps(tokenizer))
    assert known_words(tmp_path) == ("the", "of", "and")
    assert known_words(None) == ()


def test_known_words_are_the_frequent_ones() -> None:
    known = tuple(f"known{letter}" for letter in "abcdefgh")
    words = [word for text in Texts(known=known).sentences(200) for word in text.split()]
    share = sum(word in known for word in words) / len(words)
    # Under Zipf's law the first 8 of 20,000 words are about a quarter of all.
    assert 0.2 < share < 0.35
    assert max(set(words), key=words.count) == known[0]


def test_texts_of_different_seeds_are_of_one_language() -> None:
    one, other = (
        Counter(word for text in Texts(seed).sentences(1_000) for word in text.split())
        for seed in (3, 4)
    )
    frequent = {word for word, _ in one.most_common(20)}
    assert len(frequent & {word for word, _ in other.most_common(20)}) > 10
