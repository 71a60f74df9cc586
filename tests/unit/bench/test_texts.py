"""Made-up texts."""

import json
from collections import Counter
from pathlib import Path

import numpy as np

from bench.material.texts import Texts, known_words


def test_the_same_seed_gives_the_same_texts() -> None:
    assert Texts(3).sentences(20) == Texts(3).sentences(20)


def test_another_seed_gives_other_texts() -> None:
    assert Texts(3).sentences(20) != Texts(4).sentences(20)


def test_a_sentence_has_about_a_hundred_characters() -> None:
    lengths = [len(sentence) for sentence in Texts().sentences(1_000)]
    assert 80 < sum(lengths) / len(lengths) < 125
    assert max(lengths) < 400


def test_a_question_has_3_to_8_words() -> None:
    words = {len(query.split()) for query in Texts().queries(500)}
    assert words == {3, 4, 5, 6, 7, 8}


def test_few_words_are_frequent_and_most_are_rare() -> None:
    counts = Counter(word for text in Texts().sentences(2_000) for word in text.split())
    ordered = [count for _, count in counts.most_common()]
    # Under Zipf's law the tenth word occurs a tenth as often as the first.
    assert 5 < ordered[0] / ordered[9] < 20
    assert sum(1 for count in ordered if count == 1) > len(ordered) / 4


def test_vectors_have_unit_length() -> None:
    vectors = Texts().vectors(5, 384)
    assert vectors.shape == (5, 384)
    assert np.allclose(np.linalg.norm(vectors, axis=1), 1, atol=1e-5)


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
    one, other = (Counter(word for text in Texts(seed).sentences(1_000) for word in text.split()) for seed in (3, 4))
    frequent = {word for word, _ in one.most_common(20)}
    assert len(frequent & {word for word, _ in other.most_common(20)}) > 10
