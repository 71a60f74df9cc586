"""Terms are counted once, and packed so that an index in memory reads the same numbers as Postgres stores."""

import struct

import pytest
from camillo_server.lib.text.counted_terms import MAX_COUNTED, counted_terms, packed_terms, term_code
from camillo_server.lib.text.index_terms import index_terms

# Found by trying: two terms in about 2^32 pairs share a code.
ONE, OF_THE_SAME_CODE = "word50106", "word88338"


def unpacked(packed: bytes) -> list[tuple[int, int]]:
    """Codes and counts, in order."""
    return list(struct.iter_unpack("<IB", packed))


@pytest.mark.parametrize("text", ["tea, milk, tea", "她喝茶，她喝茶", "שלום שלום עולם", "e\u0301te\u0301 été 🍵🍵", ""])
def test_every_term_is_counted_in_order_of_first_occurrence(text: str) -> None:
    terms = index_terms(text)
    counted = counted_terms(text)
    assert counted.total == len(terms)
    assert list(counted.counts.items()) == [(each, terms.count(each)) for each in dict.fromkeys(terms)]
    assert unpacked(counted.packed) == [(term_code(term), count) for term, count in counted.counts.items()]


def test_terms_that_share_a_code_are_packed_as_one() -> None:
    assert term_code(ONE) == term_code(OF_THE_SAME_CODE) != term_code("tea")
    packed = packed_terms({ONE: 2, "tea": 5, OF_THE_SAME_CODE: 3})
    assert unpacked(packed) == [(term_code(ONE), 5), (term_code("tea"), 5)]


def test_a_count_ends_where_a_byte_ends_also_when_terms_share_a_code() -> None:
    packed = packed_terms({ONE: 200, "tea": 254, "milk": 1_000, OF_THE_SAME_CODE: 200})
    assert [count for _, count in unpacked(packed)] == [MAX_COUNTED, 254, MAX_COUNTED]
