"""Forgetting reaches what was distilled: proposals, answers, and the memories that came of an event."""

from collections.abc import Iterator

import psycopg
import pytest
from camillo.v1 import distillation_pb2 as pb
from camillo.v1.lifecycle_service_pb2 import ForgetRequest, ResetRequest

from tests.chat_server import ChatServer, chat_server
from tests.distilling_model import repeated, states
from tests.rpc.distillation.distilling import accept, distil, distillations, proposals, replay, with_model
from tests.rpc.memories.calls import listed
from tests.rpc.records import record
from tests.server_fixtures import Server, StartServer

# One worker imports the library, which takes three seconds.
pytestmark = pytest.mark.xdist_group("litellm")
MOVED, PORT = "The standup moved to 9:30 in room Ostsee.", "The shop runs on port 8443."


@pytest.fixture
def provider() -> Iterator[ChatServer]:
    with chat_server() as running:
        running.always = states(repeated)
        yield running


def stored_answers(server: Server) -> int:
    with psycopg.connect(server.database.superuser_url) as connection:
        row = connection.execute("select count(*) from camillo.distillation_answers").fetchone()
    return int(row[0]) if row else 0


async def test_a_forgotten_event_takes_its_proposals_its_answers_and_its_memory(
    start_server: StartServer, provider: ChatServer
) -> None:
    server = await start_server(**with_model(provider))
    moved = await record(server.alice, MOVED, session_id="one")
    first = await distil(server.alice)
    await record(server.alice, PORT, session_id="two")
    second = await distil(server.alice)
    await accept(server.alice, first.proposals)
    assert await listed(server.alice) == [MOVED]
    assert stored_answers(server) == 2
    done = await server.alice(ForgetRequest(records={"event_ids": [moved.event_id]}))
    counts = {each.store: each.rows for each in done.receipt.stores}
    assert (counts["memories"], counts["proposals"], counts["distillation_answers"]) == (1, 1, 1)
    assert await listed(server.alice) == []
    assert [each.content for each in await proposals(server.alice)] == [PORT]
    assert stored_answers(server) == 1
    assert not (await replay(server.alice, first.distillation)).identical
    assert (await replay(server.alice, second.distillation)).identical
    assert len(await distillations(server.alice)) == 2


async def test_a_forgotten_value_is_in_no_proposal_and_no_answer(
    start_server: StartServer, provider: ChatServer
) -> None:
    server = await start_server(**with_model(provider))
    await record(server.alice, MOVED)
    await distil(server.alice)
    assert len(await proposals(server.alice)) == 1
    await server.alice(ForgetRequest(value=MOVED))
    assert await proposals(server.alice) == []
    assert stored_answers(server) == 0


async def test_a_forgotten_memory_takes_the_proposal_that_it_came_of(
    start_server: StartServer, provider: ChatServer
) -> None:
    server = await start_server(**with_model(provider))
    await record(server.alice, MOVED)
    (accepted,) = await accept(server.alice, (await distil(server.alice)).proposals)
    assert accepted.state == pb.PROPOSAL_STATE_ACCEPTED
    await server.alice(ForgetRequest(records={"memory_ids": [accepted.result_id]}))
    assert await proposals(server.alice) == []


async def test_an_emptied_space_has_neither(start_server: StartServer, provider: ChatServer) -> None:
    server = await start_server(**with_model(provider))
    await record(server.admin, MOVED, agent_id="alice")
    await distil(server.admin, agent_id="alice")
    assert len(await proposals(server.admin, agent_id="alice")) == 1
    done = await server.admin(ResetRequest(agent_id="alice", confirm="alice"))
    assert {"proposals", "distillations", "distillation_answers"} <= {each.store for each in done.receipt.stores}
    assert await proposals(server.admin, agent_id="alice") == []
    assert await distillations(server.admin, agent_id="alice") == []
