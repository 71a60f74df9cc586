"""Requests that an earlier release took: for a day after an update, repeats get the answers that it gave."""

import json
from collections.abc import Awaitable, Callable
from datetime import UTC
from typing import Any

import grpc
import psycopg
import pytest
from camillo.v1 import admin_service_pb2 as admin
from camillo.v1 import memory_pb2 as pb
from camillo.v1 import memory_service_pb2 as memories
from camillo.v1.decision_pb2 import NewDecision
from camillo.v1.decision_service_pb2 import RecordDecisionRequest, SupersedeDecisionRequest
from camillo.v1.event_service_pb2 import BatchRecordEventsRequest
from camillo.v1.task_pb2 import NewTask
from camillo.v1.task_service_pb2 import UpsertTaskRequest

from tests.rpc.context.test_handoffs import hand_off
from tests.rpc.forgetting.test_forget import forget
from tests.rpc.lifecycle.calls import pass_of, prune
from tests.rpc.memories.calls import UNKNOWN_ID, remember
from tests.rpc.memories.test_update import update
from tests.rpc.records import decide, record, text_event
from tests.rpc.runs.calls import starting
from tests.server_fixtures import Server, refused

pytestmark = pytest.mark.own_server

# Fields that were added to records since: records without them are read as the release before wrote them.
ADDED = ("attributions",)
# A request, and from its answer the row that the release before this one kept for it.
Kept = tuple[Any, Callable[[Any], dict[str, Any]]]


def moment(stamp: Any) -> str:
    return str(stamp.ToDatetime(UTC).isoformat())


def counts(stores: Any) -> dict[str, int]:
    return {each.store: each.rows for each in stores}


async def remembering(server: Server) -> Kept:
    request = memories.RememberRequest(memory=pb.NewMemory(content="tea 茶"), request_id="once")

    def row(answer: Any) -> dict[str, Any]:
        memory = answer.memory
        ends = [moment(memory.expires_at) if memory.HasField("expires_at") else None]
        return {
            "at": moment(memory.created_at),
            "memory_ids": [memory.memory_id],
            "models": [memory.vector_model_id],
            "ends": ends,
        }

    return request, row


async def a_batch(server: Server) -> Kept:
    first = await remember(server.alice, "said before")
    new = [pb.NewMemory(content="new"), pb.NewMemory(content="said before", tags=["again"])]
    new.append(pb.NewMemory(content="another text", memory_id=first.memory_id))
    request = memories.BatchRememberRequest(memories=new, request_id="once")

    def row(answer: Any) -> dict[str, Any]:
        made, merged, _ = (result.memory for result in answer.results)
        return {
            "at": moment(made.created_at),
            # The second one's id was given up when its text turned out to be said before.
            "memory_ids": [made.memory_id, UNKNOWN_ID, first.memory_id],
            "models": [made.vector_model_id, "", ""],
            "ends": [None, None, None],
            "taken": [2],
            "refused": [],
            "merged": [
                {
                    "place": 1,
                    "memory_id": merged.memory_id,
                    "version": merged.version,
                    "model": merged.vector_model_id,
                    "accessed_at": None,
                    "access_count": 0,
                    "stated_count": 2,
                }
            ],
        }

    return request, row


async def updating(server: Server) -> Kept:
    memory = await remember(server.alice, "before")
    request = update(memory.memory_id, 1, content="after")
    request.request_id = "once"
    return request, lambda answer: {"version": answer.memory.version, "stated_count": 1}


async def forgetting(server: Server) -> Kept:
    memory = await remember(server.alice, "soon gone")

    def row(answer: Any) -> dict[str, Any]:
        receipt = answer.receipt
        return {
            "receipt_id": receipt.receipt_id,
            "memory_ids": list(receipt.memory_ids),
            "stores": counts(receipt.stores),
            "blocked_values": 1,
            "forgotten_at": moment(receipt.forgotten_at),
        }

    return forget(memory.memory_id, request_id="once"), row


async def events(server: Server) -> Kept:
    said_now = [text_event("hello 世界"), text_event("cites", refs=["no such ref"])]

    def row(answer: Any) -> dict[str, Any]:
        made = answer.results[0].recorded
        return {"at": moment(made.recorded_at), "events": [[made.event_id, len(made.chunk_ids), ""], "no such ref"]}

    return BatchRecordEventsRequest(events=said_now, request_id="once"), row


