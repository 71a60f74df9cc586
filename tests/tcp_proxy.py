"""A TCP proxy that fails as networks do: slow, lossy, cut off, resetting. In the event loop of who starts it."""

import asyncio
import ctypes
import random
import socket
import struct
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

CHUNK_BYTES = 16_384
# Delay of a connection by a lost segment: TCP sends it again after about this time, and what is behind it waits.
RETRANSMISSION_SECONDS = 0.2
# A program of one instruction for the kernel (BPF_RET, nothing of the packet): a socket that has it drops what arrives,
# before TCP sees it, and so acknowledges nothing.
DROP_ALL = struct.pack("HBBI", 0x06, 0, 0, 0)
SO_ATTACH_FILTER = 26


class TcpProxy:
    """Passes bytes on to a target: a host and a port, or a directory with the socket of a Postgres. Its attributes may
    be changed at any time, and hold for open connections, too."""

    def __init__(self, host: str, port: int, seed: int = 1) -> None:
        self._target = (host, port)
        self._random = random.Random(seed)  # noqa: S311
        self._server: asyncio.Server | None = None
        self._writers: set[asyncio.StreamWriter] = set()
        # Writers by which callers are answered; they are in `_writers`, too.
        self._accepted: set[asyncio.StreamWriter] = set()
        self._passing: set[asyncio.Task[None]] = set()
        self._serving: set[asyncio.Task[None]] = set()
        self._is_open = asyncio.Event()
        self._is_open.set()
        self.port = 0
        # Delay of every chunk of bytes, in each direction.
        self.delay_seconds = 0.0
        # In each direction of each connection; 0 for as fast as it goes.
        self.bytes_per_second = 0
        # The share of chunks that are lost, and sent again by TCP.
        self.loss = 0.0

    @property
    def connections(self) -> int:
        """The number of open connections of callers."""
        return len(self._writers) // 2

    def cut(self) -> None:
        """No byte passes, nobody is told: connections stay open, new ones are accepted and hang."""
        self._is_open.clear()

    def strand(self) -> None:
        """Acts like a changed route: no byte passes over open connections again, and nobody is told; new ones work."""
        self._is_open.clear()
        self._is_open = asyncio.Event()
        self._is_open.set()

    def vanish(self) -> None:
        """Vanishes like a machine without power: what callers have sent over open connections is not even acknowledged;
        new ones work. Linux only."""
        program = ctypes.create_string_buffer(DROP_ALL, len(DROP_ALL))
        attached = struct.pack("HL", 1, ctypes.addressof(program))
        for writer in self._accepted:
            writer.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, SO_ATTACH_FILTER, attached)
        self.strand()

    def heal(self) -> None:
        """Passes on again, what was held back included."""
        self._is_open.set()

    def reset(self) -> None:
        """Breaks every open connection with RST. New ones are accepted."""
        for writer in list(self._writers):
            sock: socket.socket | None = writer.get_extra_info("socket")
            if sock is not None:
                with suppress(OSError):
                    sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            writer.transport.abort()

    async def refuse(self) -> None:
        """Refuses new connections, as if nobody listened. Open ones stay."""
        if self._server is not None:
            self._server.close()
            self._server = None

    async def listen(self) -> int:
        """Listens on the port of before, or on a free one; the port."""
        self._server = await asyncio.start_server(self._serve, "127.0.0.1", self.port)
        self.port = self._server.sockets[0].getsockname()[1]
        return self.port

    async def close(self) -> None:
        """Ends everything."""
        await self.refuse()
        for task in list(self._passing):
            task.cancel()
        await asyncio.gather(*self._passing, *self._serving, return_exceptions=True)
        self.reset()

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        serving = asyncio.current_task()
        assert serving is not None
        self._serving.add(serving)
        serving.add_done_callback(self._serving.discard)
        try:
            there, back = await self._connected()
        except OSError:
            writer.transport.abort()
            return
        self._writers |= {writer, back}
        self._accepted.add(writer)
        ways = ((reader, back), (there, writer))
        tasks = [asyncio.create_task(self._pass(*each, self._is_open)) for each in ways]
        self._passing.update(tasks)
        try:
            await asyncio.wait(tasks)
        finally:
            self._passing.difference_update(tasks)
            self._writers -= {writer, back}
            self._accepted.discard(writer)
            for each in (writer, back):
                each.close()

    async def _connected(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        host, port = self._target
        if host.startswith("/"):
            return await asyncio.open_unix_connection(f"{host}/.s.PGSQL.{port}")
        return await asyncio.open_connection(host, port)

    async def _pass(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, is_open: asyncio.Event) -> None:
        with suppress(OSError):
            while chunk := await reader.read(self._chunk_bytes()):
                await asyncio.sleep(self._seconds(len(chunk)))
                await is_open.wait()
                writer.write(chunk)
                await writer.drain()
            if writer.can_write_eof():
                writer.write_eof()

    def _chunk_bytes(self) -> int:
        return max(1, min(CHUNK_BYTES, self.bytes_per_second // 10 or CHUNK_BYTES))

    def _seconds(self, size: int) -> float:
        lost = RETRANSMISSION_SECONDS if self._random.random() < self.loss else 0.0
        slow = size / self.bytes_per_second if self.bytes_per_second else 0.0
        return self.delay_seconds + lost + slow


@asynccontextmanager
async def tcp_proxy(host: str, port: int) -> AsyncIterator[TcpProxy]:
    """A proxy before this address, which listens."""
    proxy = TcpProxy(host, port)
    await proxy.listen()
    try:
        yield proxy
    finally:
        await proxy.close()
