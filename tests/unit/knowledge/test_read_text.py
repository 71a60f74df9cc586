"""Text and Markdown as documents."""

import pytest
from camillo_server.features.knowledge.conversion.document import ReadDocument, ReadingLimits
from camillo_server.features.knowledge.conversion.read_document import read_document
from camillo_server.kernel.errors import DocumentUnreadable

LIMITS = ReadingLimits()
# Chinese, Arabic from right to left, Hindi, an emoji of several code points, and a letter with a combining accent.
WRITTEN = "# 差旅 手册\n\nمرحبا بالعالم. नमस्ते दुनिया। 👩‍👩‍👧 cafe\u0301\n"


async def refused(content: bytes, media_type: str = "", name: str = "a") -> dict[str, object]:
    with pytest.raises(DocumentUnreadable) as told:
        await read_document(content, media_type, name, LIMITS)
    return told.value.details


async def test_markdown_is_read_as_it_was_written() -> None:
    read = await read_document(WRITTEN.encode(), "", "handbook/travel.md", LIMITS)
    assert read == ReadDocument(WRITTEN, "text/markdown", "差旅 手册")


async def test_plain_text_has_the_last_part_of_its_name_as_title() -> None:
    read = await read_document(WRITTEN.encode(), "text/plain; charset=utf-8", "笔记/a", LIMITS)
    assert read == ReadDocument(WRITTEN, "text/plain", "a")


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16"])
async def test_a_byte_order_mark_tells_the_encoding(encoding: str) -> None:
    read = await read_document(WRITTEN.encode(encoding), "text/markdown", "a", LIMITS)
    assert read.text == WRITTEN


async def test_ends_of_lines_become_one_and_controls_go() -> None:
    read = await read_document("a\r\nb\rc\x00\x07\fd\x85e\tf".encode() + b"x" * 200, "", "a", LIMITS)
    assert read.text == "a\nb\nc\nd\ne\tf" + "x" * 200


async def test_what_is_no_text_is_refused() -> None:
    assert await refused(b"\xff\xfe\xfd") == {"why": "not_text"}
    assert await refused("é".encode("latin-1"), "text/plain") == {"why": "not_text"}
    assert await refused(b"\0" * 1_000, "text/plain") == {"why": "not_text"}
    assert await refused(b" \n", "text/plain") == {"why": "no_text"}
    assert await refused(b"\x89PNG", "image/png") == {"why": "unknown_type"}


async def test_more_text_than_is_read_is_refused() -> None:
    full = b"a" * LIMITS.max_text_bytes
    assert (await read_document(full, "", "a", LIMITS)).text == full.decode()
    assert await refused(full + b"a") == {"why": "too_large", "limit": 8_388_608}
    assert await refused(b"\0" * 100_000_000) == {"why": "too_large", "limit": 8_388_608}
