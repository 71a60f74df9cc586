"""Handoffs: an explicit packet and nothing beside it, shown to the other agent alone, and not for ever."""

from datetime import timedelta
from typing import Any

import grpc
import pytest
from camillo.v1 import admin_service_pb2 as admin
from camillo.v1 import context_pb2 as pb
from camillo.v1 import memory_pb2
from camillo.v1 import snapshot_service_pb2 as service

from tests.rpc.memories.calls import UNKNOWN_ID
from tests.rpc.records import bundle, decide, open_task, record, shown
from tests.secret_samples import samples
from tests.server_fixtures import Server, refused

DAYS = 24 * 3600


@pytest.fixture
async def server(server: Server) -> Server:
    """A server with the agent that is handed over to."""
    await server.admin(admin.CreateAgentRequest(agent_id="bob"))
    return server


def hand_off(goal: str = "finish", **fields: Any) -> service.HandOffRequest:
    """A handoff to bob; fields are those of the packet or of the request."""
    of_packet = {name: fields.pop(name) for name in [*fields] if name in pb.HandoffPacket.DESCRIPTOR.fields_by_name}
    packet = pb.HandoffPacket(goal=goal, **of_packet)
    return service.HandOffRequest(**{"to_agent_id": "bob", "packet": packet, **fields})


async def handoffs(server: Server, agent_id: str) -> list[pb.Handoff]:
    answer = await server.admin(service.ListHandoffsRequest(agent_id=agent_id))
    return list(answer.handoffs)


async def test_a_packet_is_shown_to_the_other_agent_and_to_nobody_else(server: Server) -> None:
    event = await record(server.alice, "alice's own words")
    task = await open_task(server.alice, "ship 🚢", details="to the moon")
    decision = await decide(server.alice, "use Postgres", event.event_id)
    request = hand_off(
        "закончить",
        plan_step="half way",
        note="備考",
        task_ids=[task.task_id],
        decision_ids=[decision.decision_id],
        constraints=["no downtime"],
        request_id="once",
    )
    answer = await server.alice(request)
    assert await server.alice(request) == answer
    sent = answer.handoff
    assert (sent.from_agent_id, sent.to_agent_id) == ("alice", "bob")
    for text in ("закончить", "half way", "備考", "ship 🚢", "use Postgres", "no downtime"):
        assert text in sent.text
    assert "alice's own words" not in sent.text
    assert 0 < sent.tokens <= 6000
    assert await handoffs(server, "bob") == [sent]
    assert await handoffs(server, "alice") == []
    bobs = shown(await bundle(server.admin, agent_id="bob"))
    assert len(bobs["handoff_packet"]) == 1
    assert "handoff_packet" not in shown(await bundle(server.alice))


async def test_what_is_too_sensitive_stays_with_its_agent(server: Server) -> None:
    secret: dict[str, Any] = {"sensitivity": memory_pb2.SENSITIVITY_CONFIDENTIAL}
    task = await open_task(server.alice, "hidden", **secret)
    event = await record(server.alice, "let us decide")
    decision = await decide(server.alice, "hidden", event.event_id, **secret)
    for ref, request in (
        (task.task_id, hand_off(task_ids=[task.task_id])),
        (decision.decision_id, hand_off(decision_ids=[decision.decision_id])),
    ):
        told = await refused(server.alice(request))
        assert (told.code, told.reason, told.metadata) == (
            grpc.StatusCode.FAILED_PRECONDITION,
            "NOT_SHAREABLE",
            {"ref": ref},
        )
    assert await handoffs(server, "bob") == []
    await server.alice(hand_off())
    assert len(await handoffs(server, "bob")) == 1


async def test_what_is_handed_over_has_to_be_there(server: Server) -> None:
    task = await refused(server.alice(hand_off(task_ids=[UNKNOWN_ID])))
    assert (task.reason, task.metadata) == ("TASK_NOT_FOUND", {"task_id": UNKNOWN_ID})
    decision = await refused(server.alice(hand_off(decision_ids=[UNKNOWN_ID])))
    assert decision.reason == "DECISION_NOT_FOUND"
    agent = await refused(server.alice(hand_off(to_agent_id="nobody")))
    assert (agent.code, agent.reason, agent.metadata) == (
        grpc.StatusCode.NOT_FOUND,
        "AGENT_NOT_FOUND",
        {"agent_id": "nobody"},
    )


async def test_a_packet_is_shown_until_it_expires(server: Server) -> None:
    await server.alice(hand_off("a week"))
    day = hand_off("a day")
    day.expires_at.FromDatetime(server.clock.now() + timedelta(days=1))
    server.clock.move(1)
    await server.alice(day)
    assert [each.packet.goal for each in await handoffs(server, "bob")] == ["a day", "a week"]
    server.clock.move(2 * DAYS)
    assert [each.packet.goal for each in await handoffs(server, "bob")] == ["a week"]
    server.clock.move(6 * DAYS)
    assert await handoffs(server, "bob") == []


async def test_a_packet_of_a_session_is_shown_in_that_session(server: Server) -> None:
    await server.alice(hand_off("for s1", session_id="s1"))
    shown_there = shown(await bundle(server.admin, agent_id="bob", session_id="s1"))
    assert "for s1" in shown_there["handoff_packet"][0]
    elsewhere = shown(await bundle(server.admin, agent_id="bob", session_id="s2"))
    assert "handoff_packet" not in elsewhere


async def test_secrets_are_taken_out_of_packets(server: Server) -> None:
    secret = samples(7)["github-pat"]
    answer = await server.alice(hand_off(note=f"use {secret} now"))
    assert len(answer.redactions) == 1
    (received,) = await handoffs(server, "bob")
    assert secret not in str(received)
    assert received.packet.note.startswith("use [redacted")


async def test_a_packet_that_is_too_long_is_refused(server: Server) -> None:
    told = await refused(server.alice(hand_off(constraints=["слово " * 300] * 32)))
    assert (told.code, told.fields) == (grpc.StatusCode.INVALID_ARGUMENT, ("packet",))
    await server.alice(hand_off(constraints=["слово " * 300]))


@pytest.mark.parametrize(
    ("fields", "field"),
    [
        ({"goal": ""}, "packet.goal"),
        ({"to_agent_id": ""}, "to_agent_id"),
        ({"task_ids": ["x"]}, "packet.task_ids[0]"),
        ({"session_id": "x" * 129}, "session_id"),
    ],
)
async def test_a_bad_request_is_refused_with_its_field(server: Server, fields: dict[str, Any], field: str) -> None:
    told = await refused(server.alice(hand_off(**fields)))
    assert (told.code, told.fields) == (grpc.StatusCode.INVALID_ARGUMENT, (field,))


async def test_a_reader_hands_nothing_over(server: Server) -> None:
    told = await refused(server.reader(hand_off()))
    assert told.metadata == {"required_role": "WRITER"}
