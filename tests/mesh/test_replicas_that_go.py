"""Replicas that are restarted, killed or hang: callers notice nothing but a moment's wait."""

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager

import grpc
import pytest
from camillo.v1.admin_service_pb2 import WhoAmIRequest
from camillo.v1.admin_service_pb2_grpc import AdminServiceStub
from camillo_client import AsyncCamillo

from tests.mesh.fleet import Fleet
from tests.mesh.load import CALLS_PER_SECOND, SECONDS, Load
from tests.mesh.replicas import Replica, answered
from tests.mesh.watchers import bare_watches, followed
from tests.patience import FACTOR

BEFORE_SECONDS = 1.0
AFTER_SECONDS = 3.0
RECOVERED_SECONDS = 2.0
# A ping goes out after 6 to 7 s and is waited for 1.5 s.
FOUND_HANGING_SECONDS = 10.0
# So many that none of two replicas is without: ports, by which Envoy shares them out, are random.
SCOPES = 64

pytestmark = [pytest.mark.xdist_group("mesh_pair"), pytest.mark.timeout(100 + 2 * SECONDS)]


@asynccontextmanager
async def loaded(fleet: Fleet) -> AsyncIterator[Load]:
    """Load while the block runs; at its end every call has come back."""
    load = Load()
    async with AsyncExitStack() as closing, asyncio.TaskGroup() as living:
        for agent, key in fleet.agents.items():
            client = AsyncCamillo.connect(fleet.envoy.address, key=key, agent_id=agent)
            await closing.enter_async_context(client)
            living.create_task(load.live(agent, client))
        yield load
        load.end()


def assert_unharmed(load: Load) -> None:
    print(load.summary())
    assert not load.failures
    assert not load.stale
    assert load.answered > CALLS_PER_SECOND / FACTOR


async def test_a_read_is_not_lost_with_a_replica_that_hangs(fleet: Fleet) -> None:
    async with grpc.aio.insecure_channel(fleet.envoy.address) as channel:
        ask = AdminServiceStub(channel).WhoAmI

        async def seconds(scope: int) -> float:
            metadata = (("authorization", f"Bearer {fleet.keys.admin}"), ("camillo-scope", str(scope)))
            started = time.monotonic()
            await ask(WhoAmIRequest(), metadata=metadata, timeout=30)
            return time.monotonic() - started

        quick = await asyncio.gather(*(seconds(scope) for scope in range(SCOPES)))
        fleet.replicas[0].freeze()
        waited = await asyncio.gather(*(seconds(scope) for scope in range(SCOPES)))
        print(f"longest wait {max(waited):.1f} s")
    assert max(waited) < FOUND_HANGING_SECONDS
    # Some of them were with the one that hangs.
    assert max(waited) > 2 * max(quick)


async def test_a_rolling_restart_fails_no_call_and_makes_no_read_stale(fleet: Fleet) -> None:
    first, key = next(iter(fleet.agents.items()))
    async with followed(fleet.envoy, first, key) as follower:
        async with loaded(fleet) as load:
            until, turns = time.monotonic() + SECONDS, 0
            while turns < len(fleet.replicas) or time.monotonic() < until:
                await restarted(fleet, fleet.replicas[turns % len(fleet.replicas)])
                turns += 1
            await asyncio.sleep(BEFORE_SECONDS)
        print(f"{turns} restarts")
        assert_unharmed(load)
        await follower.until_seen(load.written[first])
    # Both were asked again after they had come back.
    assert all(await answered(fleet.replicas))


async def restarted(fleet: Fleet, replica: Replica) -> None:
    """Stops it as an orchestrator does, and starts it again."""
    await asyncio.sleep(BEFORE_SECONDS)
    before = await fleet.envoy.figure("upstream_rq_retry")
    assert await replica.stop() == 0
    if replica.leave_seconds:
        # Nobody came to it any more when it stopped.
        assert await fleet.envoy.figure("upstream_rq_retry") == before
    await fleet.restore()


async def test_calls_and_watches_go_round_a_killed_replica(fleet: Fleet) -> None:
    async with AsyncExitStack() as watching:
        followers = {
            agent: await watching.enter_async_context(followed(fleet.envoy, agent, key))
            for agent, key in fleet.agents.items()
        }
        async with loaded(fleet) as load:
            await asyncio.sleep(BEFORE_SECONDS)
            async with bare_watches(fleet.envoy, list(fleet.agents.values())) as watches:
                assert all(await answered(fleet.replicas))
                await fleet.replicas[0].kill()
                await asyncio.sleep(AFTER_SECONDS)
                broken = [watch.broken_by for watch in watches if watch.broken_by is not None]
        assert_unharmed(load)
        for agent, follower in followers.items():
            await follower.until_seen(load.written[agent])
    assert load.slowest_seconds <= RECOVERED_SECONDS * FACTOR
    # Something was in flight: what cannot be repeated failed, and only where it was with the one that was killed.
    assert 0 < len(broken) < len(watches)
    # A stream that has begun to answer is reset by Envoy, which gRPC calls INTERNAL.
    assert set(broken) <= {grpc.StatusCode.INTERNAL, grpc.StatusCode.UNAVAILABLE}
