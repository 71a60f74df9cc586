"""Turns become proposals and memories, and that is undone again."""

from collections.abc import Iterator

import pytest
from camillo.v1 import distillation_pb2 as pb
from camillo_server.features.distillation import distilling

from tests.chat_server import ChatServer, chat_server, fails
from tests.distilling_model import repeated, states, supersedes
from tests.rpc.distillation.distilling import (
    accept,
    distil,
    distillations,
    proposals,
    replay,
    revert,
    with_model,
)
from tests.rpc.memories.calls import get, listed, remember
from tests.rpc.records import record
from tests.server_fixtures import StartServer, refused

# One worker imports the library, which takes three seconds.
pytestmark = pytest.mark.xdist_group("litellm")


@pytest.fixture
def provider() -> Iterator[ChatServer]:
    with chat_server() as running:
        running.always = states(repeated)
        yield running


async def test_proposed_then_accepted_then_reverted(start_server: StartServer, provider: ChatServer) -> None:
    server = await start_server(**with_model(provider))
    event = await record(server.alice, "The standup moved to 9:30 in room Ostsee.")
    done = await distil(server.alice)
    (proposal,) = done.proposals
    assert (done.distillation.turns, done.distillation.turns_sent, done.distillation.requests) == (1, 1, 1)
    assert done.distillation.input_tokens + done.distillation.output_tokens == 100
    assert done.distillation.nano_usd > 0
    assert [quote.event_id for quote in proposal.quotes] == [event.event_id]
    assert proposal.state == pb.PROPOSAL_STATE_PENDING
    assert await listed(server.alice) == []
    (accepted,) = await accept(server.alice, [proposal])
    assert accepted.state == pb.PROPOSAL_STATE_ACCEPTED
    memory = await get(server.alice, accepted.result_id)
    assert memory.content == "The standup moved to 9:30 in room Ostsee."
    assert list(memory.source_refs) == [event.event_id]
    assert (memory.actor.id, memory.version) == ("distillation", 1)
    again = await replay(server.alice, done.distillation)
    assert again.identical
    assert len(provider.notes) == 1
    undone = await revert(server.alice, done.distillation)
    assert (undone.reverted, list(undone.changed_proposal_ids)) == (1, [])
    assert undone.distillation.state == pb.DISTILLATION_STATE_REVERTED
    assert await listed(server.alice) == []
    assert [each.state for each in await proposals(server.alice)] == [pb.PROPOSAL_STATE_REVERTED]


async def test_what_was_superseded_is_in_force_again(start_server: StartServer, provider: ChatServer) -> None:
    server = await start_server(**with_model(provider))
    before = await remember(server.alice, "The standup is at 9:00 in room Ostsee.")
    await record(server.alice, "The standup is at 9:30 in room Ostsee.")
    provider.always = supersedes
    done = await distil(server.alice)
    (accepted,) = await accept(server.alice, done.proposals)
    assert accepted.operation == pb.PROPOSAL_OPERATION_SUPERSEDE
    assert (await get(server.alice, before.memory_id)).superseded_by == accepted.result_id
    await revert(server.alice, done.distillation)
    after = await get(server.alice, before.memory_id)
    assert after.superseded_by == ""
    assert not after.HasField("valid_until")
    assert await listed(server.alice) == [before.content]


async def test_turns_are_sent_once_and_not_at_all_where_the_provider_fails(
    start_server: StartServer, provider: ChatServer
) -> None:
    server = await start_server(**with_model(provider))
    await record(server.alice, "The shop is deployed on Tuesdays.", session_id="one")
    provider.orders.append(fails(500))
    assert (await refused(distil(server.alice))).reason == "MODEL_UNAVAILABLE"
    assert await distillations(server.alice) == []
    assert len((await distil(server.alice, session_id="one")).proposals) == 1
    assert not (await distil(server.alice)).HasField("distillation")
    await record(server.alice, "The shop runs on port 8443.", session_id="two")
    assert [each.content for each in (await distil(server.alice)).proposals] == ["The shop runs on port 8443."]
    assert len(await distillations(server.alice)) == 2


async def test_a_repeated_request_is_answered_as_it_was(
    start_server: StartServer, provider: ChatServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(distilling, "MAX_TURNS", 1)
    server = await start_server(**with_model(provider))
    for text in ("The shop is deployed on Tuesdays.", "The standup moved to 9:30 in room Ostsee."):
        await record(server.alice, text)
    first = await distil(server.alice, request_id="once")
    assert (first.more, len(first.proposals)) == (True, 1)
    assert await distil(server.alice, request_id="once") == first
    assert len(provider.bodies) == 1
    assert not (await distil(server.alice)).more


async def test_a_space_that_is_not_named_is_off(start_server: StartServer, provider: ChatServer) -> None:
    server = await start_server(**with_model(provider, spaces={"acme": ["projects/*"]}))
    await record(server.admin, "The shop is deployed on Tuesdays.", agent_id="alice")
    assert (await refused(distil(server.admin, agent_id="alice"))).reason == "DISTILLATION_OFF"
    await record(server.admin, "The shop is deployed on Tuesdays.", agent_id="projects/shop")
    assert len((await distil(server.admin, agent_id="projects/shop")).proposals) == 1
