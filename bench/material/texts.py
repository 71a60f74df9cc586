"""Made-up texts with the statistics of real ones: few words are frequent, most are rare (Zipf's law)."""

import json
import math
import random
import re
from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

WORDS = 20_000
# Texts of different seeds are of one language.
VOCABULARY_SEED = 1
ZIPF_EXPONENT = 1.0
# With the syllables below, 100 characters on average.
WORDS_A_TEXT = (7, 13)
WORDS_A_QUERY = (3, 8)
# Lengths spread over orders of magnitude, as those of what people say do: the median, and the logarithm's deviation.
MEDIAN_WORDS = 14
WORDS_DEVIATION = 0.7
# Below the contract's 2,000 characters for words of any length.
MAX_WORDS = 100

# A model knows the first so many of 20,000 words, drawn by Zipf's law nine times in ten: about 1.3 tokens a word, as in
# English. Made-up words have four.
KNOWN_WORDS = 8_000

_ONSETS = [
    "b",
    "c",
    "d",
    "f",
    "g",
    "h",
    "j",
    "k",
    "l",
    "m",
    "n",
    "p",
    "r",
    "s",
    "t",
    "v",
    "w",
    "z",
    "br",
    "ch",
    "cl",
    "dr",
    "fl",
    "gr",
    "pl",
    "pr",
    "sh",
    "sl",
    "st",
    "th",
    "tr",
]
_VOWELS = ["a", "e", "i", "o", "u", "ai", "ea", "io", "ou"]
_CODAS = ["", "", "", *["n", "r", "s", "l", "t", "nd", "rk"]]
_WORD = re.compile(r"[a-z]{2,}")


class Texts:
    """Generates texts: the same for the same seed, on every machine."""

    def __init__(self, seed: int = 1, words: int = WORDS, known: tuple[str, ...] = ()) -> None:
        """Draws from so many words: `known` ones are the most frequent, the rest is made up."""
        self._numbers = np.random.default_rng(seed)
        self._words = _vocabulary(words, known)
        weights = 1.0 / np.arange(1, words + 1) ** ZIPF_EXPONENT
        self._weights = weights / weights.sum()

    def sentences(self, count: int) -> list[str]:
        """Short statements of about 100 characters."""
        return self._drawn(count, *WORDS_A_TEXT)

    def queries(self, count: int) -> list[str]:
        """Questions of 3 to 8 words, drawn like those of the statements: common words more often than rare ones."""
        return self._drawn(count, *WORDS_A_QUERY)

    def varied(self, count: int, numbers: np.random.Generator) -> list[str]:
        """Texts of 3 to 100 words, most of them short, drawn with these random numbers."""
        lengths = numbers.lognormal(math.log(MEDIAN_WORDS), WORDS_DEVIATION, count)
        return self._texts(numbers, np.clip(lengths, 3, MAX_WORDS).astype(np.int64))

    def vectors(self, count: int, dimensions: int) -> NDArray[np.float32]:
        """Unit vectors in random directions: shape (count, dimensions)."""
        vectors = self._numbers.standard_normal((count, dimensions), dtype=np.float32)
        vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
        return vectors

    def _drawn(self, count: int, least_words: int, most_words: int) -> list[str]:
        lengths = self._numbers.integers(least_words, most_words + 1, count)
        return self._texts(self._numbers, lengths)

    def _texts(self, numbers: np.random.Generator, lengths: NDArray[np.int64]) -> list[str]:
        ranks = numbers.choice(len(self._words), int(lengths.sum()), p=self._weights)
        ends = np.cumsum(lengths)
        return [
            " ".join(self._words[rank] for rank in ranks[end - length : end])
            for length, end in zip(lengths, ends, strict=True)
        ]


@cache
def known_words(model: Path | None) -> tuple[str, ...]:
    """Words that are one token for the model of this directory, in the order of its vocabulary, which begins with the
    most frequent; none without a model."""
    if model is None:
        return ()
    vocabulary = json.loads((model / "tokenizer.json").read_text())["model"]["vocab"]
    ordered = sorted(vocabulary, key=vocabulary.__getitem__)
    return tuple(word for word in ordered if _WORD.fullmatch(word))[:KNOWN_WORDS]


@cache
def _vocabulary(words: int, known: tuple[str, ...]) -> list[str]:
    """Different words, the frequent ones short."""
    dice = random.Random(VOCABULARY_SEED)
    found = dict.fromkeys(known[:words])
    while len(found) < words:
        syllables = 1 + int(math.log10(len(found) + 1) / 1.5) + dice.randrange(2)
        found["".join(_syllable(dice) for _ in range(syllables))] = None
    return list(found)


def _syllable(dice: random.Random) -> str:
    return dice.choice(_ONSETS) + dice.choice(_VOWELS) + dice.choice(_CODAS)
