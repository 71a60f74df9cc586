"""A scope's calls reach one replica, whoever comes or goes; told by the replicas themselves."""

import asyncio
from collections.abc import Sequence

import grpc
from camillo.v1.admin_service_pb2 import WhoAmIRequest
from camillo.v1.admin_service_pb2_grpc import AdminServiceStub
from camillo_client import AsyncCamillo

from tests.mesh.bare_replica import bare_replicas
from tests.mesh.conftest import StartEnvoy
from tests.mesh.envoy_process import Envoy

SCOPES = 60
CALLS = 5

Metadata = Sequence[tuple[str, str]]


async def owners(envoy: Envoy, callers: Sequence[Metadata]) -> list[str]:
    """The replica that answers each caller, who is answered by one alone."""
    async with grpc.aio.insecure_channel(envoy.address) as channel:
        ask = AdminServiceStub(channel).WhoAmI

        async def owner(metadata: Metadata) -> str:
            calls = [ask(WhoAmIRequest(), metadata=tuple(metadata), timeout=10) for _ in range(CALLS)]
            [one] = {answer.tenant_id for answer in await asyncio.gather(*calls)}
            return str(one)

        return [await owner(metadata) for metadata in callers]


async def test_a_scope_stays_with_its_replica_until_another_takes_its_share(start_envoy: StartEnvoy) -> None:
    scopes = [(("authorization", "Bearer any"), ("camillo-scope", f"{number:016x}")) for number in range(SCOPES)]
    async with bare_replicas(3) as replicas:
        one, other, third = replicas
        await third.stop()
        envoy = await start_envoy(replicas)
        await envoy.until_well(2)
        before = await owners(envoy, scopes)
        assert set(before) == {one.address, other.address}
        await third.start()
        await envoy.until_well(3)
        after = await owners(envoy, scopes)
        moved = [now for then, now in zip(before, after, strict=True) if then != now]
        to_the_third = moved.count(third.address)
        print(f"{len(moved)} of {SCOPES} scopes moved, {to_the_third} of them to the third")
        assert 0 < len(moved) <= 0.6 * SCOPES
        # Next to nothing moves between the two that were there.
        assert len(moved) - to_the_third <= 0.1 * SCOPES
        await third.stop()
        await envoy.until_well(2)
        assert await owners(envoy, scopes) == before


async def test_without_a_scope_the_credential_decides(start_envoy: StartEnvoy) -> None:
    credentials = [(("authorization", f"Bearer {number}"),) for number in range(SCOPES)]
    async with bare_replicas(2) as replicas:
        envoy = await start_envoy(replicas)
        await envoy.until_well(2)
        first = await owners(envoy, credentials)
        assert set(first) == {replica.address for replica in replicas}
        assert await owners(envoy, credentials) == first


async def test_agents_of_one_key_are_told_apart_by_the_client(start_envoy: StartEnvoy) -> None:
    async with bare_replicas(2) as replicas:
        envoy = await start_envoy(replicas)
        await envoy.until_well(2)
        met = set()
        for number in range(SCOPES):
            agent = f"agent-{number}"
            async with AsyncCamillo.connect(envoy.address, key="any", agent_id=agent) as client:
                answers = {(await client.who_am_i()).tenant_id for _ in range(2)}
            assert len(answers) == 1
            met |= answers
        assert met == {replica.address for replica in replicas}
