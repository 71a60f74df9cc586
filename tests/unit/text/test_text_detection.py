"""Whether bytes are text: what they are told to be, however they were cut."""

import codecs
from collections.abc import Sequence

import pytest
from camillo_server.lib.text.characters import TextDetector, begun_character
from hypothesis import given
from hypothesis import strategies as st

from tests.cases import each_case

# Pieces that tell the encodings apart, beside any other bytes.
PIECES = st.one_of(
    st.binary(max_size=6),
    st.text(max_size=6).map(lambda text: text.encode("utf-8", "replace")),
    st.sampled_from([b"plain text\n", b"\x01", b"\x81", b"\x1b[31m", b"\xff", b"\xfe", b"\0", "茶🔑".encode()]),
)


def encoding_of(pieces: Sequence[bytes]) -> str:
    detector = TextDetector()
    for piece in pieces:
        detector.feed(piece)
    return detector.encoding()


@each_case(
    ("data", "encoding"),
    [
        (b"plain ASCII\r\n\ttext", "utf-8"),
        ("中文 🎉 עברית e\u0301\n".encode(), "utf-8"),
        (codecs.BOM_UTF8 + "naïve".encode(), "utf-8"),
        (b"\x1b[31mred\x1b[0m\r 50%\b\b\b51%\n", "utf-8"),
        ("café – “quoted” €5".encode("windows-1252"), "windows-1252"),
        ("\x1b[1mcafé\x1b[0m".encode("windows-1252"), "windows-1252"),
        ("hello".encode("utf-16-le"), ""),
        ("hello".encode("utf-16-be"), ""),
        (codecs.BOM_UTF16_LE + "hello 茶".encode("utf-16-le"), "utf-16"),
        (codecs.BOM_UTF16_BE + "hello 茶".encode("utf-16-be"), "utf-16"),
        (b"text with one \0 in it", ""),
        (b"caf\xe9 and a control \x01", ""),
        (b"caf\xe9 and no character \x81", ""),
        (b"caf\xe9 and delete \x7f", ""),
        (b"\x89PNG\r\n\x1a\n\xff\xd8", ""),
        ("cut in a character: 茶".encode()[:-1], "windows-1252"),
        ("cut in a character: 茶Ё茶".encode()[:-1], "utf-8"),
    ],
)
def test_each_encoding_is_told_by_what_only_it_has(data: bytes, encoding: str) -> None:
    assert encoding_of([data]) == encoding
    assert encoding_of([bytes([byte]) for byte in data]) == encoding


@pytest.mark.parametrize("late", [b"\xff", b"\xe9 "])
def test_what_no_text_has_is_remembered_when_the_end_shows_that_it_is_no_utf_8(late: bytes) -> None:
    assert encoding_of([b"before ", late]) == "windows-1252"
    assert encoding_of([b"before \x01", late]) == ""
    assert encoding_of(["Ё".encode(), late]) == ""


@given(pieces=st.lists(PIECES, max_size=8))
def test_the_encoding_does_not_hang_on_how_the_bytes_were_cut(pieces: list[bytes]) -> None:
    data = b"".join(pieces)
    assert encoding_of(pieces) == encoding_of([data])
    assert encoding_of([bytes([byte]) for byte in data]) == encoding_of([data])


@given(text=st.text(st.characters(codec="utf-8", exclude_characters="\0"), min_size=1), place=st.integers(0))
def test_any_text_in_utf_8_is_utf_8_also_when_it_comes_in_two_parts(text: str, place: int) -> None:
    data = text.encode()
    cut = place % len(data)
    assert encoding_of([data[:cut], data[cut:]]) == "utf-8"


@given(pieces=st.lists(PIECES, max_size=8))
def test_what_is_called_text_can_be_decoded(pieces: list[bytes]) -> None:
    data = b"".join(pieces)
    encoding = encoding_of(pieces)
    if encoding in ("utf-8", "windows-1252"):
        # The last character of UTF-8 may be cut off.
        begun = begun_character(data) if encoding == "utf-8" else 0
        assert "\0" not in data[: len(data) - begun].decode(encoding)
