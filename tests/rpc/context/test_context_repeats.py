"""Sixteen at once with one request id: one effect, one answer; without it, sixteen."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest
from camillo.v1 import admin_service_pb2 as admin
from camillo.v1 import decision_service_pb2 as decisions
from camillo.v1 import event_service_pb2 as events
from camillo.v1 import snapshot_service_pb2 as snapshots
from camillo.v1 import task_service_pb2 as tasks
from camillo.v1.context_pb2 import HandoffPacket, View
from camillo.v1.decision_pb2 import NewDecision
from camillo.v1.task_pb2 import NewTask
from google.protobuf.message import Message

from tests.rpc.records import record, text_event, tool_event
from tests.server_fixtures import Server, refused

pytestmark = pytest.mark.own_server

AT_ONCE = 16


@dataclass(frozen=True, slots=True)
class Mutation:
    """A request with its text, how its effects are counted, and the effects of one call."""

    request: Callable[[str, str], Message]
    counted: Callable[[Server], Any]
    effects: int = 1


async def recorded(server: Server) -> int:
    return len((await server.alice(events.ListEventsRequest(page_size=1000))).events)


async def decided(server: Server) -> int:
    answer = await server.alice(decisions.QueryDecisionsRequest(page_size=200))
    return len(answer.decisions)


async def opened(server: Server) -> int:
    return len((await server.alice(tasks.ListTasksRequest(page_size=200))).tasks)


async def put(server: Server) -> int:
    """A view is put again and again in its own place: each time is a version."""
    views = (await server.alice(snapshots.ListViewsRequest())).views
    return sum(view.version for view in views)


async def handed(server: Server) -> int:
    return len((await server.admin(snapshots.ListHandoffsRequest(agent_id="bob"))).handoffs)


def batch(text: str, ref: str) -> Message:
    """An event, one that cannot be stored, and one with an artifact."""
    return events.BatchRecordEventsRequest(
        events=[text_event(text), text_event("x", session_id=""), tool_event(f"{text}\n" * 20_000, tool=ref)]
    )


MUTATIONS: dict[str, Mutation] = {
    "RecordEvent": Mutation(lambda text, ref: events.RecordEventRequest(event=text_event(text, refs=[ref])), recorded),
    "BatchRecordEvents": Mutation(batch, recorded, effects=2),
    "RecordDecision": Mutation(
        lambda text, ref: decisions.RecordDecisionRequest(decision=NewDecision(decision=text, refs=[ref])), decided
    ),
    "UpsertTask": Mutation(lambda text, ref: tasks.UpsertTaskRequest(task=NewTask(title=text, refs=[ref])), opened),
    "PutView": Mutation(lambda text, ref: snapshots.PutViewRequest(view=View(name="rules", text=f"{text} {ref}")), put),
    "HandOff": Mutation(
        lambda text, ref: snapshots.HandOffRequest(to_agent_id="bob", packet=HandoffPacket(goal=text, note=ref)), handed
    ),
}


@pytest.mark.parametrize("name", MUTATIONS)
async def test_one_request_id_has_one_effect_however_often_it_is_sent(server: Server, name: str) -> None:
    await server.admin(admin.CreateAgentRequest(agent_id="bob"))
    ground = (await record(server.alice, "ground")).event_id
    mutation = MUTATIONS[name]
    before = await mutation.counted(server)
    request: Any = mutation.request("紫藤 once", ground)
    request.request_id = "once"
    answers = await asyncio.gather(*(server.alice(request) for _ in range(AT_ONCE)))
    assert {answer.SerializeToString(deterministic=True) for answer in answers} == {
        answers[0].SerializeToString(deterministic=True)
    }
    assert await mutation.counted(server) == before + mutation.effects
    server.clock.move(3600)
    assert await server.alice(request) == answers[0]
    assert await mutation.counted(server) == before + mutation.effects
    other: Any = mutation.request("紫藤 twice", ground)
    other.request_id = "once"
    assert (await refused(server.alice(other))).reason == "REQUEST_ID_REUSED"
    request.request_id = ""
    await asyncio.gather(*(server.alice(request) for _ in range(AT_ONCE)))
    assert await mutation.counted(server) == before + mutation.effects * (1 + AT_ONCE)


async def test_a_request_id_belongs_to_its_agent(server: Server) -> None:
    for agent_id in ("alice", "bob"):
        request = events.RecordEventRequest(agent_id=agent_id, request_id="once", event=text_event("x"))
        first, again = await server.admin(request), await server.admin(request)
        assert first == again
        listed = await server.admin(events.ListEventsRequest(agent_id=agent_id))
        assert [event.event_id for event in listed.events] == [first.recorded.event_id]
