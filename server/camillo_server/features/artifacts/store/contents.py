"""Bytes of contents: where parts are stored, and reads part by part, each fetched while the one before is used."""

import asyncio
from collections import OrderedDict
from collections.abc import AsyncGenerator, Iterator, Sequence
from contextlib import aclosing
from dataclasses import dataclass
from enum import IntEnum
from functools import partial
from itertools import pairwise
from typing import Any, LiteralString
from uuid import UUID

from camillo_server.features.artifacts.artifact import PART_BYTES, Content
from camillo_server.kernel.errors import BytesLost, BytesUnavailable, NotFound
from camillo_server.kernel.ids import TenantId
from camillo_server.kernel.off_loop import UNBOUNDED, off_loop
from camillo_server.kernel.scope import whole_tenant
from camillo_server.lib.outputs.line_search.query import Block
from camillo_server.lib.text.characters import newline_count
from camillo_server.storage.database import Database
from camillo_server.storage.parts.object_parts import ObjectParts, PartName
from camillo_server.storage.parts.part_codec import ZSTD, EncodedPart, PartCodec
from camillo_server.storage.statements import statements
from camillo_server.storage.wire import Parameters

SQL = statements("features/artifacts/store/contents")
# For each process, of up to 1 MiB each.
MAX_CACHED_PARTS = 16
# A reader of more parts at once reads a stream: it would evict the others' parts and not come back to its own.
MAX_PARTS_CACHED_AT_ONCE = 3
# The number of parts that a stream reads at once: a query and the turn of a thread cost together as much as unpacking a
# part.
PARTS_AT_ONCE = 2
NOTHING = range(0)


class ContentLocation(IntEnum):
    """Where a content's parts are; OUTSIDE: at least some of them. The numbers are those in the database."""

    POSTGRES = 1
    OUTSIDE = 2


@dataclass(frozen=True, slots=True)
class CompressedBlock(Block):
    """A whole part whose `data` is a frame of zstd, of so many bytes."""

    size: int


class PartStorage:
    """Stores new parts in Postgres or in the object store, and reads them wherever they are."""

    def __init__(self, objects: ObjectParts | None) -> None:
        """Without an object store new parts go to Postgres, and those outside cannot be reached."""
        self._objects = objects

    @property
    def location(self) -> ContentLocation:
        """The location where new parts are stored."""
        return ContentLocation.POSTGRES if self._objects is None else ContentLocation.OUTSIDE

    async def put(self, name: PartName, data: bytes) -> bytes | None:
        """Returns the bytes to store in the row, or None. Raises BytesUnavailable, StorageFull."""
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

    async def remove_outside(self, tenant_id: TenantId, content_id: UUID) -> bool:
        """Whether nothing is left outside; false without an object store. Raises BytesUnavailable."""
        if self._objects is None:
            return False
        await self._objects.delete_content(tenant_id, content_id)
        return True


@dataclass(frozen=True, slots=True)
class _CachedPart:
    block: Block
    next_line: int


