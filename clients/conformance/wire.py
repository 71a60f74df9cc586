"""Ports below gRPC: one that passes bytes on until it is told to break, one that never answers, one that nobody listens
at."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass

CHUNK_BYTES = 64 * 1024
HOST = "127.0.0.1"


@dataclass(slots=True)
class Cut:
    """Breaks a connection each time that so many bytes have passed one way; `up` is towards the server."""

    direction: str
    bytes: int
    times: int = 1
    # Before it breaks, so that the other end has dealt with what has passed.
    pause_seconds: float = 0.0
    passed: int = 0
    broken: int = 0

    def breaks_after(self, size: int) -> bool:
        """Counts bytes that passed; whether the connection is to break now."""
        self.passed += size
        if self.passed < self.bytes or not self.times:
            return False
        self.passed, self.times, self.broken = 0, self.times - 1, self.broken + 1
        return True


class Wire:
    """Passes bytes to a port and back."""

    def __init__(self, port: int) -> None:
        self._port = port
        self.cuts: list[Cut] = []
        self._writers: set[asyncio.StreamWriter] = set()
        self.connections = 0

    def cut(self, cut: Cut) -> None:
        """Bytes are counted from now, over all connections."""
        self.cuts.append(cut)

    def drop(self) -> None:
        """Breaks all connections that are open."""
        for writer in self._writers:
            writer.transport.abort()

    async def connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """One connection, until either end closes it."""
        self.connections += 1
        server_reader, server_writer = await asyncio.open_connection(HOST, self._port)
        both = {writer, server_writer}
        self._writers |= both
        passing = {
            asyncio.create_task(self._pass(reader, server_writer, "up")),
            asyncio.create_task(self._pass(server_reader, writer, "down")),
        }
        try:
            await asyncio.wait(passing, return_when=asyncio.FIRST_COMPLETED)
        finally:
            self._writers -= both
            for task in passing:
                task.cancel()
            for end in both:
                end.transport.abort()

    async def _pass(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, direction: str) -> None:
        """Passes bytes on until there are no more, or until the scenario cuts them off."""
        try:
            while data := await reader.read(CHUNK_BYTES):
                writer.write(data)
                await writer.drain()
                breaking = self._breaking(direction, len(data))
                if breaking:
                    await asyncio.sleep(max(cut.pause_seconds for cut in breaking))
                    return
        except OSError:
            # Either end broke it: the other one shall see it, too.
            return

    def _breaking(self, direction: str, size: int) -> list[Cut]:
        """The cuts of this way that break now, when so many bytes more have passed."""
        cuts = [cut for cut in self.cuts if cut.direction == direction]
        return [cut for cut in cuts if cut.breaks_after(size)]


@asynccontextmanager
async def half_open() -> AsyncIterator[str]:
    """An address that takes connections and never says a word."""
    kept: set[asyncio.StreamWriter] = set()

    async def keep(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        kept.add(writer)

    server = await asyncio.start_server(keep, HOST, 0)
    try:
        yield address_of(server)
    finally:
        for writer in kept:
            writer.transport.abort()
        server.close()


@asynccontextmanager
async def listening(wire: Wire) -> AsyncIterator[str]:
    """The address of a wire."""
    server = await asyncio.start_server(wire.connected, HOST, 0)
    try:
        yield address_of(server)
    finally:
        server.close()
        wire.drop()


@contextmanager
def closed() -> Iterator[str]:
    """An address that nobody listens at, nor can anybody else meanwhile: it is taken."""
    with socket.socket() as taken:
        taken.bind((HOST, 0))
        yield f"{HOST}:{taken.getsockname()[1]}"


def address_of(server: asyncio.Server) -> str:
    host, port = server.sockets[0].getsockname()[:2]
    return f"{host}:{port}"
