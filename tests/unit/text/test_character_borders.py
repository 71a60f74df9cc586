"""Characters of UTF-8 at the ends of bytes."""

from camillo_server.lib.text.characters import LONGEST_REST, begun_character, rest_of_character
from hypothesis import given
from hypothesis import strategies as st

from tests.cases import each_case

TEXTS = st.text(
    st.one_of(st.characters(codec="utf-8"), st.sampled_from("aéЖ茶🔑\u0301\u200d\x7f\x80\u07ff\u0800\uffff\U00010000"))
)


@given(text=TEXTS, place=st.integers(0))
def test_what_is_cut_off_at_both_sides_of_a_cut_is_the_character_in_it(text: str, place: int) -> None:
    data = text.encode()
    cut = place % (len(data) + 1)
    before, after = data[:cut], data[cut:]
    begun, rest = begun_character(before), rest_of_character(after)
    assert bool(begun) == bool(rest)
    assert len(data[cut - begun : cut + rest].decode()) == (1 if begun else 0)
    assert before[: cut - begun].decode() + data[cut - begun :].decode() == text


@given(data=st.binary(max_size=12))
def test_of_any_bytes_at_most_three_are_cut_off(data: bytes) -> None:
    assert 0 <= begun_character(data) <= min(LONGEST_REST, len(data))
    assert 0 <= rest_of_character(data) <= min(LONGEST_REST, len(data))


@each_case(
    ("data", "begun"),
    [
        (b"", 0),
        (b"a", 0),
        (b"a\xc3", 1),
        (b"a\xe8\x8c", 2),
        (b"a\xf0\x9f\x94", 3),
        ("🔑".encode(), 0),
        (b"\x80\x80\x80", 0),
        (b"a\x80", 0),
        (b"\xc3\xa9\x80", 0),
        (b"\xff", 0),
        (b"\xc0", 0),
        (b"\xf5\x80", 0),
    ],
)
def test_a_beginning_is_told_from_what_can_be_none(data: bytes, begun: int) -> None:
    assert begun_character(data) == begun
