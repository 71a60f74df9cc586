"""Places at which lines begin in bytes, compared with a plain walk."""

from camillo_server.lib.text.characters import after_newline, newline_count
from hypothesis import given
from hypothesis import strategies as st

from tests.cases import each_case

LONG_LINE = b"=" * 700
PIECES = st.lists(
    st.sampled_from([b"\n", b"\n" * 300, b"a", b"\r\n", LONG_LINE, "茶🔑\n".encode(), b"\xff\n\x0a"]), max_size=30
)


def walked(data: bytes, number: int) -> int:
    for at, byte in enumerate(data, 1):
        number -= byte == 0x0A
        if number == 0:
            return at
    return len(data)


@given(pieces=PIECES, number=st.integers(1, 3_000))
def test_the_place_is_that_of_a_walk(pieces: list[bytes], number: int) -> None:
    data = b"".join(pieces)
    assert after_newline(data, number) == walked(data, number)


MIXED = (b"\n" + LONG_LINE) * 9 + b"ab\n" * 300


@each_case("data", [b"", b"\n", b"\n" * 513, LONG_LINE, LONG_LINE + b"\n", b"a\nb", MIXED])
def test_every_newline_of_a_text_is_found_and_the_end_behind_the_last(data: bytes) -> None:
    for number in range(1, data.count(b"\n") + 3):
        assert after_newline(data, number) == walked(data, number)


@given(pieces=PIECES)
def test_newlines_are_counted_one_by_one(pieces: list[bytes]) -> None:
    data = b"".join(pieces)
    assert newline_count(data) == sum(byte == 0x0A for byte in data)
