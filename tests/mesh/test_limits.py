"""More than Envoy takes on is refused at once, as clients understand it, and they come again."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

import grpc
import pytest
from camillo.v1.admin_service_pb2 import WhoAmIRequest, WhoAmIResponse
from camillo.v1.admin_service_pb2_grpc import AdminServiceStub
from camillo_client import AsyncCamillo, errors

from tests.mesh.bare_replica import BareReplica, answers, bare_replicas, hangs
from tests.mesh.conftest import StartEnvoy
from tests.mesh.envoy_process import Envoy
from tests.mesh.watchers import cancelled
from tests.patience import PATIENCE_SECONDS, until

TAKEN = 4
# As service_config.json of the clients says.
CLIENT_TRIES = 4
FULL = {"max_heap_size_bytes: 805306368": "max_heap_size_bytes: 1048576"}
LONELY = {"max_active_downstream_connections: 20000": "max_active_downstream_connections: 1"}
# Envoy gives a read up after 10 s and tries again, which a slow test would count, too.
NARROW = {"max_requests: 8192": f"max_requests: {TAKEN}", "per_try_timeout: 10s": "per_try_timeout: 60s"}
OVERFLOW = "upstream_rq_active_overflow"

pytestmark = pytest.mark.timeout(60)


async def asked(envoy: Envoy) -> grpc.StatusCode:
    """How a call over a connection of its own ends."""
    own = [("grpc.use_local_subchannel_pool", 1), ("grpc.enable_retries", 0)]
    async with grpc.aio.insecure_channel(envoy.address, own) as channel:
        return await AdminServiceStub(channel).WhoAmI(WhoAmIRequest(), timeout=10).code()


@asynccontextmanager
async def calls_that_hang(envoy: Envoy, replica: BareReplica) -> AsyncIterator[None]:
    """As many calls as Envoy takes hang, while the block runs."""
    replica.conduct = hangs
    reached = len(replica.calls)
    async with grpc.aio.insecure_channel(envoy.address) as channel:
        ask = AdminServiceStub(channel).WhoAmI

        async def call() -> WhoAmIResponse:
            return await ask(WhoAmIRequest())

        calls = [asyncio.create_task(call()) for _ in range(TAKEN)]
        try:
            await until(lambda: len(replica.calls) == reached + TAKEN)
            yield
        finally:
            replica.conduct = answers
            for each in calls:
                await cancelled(each)


async def test_too_many_calls_are_refused_at_once(start_envoy: StartEnvoy) -> None:
    async with bare_replicas(1) as [replica]:
        envoy = await start_envoy([replica], NARROW)
        await envoy.until_well(1)
        async with calls_that_hang(envoy, replica):
            assert await asked(envoy) is grpc.StatusCode.UNAVAILABLE
            assert await envoy.figure(OVERFLOW) == 1
            async with AsyncCamillo.connect(envoy.address, key="any") as client:
                with pytest.raises(errors.Unavailable):
                    await client.who_am_i()
            # None of its tries reached the replica.
            assert await envoy.figure(OVERFLOW) == 1 + CLIENT_TRIES
            assert len(replica.calls) == TAKEN


async def test_a_call_that_was_refused_comes_again(start_envoy: StartEnvoy) -> None:
    async with bare_replicas(1) as [replica]:
        envoy = await start_envoy([replica], NARROW)
        await envoy.until_well(1)
        async with AsyncCamillo.connect(envoy.address, key="any") as client:
            answered = ""
            while not answered:
                async with calls_that_hang(envoy, replica):
                    refused = await envoy.figure(OVERFLOW)
                    call = asyncio.create_task(client.who_am_i())
                    await envoy.until_figure(OVERFLOW, refused + 1)
                # On a machine that stalls, all of its tries may be over before there is room.
                with suppress(errors.Unavailable):
                    answered = (await call).tenant_id
            assert answered == replica.address


async def test_an_envoy_that_is_full_refuses_before_it_is_killed(start_envoy: StartEnvoy) -> None:
    async with bare_replicas(1) as [replica]:
        envoy = await start_envoy([replica], FULL)
        await envoy.until_well(1)
        async with asyncio.timeout(PATIENCE_SECONDS):
            while await asked(envoy) is not grpc.StatusCode.UNAVAILABLE:
                pass
        reached = len(replica.calls)
        assert await asked(envoy) is grpc.StatusCode.UNAVAILABLE
        assert len(replica.calls) == reached


async def test_a_connection_too_many_is_closed(start_envoy: StartEnvoy) -> None:
    async with bare_replicas(1) as [replica]:
        envoy = await start_envoy([replica], LONELY)
        await envoy.until_well(1)
        async with grpc.aio.insecure_channel(envoy.address) as channel:
            ask = AdminServiceStub(channel).WhoAmI
            await ask(WhoAmIRequest(), timeout=10)
            assert await asked(envoy) is grpc.StatusCode.UNAVAILABLE
            await ask(WhoAmIRequest(), timeout=10)
        assert len(replica.calls) == 2
