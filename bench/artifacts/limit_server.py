"""The limits of streams on this machine: a bare server that does with each MiB only what no server can leave out.

`python -m bench.artifacts.limit_server URL` takes streams of messages, and puts their bytes, hashed and compressed in
parts of a MiB, into a table of its own in that Postgres; it gives them back from there. It checks nothing, parses no
message, keeps no upload, and knows no tenant.
"""

import argparse
import asyncio
import json
from collections import deque
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial
from hashlib import sha256
from typing import Any

import grpc
import psycopg
import zstandard
from camillo_server.lib.redaction.pattern_gate import fastest_gate
from camillo_server.storage.parts.part_codec import LEVEL

from bench.measure.echo_server import STREAM_MESSAGE, until_told_to_stop

SERVICE = "camillo.bench.Limit"
STORE, STORE_SEARCHED, FETCH, FETCH_FRAMES = (
    f"/{SERVICE}/{name}" for name in ("Store", "StoreSearched", "Fetch", "FetchFrames")
)
PART_BYTES = 1024 * 1024
MESSAGES_OF_PART = PART_BYTES // len(STREAM_MESSAGE)
PARTS_AT_ONCE = 2

Connection = psycopg.AsyncConnection[tuple[Any, ...]]


class _Limits:
    """Stores the bytes of one stream at a time, in place of those of the last."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._gate = fastest_gate()

    async def store(self, requests: AsyncIterator[bytes], context: object, *, searched: bool = False) -> bytes:
        """Packs two parts at once, while others are stored; the last commit waits for the disk."""
        await self._connection.execute("truncate bench_parts")
        await self._connection.execute("set synchronous_commit = off")
        number, pending = 0, list[bytes]()
        running = deque[asyncio.Task[None]]()

        async def put(number: int, part: bytes) -> None:
            frame = await asyncio.to_thread(self._packed, part, searched)
            await self._connection.execute("insert into bench_parts values (%b, %b)", (number, frame))

        async for request in requests:
            pending.append(request)
            if len(pending) < MESSAGES_OF_PART:
                continue
            if len(running) == PARTS_AT_ONCE:
                await running.popleft()
            running.append(asyncio.create_task(put(number, b"".join(pending))))
            number += 1
            pending.clear()
        await asyncio.gather(*running)
        await self._connection.execute("set synchronous_commit = on")
        await self._connection.execute("insert into bench_parts values (-1, '')")
        return str(number * PART_BYTES).encode()

    async def fetch(self, request: bytes, context: object, *, frames: bool = False) -> AsyncIterator[bytes]:
        """Reads parts in pairs, the next ones while those before are sent."""
        count = int(request) // PART_BYTES
        ahead = asyncio.create_task(self._parts(0, frames))
        for first in range(0, count, PARTS_AT_ONCE):
            parts = await ahead
            ahead = asyncio.create_task(self._parts(first + PARTS_AT_ONCE, frames))
            for part in parts:
                size = len(part) if frames else len(STREAM_MESSAGE)
                for at in range(0, len(part), size):
                    yield part[at : at + size]
        await ahead

    def _packed(self, part: bytes, searched: bool) -> bytes:
        if searched:
            self._gate.scan(part)
        sha256(part).digest()
        return zstandard.ZstdCompressor(level=LEVEL).compress(part)

    async def _parts(self, first: int, frames: bool) -> list[bytes]:
        cursor = self._connection.cursor(binary=True)
        await cursor.execute(
            "select frame from bench_parts where number >= %s and number < %s order by number",
            (first, first + PARTS_AT_ONCE),
        )
        found = [frame for (frame,) in await cursor.fetchall()]
        if frames:
            return found
        return await asyncio.to_thread(lambda: [*map(zstandard.ZstdDecompressor().decompress, found)])


@asynccontextmanager
async def _table(url: str) -> AsyncIterator[Connection]:
    async with await psycopg.AsyncConnection.connect(url, autocommit=True) as connection:
        await connection.execute("create table bench_parts (number int primary key, frame bytea)")
        await connection.execute("alter table bench_parts alter column frame set storage external")
        try:
            yield connection
        finally:
            await connection.execute("drop table bench_parts")


async def _serve(url: str) -> None:
    async with _table(url) as connection:
        server, limits = grpc.aio.server(), _Limits(connection)
        handlers: dict[str, Any] = {
            "Store": grpc.stream_unary_rpc_method_handler(limits.store),
            "StoreSearched": grpc.stream_unary_rpc_method_handler(partial(limits.store, searched=True)),
            "Fetch": grpc.unary_stream_rpc_method_handler(limits.fetch),
            "FetchFrames": grpc.unary_stream_rpc_method_handler(partial(limits.fetch, frames=True)),
        }
        server.add_generic_rpc_handlers((grpc.method_handlers_generic_handler(SERVICE, handlers),))
        port = server.add_insecure_port("127.0.0.1:0")
        await server.start()
        print(json.dumps({"port": port}), flush=True)
        await until_told_to_stop()
        await server.stop(None)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("url")
    asyncio.run(_serve(parser.parse_args().url))
