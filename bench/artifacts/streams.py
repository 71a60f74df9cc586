"""PutArtifact and ReadArtifact against bare streams of the same message size, beside the limits of this machine; and
what both ends hold in memory."""

import asyncio
import os
import tempfile
import time
from collections.abc import Iterable
from typing import Any

import grpc
import zstandard
from camillo_client.content_encoding import decoded

from bench.artifacts import limit_server
from bench.artifacts.calls import (
    BLOCK_BYTES,
    MESSAGE_BYTES,
    ArtifactOptions,
    delete,
    log_blocks,
    put,
    put_messages,
    read,
    upload_messages,
)
from bench.material.logs import log_bytes
from bench.measure import echo_server
from bench.measure.client import Client, channel_to, connected
from bench.measure.servers import AppServer, bare_echo_server, bench_server, own_memory_mb, watched_memory
from bench.measure.timing import Figure, Figures, Rounds, taking_turns

CONTENDERS = (
    *("bare_upload", "disk", "upload_limit", "upload_searched_limit", "upload"),
    *("bare_download", "download_limit", "download", "download_zstd_limit", "download_zstd"),
)
# Contenders that move their bytes down; all others move them up.
DOWN = {name for name in CONTENDERS if "download" in name}
FIRST_BYTES = 64 * 1024 * 1024


def measure(options: ArtifactOptions, app: AppServer) -> Figures:
    """Rates in MB/s, and their ratios to bare streams; growth of memory while much more passes, in MB."""
    limits = bench_server("bench.artifacts.limit_server", app.url("superuser"))
    with bare_echo_server() as bare, limits as limit:
        figures = asyncio.run(_rates(options, app, bare.port, limit.port))
    for name in CONTENDERS:
        bare_name = "bare_download" if name in DOWN else "bare_upload"
        if name != bare_name:
            figures[f"{name}_ratio"] = figures[f"{name}_mb_s"].over(figures[f"{bare_name}_mb_s"])
    return figures | asyncio.run(_memory(options, app))


async def _rates(options: ArtifactOptions, app: AppServer, port: int, limit_port: int) -> Figures:
    found = Rounds()
    async with (
        connected(app.port, app.secret) as client,
        channel_to(port) as bare,
        channel_to(limit_port) as limit,
    ):
        streams = _Streams(client, bare, limit, options.stream_bytes)
        for name in CONTENDERS:
            await streams.run(name)
        for name in taking_turns(CONTENDERS, options.rounds):
            found.add({f"{name}_mb_s": await streams.run(name)})
    return found.figures()


class _Streams:
    """Each contender moves the same number of bytes, in messages that are made beforehand."""

    def __init__(self, client: Client, bare: grpc.aio.Channel, limit: grpc.aio.Channel, size: int) -> None:
        self._client = client
        self._store: Any = limit.stream_unary(limit_server.STORE)
        self._store_searched: Any = limit.stream_unary(limit_server.STORE_SEARCHED)
        self._fetch: Any = limit.unary_stream(limit_server.FETCH)
        self._fetch_frames: Any = limit.unary_stream(limit_server.FETCH_FRAMES)
        self._take: Any = bare.stream_unary(echo_server.TAKE)
        self._give: Any = bare.unary_stream(echo_server.GIVE)
        self._size = size
        self._log = log_bytes(BLOCK_BYTES)
        self._artifact_id = ""

    async def run(self, name: str) -> float:
        """Megabytes a second."""
        count, length = self._size // len(echo_server.STREAM_MESSAGE), 0
        messages = []
        if name == "upload":
            messages = [*upload_messages(log_blocks(self._log, self._size, f"{time.time_ns()}"))]
        unpack = zstandard.ZstdDecompressor().decompress
        started = time.perf_counter()
        match name:
            case "upload":
                artifact = await put_messages(self._client, messages)
                self._artifact_id, length = artifact.artifact_id, artifact.size_bytes
            case "download":
                async for message in read(self._client, self._artifact_id):
                    length += len(message.data)
            case "download_zstd":
                async for message in read(self._client, self._artifact_id, encodings=("zstd",)):
                    length += len(decoded(message) or b"")
            case "upload_limit":
                length = int(await self._store(self._messages()))
            case "upload_searched_limit":
                length = int(await self._store_searched(self._messages()))
            case "download_limit":
                async for data in self._fetch(str(self._size).encode()):
                    length += len(data)
            case "download_zstd_limit":
                async for data in self._fetch_frames(str(self._size).encode()):
                    length += len(unpack(data))
            case "disk":
                length = await asyncio.to_thread(self._write)
            case "bare_upload":
                length = int(await self._take(echo_server.STREAM_MESSAGE for _ in range(count)))
            case "bare_download":
                async for data in self._give(str(count).encode()):
                    length += len(data)
        seconds = time.perf_counter() - started
        assert length == self._size
        return self._size / 1e6 / seconds

    def _messages(self) -> Iterable[bytes]:
        for _ in range(self._size // len(self._log)):
            for at in range(0, len(self._log), MESSAGE_BYTES):
                yield self._log[at : at + MESSAGE_BYTES]

    def _write(self) -> int:
        """Writes the bytes to a file, and waits until they are on the disk."""
        with tempfile.TemporaryFile() as file:
            for _ in range(self._size // len(self._log)):
                file.write(self._log)
            file.flush()
            os.fsync(file.fileno())
            return file.tell()


async def _memory(options: ArtifactOptions, app: AppServer) -> Figures:
    log = log_bytes(BLOCK_BYTES, seed=2)
    async with connected(app.port, app.secret) as client:
        # Every buffer has its size afterwards.
        await _there_and_back(client, log_blocks(log, FIRST_BYTES, "first"))
        async with (
            watched_memory(app.process.memory_mb) as server,
            watched_memory(own_memory_mb) as ours,
        ):
            await _there_and_back(client, log_blocks(log, options.memory_bytes, "second"))
    return {
        "server_rss_mb": Figure((server.growth_mb,)),
        "client_rss_mb": Figure((ours.growth_mb,)),
    }


async def _there_and_back(client: Client, blocks: Iterable[bytes]) -> None:
    artifact = await put(client, blocks)
    async for _ in read(client, artifact.artifact_id):
        pass
    await delete(client, artifact.artifact_id)
