"""Pages of text: together they are the range, none has too many tokens, each knows its place."""

from collections.abc import Sequence
from dataclasses import dataclass

import pytest
from camillo_server.features.artifacts.artifact import WHOLE, ArtifactLookup, ArtifactRange, Bytes, Lines, Tail
from camillo_server.features.artifacts.artifacts import Artifacts
from camillo_server.features.artifacts.read_artifact import BYTES_PER_TOKEN, ReadArtifact, TextPage
from camillo_server.kernel.channel import ChannelPolicy
from camillo_server.kernel.clock import SystemClock
from camillo_server.kernel.errors import NotText
from camillo_server.lib.outputs.json_parts.pointer import JsonPart, parse_pointer
from camillo_server.lib.redaction.redaction import Redactor
from camillo_server.lib.text.tokens import count_tokens
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.storage.artifacts.artifact_store import ALICE, ArtifactStores
from tests.storage.artifacts.small_parts import artifact_in_parts, small_parts

FIXTURE = [HealthCheck.function_scoped_fixture]
PIECES = st.lists(
    st.sampled_from(
        [
            "\n",
            "\r\n",
            "they knew it well\n",
            "x" * 90,
            "人人生而自由，在尊严",
            "👩🏽‍💻🇩🇪\n",
            "שלום e\u0301 ",
            "-" * 200 + "\n",
            " " * 200,
        ]
    ),
    min_size=1,
    max_size=30,
)


@dataclass(frozen=True, slots=True)
class Reading:
    """Pages of one artifact."""

    read: ReadArtifact
    lookup: ArtifactLookup
    part_bytes: int

    async def page(self, wanted: ArtifactRange, max_tokens: int, after: int) -> TextPage:
        with small_parts(self.part_bytes):
            return await self.read.page(self.lookup, wanted, max_tokens, after)


async def reading(store: ArtifactStores, data: bytes, encoding: str = "utf-8", part_bytes: int = 50) -> Reading:
    artifact = await artifact_in_parts(store, data, part_bytes, encoding)
    artifacts = Artifacts(store.artifacts, ChannelPolicy(), Redactor(), SystemClock())
    lookup = ArtifactLookup(ALICE, artifact.artifact_id)
    return Reading(ReadArtifact(artifacts, store.contents), lookup, part_bytes)


async def pages_of(reading: Reading, max_tokens: int, wanted: ArtifactRange = WHOLE) -> list[TextPage]:
    pages, after = [], 0
    while True:
        page = await reading.page(wanted, max_tokens, after)
        pages.append(page)
        if page.next_after is None:
            return pages
        assert page.next_after > after
        after = page.next_after


def check(pages: Sequence[TextPage], data: bytes, start: int, encoding: str = "utf-8") -> None:
    """The place and the tokens of every page, told from the whole."""
    for page in pages:
        assert page.offset == start
        assert page.first_line == data.count(b"\n", 0, start) + 1
        start += len(page.text.encode(encoding))
        assert page.last_line == data.count(b"\n", 0, start - 1) + 1
        assert page.tokens == count_tokens(page.text)


@settings(max_examples=60, deadline=None, suppress_health_check=FIXTURE)
@given(pieces=PIECES, max_tokens=st.integers(16, 90), part_bytes=st.integers(20, 300))
async def test_the_pages_of_a_text_are_the_text(
    in_postgres: ArtifactStores, pieces: list[str], max_tokens: int, part_bytes: int
) -> None:
    data = "".join(pieces).encode()
    pages = await pages_of(await reading(in_postgres, data, part_bytes=part_bytes), max_tokens)
    assert "".join(page.text for page in pages).encode() == data
    assert all(page.text and page.tokens <= max_tokens for page in pages)
    check(pages, data, 0)


@settings(max_examples=40, deadline=None, suppress_health_check=FIXTURE)
@given(pieces=PIECES, lines=st.integers(1, 9), max_tokens=st.integers(16, 40))
async def test_the_pages_of_a_range_are_the_range(
    in_postgres: ArtifactStores, pieces: list[str], lines: int, max_tokens: int
) -> None:
    data = "".join(pieces).encode()
    split = data.decode().removesuffix("\n").split("\n")
    ends = len("\n".join(split[-lines:])) + data.endswith(b"\n")
    pages = await pages_of(await reading(in_postgres, data), max_tokens, Tail(lines))
    text = "".join(page.text for page in pages)
    assert text == data.decode()[len(data.decode()) - ends :]
    check(pages, data, len(data) - len(text.encode()))


