"""More than Envoy takes on is refused at once, as clients understand it, and they come again."""

import asyncio

import grpc
import pytest
from camillo.v1.admin_service_pb2 import WhoAmIRequest, WhoAmIResponse
from camillo.v1.admin_service_pb2_grpc import AdminServiceStub
from camillo_client import AsyncCamillo, errors

from tests.mesh.bare_replica import answers, bare_replicas, hangs
from tests.mesh.conftest import StartEnvoy
from tests.mesh.envoy_process import Envoy
from tests.mesh.watchers import cancelled, until
from tests.patience import PATIENCE_SECONDS

TAKEN = 4
FULL = {"max_heap_size_bytes: 805306368": "max_heap_size_bytes: 1048576"}
LONELY = {"max_active_downstream_connections: 20000": "max_active_downstream_connections: 1"}
NARROW = {"max_requests: 8192": f"max_requests: {TAKEN}"}
OVERFLOW = "upstream_rq_active_overflow"

pytestmark = pytest.mark.timeout(60)


async def asked(envoy: Envoy) -> grpc.StatusCode:
    """How a call over a connection of its own ends."""
    own = [("grpc.use_local_subchannel_pool", 1), ("grpc.enable_retries", 0)]
    async with grpc.aio.insecure_channel(envoy.address, own) as channel:
        return await AdminServiceStub(channel).WhoAmI(WhoAmIRequest(), timeout=10).code()


async def test_too_many_calls_are_refused_at_once_and_come_again(start_envoy: StartEnvoy) -> None:
    async with bare_replicas(1) as [replica]:
        envoy = await start_envoy([replica], NARROW)
        await envoy.until_well(1)
        replica.conduct = hangs
        async with grpc.aio.insecure_channel(envoy.address) as channel:
            ask = AdminServiceStub(channel).WhoAmI

            async def call() -> WhoAmIResponse:
                return await ask(WhoAmIRequest(), timeout=30)

            held = [asyncio.create_task(call()) for _ in range(TAKEN)]
            await until(lambda: len(replica.calls) == TAKEN)
            with pytest.raises(grpc.aio.AioRpcError) as told:
                await call()
            assert told.value.code() is grpc.StatusCode.UNAVAILABLE
            assert await envoy.figure(OVERFLOW) == 1
            async with AsyncCamillo.connect(envoy.address, key="any") as client:
                with pytest.raises(errors.Unavailable):
                    await client.who_am_i()
                # None of its tries reached the replica.
                assert await envoy.figure(OVERFLOW) == 1 + 4
                assert len(replica.calls) == TAKEN
                again = asyncio.create_task(client.who_am_i())
                await envoy.until_figure(OVERFLOW, 1 + 4 + 1)
                replica.conduct = answers
                for each in held:
                    await cancelled(each)
                assert (await again).tenant_id == replica.address


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
