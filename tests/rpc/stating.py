"""Every way there is to state a text, so that it is stored."""

import json
from collections.abc import Awaitable, Callable
from typing import Any
from uuid import uuid4

import grpc
from camillo.v1 import context_pb2 as context
from camillo.v1 import decision_pb2 as decision
from camillo.v1 import decision_service_pb2 as decisions
from camillo.v1 import event_pb2 as event
from camillo.v1 import event_service_pb2 as events
from camillo.v1 import memory_pb2 as memory
from camillo.v1 import memory_service_pb2 as memories
from camillo.v1 import run_pb2 as run
from camillo.v1 import run_service_pb2 as runs
from camillo.v1 import snapshot_service_pb2 as snapshot
from camillo.v1 import task_pb2 as task
from camillo.v1 import task_service_pb2 as tasks
from camillo.v1.actor_pb2 import EVENT_KIND_TOOL_CALL
from google.protobuf.message import Message

from tests.rpc.artifacts.calls import change, output, put_text
from tests.rpc.memories.calls import remember
from tests.rpc.memories.test_update import update
from tests.rpc.records import decide, open_task, record, text_event, tool_event
from tests.rpc.slots.calls import setting
from tests.server_fixtures import Caller, Refusal, refusal, refusal_of

# How the statement was refused; None where it was stored.
Way = Callable[[Caller, str], Awaitable[Refusal | None]]
# Beside what is stated; each other than those before it.
UNLIKE = "Something else, which nobody has said before: {}"


async def called(caller: Caller, request: Message) -> Refusal | None:
    """How the call was refused."""
    try:
        await caller(request)
    except grpc.aio.AioRpcError as error:
        return refusal(error)
    return None


async def remembered(caller: Caller, text: str) -> Refusal | None:
    return await called(caller, memories.RememberRequest(memory=memory.NewMemory(content=text)))


async def remembered_as_metadata(caller: Caller, text: str) -> Refusal | None:
    stated = memory.NewMemory(content=UNLIKE.format(uuid4()), metadata={"said": text})
    return await called(caller, memories.RememberRequest(memory=stated))


async def remembered_in_a_batch(caller: Caller, text: str) -> Refusal | None:
    contents = (UNLIKE.format(uuid4()), text)
    stated = [memory.NewMemory(content=content) for content in contents]
    answer = await caller(memories.BatchRememberRequest(memories=stated))
    assert answer.results[0].HasField("memory")
    return error_of(answer.results[1])


async def imported(caller: Caller, text: str) -> Refusal | None:
    message = memories.ImportMemoriesRequest(memories=[memory.Memory(content=text)])
    answer = await caller.send([message])
    return refusal_of(answer.failures[0].error) if answer.failed else None


async def updated(caller: Caller, text: str) -> Refusal | None:
    stored = await remember(caller, UNLIKE.format(uuid4()))
    return await called(caller, update(stored.memory_id, 1, content=text))


async def recorded(caller: Caller, text: str) -> Refusal | None:
    return await called(caller, events.RecordEventRequest(event=text_event(text)))


async def recorded_at_length(caller: Caller, text: str) -> Refusal | None:
    """Longer than what is read before it is known that there is anything to look for."""
    lines = "Nothing of interest is said here.\n" * 600
    return await called(caller, events.RecordEventRequest(event=text_event(f"{lines}{text}\n{lines}")))


async def recorded_as_json(caller: Caller, text: str) -> Refusal | None:
    stated = text_event(json={"list": [{"said": text}], "n": 1})
    return await called(caller, events.RecordEventRequest(event=stated))


async def recorded_as_a_call(caller: Caller, text: str) -> Refusal | None:
    call = event.ToolCall(tool="write", arguments={"deep": {"text": text}})
    stated = text_event(tool_call=call, kind=EVENT_KIND_TOOL_CALL)
    return await called(caller, events.RecordEventRequest(event=stated))


async def recorded_as_a_result(caller: Caller, text: str) -> Refusal | None:
    found = f"1: nothing\n2: {text}\n{text}\n3: nothing"
    return await called(caller, events.RecordEventRequest(event=tool_event(found)))


async def recorded_as_a_long_result(caller: Caller, text: str) -> Refusal | None:
    """Records a result whose excerpt does not hold the text, so that it becomes an artifact."""
    found = "a line of no interest\n" * 4_000 + text
    return await called(caller, events.RecordEventRequest(event=tool_event(found)))


async def recorded_in_a_batch(caller: Caller, text: str) -> Refusal | None:
    contents = (UNLIKE.format(uuid4()), text, UNLIKE.format(uuid4()))
    stated = [text_event(content) for content in contents]
    answer = await caller(events.BatchRecordEventsRequest(events=stated))
    first, refused, last = answer.results
    assert first.HasField("recorded")
    assert last.HasField("recorded")
    return error_of(refused)


async def decided(caller: Caller, text: str) -> Refusal | None:
    cited = await record(caller, UNLIKE.format(uuid4()))
    stated = decision.NewDecision(decision=text, refs=[cited.event_id])
    return await called(caller, decisions.RecordDecisionRequest(decision=stated))


