"""Reads of bytes, part by part, the next one fetched while the one before is used."""

import asyncio
from collections import OrderedDict
from collections.abc import AsyncGenerator
from contextlib import aclosing
from dataclasses import dataclass
from enum import IntEnum
from typing import Any, LiteralString
from uuid import UUID

from camillo_server.artifacts.contents.object_parts import ObjectParts
from camillo_server.artifacts.contents.part_codec import EncodedPart, PartCodec
from camillo_server.artifacts.contents.part_names import PartName
from camillo_server.artifacts.ports import PART_BYTES, Content
from camillo_server.kernel.errors import BytesLost, BytesUnavailable, NotFound
from camillo_server.kernel.ids import TenantId
from camillo_server.kernel.off_loop import UNBOUNDED, off_loop
from camillo_server.outputs.line_search.query import Block
from camillo_server.storage.database import Database, Parameters, Session
from camillo_server.storage.statements import statements
from camillo_server.text.bytes import newline_count


class Place(IntEnum):
    """OUTSIDE: at least some of the parts. The numbers are those in the database."""

    POSTGRES = 1
    OUTSIDE = 2


class ContentPlaces:
    """Puts new bytes where they belong, and finds them wherever they are."""

    def __init__(self, objects: ObjectParts | None) -> None:
        """Without a store of objects new bytes go to Postgres, and those outside cannot be reached."""
        self._objects = objects

    @property
    def of_new_parts(self) -> Place:
        return Place.POSTGRES if self._objects is None else Place.OUTSIDE

    async def put(self, name: PartName, data: bytes) -> bytes | None:
        """What is to be kept in the row. Raises BytesUnavailable, StorageFull."""
        if self._objects is None:
            return data
        await self._objects.put(name, data)
        return None

    async def get(self, name: PartName, in_row: bytes | None, stored_size: int) -> bytes:
        """The part as it was put. Raises BytesUnavailable, BytesLost."""
        if in_row is not None:
            return in_row
        if self._objects is None:
            raise BytesUnavailable
        return await self._objects.get(name, stored_size)

    async def remove_outside(self, tenant_id: TenantId, content_id: UUID, place: Place) -> bool:
        """Whether nothing is left outside; not so where it cannot be reached. Raises BytesUnavailable."""
        if place is Place.POSTGRES:
            return True
        if self._objects is None:
            return False
        await self._objects.delete_content(tenant_id, content_id)
        return True


# For each process, of up to 1 MiB each.
MAX_PARTS = 16
# Who reads more at once reads on, and comes back to nothing.
MAX_AT_ONCE = 3


@dataclass(frozen=True, slots=True)
class _Recent:
    block: Block
    next_line: int


class RecentParts:
    """The last few, unpacked. A part never changes as long as its content is there; what is sealed is not kept."""

    def __init__(self) -> None:
        self._parts: OrderedDict[tuple[object, int], _Recent] = OrderedDict()

    def find(self, content: Content, number: int) -> Block | None:
        """The part of this number, if it was read lately."""
        key = (content.content_id, number)
        recent = self._parts.get(key)
        if recent is None:
            return None
        self._parts.move_to_end(key)
        return recent.block

    def find_line(self, content: Content, line: int) -> Block | None:
        """The last part that begins in this line or before it, if it was read lately."""
        for (content_id, number), recent in self._parts.items():
            is_in = recent.block.first_line <= line < recent.next_line
            if is_in and content_id == content.content_id:
                return self.find(content, number)
        return None

    def keep(self, content: Content, block: Block) -> None:
        """In the place of the one that was not asked for longest."""
        if content.is_sealed:
            return
        key = (content.content_id, block.offset // PART_BYTES)
        self._parts[key] = _Recent(block, block.first_line + newline_count(block.data))
        self._parts.move_to_end(key)
        if len(self._parts) > MAX_PARTS:
            self._parts.popitem(last=False)


SQL = statements("artifacts/store/contents")


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
