"""Which texts say the same in almost the same words: found by hashing, in time that grows with their length alone.

Texts are alike where nine tenths of all their runs of three words are common to both (Jaccard), every figure among them.
Which pairs to compare is told by the least hashes of these runs (MinHash). All texts are hashed in one go, as columns.
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

LIKE = 0.9
# Of fewer words, one that differs is more than a tenth of all runs.
MIN_WORDS = 11
_RUN = 3
# Of those that are just alike, one in a million pairs has none of the least hashes in common.
_HASHES = 6
# Texts that begin alike and go on in many ways are compared with so many of their like.
_COMPARED = 16
# From the first letter or digit on: else each of a long word would be tried.
_FIGURE = re.compile(r"(?<![^\W_])[^\W_]*\d[^\W_]*")

_ODD = np.uint64(0x9E3779B97F4A7C15)
_BASE = np.uint64(0xD6E8FEB86659FD93)
_BASE_INVERSE = np.uint64(pow(int(_BASE), -1, 2**64))
_FACTORS = [np.uint64((2 * number + 1) * int(_ODD) % 2**64) for number in range(_HASHES)]
_MIX = np.uint64(29)

Hashes = NDArray[np.uint64]
Places = NDArray[np.intp]


class TextSimilarity:
    """Compares texts, of which it is told in their comparable form (`prompt_text.comparable`)."""

    def __init__(self, texts: Sequence[str]) -> None:
        self._texts = texts
        self._distinct: dict[int, frozenset[int]] = {}
        words, self._counts = _words(texts)
        self._runs, self._borders = _runs(words, self._counts)

    def pairs(self) -> Iterator[tuple[int, int]]:
        """Pairs of places that are alike, enough to join every group of them."""
        long = np.flatnonzero(self._counts >= MIN_WORDS)
        if len(long) < 2:
            return
        seen: set[tuple[int, int]] = set()
        for factor in _FACTORS:
            for group in _equal(self._least(long, factor), long):
                for number, place in enumerate(group):
                    for other in group[max(0, number - _COMPARED) : number]:
                        if (other, place) not in seen:
                            seen.add((other, place))
                            if self.are_similar(other, place):
                                yield other, place

    def are_similar(self, one: int, other: int) -> bool:
        """Whether nine tenths of what both have is common to both."""
        mine, others = self._of(one), self._of(other)
        common = len(mine & others)
        is_like = common >= LIKE * (len(mine) + len(others) - common)
        return is_like and self._figures(one) == self._figures(other)

    def holds(self, longer: int, shorter: int) -> bool:
        """Whether nine tenths of the shorter one stand in the longer one."""
        if self.length(shorter) < MIN_WORDS:
            return False
        part = self._of(shorter)
        return len(self._of(longer) & part) >= LIKE * len(part)

    def length(self, place: int) -> int:
        """Its number of words."""
        return int(self._counts[place])

    def _of(self, place: int) -> frozenset[int]:
        """Its runs, made once: within a file, each text is compared with many."""
        found = self._distinct.get(place)
        if found is None:
            runs = self._runs[self._borders[place] : self._borders[place + 1]]
            found = self._distinct[place] = frozenset(runs.tolist())
        return found

    def _figures(self, place: int) -> Counter[str]:
        return Counter(_FIGURE.findall(self._texts[place]))

    def _least(self, places: Places, factor: np.uint64) -> Hashes:
        """The least hash of the runs of each of these texts."""
        mixed = self._runs * factor
        mixed ^= mixed >> _MIX
        mixed *= _ODD
        # Texts without runs have borders without a distance, which `reduceat` must not see.
        has_runs = np.flatnonzero(np.diff(self._borders) > 0)
        least = np.minimum.reduceat(mixed, self._borders[has_runs])
        found: Hashes = least[np.searchsorted(has_runs, places)]
        return found


def _words(texts: Sequence[str]) -> tuple[Hashes, Places]:
    """A hash of each word of all texts, and how many words each text has.

    A word is what stands between spaces and marks; of scripts without spaces, each character is one.
    """
    joined = "".join(f"{text}\n" for text in texts)
    codes = np.frombuffer(joined.encode("utf-32-le", "replace"), np.uint32)
    is_word, is_alone = _is_word(codes), _is_alone(codes)
    before = np.concatenate(([False], is_word[:-1] & ~is_alone[:-1]))
    starts = np.flatnonzero(is_word & (is_alone | ~before))
    behind = np.concatenate((~is_word[1:] | is_alone[1:], [True]))
    ends = np.flatnonzero(is_word & (is_alone | behind)) + 1
    lengths = np.array([len(text) + 1 for text in texts], np.intp)
    text_ends = np.cumsum(lengths) if len(texts) else np.zeros(0, np.intp)
    counts = np.diff(np.searchsorted(starts, text_ends), prepend=0)
    # A polynomial over the characters: the sum up to the end less that up to the start, moved to the beginning.
    powers = _powers(_BASE, len(codes) + 1)
    sums = np.concatenate(([np.uint64(0)], np.cumsum(codes * powers[:-1], dtype=np.uint64)))
    hashes: Hashes = (sums[ends] - sums[starts]) * _powers(_BASE_INVERSE, len(codes) + 1)[starts]
    return hashes, counts


def _runs(words: Hashes, counts: Places) -> tuple[Hashes, Places]:
    """A hash of each run of three words within a text, and where those of each text begin and end."""
    text_of = np.repeat(np.arange(len(counts)), counts)
    if len(words) < _RUN:
        return words[:0], np.zeros(len(counts) + 1, np.intp)
    runs = (words[:-2] * _ODD ^ words[1:-1]) * _ODD ^ words[2:]
    is_within = text_of[:-2] == text_of[2:]
    borders = np.concatenate(([0], np.cumsum(np.maximum(counts - _RUN + 1, 0))))
    return runs[is_within], borders


def _powers(base: np.uint64, count: int) -> Hashes:
    return _kept_powers(int(base), 1 << count.bit_length())[:count]


@lru_cache(maxsize=4)
def _kept_powers(base: int, count: int) -> Hashes:
    powers = np.full(count, np.uint64(base))
    powers[0] = 1
    return np.cumprod(powers, dtype=np.uint64)


def _is_word(codes: NDArray[np.uint32]) -> NDArray[np.bool_]:
    """Letters and digits; beyond ASCII all but general punctuation and that of East Asia."""
    is_mark = (codes >= 0x2000) & (codes < 0x2070) | (codes >= 0x3000) & (codes < 0x3040)
    found: NDArray[np.bool_] = np.where(codes < 128, _ASCII[np.minimum(codes, 127)], ~is_mark)
    return found


def _is_alone(codes: NDArray[np.uint32]) -> NDArray[np.bool_]:
    """Characters of scripts without spaces: Thai and Lao, Burmese, kana and Chinese."""
    found = np.zeros(len(codes), np.bool_)
    for first, last in ((0xE00, 0xEFF), (0x1000, 0x109F), (0x3040, 0x30FF), (0x3400, 0x9FFF)):
        found |= (codes >= first) & (codes <= last)
    return found | (codes >= 0x20000) & (codes < 0x32000)


def _equal(hashes: Hashes, places: Places) -> Iterator[list[int]]:
    """Groups of places that have the same hash, in order."""
    order = np.argsort(hashes, kind="stable")
    ordered = hashes[order]
    borders = np.flatnonzero(np.concatenate(([True], ordered[1:] != ordered[:-1], [True])))
    for begin in np.flatnonzero(np.diff(borders) > 1):
        yield places[order[borders[begin] : borders[begin + 1]]].tolist()


_ASCII = np.array([chr(code).isalnum() for code in range(128)])
