"""A forgotten value is refused in every string of every request that stores something; a new field is tried without
anybody who thinks of it."""

from collections.abc import Iterator, Sequence
from typing import Any
from uuid import uuid4

import grpc
import pytest
from camillo.v1 import context_pb2 as context
from camillo.v1 import decision_pb2 as decision
from camillo.v1 import decision_service_pb2 as decisions
from camillo.v1 import event_service_pb2 as events
from camillo.v1 import memory_pb2 as memory
from camillo.v1 import memory_service_pb2 as memories
from camillo.v1 import run_pb2 as run
from camillo.v1 import run_service_pb2 as runs
from camillo.v1 import snapshot_service_pb2 as snapshot
from camillo.v1 import task_pb2 as task
from camillo.v1 import task_service_pb2 as tasks
from camillo.v1.actor_pb2 import EVENT_KIND_TOOL_CALL
from camillo.v1.admin_service_pb2 import CreateAgentRequest
from camillo.v1.event_pb2 import ToolCall
from camillo.v1.slot_pb2 import PROVENANCE_KIND_WEB
from google.protobuf.message import Message

from tests.rpc.artifacts.calls import change, output, put_text
from tests.rpc.forgetting.test_forget import forget
from tests.rpc.memories.calls import remember
from tests.rpc.memories.test_update import update
from tests.rpc.records import record, text_event, tool_event
from tests.rpc.slots.calls import provenance, setting
from tests.rpc.stating import UNLIKE, started
from tests.server_fixtures import Caller, Server, refusal

# Names may hold it as well as texts.
FORGOTTEN, OTHER = "ada-hafenweg-12", "bob-gartenweg-34"
RECIPE = """\
name: {}
description: {}
budget: 1000
sections:
  - name: rules
    source: view
    view: rules
    budget: 1000
    priority: 9
"""
# Fields that take no text of the caller, or not any text: scopes, and ids of records that must exist.
NAMES_SOMETHING = {
    *("agent_id", "memory_id", "artifact_id", "task_id", "decision_id", "successor_id", "run_id"),
    *("to_agent_id", "refs", "task_ids", "decision_ids", "model_id", "paths", "media_type"),
    # Fields of a form of their own: tests/rpc/slots.
    *("key", "json_content"),
}


async def remembering(caller: Caller) -> Message:
    stated = memory.NewMemory(content=unlike(), metadata={"n": 1})
    return memories.RememberRequest(memory=stated)


async def updating(caller: Caller) -> Message:
    stored = await remember(caller, unlike())
    fields = {"content": unlike(), "tags": ["t"], "session_id": "s", "source_refs": ["r"]}
    return update(stored.memory_id, 1, metadata={"n": 1}, **fields)


async def recording(caller: Caller) -> Message:
    return events.RecordEventRequest(event=text_event(unlike()))


async def recording_json(caller: Caller) -> Message:
    return events.RecordEventRequest(event=text_event(json={"n": 1}))


async def recording_a_call(caller: Caller) -> Message:
    call = ToolCall(tool="write", arguments={"n": 1})
    return events.RecordEventRequest(event=text_event(tool_call=call, kind=EVENT_KIND_TOOL_CALL))


async def recording_a_result(caller: Caller) -> Message:
    return events.RecordEventRequest(event=tool_event(unlike()))


async def deciding(caller: Caller) -> Message:
    cited = (await record(caller, unlike())).event_id
    stated = decision.NewDecision(decision="yes", refs=[cited])
    return decisions.RecordDecisionRequest(decision=stated)


async def opening(caller: Caller) -> Message:
    return tasks.UpsertTaskRequest(task=task.NewTask(title=unlike()))


async def setting_a_slot(caller: Caller) -> Message:
    return setting(f"/{uuid4()}", "1")


async def setting_a_slot_from_the_web(caller: Caller) -> Message:
    return setting(f"/{uuid4()}", "1", source=provenance(PROVENANCE_KIND_WEB))


async def viewing(caller: Caller) -> Message:
    return snapshot.PutViewRequest(view=context.View(name="rules", text=unlike()))


async def handing_over(caller: Caller) -> Message:
    packet = context.HandoffPacket(goal=unlike())
    return snapshot.HandOffRequest(to_agent_id="bob", packet=packet)


async def describing(caller: Caller) -> Message:
    stored = await put_text(caller, unlike())
    fields = {"name": "n", "description": "d", "tags": ["t"], "metadata": {"n": 1}}
    return change(stored.artifact_id, 1, **fields)


async def offloading(caller: Caller) -> Message:
    return output(unlike(), threshold_tokens=1)


async def starting_a_run(caller: Caller) -> Message:
    trigger = run.Trigger(type="message", payload={"n": 1})
    return runs.StartRunRequest(trigger=trigger, skip_snapshot=True)