async def test_a_page_ends_with_a_line_where_it_can(in_postgres: ArtifactStores) -> None:
    pages = await pages_of(await reading(in_postgres, b"they knew it well\n" * 100), 30)
    assert len(pages) > 10
    assert all(page.text.endswith("well\n") for page in pages)
    assert [page.first_line for page in pages[1:]] == [page.last_line + 1 for page in pages[:-1]]


async def test_a_page_of_cheap_text_ends_with_a_line_too(in_postgres: ArtifactStores) -> None:
    line = b"-" * 60 + b"\n"
    assert count_tokens(line.decode() * 3) * BYTES_PER_TOKEN < len(line) * 3
    pages = await pages_of(await reading(in_postgres, line * 40), 16)
    assert len(pages) > 10
    assert all(page.text.endswith("-\n") for page in pages)


@pytest.mark.parametrize("more", [-1, 0, 1])
async def test_what_is_as_long_as_is_read_for_a_page_has_no_page_behind_it(
    in_postgres: ArtifactStores, more: int
) -> None:
    data = (b" " * 200)[: 16 * BYTES_PER_TOKEN + more]
    pages = await pages_of(await reading(in_postgres, data), 16)
    assert [len(page.text) for page in pages] == ([len(data)] if more <= 0 else [128, 1])


async def test_text_in_windows_1252_is_counted_by_its_own_bytes(in_postgres: ArtifactStores) -> None:
    text = "café – “quoted” €5\r\n" * 30
    data = text.encode("windows-1252")
    pages = await pages_of(await reading(in_postgres, data, "windows-1252"), 25)
    assert "".join(page.text for page in pages) == text
    assert len(pages) > 5
    check(pages, data, 0, "windows-1252")


async def test_what_is_not_valid_is_shown_as_such_and_counted_by_its_bytes(in_postgres: ArtifactStores) -> None:
    data = b"tea \xe8\x8c and \xff\n" * 30
    pages = await pages_of(await reading(in_postgres, data), 25)
    assert "".join(page.text for page in pages) == "tea \ufffd\ufffd and \ufffd\n" * 30
    length = len(data) // 30
    assert len(pages) > 5
    for page in pages:
        assert page.offset == (page.first_line - 1) * length
        assert page.text.count("\n") == page.last_line - page.first_line + 1
    assert all(count_tokens(page.text) == page.tokens <= 25 for page in pages)


@pytest.mark.parametrize("encoding", ["", "utf-16"])
async def test_what_has_no_lines_has_no_pages(in_postgres: ArtifactStores, encoding: str) -> None:
    with pytest.raises(NotText):
        await pages_of(await reading(in_postgres, b"ab", encoding), 16)
    assert [page.text for page in await pages_of(await reading(in_postgres, b"ab"), 16)] == ["ab"]


async def test_a_json_value_comes_in_pages_without_lines(in_postgres: ArtifactStores) -> None:
    value = '{"茶": [' + ", ".join(f'"🔑{number}"' for number in range(90)) + "]}"
    data = f'[1, {value}, "rest"]'.encode()
    pages = await pages_of(await reading(in_postgres, data), 40, JsonPart(parse_pointer("/1")))
    assert len(pages) > 5
    text = "".join(page.text for page in pages)
    assert text.replace(" ", "") == value.replace(" ", "")
    assert {(page.first_line, page.last_line) for page in pages} == {(0, 0)}
    starts = [len("".join(page.text for page in pages[:n]).encode()) for n in range(len(pages))]
    assert [page.offset for page in pages] == starts


async def test_an_empty_range_has_one_empty_page_at_its_place(in_postgres: ArtifactStores) -> None:
    read = await reading(in_postgres, "x茶".encode())
    assert await read.page(Bytes(2, 3), 16, 0) == TextPage("", 4, 0, 0, 0, None)
    assert await read.page(Bytes(1, 3), 16, 0) == TextPage("茶", 1, 1, 1, 2, None)
    assert (await read.page(Lines(1, 1), 16, 0)).text == "x茶"
