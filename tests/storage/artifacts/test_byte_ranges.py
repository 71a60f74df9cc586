"""Places of ranges, compared with splitting the whole content."""

import pytest
from camillo_server.features.artifacts.artifact import ArtifactRange, Bytes, Lines, Tail, around, head
from camillo_server.features.artifacts.read_artifact import ByteSpan, find_span, line_start
from camillo_server.kernel.errors import BytesLost, InvalidField, NotText, RangePastEnd
from camillo_server.lib.outputs.json_parts.pointer import JsonPart, parse_pointer
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.storage.artifacts.artifact_store import ALICE, ArtifactStores, artifact_store
from tests.storage.artifacts.small_parts import described, small_parts, upload_in_parts

PIECES = st.lists(
    st.sampled_from([b"\n", b"\r\n", b"a", b"line\n", b"x" * 40, "茶".encode(), "🔑é\n".encode(), b"\n\n\n"]),
    min_size=1,
    max_size=25,
)
PART_BYTES = st.integers(1, 30)
SMALL = st.integers(1, 45)


PROPERTY = settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])


async def text_of(
    store: ArtifactStores, data: bytes, wanted: ArtifactRange, part_bytes: int = 7, encoding: str = "utf-8"
) -> bytes:
    """The bytes of a range."""
    upload = await upload_in_parts(store, data, part_bytes)
    artifact = described(upload, data, encoding)
    with small_parts(part_bytes):
        span = await find_span(store.contents, artifact, upload.content, wanted)
    assert 0 <= span.start <= span.end <= len(data)
    assert span.size == span.end - span.start
    return data[span.start : span.end]


def lines_of(data: bytes) -> list[bytes]:
    lines = data.split(b"\n")
    return [line + b"\n" for line in lines[:-1]] + ([lines[-1]] if lines[-1] else [])


@PROPERTY
@given(pieces=PIECES, part_bytes=PART_BYTES, first=SMALL, count=st.none() | st.integers(0, 20))
async def test_lines_are_those_of_a_split(
    in_postgres: ArtifactStores, pieces: list[bytes], part_bytes: int, first: int, count: int | None
) -> None:
    data = b"".join(pieces)
    lines = lines_of(data)
    last = None if count is None else first + count
    if first > len(lines):
        with pytest.raises(RangePastEnd) as refused:
            await text_of(in_postgres, data, Lines(first, last), part_bytes)
        assert refused.value.details == {"unit": "lines", "length": len(lines)}
    else:
        came = await text_of(in_postgres, data, Lines(first, last), part_bytes)
        assert came == b"".join(lines[first - 1 : last])


@PROPERTY
@given(pieces=PIECES, part_bytes=PART_BYTES, count=SMALL)
async def test_the_head_and_the_tail_are_the_ends_of_a_split(
    in_postgres: ArtifactStores, pieces: list[bytes], part_bytes: int, count: int
) -> None:
    data = b"".join(pieces)
    assert await text_of(in_postgres, data, head(count), part_bytes) == b"".join(lines_of(data)[:count])
    assert await text_of(in_postgres, data, Tail(count), part_bytes) == b"".join(lines_of(data)[-count:])


@PROPERTY
@given(pieces=PIECES, part_bytes=PART_BYTES, line=SMALL)
async def test_a_search_goes_on_at_the_beginning_of_its_line(
    in_postgres: ArtifactStores, pieces: list[bytes], part_bytes: int, line: int
) -> None:
    data = b"".join(pieces)
    lines = lines_of(data)
    at = (line - 1) % len(lines) + 1
    upload = await upload_in_parts(in_postgres, data, part_bytes)
    with small_parts(part_bytes):
        found = await line_start(in_postgres.contents, upload.content, at)
    assert found == len(b"".join(lines[: at - 1]))


async def test_lines_around_one_end_where_the_text_does(in_postgres: ArtifactStores) -> None:
    data = b"1\n2\n3\n4\n5"
    assert await text_of(in_postgres, data, around(3, 1)) == b"2\n3\n4\n"
    assert await text_of(in_postgres, data, around(1, 1)) == b"1\n2\n"
    assert await text_of(in_postgres, data, around(5, 20)) == data


@PROPERTY
@given(
    text=st.text(min_size=1, max_size=30),
    start=st.integers(-60, 60),
    end=st.none() | st.integers(1, 130),
    part_bytes=PART_BYTES,
)
async def test_a_character_belongs_to_the_bytes_in_which_it_begins(
    in_postgres: ArtifactStores, text: str, start: int, end: int | None, part_bytes: int
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
            await text_of(in_postgres, data, Bytes(start, end), part_bytes)
        assert refused.value.details == {"unit": "bytes", "length": len(data)}
    elif to_end <= from_start:
        with pytest.raises(InvalidField):
            await text_of(in_postgres, data, Bytes(start, end), part_bytes)
    else:
        assert (await text_of(in_postgres, data, Bytes(start, end), part_bytes)).decode() == expected


@pytest.mark.parametrize("encoding", ["", "windows-1252", "utf-16"])
async def test_what_is_not_utf_8_is_cut_at_any_byte(in_postgres: ArtifactStores, encoding: str) -> None:
    data = "茶🔑".encode()
    assert await text_of(in_postgres, data, Bytes(1, 4), encoding=encoding) == data[1:4]
    assert await text_of(in_postgres, data, Bytes(1, 4)) == "🔑".encode()
    assert await text_of(in_postgres, data, Bytes(1, 2)) == b""


@pytest.mark.parametrize("wanted", [Lines(1), Tail(1)])
async def test_lines_of_what_has_none_are_refused(in_postgres: ArtifactStores, wanted: ArtifactRange) -> None:
    with pytest.raises(NotText):
        await text_of(in_postgres, b"\0\n\0", wanted, encoding="")
    assert await text_of(in_postgres, b"a\nb", wanted) in (b"a\nb", b"b")


@pytest.mark.parametrize("wanted", [Lines(3, 2), Lines(9, 1)])
async def test_lines_that_end_before_they_begin_are_refused(in_postgres: ArtifactStores, wanted: Lines) -> None:
    with pytest.raises(InvalidField) as refused:
        await text_of(in_postgres, b"1\n2\n3\n4", wanted)
    assert [violation.field for violation in refused.value.violations] == ["range.lines"]


async def test_what_is_known_is_not_read(in_postgres: ArtifactStores) -> None:
    data = "茶🔑".encode()
    upload = await upload_in_parts(in_postgres, data, 2)
    artifact = described(upload, data, "utf-8")
    contents = in_postgres.contents
    with small_parts(2):
        assert await find_span(contents, artifact, upload.content, Bytes(1, 4)) == ByteSpan(3, 7)
        async with artifact_store(in_postgres.postgres, None) as uncached:
            contents = uncached.contents
            await uncached.database.write(ALICE, lambda session: session.execute("delete from content_parts"))
            assert await find_span(contents, artifact, upload.content, Bytes()) == ByteSpan(0, 7)
            with pytest.raises(BytesLost):
                await find_span(contents, artifact, upload.content, Bytes(1, 4))


async def test_json_has_no_place(in_postgres: ArtifactStores) -> None:
    with pytest.raises(TypeError):
        await text_of(in_postgres, b"{}", JsonPart(parse_pointer("")))
