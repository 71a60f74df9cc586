"""The counted terms of a text as the index keeps them: codes of 32 bits, each with how often the term occurs."""

import hashlib
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache

from camillo_server.lib.text.index_terms import index_terms

MAX_COUNTED = 255


@lru_cache(maxsize=100_000)
def term_code(term: str) -> int:
    """32 bits that stand for a term. Two terms share them once in 2^32 pairs, which costs a candidate, not an
    answer."""
    return int.from_bytes(_packed_code(term), "little")


@lru_cache(maxsize=100_000)
def _packed_code(term: str) -> bytes:
    return hashlib.blake2b(term.encode(), digest_size=4).digest()


def packed_codes(terms: Iterable[str]) -> bytes:
    """The codes of many terms, 4 bytes each, little endian; none is cached."""
    return b"".join([hashlib.blake2b(term.encode(), digest_size=4).digest() for term in terms])


@lru_cache(maxsize=100_000)
def label_code(label: str) -> int:
    """64 bits, never 0, that stand for a session, a tag or an entry of the metadata."""
    return int.from_bytes(hashlib.blake2b(label.encode(), digest_size=8).digest(), "little") | 1


def packed_terms(counts: Mapping[str, int]) -> bytes:
    """The code of each of these terms (4 bytes, little endian) and how often it occurs (1 byte, 255 at most)."""
    codes, numbers = [*map(_packed_code, counts)], [*counts.values()]
    if len(set(codes)) < len(codes):
        # Terms that share a code are counted together.
        of_codes = dict.fromkeys(codes, 0)
        for code, count in zip(codes, numbers, strict=True):
            of_codes[code] += count
        codes, numbers = [*of_codes], [*of_codes.values()]
    if max(numbers, default=0) > MAX_COUNTED:
        numbers = [min(count, MAX_COUNTED) for count in numbers]
    packed = [b""] * (2 * len(codes))
    packed[::2], packed[1::2] = codes, map(_PACKED_COUNTS.__getitem__, numbers)
    return b"".join(packed)


_PACKED_COUNTS = [bytes([count]) for count in range(MAX_COUNTED + 1)]


@dataclass(frozen=True, slots=True)
class CountedTerms:
    """How many terms a text has, how often each occurs, and the same as `packed_terms` packs it; `of_words`: without
    those beside its words."""

    total: int
    counts: Mapping[str, int]
    packed: bytes
    of_words: Mapping[str, int]


def counted_terms(text: str, beside: Iterable[str] = ()) -> CountedTerms:
    """The terms of a text, in order of first occurrence, and those `beside` its words, which do not make it longer."""
    terms = index_terms(text)
    of_words = counts = Counter(terms)
    if added := [*beside]:
        counts = of_words.copy()
        counts.update(added)
    return CountedTerms(len(terms), counts, packed_terms(counts), of_words)
