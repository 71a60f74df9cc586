"""Numbers that name nothing: every enum of every request about events, decisions, tasks and bundles is checked."""

from collections.abc import Iterator
from typing import Any

import grpc
import pytest
from camillo.v1 import decision_service_pb2, event_service_pb2, snapshot_service_pb2, task_service_pb2
from camillo.v1.actor_pb2 import EVENT_KIND_WORKFLOW_STEP
from camillo.v1.context_pb2 import View
from camillo.v1.decision_pb2 import NewDecision
from camillo.v1.event_pb2 import NewEvent, WorkflowStep
from camillo.v1.task_pb2 import NewTask
from google.protobuf.descriptor import Descriptor
from google.protobuf.message import Message
from google.protobuf.message_factory import GetMessageClass

from tests.rpc.records import text_event
from tests.server_fixtures import Refusal, Server, refusal, refusal_of

FILES = (decision_service_pb2, event_service_pb2, snapshot_service_pb2, task_service_pb2)
ID = "01890a5d-ac96-774b-bcce-b302099a8057"
# Messages that are valid without their enum, so that nothing else is wrong.
WHOLE: dict[type[Message], Message] = {
    NewEvent: text_event("x"),
    NewDecision: NewDecision(decision="x", refs=[ID]),
    NewTask: NewTask(title="x"),
    View: View(name="rules", text="x"),
    WorkflowStep: WorkflowStep(workflow="nightly", step="fetch"),
}
PER_REQUEST: dict[str, dict[str, Any]] = {
    "BuildSnapshotRequest": {"trigger_event": "x"},
    "GetEventRequest": {"event_id": ID},
    "GetDecisionRequest": {"decision_id": ID},
    "GetTaskRequest": {"task_id": ID},
    "ListWorkflowRequest": {"workflow": "nightly"},
    "SupersedeDecisionRequest": {"decision_id": ID, "expected_version": 1},
    "WatchEventsRequest": {"from_beginning": True},
}


def enum_paths(described: Descriptor, before: str = "") -> Iterator[str]:
    """The path of every enum within a message: the names of the fields on the way to it."""
    for field in described.fields:
        path = f"{before}{field.name}"
        if field.enum_type:
            yield path
        elif field.message_type and field.message_type.file.package == "camillo.v1":
            yield from enum_paths(field.message_type, f"{path}.")


CASES = [
    (method.input_type.name, path)
    for file in FILES
    for service in file.DESCRIPTOR.services_by_name.values()
    for method in service.methods
    for path in enum_paths(method.input_type)
]


def request_with(name: str, path: str, number: int) -> Message:
    """A request that is right but for the number at the end of the path."""
    described = next(
        file.DESCRIPTOR.message_types_by_name[name] for file in FILES if name in file.DESCRIPTOR.message_types_by_name
    )
    request = GetMessageClass(described)(**PER_REQUEST.get(name, {}))
    message: Any = request
    *way, last = path.split(".")
    for step in way:
        if step == "workflow_step":
            message.kind = EVENT_KIND_WORKFLOW_STEP
        message = getattr(message, step)
        if hasattr(message, "add"):
            message = message.add()
        if type(message) in WHOLE:
            message.CopyFrom(WHOLE[type(message)])
    if message.DESCRIPTOR.fields_by_name[last].is_repeated:
        getattr(message, last).append(number)
    else:
        setattr(message, last, number)
    return request


def test_the_enums_are_found() -> None:
    assert len(CASES) >= 30
    assert ("RecordEventRequest", "event.actor.type") in CASES
    assert ("ListEventsRequest", "filter.kinds") in CASES


@pytest.mark.parametrize("number", [-1, 99, 2**31 - 1])
async def test_a_number_that_names_nothing_is_refused_with_its_field(server: Server, number: int) -> None:
    missed = []
    for name, path in CASES:
        told = await refusal_to(server, request_with(name, path, number))
        last = path.rpartition("events.")[2]
        if (
            told is None
            or told.code is not grpc.StatusCode.INVALID_ARGUMENT
            or not any(last in each for each in told.fields)
        ):
            missed.append((name, path, told))
    assert not missed


async def test_the_same_requests_with_a_known_number_are_not_refused_for_it(server: Server) -> None:
    """The number 1 stands for something in every enum."""
    for name, path in CASES:
        told = await refusal_to(server, request_with(name, path, 1))
        assert told is None or told.code is not grpc.StatusCode.INVALID_ARGUMENT, (name, path, told)


async def refusal_to(server: Server, request: Message) -> Refusal | None:
    """How the request, or the one item of its batch, was refused; None where it was answered."""
    call = server.alice.begin(request)
    try:
        if isinstance(request, event_service_pb2.WatchEventsRequest):
            await anext(aiter(call))
            call.cancel()
            return None
        answer = await call
    except grpc.aio.AioRpcError as error:
        return refusal(error)
    if isinstance(request, event_service_pb2.BatchRecordEventsRequest):
        return refusal_of(answer.results[0].error) if answer.results[0].HasField("error") else None
    return None
