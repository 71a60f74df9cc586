"""Requests that come again: answered as they were, whatever they cite has gone since."""

from typing import Any

import pytest
from camillo.v1.decision_pb2 import NewDecision
from camillo.v1.decision_service_pb2 import RecordDecisionRequest, SupersedeDecisionRequest
from camillo.v1.event_service_pb2 import BatchRecordEventsRequest, EventIds, ForgetEventsRequest, RecordEventRequest
from camillo.v1.task_pb2 import NewTask
from camillo.v1.task_service_pb2 import UpsertTaskRequest

from tests.rpc.records import decide, record, text_event
from tests.server_fixtures import Server, refused

KINDS = ("event", "events", "decision", "supersession", "task")


async def citing(server: Server, kind: str, ref: str, request_id: str) -> Any:
    """A request that cites something."""
    if kind == "event":
        return RecordEventRequest(event=text_event("cites", refs=[ref]), request_id=request_id)
    if kind == "events":
        return BatchRecordEventsRequest(events=[text_event("cites", refs=[ref])], request_id=request_id)
    stated = NewDecision(decision="rests on it", refs=[ref])
    if kind == "decision":
        return RecordDecisionRequest(decision=stated, request_id=request_id)
    if kind == "task":
        return UpsertTaskRequest(task=NewTask(title="names it", refs=[ref]), request_id=request_id)
    other = await record(server.alice, f"for {request_id}")
    old = await decide(server.alice, "old", other.event_id)
    return SupersedeDecisionRequest(
        decision_id=old.decision_id, expected_version=1, decision=stated, request_id=request_id
    )


@pytest.mark.parametrize("kind", KINDS)
async def test_a_repeat_is_answered_as_it_was_whatever_it_cites_has_gone_since(server: Server, kind: str) -> None:
    cited = await record(server.alice, "the ground of it")
    request = await citing(server, kind, cited.event_id, "first")
    late = await citing(server, kind, cited.event_id, "too late")
    first = await server.alice(request)
    forgetting = ForgetEventsRequest(event_ids=EventIds(ids=[cited.event_id]))
    assert (await server.alice(forgetting)).forgotten == 1
    if kind == "supersession":
        # Its answer is read from the decisions, which went with what they cite.
        assert (await refused(server.alice(request))).reason == "DECISION_NOT_FOUND"
    else:
        assert await server.alice(request) == first
    if kind == "events":
        assert (await server.alice(late)).results[0].HasField("error")
    else:
        assert (await refused(server.alice(late))).reason == "REF_NOT_FOUND"
