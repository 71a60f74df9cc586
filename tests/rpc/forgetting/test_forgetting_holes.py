"""Forgetting leaves no hole: neither records of requests nor other stores and agents keep what was forgotten."""

import pytest
from camillo.v1 import admin_service_pb2 as admin
from camillo.v1.lifecycle_service_pb2 import ResetRequest

from tests.rpc.context.test_handoffs import hand_off
from tests.rpc.records import decide, record
from tests.rpc.test_secrets import stored_texts
from tests.server_fixtures import Server

VALUE = "Die Winterküche liegt hinter dem Schieferdach 🏠"


@pytest.fixture
async def server(server: Server) -> Server:
    """With the agent that is handed over to."""
    await server.admin(admin.CreateAgentRequest(agent_id="bob"))
    return server


async def test_a_repeated_handoff_returns_its_row_and_nothing_once_that_is_gone(
    server: Server,
) -> None:
    event = await record(server.alice, "let us decide")
    decision = await decide(server.alice, VALUE, event.event_id)
    request = hand_off("finish", decision_ids=[decision.decision_id], request_id="once")
    first = await server.alice(request)
    assert VALUE in first.handoff.text
    assert await server.alice(request) == first
    # Its only copies are the row of the decision, its chunk, and the row of the handoff.
    await server.admin(ResetRequest(agent_id="bob", confirm="bob"))
    with_decision = stored_texts(server.database)
    assert VALUE in with_decision
    assert f"Decisions:\\\\n- {VALUE}" not in with_decision
    again = (await server.alice(request)).handoff
    assert (again.handoff_id, again.created_at) == (
        first.handoff.handoff_id,
        first.handoff.created_at,
    )
    assert (again.text, again.tokens) == ("", 0)
    assert again.packet == first.handoff.packet