async def a_task(server: Server) -> Kept:
    def row(answer: Any) -> dict[str, Any]:
        task = answer.task
        return {
            "task_id": task.task_id,
            "version": 1,
            "created_at": moment(task.created_at),
            "updated_at": moment(task.updated_at),
        }

    return UpsertTaskRequest(task=NewTask(title="Buy tea"), request_id="once"), row


async def a_decision(server: Server) -> Kept:
    event = await record(server.alice, "why")
    stated = NewDecision(decision="use Postgres", refs=[event.event_id])

    def row(answer: Any) -> dict[str, Any]:
        made = answer.decision
        return {"at": moment(made.created_at), "decision_id": made.decision_id}

    return RecordDecisionRequest(decision=stated, request_id="once"), row


async def a_supersession(server: Server) -> Kept:
    event = await record(server.alice, "why")
    old = await decide(server.alice, "old", event.event_id)
    request = SupersedeDecisionRequest(
        decision_id=old.decision_id,
        expected_version=1,
        decision=NewDecision(decision="new", refs=[event.event_id]),
        request_id="once",
    )
    return request, lambda answer: {
        "decision_id": answer.decision.decision_id,
        "version": 1,
        "supersedes": [old.decision_id],
    }


async def a_handoff(server: Server) -> Kept:
    await server.admin(admin.CreateAgentRequest(agent_id="bob"))

    def row(answer: Any) -> dict[str, Any]:
        sent = answer.handoff
        return {
            "handoff_id": sent.handoff_id,
            "text": sent.text,
            "tokens": sent.tokens,
            "created_at": moment(sent.created_at),
            "expires_at": moment(sent.expires_at),
        }

    return hand_off("закончить", request_id="once"), row


async def a_pass(server: Server) -> Kept:
    memory = await remember(server.alice, "of no use")
    return prune(memory_ids=[memory.memory_id], call={"request_id": "once"}), pass_row


def pass_row(answer: Any) -> dict[str, Any]:
    done = pass_of(answer)
    items = [
        [each.memory_id, 1, each.kind, each.decayed_importance, moment(each.last_used_at), each.reason, each.action]
        for each in done.items
    ]
    return {
        "receipt_id": done.receipt_id,
        "items": items,
        "counts": [[each.action, each.reason, each.memories] for each in done.counts],
        "stores": counts(done.stores),
        "at": moment(done.at),
        "digest": "00" * 32,
    }


async def a_run(server: Server) -> Kept:
    return starting(request_id="once"), lambda answer: {"run_id": answer.run.run_id}


KINDS: list[Callable[[Server], Awaitable[Kept]]] = [
    remembering,
    a_batch,
    updating,
    forgetting,
    events,
    a_task,
    a_decision,
    a_supersession,
    a_handoff,
    a_pass,
    a_run,
]


def kept_now(server: Server) -> dict[str, Any]:
    with psycopg.connect(server.database.superuser_url) as connection:
        query = "select facts from camillo.requests where request_id = 'once'"
        ((row,),) = connection.execute(query).fetchall()
    found: dict[str, Any] = row
    return found


def keep(server: Server, row: dict[str, Any]) -> None:
    with psycopg.connect(server.database.superuser_url) as connection:
        statement = "update camillo.requests set facts = %s::jsonb where request_id = 'once'"
        assert connection.execute(statement, [json.dumps(row)]).rowcount == 1


@pytest.mark.parametrize("kind", KINDS)
async def test_a_repeat_of_what_the_release_before_did_is_answered_as_it_was(
    server: Server, kind: Callable[[Server], Awaitable[Kept]]
) -> None:
    request, row_of = await kind(server)
    first = await server.alice(request)
    row = row_of(first)
    assert kept_now(server).keys() <= {*row, "v", *ADDED}
    keep(server, row)
    server.clock.move(60)
    assert await server.alice(request) == first


async def test_a_row_of_a_release_to_come_is_refused_and_not_guessed_at(server: Server) -> None:
    request, row_of = await a_task(server)
    keep_first = row_of(await server.alice(request))
    keep(server, {**keep_first, "v": 2})
    assert (await refused(server.alice(request))).code is grpc.StatusCode.INTERNAL
    # The control: what a later one of this version adds is no hindrance.
    keep(server, {**keep_first, "v": 1, "added": "later"})
    assert (await server.alice(request)).task.task_id == keep_first["task_id"]