async def decided_because(caller: Caller, text: str) -> Refusal | None:
    cited = await record(caller, UNLIKE.format(uuid4()))
    stated = decision.NewDecision(decision="yes", rationale=["so", text], refs=[cited.event_id])
    return await called(caller, decisions.RecordDecisionRequest(decision=stated))


async def decided_anew(caller: Caller, text: str) -> Refusal | None:
    cited = await record(caller, UNLIKE.format(uuid4()))
    before = await decide(caller, UNLIKE.format(uuid4()), cited.event_id)
    request = decisions.SupersedeDecisionRequest(
        decision_id=before.decision_id,
        expected_version=1,
        decision=decision.NewDecision(decision=text, refs=[cited.event_id]),
    )
    return await called(caller, request)


async def set_as_a_slot(caller: Caller, text: str) -> Refusal | None:
    return await called(caller, setting(f"/{uuid4()}", json.dumps({"list": [{"said": text}]})))


async def opened(caller: Caller, text: str) -> Refusal | None:
    return await called(caller, tasks.UpsertTaskRequest(task=task.NewTask(title=text)))


async def put_into_a_task(caller: Caller, text: str) -> Refusal | None:
    stored = await open_task(caller, "work")
    request = tasks.UpsertTaskRequest(task_id=stored.task_id, expected_version=1, task=task.NewTask(details=text))
    request.update_mask.paths.append("details")
    return await called(caller, request)


async def viewed(caller: Caller, text: str) -> Refusal | None:
    view = context.View(name="rules", text=f"# Rules\n\n- {text}\n- be kind\n")
    return await called(caller, snapshot.PutViewRequest(view=view))


async def handed_off(caller: Caller, text: str) -> Refusal | None:
    """Hands the text over to an agent that has forgotten nothing."""
    packet = context.HandoffPacket(goal="finish", note=text)
    return await called(caller, snapshot.HandOffRequest(to_agent_id="bob", packet=packet))


async def put_as_a_text(caller: Caller, text: str) -> Refusal | None:
    return await refused_put(caller, text)


async def put_as_a_line(caller: Caller, text: str) -> Refusal | None:
    """Puts the text as a line of a content that is longer than one part."""
    one_line = " ".join(text.split())
    return await refused_put(caller, "строка 🔧 of no interest\n" * 40_000 + one_line + "\nend")


async def described(caller: Caller, text: str) -> Refusal | None:
    return await refused_put(caller, UNLIKE.format(uuid4()), description=text)


async def described_anew(caller: Caller, text: str) -> Refusal | None:
    stored = await put_text(caller, UNLIKE.format(uuid4()))
    return await called(caller, change(stored.artifact_id, 1, description=text))


async def offloaded(caller: Caller, text: str) -> Refusal | None:
    return await called(caller, output(f"{UNLIKE.format(uuid4())}\n{text}\n", threshold_tokens=1))


async def begun(caller: Caller, text: str) -> Refusal | None:
    trigger = run.Trigger(type="message", payload={"said": text})
    return await called(caller, runs.StartRunRequest(trigger=trigger))


async def focused(caller: Caller, text: str) -> Refusal | None:
    trigger = run.Trigger(type="message", payload={"n": 1})
    return await called(caller, runs.StartRunRequest(trigger=trigger, focus=text))


async def answered(caller: Caller, text: str) -> Refusal | None:
    step = run.RunStep(llm_response=f"I see. {text}\n")
    return await called(caller, runs.AppendRunRequest(run_id=await started(caller), steps=[step]))


async def instructed(caller: Caller, text: str) -> Refusal | None:
    request = runs.InjectInstructionRequest(run_id=await started(caller), instruction=text)
    return await called(caller, request)


async def kept_of_a_run(caller: Caller, text: str) -> Refusal | None:
    kept = [memory.NewMemory(content=text)]
    request = runs.EndRunRequest(run_id=await started(caller), memories=kept)
    return await called(caller, request)


async def started(caller: Caller) -> str:
    trigger = run.Trigger(type="message", payload={"n": 1})
    run_id: str = (await caller(runs.StartRunRequest(trigger=trigger))).run.run_id
    return run_id


async def refused_put(caller: Caller, text: str, **fields: Any) -> Refusal | None:
    try:
        await put_text(caller, text, **fields)
    except grpc.aio.AioRpcError as error:
        return refusal(error)
    return None


def error_of(result: Any) -> Refusal | None:
    """The refusal of one item of a batch; None if it was stored."""
    return refusal_of(result.error) if result.HasField("error") else None


WAYS: dict[str, Way] = {
    way.__name__: way
    for way in (
        *(remembered, remembered_as_metadata, remembered_in_a_batch, imported, updated),
        *(recorded, recorded_at_length, recorded_as_json, recorded_as_a_call, recorded_as_a_result),
        *(recorded_as_a_long_result, recorded_in_a_batch),
        *(decided, decided_because, decided_anew, set_as_a_slot, opened, put_into_a_task, viewed, handed_off),
        *(put_as_a_text, put_as_a_line, described, described_anew, offloaded),
        *(begun, focused, answered, instructed, kept_of_a_run),
    )
}
