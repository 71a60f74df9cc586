"""Replicas that are well by their health and answer nobody, or badly: Envoy goes round them, as far as that does no
harm."""

import asyncio
from collections.abc import Sequence

import grpc
import pytest
from camillo.v1.admin_service_pb2 import WhoAmIRequest
from camillo.v1.admin_service_pb2_grpc import AdminServiceStub
from camillo.v1.memory_service_pb2 import RememberRequest, WatchMemoriesRequest
from camillo.v1.memory_service_pb2_grpc import MemoryServiceStub

from tests.mesh.bare_replica import BareReplica, bare_replicas, hangs, refuses
from tests.mesh.conftest import StartEnvoy
from tests.mesh.envoy_process import Envoy

# Enough that some are with each, and more at once than a share of them would let Envoy try again.
SCOPES = 64
FEW = 16
# A read is given up after 10 s, and a replica put aside for 2 s, which would be over before a slow machine has looked.
IMPATIENT = {"per_try_timeout: 10s": "per_try_timeout: 1s", "base_ejection_time: 2s": "base_ejection_time: 3s"}
GONE = (grpc.StatusCode.UNAVAILABLE, grpc.StatusCode.CANCELLED)

pytestmark = pytest.mark.timeout(60)


async def read_all(envoy: Envoy, scopes: int = SCOPES) -> set[str]:
    """Who answers a read of each scope."""
    async with grpc.aio.insecure_channel(envoy.address) as channel:
        ask = AdminServiceStub(channel).WhoAmI
        calls = [
            ask(WhoAmIRequest(), metadata=(("camillo-scope", str(number)),), timeout=10) for number in range(scopes)
        ]
        return {str(answer.tenant_id) for answer in await asyncio.gather(*calls)}


async def write(envoy: Envoy, *metadata: tuple[str, str]) -> grpc.StatusCode:
    """How a write ends."""
    async with grpc.aio.insecure_channel(envoy.address) as channel:
        call = MemoryServiceStub(channel).Remember(RememberRequest(), metadata=metadata, timeout=10)
        return await call.code()


async def test_a_replica_that_hangs_is_put_aside_though_it_is_well(start_envoy: StartEnvoy) -> None:
    async with bare_replicas(2) as (bad, good):
        envoy = await start_envoy([bad, good], IMPATIENT)
        await envoy.until_well(2)
        assert await read_all(envoy, FEW) == {bad.address, good.address}
        bad.conduct = hangs
        assert await read_all(envoy, FEW) == {good.address}
        assert "::health_flags::/failed_outlier_check" in await envoy.told("/clusters")
        # It goes on answering health checks, which do not bring it back before its time.
        checked = await envoy.figure("health_check.success")
        await envoy.until_figure("health_check.success", checked + 3)
        tried = len(bad.calls)
        assert await read_all(envoy, FEW) == {good.address}
        assert len(bad.calls) == tried
        # After it, it is tried again.
        bad.conduct = good.conduct
        await envoy.until_well(2)
        assert await read_all(envoy, FEW) == {bad.address, good.address}


@pytest.mark.parametrize("code", GONE)
async def test_what_a_replica_will_not_answer_another_does(start_envoy: StartEnvoy, code: grpc.StatusCode) -> None:
    async with bare_replicas(2) as (bad, good):
        envoy = await start_envoy([bad, good])
        await envoy.until_well(2)
        bad.conduct = refuses(code)
        assert await read_all(envoy) == {good.address}
        writes = [write(envoy, ("camillo-scope", str(number))) for number in range(SCOPES)]
        assert set(await asyncio.gather(*writes)) == {grpc.StatusCode.OK}
        assert bad.calls
        # It is asked all the same: if Postgres is away, all of them answer so.
        assert await envoy.figure("outlier_detection.ejections_enforced_total") == 0


@pytest.mark.parametrize("code", GONE)
async def test_what_may_not_happen_twice_is_sent_once(start_envoy: StartEnvoy, code: grpc.StatusCode) -> None:
    async with bare_replicas(2) as replicas:
        envoy = await start_envoy(replicas)
        await envoy.until_well(2)
        for replica in replicas:
            replica.conduct = refuses(code)
        # Without a scope nobody says that it has a request id.
        assert await write(envoy) is code
        assert came(replicas) == 1
        async with grpc.aio.insecure_channel(envoy.address) as channel:
            watch = MemoryServiceStub(channel).WatchMemories(WatchMemoriesRequest(), timeout=10)
            assert await watch.code() is code
        assert came(replicas) == 2
        # With it, a write is tried at the other one, too, and then there once more.
        assert await write(envoy, ("camillo-scope", "any")) is code
        assert came(replicas) > 3


def came(replicas: Sequence[BareReplica]) -> int:
    return sum(len(replica.calls) for replica in replicas)
