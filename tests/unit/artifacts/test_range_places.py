"""Where ranges lie, against what splitting the whole content says."""

import pytest
from camillo_server.artifacts.artifact import ArtifactRange, Bytes, Lines, Tail, around, head
from camillo_server.artifacts.byte_ranges import Place, RangePlaces
from camillo_server.kernel.errors import InvalidField, NotText, RangePastEnd
from camillo_server.outputs.json_parts.pointer import JsonPart, parse_pointer
from hypothesis import given
from hypothesis import strategies as st

from tests.unit.artifacts.content_in_memory import ContentInMemory, artifact_of

PIECES = st.lists(
    st.sampled_from(
        [b"\n", b"\r\n", b"a", b"line\n", b"x" * 40, "茶".encode(), "🔑é\n".encode(), b"\n\n\n"]
    ),
    min_size=1,
    max_size=25,
)
PART_BYTES = st.integers(1, 30)
SMALL = st.integers(1, 45)


async def text_of(
    data: bytes, wanted: ArtifactRange, part_bytes: int = 7, encoding: str = "utf-8"
) -> bytes:
    """The bytes of a range."""
    contents = ContentInMemory(data, part_bytes)
    place = await RangePlaces(contents).place(artifact_of(data, encoding), contents.content, wanted)
    assert 0 <= place.start <= place.end <= len(data)
    assert place.size == place.end - place.start
    return data[place.start : place.end]


def lines_of(data: bytes) -> list[bytes]:
    lines = data.split(b"\n")
    return [line + b"\n" for line in lines[:-1]] + ([lines[-1]] if lines[-1] else [])


@given(pieces=PIECES, part_bytes=PART_BYTES, first=SMALL, count=st.none() | st.integers(0, 20))
async def test_lines_are_those_of_a_split(
    pieces: list[bytes], part_bytes: int, first: int, count: int | None
) -> None:
    data = b"".join(pieces)
    lines = lines_of(data)
    last = None if count is None else first + count
    if first > len(lines):
        with pytest.raises(RangePastEnd) as refused:
            await text_of(data, Lines(first, last), part_bytes)
        assert (refused.value.unit, refused.value.length) == ("lines", len(lines))
    else:
        came = await text_of(data, Lines(first, last), part_bytes)
        assert came == b"".join(lines[first - 1 : last])


@given(pieces=PIECES, part_bytes=PART_BYTES, count=SMALL)
async def test_the_head_and_the_tail_are_the_ends_of_a_split(
    pieces: list[bytes], part_bytes: int, count: int
) -> None:
    data = b"".join(pieces)
    assert await text_of(data, head(count), part_bytes) == b"".join(lines_of(data)[:count])
    assert await text_of(data, Tail(count), part_bytes) == b"".join(lines_of(data)[-count:])


@given(pieces=PIECES, part_bytes=PART_BYTES, line=SMALL)
async def test_a_search_goes_on_at_the_beginning_of_its_line(
    pieces: list[bytes], part_bytes: int, line: int
) -> None:
    data = b"".join(pieces)
    lines = lines_of(data)
    at = (line - 1) % len(lines) + 1
    contents = ContentInMemory(data, part_bytes)
    found = await RangePlaces(contents).of_line(contents.content, at)
    assert found == len(b"".join(lines[: at - 1]))


async def test_lines_around_one_end_where_the_text_does() -> None:
    data = b"1\n2\n3\n4\n5"
    assert await text_of(data, around(3, 1)) == b"2\n3\n4\n"
    assert await text_of(data, around(1, 1)) == b"1\n2\n"
    assert await text_of(data, around(5, 20)) == data


@given(
    text=st.text(min_size=1, max_size=30),
    start=st.integers(-60, 60),
    end=st.none() | st.integers(1, 130),
    part_bytes=PART_BYTES,
)
async def test_a_character_belongs_to_the_bytes_in_which_it_begins(
    text: str, start: int, end: int | None, part_bytes: int
) -> None:
    data = text.encode()
    from_start = max(0, len(data) + start) if start < 0 else start
    to_end = len(data) if end is None else min(end, len(data))
    begins, expected = 0, ""
    for character in text:
        expected += character if from_start <= begins < to_end else ""
        begins += len(character.encode())
    if from_start >= len(data):
        with pytest.raises(RangePastEnd) as refused:
            await text_of(data, Bytes(start, end), part_bytes)
        assert (refused.value.unit, refused.value.length) == ("bytes", len(data))
    elif to_end <= from_start:
        with pytest.raises(InvalidField):
            await text_of(data, Bytes(start, end), part_bytes)
    else:
        assert (await text_of(data, Bytes(start, end), part_bytes)).decode() == expected


@pytest.mark.parametrize("encoding", ["", "windows-1252", "utf-16"])
async def test_what_is_not_utf_8_is_cut_at_any_byte(encoding: str) -> None:
    data = "茶🔑".encode()
    assert await text_of(data, Bytes(1, 4), encoding=encoding) == data[1:4]
    assert await text_of(data, Bytes(1, 4)) == "🔑".encode()
    assert await text_of(data, Bytes(1, 2)) == b""


@pytest.mark.parametrize("wanted", [Lines(1), Tail(1)])
async def test_lines_of_what_has_none_are_refused(wanted: ArtifactRange) -> None:
    with pytest.raises(NotText):
        await text_of(b"\0\n\0", wanted, encoding="")
    assert await text_of(b"a\nb", wanted) in (b"a\nb", b"b")


@pytest.mark.parametrize("wanted", [Lines(3, 2), Lines(9, 1)])
async def test_lines_that_end_before_they_begin_are_refused(wanted: Lines) -> None:
    with pytest.raises(InvalidField) as refused:
        await text_of(b"1\n2\n3\n4", wanted)
    assert [violation.field for violation in refused.value.violations] == ["range.lines"]


async def test_what_is_known_is_not_read() -> None:
    contents = ContentInMemory("茶🔑".encode(), 2)
    places = RangePlaces(contents)
    artifact = artifact_of(contents.data)
    assert await places.place(artifact, contents.content, Bytes()) == Place(0, 7)
    assert contents.reads == []
    assert await places.place(artifact, contents.content, Bytes(1, 4)) == Place(3, 7)
    assert contents.reads == [(1, 3), (4, 3)]


async def test_json_has_no_place() -> None:
    with pytest.raises(TypeError):
        await text_of(b"{}", JsonPart(parse_pointer("")))