class PartCache:
    """The parts last read, decoded, by content and number. A part never changes while its content exists; encrypted
    ones are not kept."""

    def __init__(self) -> None:
        self._parts: OrderedDict[tuple[object, int], _CachedPart] = OrderedDict()

    def find(self, content: Content, number: int) -> Block | None:
        """The part of this number, if it is cached."""
        key = (content.content_id, number)
        cached = self._parts.get(key)
        if cached is None:
            return None
        self._parts.move_to_end(key)
        return cached.block

    def find_line(self, content: Content, line: int) -> Block | None:
        """The last part that begins in this line or before it, if it is cached."""
        for (content_id, number), cached in self._parts.items():
            is_in = cached.block.first_line <= line < cached.next_line
            if is_in and content_id == content.content_id:
                return self.find(content, number)
        return None

    def keep(self, content: Content, block: Block) -> None:
        """Caches a part, and evicts the one least recently used."""
        if content.is_encrypted:
            return
        key = (content.content_id, block.offset // PART_BYTES)
        self._parts[key] = _CachedPart(block, block.first_line + newline_count(block.data))
        self._parts.move_to_end(key)
        if len(self._parts) > MAX_CACHED_PARTS:
            self._parts.popitem(last=False)


class ContentStore:
    """Reads bytes from Postgres, and from the object store where they are there. Raises StorageUnavailable,
    BytesUnavailable, BytesLost, KeyMissing, and NotFound where the content was deleted meanwhile."""

    def __init__(self, database: Database, codec: PartCodec, objects: ObjectParts | None) -> None:
        self._database = database
        self._codec = codec
        self._parts = PartStorage(objects)
        self._cache = PartCache()

    async def blocks(
        self, content: Content, start: int, end: int, *, compressed: bool = False
    ) -> AsyncGenerator[Block]:
        """Bytes `start` to `end`, in their order, in blocks of at most PART_BYTES. While parts that were read at once
        are used, the next ones are read; where one of them is lost, none of them is returned. `compressed`: parts that
        lie whole in the range and are stored compressed, without encryption, are CompressedBlocks."""
        numbers = range(start // PART_BYTES, -(-end // PART_BYTES)) if start < end else range(0)
        is_stream = len(numbers) > MAX_PARTS_CACHED_AT_ONCE or compressed
        whole = range(start, end + 1) if compressed else NOTHING
        read = partial(self._parts_at_once, whole=whole) if is_stream else self._cached_part
        ahead: asyncio.Task[list[Block]] | None = None
        try:
            for some, following in pairwise([*_batches(numbers, is_stream=is_stream), range(0)]):
                blocks = await (ahead or read(content, some))
                ahead = asyncio.create_task(read(content, following)) if following else None
                for block in blocks:
                    yield _cut(block, start, end)
        finally:
            if ahead is not None:
                ahead.cancel()
                # Nobody waits for these parts any more, so their failure is dropped.
                await asyncio.gather(ahead, return_exceptions=True)

    async def block_of_line(self, content: Content, line: int) -> Block:
        """The last part that begins in this line or before it."""
        if content.size == 0:
            return Block(0, 1, b"")
        block = self._cache.find_line(content, line)
        if block is None or not await self._exists(content):
            [block] = await self._blocks(content, 1, SQL["part_of_line"], {"line": line})
            self._cache.keep(content, block)
        return block

    async def read(self, content: Content, start: int, size: int) -> bytes:
        """Reads a range of bytes; fewer at the end of the content."""
        end = min(start + size, content.size)
        async with aclosing(self.blocks(content, start, end)) as blocks:
            return b"".join([block.data async for block in blocks])

    async def _cached_part(self, content: Content, numbers: range) -> list[Block]:
        [number] = numbers
        block = self._cache.find(content, number)
        if block is None or not await self._exists(content):
            [block] = await self._parts_at_once(content, numbers)
            self._cache.keep(content, block)
        return [block]

    async def _parts_at_once(self, content: Content, numbers: range, whole: range = NOTHING) -> list[Block]:
        which = {"first": numbers[0], "last": numbers[-1]}
        return await self._blocks(content, len(numbers), SQL["parts"], which, whole)

    async def _blocks(
        self,
        content: Content,
        count: int,
        sql: LiteralString,
        which: Parameters,
        whole: range = NOTHING,
    ) -> list[Block]:
        """Reads `count` parts, in their order; those that lie in `whole` may stay compressed. Raises BytesLost where
        the content has fewer, NotFound where it is gone."""
        parameters = {**_key(content), **which}
        read = partial(self._database.records, whole_tenant(content.tenant_id), sql, parameters)
        rows = await read()
        try:
            return await self._decoded(content, count, rows, whole)
        except BytesLost as error:
            again = await read()
            # Encrypted anew meanwhile, under other names.
            if [row.generation for row in again] != [row.generation for row in rows]:
                return await self._decoded(content, count, again, whole)
            if await self._exists(content):
                raise
            raise NotFound("artifact", "") from error

    async def _exists(self, content: Content) -> bool:
        """Whether the content was not deleted: a cached part is returned only then."""
        return bool(await self._database.rows(whole_tenant(content.tenant_id), SQL["exists"], _key(content)))

    async def _decoded(self, content: Content, count: int, rows: Sequence[Any], whole: range) -> list[Block]:
        if len(rows) != count:
            raise BytesLost
        parts = [(row, *await self._encoded(content, row)) for row in rows]

        def decode() -> list[Block]:
            return [self._block(row, name, encoded, whole) for row, name, encoded in parts]

        return await off_loop(UNBOUNDED, decode)

    def _block(self, row: Any, name: PartName, encoded: EncodedPart, whole: range) -> Block:
        offset, size = row.number * PART_BYTES, row.size
        is_whole = offset in whole and offset + size in whole
        if is_whole and encoded.codec == ZSTD and not encoded.key_id:
            frame = self._codec.frame(encoded, name, size)
            return CompressedBlock(offset, row.first_line, frame, size)
        return Block(offset, row.first_line, self._codec.decode(encoded, name, size))

    async def _encoded(self, content: Content, row: Any) -> tuple[PartName, EncodedPart]:
        name = PartName(content.tenant_id, content.content_id, row.number, row.generation)
        stored = await self._parts.get(name, row.bytes, row.stored_size)
        return name, EncodedPart(row.codec, row.key_id, stored)


def _batches(numbers: range, *, is_stream: bool) -> Iterator[range]:
    """Numbers of parts to read at once: the first by itself, since somebody waits for it; of a stream several from then
    on."""
    size = PARTS_AT_ONCE if is_stream else 1
    if numbers:
        yield numbers[:1]
    for at in range(1, len(numbers), size):
        yield numbers[at : at + size]


def _key(content: Content) -> Parameters:
    return {"tenant_id": content.tenant_id, "content_id": content.content_id}


def _cut(block: Block, start: int, end: int) -> Block:
    """The bytes of the block from `start` to `end` of the content."""
    if isinstance(block, CompressedBlock):
        return block
    skipped = max(start - block.offset, 0)
    kept = min(end - block.offset, len(block.data))
    if skipped == 0 and kept == len(block.data):
        return block
    lines = newline_count(block.data[:skipped])
    return Block(block.offset + skipped, block.first_line + lines, block.data[skipped:kept])
