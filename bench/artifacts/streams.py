"""PutArtifact and ReadArtifact against bare streams of the same message size, and what both ends hold in memory."""

import asyncio
import time
from collections.abc import Iterator
from typing import Any

import grpc

from bench.artifacts.calls import ArtifactCalls, upload_messages, upload_stream
from bench.artifacts.options import MIB, ArtifactOptions
from bench.material.logs import log_bytes
from bench.measure import echo_server
from bench.measure.client import channel_to
from bench.measure.memory_watch import MemoryWatch
from bench.measure.process_memory import own_memory_mb
from bench.measure.servers import AppServer, bare_echo_server
from bench.measure.timing import Figure, taking_turns

CONTENDERS = ("bare_upload", "upload", "bare_download", "download")
BLOCK_BYTES = 16 * MIB


def measure(options: ArtifactOptions, app: AppServer) -> dict[str, Figure]:
    """Rates in MB/s, and their ratios to bare streams; growth of memory while much more passes, in MB."""
    with bare_echo_server() as bare:
        rates = asyncio.run(_rates(options, app, bare.port))
    figures = {f"{name}_mb_s": Figure(tuple(rates[name])) for name in CONTENDERS}
    for name in ("upload", "download"):
        figures[f"{name}_ratio"] = figures[f"{name}_mb_s"].over(figures[f"bare_{name}_mb_s"])
    return figures | asyncio.run(_memory(options, app))


async def _rates(options: ArtifactOptions, app: AppServer, port: int) -> dict[str, list[float]]:
    rates: dict[str, list[float]] = {name: [] for name in CONTENDERS}
    async with channel_to(app.port) as channel, channel_to(port) as bare_channel:
        streams = _Streams(ArtifactCalls(channel, app.secret), bare_channel, options.stream_bytes)
        for name in CONTENDERS:
            await streams.run(name)
        for name in taking_turns(CONTENDERS, options.rounds):
            rates[name].append(await streams.run(name))
    return rates


class _Streams:
    """Each contender moves the same number of bytes, in messages that are made beforehand."""

    def __init__(self, calls: ArtifactCalls, bare: grpc.aio.Channel, size: int) -> None:
        self._calls = calls
        self._bare = bare
        self._size = size
        self._log = log_bytes(BLOCK_BYTES)
        self._uploads = 0
        self._artifact_id = ""

    async def run(self, name: str) -> float:
        """Megabytes a second."""
        if name == "upload":
            messages = upload_messages(list(self._blocks()))
            started = time.perf_counter()
            self._artifact_id = (await self._calls.put(messages)).artifact_id
        elif name == "download":
            started = time.perf_counter()
            length = 0
            async for message in self._calls.read(self._artifact_id):
                length += len(message.data)
            assert length == self._size
        else:
            started = time.perf_counter()
            await (self._take() if name == "bare_upload" else self._give())
        return self._size / 1e6 / (time.perf_counter() - started)

    def _blocks(self) -> Iterator[bytes]:
        """A log that no upload before had: nothing of it is in the store."""
        self._uploads += 1
        for number in range(self._size // BLOCK_BYTES):
            first = f"{time.time_ns()} upload {self._uploads} block {number}\n".encode()
            yield first + self._log[len(first) :]

    async def _take(self) -> None:
        method: Any = self._bare.stream_unary(echo_server.TAKE)
        count = self._size // len(echo_server.STREAM_MESSAGE)
        assert int(await method(echo_server.STREAM_MESSAGE for _ in range(count))) == self._size

    async def _give(self) -> None:
        method: Any = self._bare.unary_stream(echo_server.GIVE)
        count = self._size // len(echo_server.STREAM_MESSAGE)
        length = 0
        async for message in method(str(count).encode()):
            length += len(message)
        assert length == self._size


async def _memory(options: ArtifactOptions, app: AppServer) -> dict[str, Figure]:
    log = log_bytes(BLOCK_BYTES, seed=2)
    count = options.memory_bytes // BLOCK_BYTES

    def blocks(name: str, count: int) -> Iterator[bytes]:
        for number in range(count):
            first = f"{name} {number}\n".encode()
            yield first + log[len(first) :]

    async with channel_to(app.port) as channel:
        calls = ArtifactCalls(channel, app.secret)
        # Every buffer has its size afterwards.
        await _there_and_back(calls, blocks("first", 4))
        async with (
            MemoryWatch(app.process.memory_mb) as server,
            MemoryWatch(own_memory_mb) as client,
        ):
            await _there_and_back(calls, blocks("second", count))
    return {
        "server_rss_mb": Figure((server.growth_mb,)),
        "client_rss_mb": Figure((client.growth_mb,)),
    }


async def _there_and_back(calls: ArtifactCalls, blocks: Iterator[bytes]) -> None:
    artifact = await calls.put(upload_stream(blocks))
    async for _ in calls.read(artifact.artifact_id):
        pass
    await calls.delete(artifact.artifact_id)