async def answering(caller: Caller) -> Message:
    steps = [
        run.RunStep(llm_response="yes"),
        run.RunStep(function_call=run.FunctionCall(name="look", arguments={"n": 1})),
    ]
    return runs.AppendRunRequest(run_id=await started(caller), steps=steps)


async def instructing(caller: Caller) -> Message:
    return runs.InjectInstructionRequest(run_id=await started(caller), instruction=unlike())


async def ending_a_run(caller: Caller) -> Message:
    kept = [memory.NewMemory(content=unlike())]
    return runs.EndRunRequest(run_id=await started(caller), memories=kept)


def unlike() -> str:
    return UNLIKE.format(uuid4())


REQUESTS = (
    *(remembering, updating, recording, recording_json, recording_a_call, recording_a_result),
    *(setting_a_slot, setting_a_slot_from_the_web),
    *(deciding, opening, viewing, handing_over, describing, offloading),
    *(starting_a_run, answering, instructing, ending_a_run),
)


def string_fields(message: Any, path: str = "", changed: Sequence[str] = ()) -> Iterator[tuple[str, Message, Any]]:
    """Every field of text in a request: its path, the message that it is in, and its descriptor; of an update, those
    that it names."""
    if not path and "update_mask" in message.DESCRIPTOR.fields_by_name:
        changed = message.update_mask.paths
    for field in message.DESCRIPTOR.fields:
        name = path + field.name
        if field.name in NAMES_SOMETHING or (changed and path and field.name not in changed):
            continue
        if field.type == field.TYPE_STRING:
            yield name, message, field
        elif field.message_type is None or field.message_type.full_name.startswith("google.rpc"):
            continue
        elif field.message_type.full_name == "google.protobuf.Struct":
            if message.HasField(field.name):
                yield name, message, field
        elif field.message_type.full_name.startswith("camillo."):
            if field.is_repeated:
                for each in getattr(message, field.name):
                    yield from string_fields(each, f"{name}.", changed)
            elif message.HasField(field.name):
                yield from string_fields(getattr(message, field.name), f"{name}.", changed)


def set_text(message: Message, field: Any, text: str) -> None:
    value = getattr(message, field.name)
    if field.message_type is not None:
        value.update({"nested": text})
    elif field.is_repeated:
        value.append(text)
    else:
        setattr(message, field.name, text)


async def reason_of(caller: Caller, request: Message) -> str:
    """The reason why it was refused; empty where it was stored."""
    try:
        await caller(request)
    except grpc.aio.AioRpcError as error:
        return refusal(error).reason
    return ""


async def test_every_string_of_a_request_is_looked_at(server: Server) -> None:
    await server.admin(CreateAgentRequest(agent_id="bob"))
    stored = await remember(server.alice, FORGOTTEN)
    await server.alice(forget(stored.memory_id))
    tried, passed = set(), list[object]()
    for new in REQUESTS:
        for name, *_ in list(string_fields(await new(server.alice))):
            reasons = []
            for text in (f"{OTHER}-{uuid4().hex[:8]}", FORGOTTEN):
                request = await new(server.alice)
                holder, field = next((m, f) for path, m, f in string_fields(request) if path == name)
                set_text(holder, field, text)
                reasons.append(await reason_of(server.alice, request))
            if reasons == ["", "VALUE_REJECTED"]:
                tried.add(f"{new.__name__} {name}")
            elif reasons != ["INVALID_FIELD"] * 2:
                passed.append((new.__name__, name, reasons))
    assert not passed
    for way, name in (
        *(("remembering", name) for name in ("memory.tags", "memory.session_id", "request_id")),
        *(("recording", name) for name in ("event.tags", "event.session_id", "event.actor.id")),
        *(("recording_a_call", "event.tool_call.tool"), ("viewing", "view.name")),
        *(("updating", "memory.source_refs"), ("describing", "metadata")),
        *(("starting_a_run", "session_id"), ("answering", "steps.function_call.name")),
    ):
        assert any(each.startswith(way) and each.endswith(name) for each in tried), (way, name)


@pytest.mark.parametrize("is_shared", [True, False])
async def test_a_recipe_is_looked_at_for_the_whole_tenant(server: Server, is_shared: bool) -> None:
    """Other agents may state what one agent has forgotten, in a recipe as elsewhere."""
    agent_id = "" if is_shared else "alice"
    stored = await remember(server.admin, FORGOTTEN, agent_id=agent_id)
    await server.admin(forget(stored.memory_id, agent_id=agent_id))
    assert await reason_of(server.admin, snapshot.PutRecipeRequest(yaml=RECIPE.format("a", OTHER))) == ""
    refused = await reason_of(server.admin, snapshot.PutRecipeRequest(yaml=RECIPE.format("b", FORGOTTEN)))
    assert refused == ("VALUE_REJECTED" if is_shared else "")
