"""One copy of what several candidates say, with the refs of all.

Texts say the same where they are equal in their comparable form (`rendering.comparable`), or alike: nine tenths of all
their runs of three words (shingles) are common to both (Jaccard), every figure among them. Which pairs to compare follows from the
smallest hashes of these runs (MinHash), in time that grows with the length of the texts alone. All texts are hashed in one
go, as columns.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import chain
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from camillo_server.context.bundle import MAX_REFS, Candidate, ItemType
from camillo_server.context.pieces import Likeness, Piece
from camillo_server.kernel.off_loop import yield_turn

# Within one file, each passage is compared with so many others at most.
_MAX_COMPARED_IN_FILE = 64
# What a caller says now, what an agent is always shown, and what stands under a key of its own, is nobody's copy.
_NEVER_A_COPY = (ItemType.VIEW, ItemType.GIVEN, ItemType.SLOT, ItemType.SKILL)
MIN_SIMILARITY = 0.9
# Of fewer words, one that differs is more than a tenth of all runs.
MIN_WORDS = 11
_RUN = 3
# Of those that are just alike, one in a million pairs has none of the smallest hashes in common.
_HASHES = 6
# Texts that begin alike and go on in many ways are compared with so many of their like.
_MAX_COMPARED = 16
# From the first letter or digit on: else each of a long word would be tried.
_FIGURE = re.compile(r"(?<![^\W_])[^\W_]*\d[^\W_]*")

_ODD = np.uint64(0x9E3779B97F4A7C15)
_BASE = np.uint64(0xD6E8FEB86659FD93)
_BASE_INVERSE = np.uint64(pow(int(_BASE), -1, 2**64))
_FACTORS = [np.uint64((2 * number + 1) * int(_ODD) % 2**64) for number in range(_HASHES)]
_MIX = np.uint64(29)
_ASCII = np.array([chr(code).isalnum() for code in range(128)])

Hashes = NDArray[np.uint64]
Indices = NDArray[np.intp]


class TextSimilarity:
    """Compares texts, each known by its index, in their comparable form."""

    def __init__(self, texts: Sequence[str]) -> None:
        self._texts = texts
        self._distinct: dict[int, frozenset[int]] = {}
        words, self._counts = _words(texts)
        self._runs, self._borders = _runs(words, self._counts)

    def likenesses(self) -> list[Likeness]:
        """The words of each text, and the smallest hashes of its runs; none of a short one."""
        found: list[Likeness] = [(count, ()) for count in self._counts.tolist()]
        long = np.flatnonzero(self._counts >= MIN_WORDS)
        if len(long):
            hashes = np.column_stack([self._min_hashes(long, factor) for factor in _FACTORS])
            for index, own in zip(long.tolist(), hashes.tolist(), strict=True):
                found[index] = (found[index][0], tuple(own))
        return found

    def pairs(self) -> Iterator[tuple[int, int]]:
        """Pairs that are alike, enough to join every group of them."""
        long = np.flatnonzero(self._counts >= MIN_WORDS)
        if len(long) < 2:
            return
        seen: set[tuple[int, int]] = set()
        for factor in _FACTORS:
            for group in _equal(self._min_hashes(long, factor), long):
                for number, index in enumerate(group):
                    for other in group[max(0, number - _MAX_COMPARED) : number]:
                        if (other, index) not in seen:
                            seen.add((other, index))
                            if self.are_similar(other, index):
                                yield other, index

    def are_similar(self, one: int, other: int) -> bool:
        """Whether nine tenths of what both have is common to both."""
        mine, others = self._of(one), self._of(other)
        common = len(mine & others)
        is_like = common >= MIN_SIMILARITY * (len(mine) + len(others) - common)
        return is_like and self._figures(one) == self._figures(other)

    def contains(self, longer: int, shorter: int) -> bool:
        """Whether nine tenths of the shorter one stand in the longer one."""
        if self.length(shorter) < MIN_WORDS:
            return False
        part = self._of(shorter)
        return len(self._of(longer) & part) >= MIN_SIMILARITY * len(part)

    def length(self, index: int) -> int:
        """Its number of words."""
        return int(self._counts[index])

    def _of(self, index: int) -> frozenset[int]:
        """Its runs, computed once: within a file, each text is compared with many."""
        found = self._distinct.get(index)
        if found is None:
            runs = self._runs[self._borders[index] : self._borders[index + 1]]
            found = self._distinct[index] = frozenset(runs.tolist())
        return found

    def _figures(self, index: int) -> Counter[str]:
        return Counter(_FIGURE.findall(self._texts[index]))

    def _min_hashes(self, indices: Indices, factor: np.uint64) -> Hashes:
        """The smallest hash of the runs of each of these texts."""
        mixed = self._runs * factor
        mixed ^= mixed >> _MIX
        mixed *= _ODD
        # Texts without runs have borders without a distance, which `reduceat` must not see.
        has_runs = np.flatnonzero(np.diff(self._borders) > 0)
        smallest = np.minimum.reduceat(mixed, self._borders[has_runs])
        found: Hashes = smallest[np.searchsorted(has_runs, indices)]
        return found


class Distinct(NamedTuple):
    """A candidate that stands for equal ones of its section. `key` is the same for equal ones of other sections."""

    candidate: Candidate
    piece: Piece
    key: int
    copies: Sequence[Candidate] = ()


_Named = tuple[str, Candidate, Piece]


def distinct(pools: Mapping[str, Sequence[tuple[Candidate, Piece]]]) -> dict[str, list[Distinct]]:
    """The candidates of each section in their order, each text once in a section."""
    named = [(name, candidate, piece) for name, pool in pools.items() for candidate, piece in pool]
    keys = _keys(named)
    groups: dict[int, list[_Named]] = defaultdict(list)
    for key, each in zip(keys, named, strict=True):
        groups[key].append(each)
    found: dict[str, list[Distinct]] = {name: [] for name in pools}
    for name, key in dict.fromkeys((each[0], key) for key, each in zip(keys, named, strict=True)):
        found[name].append(_merged(groups[key], name, key))
    return found


def _merged(group: Sequence[_Named], section: str, key: int) -> Distinct:
    """Ground truth before what was derived, then the best, then the earliest; preferably of the section itself."""
    if len(group) == 1:
        _, candidate, piece = group[0]
        return Distinct(candidate, piece, key)
    yield_turn()

    def rank(each: _Named) -> tuple[object, ...]:
        name, candidate, piece = each
        at = candidate.occurred_at.timestamp() if candidate.occurred_at else float("inf")
        return (
            candidate.is_derived,
            name != section,
            # Of a passage and one that contains it, the longer one is shown: nothing is lost.
            -len(piece.comparable) // 16 if candidate.path else 0,
            -candidate.score,
            at,
            candidate.refs,
        )

    ordered = sorted(group, key=rank)
    _, shown, piece = ordered[0]
    refs = dict.fromkeys(ref for _, candidate, _ in ordered for ref in candidate.refs)
    own = [candidate for name, candidate, _ in ordered if name == section]
    score = max(candidate.score for candidate in own)
    united = shown._replace(refs=tuple(refs)[:MAX_REFS], score=score)
    return Distinct(
        united, piece, key, tuple(candidate for candidate in own if candidate is not shown)
    )


def _keys(named: Sequence[_Named]) -> list[int]:
    """A number for each candidate, equal for those that say the same."""
    groups = _Groups(len(named))
    first: dict[str, int] = {}
    for index, (_, candidate, piece) in enumerate(named):
        if candidate.type not in _NEVER_A_COPY:
            earlier = first.setdefault(piece.comparable, index)
            if earlier != index:
                groups.join(earlier, index)
    indices = _perhaps_alike(named, list(first.values()))
    if indices:
        similarity = TextSimilarity([named[index][2].comparable for index in indices])
        parts = _part_pairs(similarity, [named[index][1].path for index in indices])
        for one, other in (*similarity.pairs(), *parts):
            groups.join(indices[one], indices[other])
    return [groups.first(index) for index in range(len(named))]


def _perhaps_alike(named: Sequence[_Named], indices: Sequence[int]) -> list[int]:
    """Of these indices, in order, all whose texts have a smallest hash or a file in common with another one."""
    pieces = [named[index][2] for index in indices]
    new = [each for each in pieces if each.likeness is None]
    if new:
        for piece, likeness in zip(
            new, TextSimilarity([each.comparable for each in new]).likenesses(), strict=True
        ):
            piece.likeness = likeness
    marks: list[tuple[int | str, ...]] = []
    for index, piece in zip(indices, pieces, strict=True):
        assert piece.likeness is not None  # noqa: S101 (just computed)
        path = named[index][1].path
        marks.append((*piece.likeness[1], path) if path else piece.likeness[1])
    every = list(chain.from_iterable(marks))
    if len(set(every)) == len(every):
        return []
    times = Counter(every)
    return [
        index
        for index, own in zip(indices, marks, strict=True)
        if any(times[mark] > 1 for mark in own)
    ]


def _part_pairs(similarity: TextSimilarity, paths: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Pairs of passages of the same file, of which one contains the other."""
    of_file: dict[str, list[int]] = defaultdict(list)
    for index, path in enumerate(paths):
        if path:
            of_file[path].append(index)
    for indices in of_file.values():
        longest_first = sorted(indices, key=lambda index: -similarity.length(index))
        for number, shorter in enumerate(longest_first):
            for longer in longest_first[max(0, number - _MAX_COMPARED_IN_FILE) : number]:
                if similarity.contains(longer, shorter):
                    yield longer, shorter
                    break


class _Groups:
    """Disjoint groups of indices, each known by its lowest one."""

    def __init__(self, count: int) -> None:
        self._parent = list(range(count))

    def first(self, index: int) -> int:
        while self._parent[index] != index:
            self._parent[index] = self._parent[self._parent[index]]
            index = self._parent[index]
        return index

    def join(self, one: int, other: int) -> None:
        one, other = self.first(one), self.first(other)
        self._parent[max(one, other)] = min(one, other)


def _words(texts: Sequence[str]) -> tuple[Hashes, Indices]:
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


def _runs(words: Hashes, counts: Indices) -> tuple[Hashes, Indices]:
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


def _equal(hashes: Hashes, indices: Indices) -> Iterator[list[int]]:
    """Groups of indices that have the same hash, in order."""
    order = np.argsort(hashes, kind="stable")
    ordered = hashes[order]
    borders = np.flatnonzero(np.concatenate(([True], ordered[1:] != ordered[:-1], [True])))
    for begin in np.flatnonzero(np.diff(borders) > 1):
        yield indices[order[borders[begin] : borders[begin + 1]]].tolist()
