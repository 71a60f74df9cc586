"""Bytes in pieces of a message: nothing is lost, nothing too long, no character in two."""

from collections.abc import Sequence
from itertools import pairwise

import pytest
from camillo_server.features.artifacts.read_artifact import CHUNK_BYTES, Chunker
from hypothesis import given, settings
from hypothesis import strategies as st

FEW = settings(max_examples=25)
CHARACTERS = ["a", "é", "茶", "🔑", "e\u0301", "\n", "שלום"]


def chunks(pieces: Sequence[bytes], *, keeps_characters: bool = True) -> list[bytes]:
    chunker = Chunker(keeps_characters=keeps_characters)
    fed = [chunk for piece in pieces for chunk in chunker.feed(piece)]
    return [*fed, *chunker.finish()]


def cut(data: bytes, places: Sequence[int]) -> list[bytes]:
    borders = [0, *sorted(place % (len(data) + 1) for place in places), len(data)]
    return [data[start:end] for start, end in pairwise(borders)]


@FEW
@given(
    character=st.sampled_from(CHARACTERS),
    before=st.integers(0, 4),
    count=st.integers(0, 300_000),
    places=st.lists(st.integers(0), max_size=4),
)
def test_text_comes_in_whole_characters_and_all_of_it(
    character: str, before: int, count: int, places: list[int]
) -> None:
    text = "x" * before + character * count
    came = chunks(cut(text.encode(), places))
    assert "".join(chunk.decode() for chunk in came) == text
    assert all(0 < len(chunk) <= CHUNK_BYTES for chunk in came)


@given(text=st.text(max_size=20))
def test_text_that_comes_byte_by_byte_comes_in_whole_characters(text: str) -> None:
    came = chunks([bytes([byte]) for byte in text.encode()])
    assert [chunk.decode() for chunk in came] == list(text)


@FEW
@given(
    pieces=st.lists(
        st.one_of(
            st.binary(max_size=10), st.sampled_from([b"\x80" * 300_000, b"\xf0" * 300_000, b"\xe8\x8c" * 200_000])
        ),
        max_size=5,
    ),
    keeps_characters=st.booleans(),
)
def test_bytes_that_are_no_text_all_come_too(pieces: list[bytes], keeps_characters: bool) -> None:
    came = chunks(pieces, keeps_characters=keeps_characters)
    assert b"".join(came) == b"".join(pieces)
    assert all(0 < len(chunk) <= CHUNK_BYTES for chunk in came)


@pytest.mark.parametrize("keeps_characters", [True, False])
def test_a_character_that_never_ends_comes_last(keeps_characters: bool) -> None:
    pieces = [b"tea: ", "茶".encode()[:2]]
    came = chunks(pieces, keeps_characters=keeps_characters)
    assert came == pieces


def test_a_chunk_is_as_long_as_a_message_holds() -> None:
    data = b"x" * (CHUNK_BYTES * 2 + 1)
    assert [len(chunk) for chunk in chunks([data])] == [CHUNK_BYTES, CHUNK_BYTES, 1]
    split = b"x" * (CHUNK_BYTES - 1) + "é".encode()
    assert [len(chunk) for chunk in chunks([split])] == [CHUNK_BYTES - 1, 2]
    as_bytes = chunks([split], keeps_characters=False)
    assert [len(chunk) for chunk in as_bytes] == [CHUNK_BYTES, 1]
