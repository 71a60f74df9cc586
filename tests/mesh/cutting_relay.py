"""A connection that is cut in the middle."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

CHUNK_BYTES = 64 * 1024


class CuttingRelay:
    """Passes bytes on; each of its first connections is cut after so many, whichever way they went."""

    def __init__(self, port: int, cut_after: list[int]) -> None:
        self._port = port
        self._cut_after = cut_after
        self.cuts = 0

    async def accept(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Serves one connection until an end of it is gone."""
        far_reader, far_writer = await asyncio.open_connection("127.0.0.1", self._port)
        connection = _Connection(self._cut_after.pop(0) if self._cut_after else None)
        passing = [
            asyncio.create_task(connection.pass_on(reader, far_writer)),
            asyncio.create_task(connection.pass_on(far_reader, writer)),
        ]
        await asyncio.wait(passing, return_when=asyncio.FIRST_COMPLETED)
        self.cuts += connection.is_cut
        for task in passing:
            task.cancel()
        await asyncio.wait(passing)
        for each in (writer, far_writer):
            # As a cable that is pulled, not as a goodbye.
            each.transport.abort()


class _Connection:
    """How many bytes may still pass; None: any number."""

    def __init__(self, left: int | None) -> None:
        self._left = left
        self.is_cut = False

    async def pass_on(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Until there is no more, or no more may pass."""
        try:
            while data := await reader.read(CHUNK_BYTES):
                if self._left is not None:
                    self._left -= len(data)
                    if self._left < 0:
                        self.is_cut = True
                        return
                writer.write(data)
                await writer.drain()
        except ConnectionError:
            return


@asynccontextmanager
async def cutting_relay(port: int, cut_after: list[int]) -> AsyncIterator[tuple[CuttingRelay, str]]:
    """A relay to a port of this machine, and its address."""
    relay = CuttingRelay(port, cut_after)
    server = await asyncio.start_server(relay.accept, "127.0.0.1", 0)
    try:
        yield relay, f"127.0.0.1:{server.sockets[0].getsockname()[1]}"
    finally:
        server.close()
