"""The index terms of a text, counted: what Postgres stores of them, and what an index in memory holds."""

import hashlib
import struct
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

from camillo_server.text.index_terms import index_terms

MAX_COUNTED = 255
SATURATION = 0.6
LENGTH_NORMALIZATION = 0.4


@lru_cache(maxsize=100_000)
def term_code(term: str) -> int:
    """32 bits that stand for a term. Two terms share a code once in 2^32 pairs: then each is also found for the
    other, which costs a candidate, not an answer."""
    return int.from_bytes(hashlib.blake2b(term.encode(), digest_size=4).digest(), "little")


@lru_cache(maxsize=100_000)
def label_code(label: str) -> int:
    """64 bits, never 0, that stand for a session, a tag or an entry of the metadata."""
    digest = hashlib.blake2b(label.encode(), digest_size=8).digest()
    return int.from_bytes(digest, "little") | 1


def packed_terms(counts: Mapping[str, int]) -> bytes:
    """Each code of these terms (4 bytes, little endian) and how often its terms occur (1 byte, 255 at most)."""
    of_codes: dict[int, int] = {}
    for term, count in counts.items():
        code = term_code(term)
        of_codes[code] = of_codes.get(code, 0) + count
    numbers: list[int] = []
    for code, count in of_codes.items():
        numbers += (code, min(count, MAX_COUNTED))
    return struct.pack("<" + "IB" * len(of_codes), *numbers)


@dataclass(frozen=True, slots=True)
class CountedTerms:
    """How many terms a text has, how often each occurs, and the same as `packed_terms` packs it."""

    total: int
    counts: Mapping[str, int]
    packed: bytes


def counted_terms(text: str) -> CountedTerms:
    """The terms of a text, in order of first occurrence."""
    terms = index_terms(text)
    counts = Counter(terms)
    return CountedTerms(len(terms), counts, packed_terms(counts))
