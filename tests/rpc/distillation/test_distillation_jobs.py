"""Distillation without a request: when it is due, what a silent provider costs others, and a process that is killed."""

import asyncio
from collections.abc import Iterator
from datetime import timedelta
from uuid import uuid4

import pytest
from camillo.v1 import distillation_pb2 as pb
from camillo_server.kernel.errors import QuotaExceeded
from camillo_server.kernel.ids import AgentId, TenantId
from camillo_server.kernel.scope import Scope

from tests.chat_server import ChatServer, chat_server, never
from tests.distilling_model import repeated, states
from tests.patience import PATIENCE_SECONDS
from tests.rpc.admin.test_quotas import set_limits
from tests.rpc.distillation.distilling import distil, distillations, proposals, with_model
from tests.rpc.memories.calls import listed, recall, remember
from tests.rpc.records import record
from tests.server_fixtures import Server, StartServer, refused

# One worker imports the library, which takes three seconds.
pytestmark = pytest.mark.xdist_group("litellm")
ALICE = Scope(TenantId("acme"), AgentId("alice"))
MOVED, PORT = "The standup moved to 9:30 in room Ostsee.", "The shop runs on port 8443."


@pytest.fixture
def provider() -> Iterator[ChatServer]:
    with chat_server() as running:
        running.always = states(repeated)
        yield running


async def run_due_jobs(server: Server) -> list[Scope]:
    """Does at once what the jobs of a minute do; the scopes that were due."""
    jobs, deferred = server.app.distillation.jobs, list[Scope]()

    async def defer(scopes: list[Scope]) -> list[Scope]:
        deferred.extend(scopes)
        return []

    await jobs.defer_everywhere(defer)  # type: ignore[arg-type]
    for scope in deferred:
        await jobs.distil(scope)
    return deferred


async def test_turns_are_due_when_they_are_many_or_when_nothing_follows(
    start_server: StartServer, provider: ChatServer
) -> None:
    server = await start_server(**with_model(provider, every_turns=2), jobs={"enabled": False})
    await record(server.alice, MOVED)
    assert await run_due_jobs(server) == []
    await record(server.alice, PORT)
    assert await run_due_jobs(server) == [ALICE]
    assert [each.trigger for each in await distillations(server.alice)] == [pb.DISTILLATION_TRIGGER_TURNS]
    await record(server.alice, "The office is in the old brewery at quay 3.")
    assert await run_due_jobs(server) == []
    server.clock.move(660)
    assert await run_due_jobs(server) == [ALICE]
    newest, _ = await distillations(server.alice)
    assert newest.trigger == pb.DISTILLATION_TRIGGER_IDLE
    assert await run_due_jobs(server) == []
    assert len(await proposals(server.alice)) == 3
    assert await listed(server.alice) == []


async def test_without_a_review_jobs_accept_what_passed_the_checks(
    start_server: StartServer, provider: ChatServer
) -> None:
    server = await start_server(**with_model(provider, every_turns=1, review="auto"), jobs={"enabled": False})
    await record(server.alice, MOVED)
    await run_due_jobs(server)
    assert await listed(server.alice) == [MOVED]
    assert [each.state for each in await proposals(server.alice)] == [pb.PROPOSAL_STATE_ACCEPTED]


async def test_jobs_accept_no_more_than_the_tenant_may_have(start_server: StartServer, provider: ChatServer) -> None:
    settings = with_model(provider, every_turns=1, review="auto")
    server = await start_server(**settings, jobs={"enabled": False}, quotas={"memories": 1})
    await remember(server.alice, "all that fits")
    await record(server.alice, MOVED)
    with pytest.raises(QuotaExceeded):
        await run_due_jobs(server)
    assert [each.state for each in await proposals(server.alice)] == [pb.PROPOSAL_STATE_PENDING]
    await set_limits(server, memories=2)
    await run_due_jobs(server)
    await server.app.distillation.jobs.distil(ALICE)
    assert sorted(await listed(server.alice)) == sorted([MOVED, "all that fits"])


async def test_a_silent_provider_holds_up_no_call_and_what_a_lost_process_had_begun_is_done_once(
    start_server: StartServer, provider: ChatServer
) -> None:
    server = await start_server(**with_model(provider), jobs={"enabled": False})
    await record(server.alice, MOVED)
    provider.orders.append(never)
    hanging = asyncio.create_task(distil(server.alice))
    async with asyncio.timeout(PATIENCE_SECONDS):
        while not provider.bodies:
            await asyncio.to_thread(provider.lock.acquire)
            provider.lock.release()
    # Meanwhile others write, recall, and are told that a distillation is under way.
    await remember(server.alice, PORT)
    assert (await recall(server.alice, "port")).hits
    assert (await refused(distil(server.alice))).reason == "DISTILLATION_UNDER_WAY"
    hanging.cancel()
    with pytest.raises(asyncio.CancelledError):
        await hanging
    # A process that was killed leaves its lease, which ends by the time of one request.
    store = server.app.distillation.store
    server.clock.move(60)
    await store.lease(ALICE, uuid4(), server.clock.now() + timedelta(seconds=50), server.clock.now())
    assert (await refused(distil(server.alice))).reason == "DISTILLATION_UNDER_WAY"
    server.clock.move(60)
    assert [each.content for each in (await distil(server.alice)).proposals] == [MOVED]
    assert len(await distillations(server.alice)) == 1
    assert not (await distil(server.alice)).HasField("distillation")
