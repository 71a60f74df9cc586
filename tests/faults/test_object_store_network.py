"""An object store behind a network that fails: its calls end in time, and nothing else notices."""

import asyncio
import random
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from urllib.parse import urlsplit

import grpc
import pytest

from tests.faults.artifact_buckets import Bucket
from tests.patience import FACTOR, PATIENCE_SECONDS
from tests.rpc.artifacts.calls import MIB, put, read
from tests.rpc.memories.calls import recall, remember
from tests.server_fixtures import Server, StartServer, refused
from tests.tcp_proxy import TcpProxy, tcp_proxy
from tests.unit.artifacts.s3_server import s3_server

pytestmark = [pytest.mark.xdist_group("artifact_stores"), pytest.mark.timeout(170)]

NOISE = random.Random(2).randbytes(MIB)  # noqa: S311
STORE_SECONDS = 0.5 * FACTOR


async def hang(proxy: TcpProxy) -> None:
    proxy.cut()


async def reset(proxy: TcpProxy) -> None:
    proxy.reset()
    await proxy.refuse()


async def crawl(proxy: TcpProxy) -> None:
    proxy.bytes_per_second = 1_024


Fault = Callable[[TcpProxy], Awaitable[None]]
FAULTS: dict[str, Fault] = {"hangs": hang, "resets and refuses": reset, "crawls": crawl}


@pytest.fixture(scope="module")
def s3() -> Iterator[str]:
    with s3_server() as endpoint:
        yield endpoint


@pytest.fixture
async def proxy(s3: str) -> AsyncIterator[TcpProxy]:
    address = urlsplit(s3)
    assert address.hostname
    assert address.port
    async with tcp_proxy(address.hostname, address.port) as proxy:
        yield proxy


@pytest.fixture
async def server(start_server: StartServer, proxy: TcpProxy) -> Server:
    bucket = Bucket(endpoint=f"http://127.0.0.1:{proxy.port}")
    return await start_server(artifacts=bucket.settings(store_timeout_seconds=STORE_SECONDS))


@pytest.mark.parametrize("fault", FAULTS)
async def test_a_store_that_fails_ends_its_calls_and_no_others(server: Server, proxy: TcpProxy, fault: str) -> None:
    there = (await put(server.alice, NOISE)).artifact.artifact_id
    await remember(server.alice, "beside 茶")
    await FAULTS[fault](proxy)
    started = time.monotonic()
    calls = asyncio.gather(refused(put(server.alice, NOISE[::-1])), refused(read(server.alice, there)))
    # Meanwhile the rest is as quick as ever.
    await remember(server.alice, "meanwhile 茶")
    answer = await recall(server.alice, "茶")
    assert {"beside 茶", "meanwhile 茶"} <= {hit.memory.content for hit in answer.hits}
    assert time.monotonic() - started < 5 * FACTOR
    for refusal in await calls:
        assert refusal.code == grpc.StatusCode.UNAVAILABLE
        assert refusal.reason == "BYTES_UNAVAILABLE"
        assert refusal.retry_seconds
    assert time.monotonic() - started < PATIENCE_SECONDS
    proxy.bytes_per_second = 0
    proxy.heal()
    await proxy.refuse()
    await proxy.listen()
    async with asyncio.timeout(PATIENCE_SECONDS):
        while await is_away(server, there):
            pass
    assert await read(server.alice, there) == NOISE
    after = (await put(server.alice, NOISE[::-1])).artifact.artifact_id
    assert await read(server.alice, after) == NOISE[::-1]


async def is_away(server: Server, artifact_id: str) -> bool:
    try:
        await read(server.alice, artifact_id)
    except grpc.aio.AioRpcError as error:
        assert error.code() == grpc.StatusCode.UNAVAILABLE  # noqa: PT017
        return True
    return False
