"""The crowd itself, in a process of its own: idle connections, watches, and readers that read slowly.

Says on its output when all of it stands. A line on its input ends it: then it says what became of each.
"""

import asyncio
import json
import sys
from collections.abc import Sequence
from contextlib import AsyncExitStack
from dataclasses import asdict, dataclass
from typing import Any

import grpc
from camillo.v1 import memory_service_pb2 as service

from bench.artifacts.calls import read
from bench.drills.http2 import IdleConnection
from bench.measure.client import OPTIONS, Client

CONNECTING_AT_ONCE = 100
CONNECT_SECONDS = 30.0
WATCHES_PER_CHANNEL = 50
WATCH_SECONDS = 1_800.0
WATCHED = "watched"
# Between two messages of 256 KiB of an artifact.
PAUSE_SECONDS = 1.0
# For the last change to reach every watch.
TOLD_SECONDS = 30.0


@dataclass(frozen=True, slots=True)
class Size:
    """How many of each kind."""

    connections: int
    watches: int
    readers: int


class Crowd:
    """Comes, stays, and is asked in the end."""

    def __init__(self, port: int, key: str, size: Size, artifact_id: str) -> None:
        self._port = port
        self._key = key
        self._size = size
        self._artifact_id = artifact_id
        self._idle: list[IdleConnection] = []
        self._told: list[asyncio.Task[bool]] = []
        self._reading: list[asyncio.Task[None]] = []
        self._messages = [0] * size.readers
        self._first = [asyncio.Event() for _ in range(size.readers)]
        self.errors: list[str] = []

    async def come(self, stack: AsyncExitStack) -> Size:
        """How many stand of each kind."""
        await self._connect()
        watching = await self._watch(stack)
        for number in range(self._size.readers):
            client = await self._connected(stack)
            self._reading.append(asyncio.create_task(self._read(client, number)))
        async with asyncio.timeout(CONNECT_SECONDS):
            await asyncio.gather(*(each.wait() for each in self._first))
        return Size(self._open(), watching, sum(map(bool, self._messages)))

    async def end(self) -> dict[str, Any]:
        """Ends the crowd, and returns its figures; each watch has to be told of what was remembered."""
        done, waiting = await asyncio.wait(self._told, timeout=TOLD_SECONDS)
        for task in [*waiting, *self._reading]:
            task.cancel()
        await asyncio.gather(*waiting, *self._reading, return_exceptions=True)
        told = {"told": sum(task.result() for task in done), "open": self._open()}
        return {**told, "messages": sum(self._messages), "errors": self.errors}

    def _open(self) -> int:
        return sum(not each.closed for each in self._idle)

    async def _connect(self) -> None:
        loop, free = asyncio.get_running_loop(), asyncio.Semaphore(CONNECTING_AT_ONCE)

        async def one() -> None:
            try:
                async with free, asyncio.timeout(CONNECT_SECONDS):
                    _, idle = await loop.create_connection(IdleConnection, "127.0.0.1", self._port)
                    await idle.greeted
            except OSError as error:
                self.errors.append(f"connecting: {error!r}")
            else:
                self._idle.append(idle)

        await asyncio.gather(*(one() for _ in range(self._size.connections)))

    async def _connected(self, stack: AsyncExitStack) -> Client:
        """Connects by a connection of its own: channels of a process to one address share theirs otherwise."""
        options = [*OPTIONS, ("grpc.use_local_subchannel_pool", 1)]
        channel = grpc.aio.insecure_channel(f"127.0.0.1:{self._port}", options=options)
        await stack.enter_async_context(channel)
        async with asyncio.timeout(CONNECT_SECONDS):
            await channel.channel_ready()
        return Client(channel, self._key)

    async def _watch(self, stack: AsyncExitStack) -> int:
        """How many have told what there is from the beginning: one memory, which was remembered before the crowd
        came."""
        request = service.WatchMemoriesRequest(agent_id=WATCHED, from_beginning=True)
        calls: list[Any] = []
        for start in range(0, self._size.watches, WATCHES_PER_CHANNEL):
            client = await self._connected(stack)
            count = min(WATCHES_PER_CHANNEL, self._size.watches - start)
            calls += [client(request, WATCH_SECONDS) for _ in range(count)]
        async with asyncio.timeout(CONNECT_SECONDS):
            stand = await asyncio.gather(*map(self._is_told_of_one, calls))
        self._told = [asyncio.create_task(self._is_told_of_one(call)) for call in calls]
        return sum(stand)

    async def _is_told_of_one(self, call: Any) -> bool:
        try:
            return await call.read() is not grpc.aio.EOF
        except grpc.aio.AioRpcError as error:
            self.errors.append(f"watching: {error.code().name}: {error.details()}")
            return False

    async def _read(self, client: Client, number: int) -> None:
        try:
            async for _ in read(client, self._artifact_id):
                self._messages[number] += 1
                self._first[number].set()
                await asyncio.sleep(PAUSE_SECONDS)
        except grpc.aio.AioRpcError as error:
            self.errors.append(f"reading: {error.code().name}: {error.details()}")
        finally:
            self._first[number].set()


async def _stay(crowd: Crowd) -> None:
    async with AsyncExitStack() as stack:
        print(json.dumps(asdict(await crowd.come(stack))), flush=True)
        await asyncio.to_thread(sys.stdin.readline)
        print(json.dumps(await crowd.end()), flush=True)


def main(given: Sequence[str]) -> None:
    """The port, the key, how many of each kind, and the artifact."""
    port, key, connections, watches, readers, artifact_id = given
    size = Size(int(connections), int(watches), int(readers))
    asyncio.run(_stay(Crowd(int(port), key, size, artifact_id)))


if __name__ == "__main__":
    main(sys.argv[1:])
