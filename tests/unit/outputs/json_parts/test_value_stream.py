"""A JSON value as a stream."""

import json
from collections.abc import AsyncIterator

import pytest
from camillo_server.kernel.errors import JsonValueNotFound, NotJson
from camillo_server.lib.outputs.json_parts.pointer import ArraySlice, parse_pointer
from camillo_server.lib.outputs.json_parts.values import json_value

MOST = 256 * 1024


class Blocks:
    """A stream of blocks that counts how many were read."""

    def __init__(self, *blocks: bytes) -> None:
        self._blocks = blocks
        self.read = 0

    async def __aiter__(self) -> AsyncIterator[bytes]:
        for block in self._blocks:
            self.read += 1
            yield block


async def test_a_value_comes_in_chunks_of_bounded_size() -> None:
    rows = [{"名": "é" * 100, "n": n} for n in range(20_000)]
    text = json.dumps({"rows": rows}, ensure_ascii=False).encode()
    blocks = Blocks(*(text[at : at + (1 << 20)] for at in range(0, len(text), 1 << 20)))
    chunks = [chunk async for chunk in json_value(aiter(blocks), parse_pointer("/rows"), None)]
    assert json.loads(b"".join(chunks)) == rows
    assert len(chunks) > 4
    assert max(map(len, chunks)) <= MOST


async def test_no_block_behind_the_value_is_read() -> None:
    blocks = Blocks(b'{"a": [1, 2', b", 3, 4", b", 5]}", b"more")
    part = ArraySlice(1, 3)
    chunks = [chunk async for chunk in json_value(aiter(blocks), parse_pointer("/a"), part)]
    assert b"".join(chunks) == b"[2,3]"
    assert blocks.read == 2


async def test_a_document_that_ends_too_early_is_told_behind_what_came_of_it() -> None:
    cut_off = json_value(aiter(Blocks(b'{"a": [1', b", 2")), parse_pointer("/a"), None)
    assert await anext(cut_off) == b"[1"
    assert await anext(cut_off) == b",2"
    with pytest.raises(NotJson):
        await anext(cut_off)


async def test_a_pointer_that_names_nothing_is_told_as_it_was_written() -> None:
    with pytest.raises(JsonValueNotFound) as missing:
        async for _ in json_value(aiter(Blocks(b'{"a": 1}')), parse_pointer("/a~1b/名"), None):
            pass
    assert missing.value.details["json_pointer"] == "/a~1b/名"
