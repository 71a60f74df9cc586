"""Watchers of an agent's memories through Envoy."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from typing import Any

import grpc
from camillo.v1.memory_service_pb2 import WatchMemoriesRequest
from camillo.v1.memory_service_pb2_grpc import MemoryServiceStub
from camillo_client import AsyncCamillo
from camillo_client.errors import CamilloError

from tests.mesh.envoy_process import Envoy
from tests.patience import until


class Follower:
    """A client's watch, which goes on wherever it broke."""

    def __init__(self) -> None:
        self.seen: list[str] = []
        self.ended: CamilloError | None = None

    async def follow(self, client: AsyncCamillo) -> None:
        try:
            async for change in client.watch(from_beginning=True):
                if change.changed.content:
                    self.seen.append(change.changed.content)
        except CamilloError as error:
            self.ended = error
            raise

    async def until_seen(self, contents: list[str]) -> None:
        """Waits until all of these have come, whatever came before; fails with what ended the watch."""
        await until(lambda: self.ended is not None or set(self.seen) >= set(contents))
        assert self.ended is None, repr(self.ended)


class BareWatch:
    """A stream that nobody goes on with."""

    def __init__(self) -> None:
        self.opened = False
        self.broken_by: grpc.StatusCode | None = None

    async def watch(self, envoy: Envoy, key: str) -> None:
        async with grpc.aio.insecure_channel(envoy.address) as channel:
            metadata = (("authorization", f"Bearer {key}"),)
            request = WatchMemoriesRequest(from_beginning=True)
            call = MemoryServiceStub(channel).WatchMemories(request, metadata=metadata)
            try:
                async for _ in call:
                    self.opened = True
            except grpc.aio.AioRpcError as error:
                self.broken_by = error.code()


@asynccontextmanager
async def followed(envoy: Envoy, agent: str, key: str) -> AsyncIterator[Follower]:
    """A follower of the agent, while the block runs."""
    follower = Follower()
    async with AsyncCamillo.connect(envoy.address, key=key, agent_id=agent) as client:
        task = asyncio.create_task(follower.follow(client))
        try:
            yield follower
        finally:
            await cancelled(task)


@asynccontextmanager
async def bare_watches(envoy: Envoy, keys: list[str]) -> AsyncIterator[list[BareWatch]]:
    """Watches of each key, while the block runs; each has heard something when it begins."""
    watches = [BareWatch() for _ in keys]
    tasks = [asyncio.create_task(watch.watch(envoy, key)) for watch, key in zip(watches, keys, strict=True)]
    try:
        await until(lambda: all(watch.opened for watch in watches))
        yield watches
    finally:
        for task in tasks:
            await cancelled(task)


async def cancelled(task: asyncio.Task[Any]) -> None:
    task.cancel()
    with suppress(asyncio.CancelledError):
        await task
