"""A scope's calls reach one replica, whoever comes or goes; counted by the replicas themselves."""

from collections.abc import Sequence

import grpc
import pytest
from camillo.v1.admin_service_pb2 import WhoAmIRequest
from camillo.v1.admin_service_pb2_grpc import AdminServiceStub

from tests.mesh.fleet import Fleet
from tests.mesh.replicas import Replica, answered

SCOPES = 60
CALLS = 5

pytestmark = pytest.mark.timeout(110)

Metadata = Sequence[tuple[str, str]]


async def shares(fleet: Fleet, replicas: list[Replica], metadata: Metadata) -> list[int]:
    """How many of some calls each replica answers."""
    before = await answered(replicas)
    async with grpc.aio.insecure_channel(fleet.envoy.address) as channel:
        stub = AdminServiceStub(channel)
        for _ in range(CALLS):
            await stub.WhoAmI(WhoAmIRequest(), metadata=tuple(metadata), timeout=10)
    return [now - then for now, then in zip(await answered(replicas), before, strict=True)]


async def owners(fleet: Fleet, replicas: list[Replica]) -> list[int]:
    """Which replica answers for each scope; at least 95% of the calls of a scope have to reach it."""
    found = []
    for number in range(SCOPES):
        credential = ("authorization", f"Bearer {fleet.keys.admin}")
        scope = ("camillo-scope", f"{number:016x}")
        of_each = await shares(fleet, replicas, (credential, scope))
        assert sum(of_each) == CALLS
        assert max(of_each) >= 0.95 * CALLS
        found.append(of_each.index(max(of_each)))
    return found


async def test_a_scope_stays_with_its_replica_until_another_takes_its_share(fleet: Fleet) -> None:
    before = await owners(fleet, fleet.pair)
    assert set(before) == {0, 1}
    await fleet.third.start()
    await fleet.envoy.until_well(3)
    after = await owners(fleet, [*fleet.pair, fleet.third])
    moved = [(then, now) for then, now in zip(before, after, strict=True) if then != now]
    to_the_third = [now for _, now in moved].count(2)
    print(f"{len(moved)} of {SCOPES} scopes moved, {to_the_third} of them to the third")
    assert 0 < len(moved) <= 0.6 * SCOPES
    # Next to nothing moves between the two that were there.
    assert len(moved) - to_the_third <= 0.1 * SCOPES
    assert await fleet.third.stop() == 0
    await fleet.envoy.until_well(2)
    assert await owners(fleet, fleet.pair) == before


async def test_without_a_scope_the_credential_decides(fleet: Fleet) -> None:
    credentials = [(("authorization", f"Bearer {key}"),) for key in fleet.agents.values()]
    first = [await shares(fleet, fleet.pair, credential) for credential in credentials]
    assert all(sorted(of_each) == [0, CALLS] for of_each in first)
    assert [await shares(fleet, fleet.pair, credential) for credential in credentials] == first
