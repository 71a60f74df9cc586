"""A caller of HTTP with nothing but a connection: what a library for it costs is another question."""

import asyncio
import json
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from typing import Any

PART_BYTES = 1024 * 1024


class HttpCaller:
    """One connection that is kept alive, for one call at a time."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, secret: str) -> None:
        self._reader = reader
        self._writer = writer
        self._head = f"host: localhost\r\nauthorization: Bearer {secret}\r\n"

    async def post(self, path: str, sent: Mapping[str, Any], headers: str = "") -> Any:
        """The answer's JSON; `headers` are lines more, each with its end."""
        body = json.dumps(sent).encode()
        length = await self._begin("POST", path, body, headers)
        return json.loads(await self._reader.readexactly(length))

    async def put(self, path: str, size: int, block: bytes) -> Any:
        """Sends the block until so many bytes are sent; the answer's JSON."""
        self._send("PUT", path, size)
        for _ in range(size // len(block)):
            self._writer.write(block)
            await self._writer.drain()
        return json.loads(await self._reader.readexactly(await self._answered()))

    async def read_all(self, path: str) -> int:
        """How many bytes came; none of them are kept."""
        left = length = await self._begin("GET", path, b"")
        while left:
            left -= len(await self._reader.read(min(left, PART_BYTES)))
        return length

    async def _begin(self, method: str, path: str, body: bytes, headers: str = "") -> int:
        self._send(method, path, len(body), headers)
        self._writer.write(body)
        return await self._answered()

    def _send(self, method: str, path: str, length: int, headers: str = "") -> None:
        head = f"{method} {path} HTTP/1.1\r\n{self._head}{headers}content-length: {length}\r\n\r\n"
        self._writer.write(head.encode())

    async def _answered(self) -> int:
        """The length of the body. Raises RuntimeError for an answer that is none."""
        head = (await self._reader.readuntil(b"\r\n\r\n")).decode("latin-1")
        status, *lines = head.split("\r\n")
        if " 20" not in status[:13]:
            raise RuntimeError(head)
        named = dict(line.split(": ", 1) for line in lines if line)
        return int(named["content-length"])


@asynccontextmanager
async def http_caller(port: int, secret: str) -> AsyncIterator[HttpCaller]:
    """Connected for as long as the block runs."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port, limit=2 * PART_BYTES)
    try:
        yield HttpCaller(reader, writer, secret)
    finally:
        writer.close()
