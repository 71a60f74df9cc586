"""Reads of bytes, part by part, the next one fetched while the one before is used."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import aclosing
from typing import Any, LiteralString

from camillo_server.contents.object_parts import ObjectParts
from camillo_server.contents.part_codec import EncodedPart, PartCodec
from camillo_server.contents.part_names import PartName
from camillo_server.domain.artifact_ports import PART_BYTES, Content
from camillo_server.domain.errors import BytesLost, NotFound
from camillo_server.domain.line_places import newline_count
from camillo_server.domain.line_search import Block
from camillo_server.domain.off_loop import UNBOUNDED, off_loop
from camillo_server.storage.content_places import ContentPlaces
from camillo_server.storage.database import Database, Parameters, Session
from camillo_server.storage.recent_parts import MAX_AT_ONCE, RecentParts
from camillo_server.storage.statements import statements

SQL = statements("contents")


class PostgresContentReader:
    """`ContentReader` on Postgres, and on the store of objects where the bytes are there. Beside what the port says
    it raises NotFound where the content was deleted meanwhile."""

    def __init__(self, database: Database, codec: PartCodec, objects: ObjectParts | None) -> None:
        self._database = database
        self._codec = codec
        self._places = ContentPlaces(objects)
        self._recent = RecentParts()

    async def blocks(self, content: Content, start: int, end: int) -> AsyncGenerator[Block, None]:
        numbers = range(start // PART_BYTES, -(-end // PART_BYTES)) if start < end else range(0)
        read = self._part if len(numbers) > MAX_AT_ONCE else self._recent_part
        ahead: asyncio.Task[Block] | None = None
        try:
            for number in numbers:
                block = await (ahead or read(content, number))
                ahead = None
                if number + 1 < numbers.stop:
                    ahead = asyncio.create_task(read(content, number + 1))
                yield _cut(block, start, end)
        finally:
            if ahead is not None:
                ahead.cancel()
                # What it may have failed with concerns nobody any more.
                await asyncio.gather(ahead, return_exceptions=True)

    async def block_of_line(self, content: Content, line: int) -> Block:
        if content.size == 0:
            return Block(0, 1, b"")
        block = self._recent.find_line(content, line)
        if block is None or not await self._is_there(content):
            block = await self._block(content, SQL["part_of_line"], {"line": line})
            self._recent.keep(content, block)
        return block

    async def read(self, content: Content, start: int, size: int) -> bytes:
        end = min(start + size, content.size)
        async with aclosing(self.blocks(content, start, end)) as blocks:
            return b"".join([block.data async for block in blocks])

    async def _recent_part(self, content: Content, number: int) -> Block:
        block = self._recent.find(content, number)
        if block is None or not await self._is_there(content):
            block = await self._part(content, number)
            self._recent.keep(content, block)
        return block

    async def _part(self, content: Content, number: int) -> Block:
        return await self._block(content, SQL["part"], {"number": number})

    async def _block(self, content: Content, sql: LiteralString, which: Parameters) -> Block:
        """Raises BytesLost where the content has no such part, NotFound where the content is gone."""
        key = {"tenant_id": content.tenant_id, "content_id": content.content_id}

        async def find(session: Session) -> tuple[Any, ...] | None:
            return await session.row(sql, {**key, **which})

        try:
            row = await self._database.read(content.tenant_id, find)
            return await self._unpacked(content, row)
        except BytesLost as error:
            if await self._is_there(content):
                raise
            raise NotFound("artifact", "") from error

    async def _is_there(self, content: Content) -> bool:
        """Whether somebody has the content still: what is remembered of it is not given out otherwise."""
        key = {"tenant_id": content.tenant_id, "content_id": content.content_id}

        async def work(session: Session) -> bool:
            return await session.row(SQL["is_there"], key) is not None

        return await self._database.read(content.tenant_id, work)

    async def _unpacked(self, content: Content, row: tuple[Any, ...] | None) -> Block:
        if row is None:
            raise BytesLost
        number, generation, first_line, size, stored_size, codec, key_id, in_row = row
        name = PartName(content.tenant_id, content.content_id, number, generation)
        packed = await self._places.get(name, in_row, stored_size)
        encoded = EncodedPart(codec, key_id, packed)
        data = await off_loop(UNBOUNDED, lambda: self._codec.decode(encoded, name, size))
        return Block(number * PART_BYTES, first_line, data)


def _cut(block: Block, start: int, end: int) -> Block:
    """The bytes of it from `start` to `end` of the content."""
    skipped = max(start - block.offset, 0)
    kept = min(end - block.offset, len(block.data))
    if skipped == 0 and kept == len(block.data):
        return block
    lines = newline_count(block.data[:skipped])
    return Block(block.offset + skipped, block.first_line + lines, block.data[skipped:kept])
