"""Index terms as numbers: what an index in memory is keyed by, and what is stored so that it loads fast."""

import hashlib
import struct
from collections.abc import Mapping
from functools import lru_cache

MOST_COUNTED = 255


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
        numbers += (code, min(count, MOST_COUNTED))
    return struct.pack("<" + "IB" * len(of_codes), *numbers)
