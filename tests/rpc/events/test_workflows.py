"""Steps of workflows: recorded, found by their names, listed as a timeline; long outputs as artifacts."""

from datetime import UTC, datetime, timedelta
from itertools import count
from typing import Any, LiteralString

import grpc
import psycopg
import pytest
from camillo.v1 import actor_pb2 as actors
from camillo.v1.artifact_service_pb2 import ListArtifactsRequest
from camillo.v1.channel_pb2 import CHANNEL_AGENT, CHANNEL_PUBLIC
from camillo.v1.event_pb2 import Event, EventFilter, NewEvent, WorkflowStep
from camillo.v1.event_service_pb2 import (
    ForgetEventsRequest,
    ListWorkflowRequest,
    RecordedEvent,
    RecordEventRequest,
    WatchEventsRequest,
)
from camillo.v1.memory_pb2 import (
    SENSITIVITY_CONFIDENTIAL,
    SENSITIVITY_PUBLIC,
    SENSITIVITY_RESTRICTED,
    SOURCE_WORKFLOW_STEP,
)
from camillo.v1.memory_service_pb2 import RecallRequest
from camillo_server.features.events.event import EXCERPT_BYTES

from tests.patience import PATIENCE_SECONDS
from tests.postgres_fixtures import TestDatabase
from tests.rpc.artifacts.calls import read
from tests.rpc.forgetting.test_forget import forget
from tests.rpc.memories.calls import remember
from tests.rpc.records import get_event, listed, record_all, text_event
from tests.secret_samples import samples
from tests.server_fixtures import Caller, Server, refused

PAT = samples(7)["github-pat"]
NOON = datetime(2026, 5, 4, 12, tzinfo=UTC)
# Times of steps, each after the one before.
MINUTES = (NOON + timedelta(days=1, minutes=minute) for minute in count())
STARTED, SUCCEEDED = actors.WORKFLOW_STATUS_STARTED, actors.WORKFLOW_STATUS_SUCCEEDED
FAILED = actors.WORKFLOW_STATUS_FAILED
# Right to left, combining characters, and signs of several code points.
NIGHTLY, OUTPUT = "ночной 导入 e\u0301", "تم الاستيراد 👩‍👩‍👧\nдва"


def step(name: str, workflow: str = NIGHTLY, output: str = OUTPUT, **fields: Any) -> NewEvent:
    """An event that tells of a step; `status` and `run` are those of the step."""
    told = {key: fields.pop(key) for key in ("status", "run") if key in fields}
    content = WorkflowStep(workflow=workflow, step=name, output=output, **told)
    fields.setdefault("occurred_at", next(MINUTES))
    return text_event(kind=actors.EVENT_KIND_WORKFLOW_STEP, workflow_step=content, **fields)


async def keep(caller: Caller, event: NewEvent, **fields: Any) -> RecordedEvent:
    request = RecordEventRequest(event=event, **fields)
    recorded: RecordedEvent = (await caller(request)).recorded
    return recorded


async def timeline(caller: Caller, workflow: str = NIGHTLY, **fields: Any) -> list[Event]:
    """All steps of a workflow, page after page."""
    request, steps = ListWorkflowRequest(workflow=workflow, **fields), list[Event]()
    while True:
        page = await caller(request)
        steps += page.steps
        if not page.next_page_token:
            return steps
        assert page.steps
        request.page_token = page.next_page_token


async def names(caller: Caller, workflow: str = NIGHTLY, **fields: Any) -> list[str]:
    return [each.stated.workflow_step.step for each in await timeline(caller, workflow, **fields)]


async def found(caller: Caller, **conditions: Any) -> list[str]:
    """The steps that a filter of events passes."""
    events = await listed(caller, EventFilter(**conditions))
    return [each.stated.workflow_step.step or each.stated.text for each in events]


def rows(database: TestDatabase, statement: LiteralString) -> list[tuple[Any, ...]]:
    with psycopg.connect(database.superuser_url) as superuser:
        return superuser.execute(statement).fetchall()


async def test_a_step_is_read_as_it_was_stated(server: Server) -> None:
    recorded = await keep(server.alice, step("fetch 👍", run="2026-05-04", status=FAILED))
    stated = (await get_event(server.alice, recorded.event_id)).stated
    assert stated.workflow_step == WorkflowStep(
        workflow=NIGHTLY, run="2026-05-04", step="fetch 👍", status=FAILED, output=OUTPUT
    )
    plain = await keep(server.alice, step("load"))
    assert (await get_event(server.alice, plain.event_id)).stated.workflow_step.status == SUCCEEDED


async def test_a_step_is_found_by_its_names_and_by_its_output(server: Server) -> None:
    recorded = await keep(server.alice, step("fetch", "nightly-import", status=FAILED))
    for text in ("nightly-import fetch failed", "الاستيراد", "два"):
        answer = await server.alice(RecallRequest(text=text, sources=[SOURCE_WORKFLOW_STEP]))
        assert [hit.chunk.text for hit in answer.hits] == [f"nightly-import / fetch: failed\n{OUTPUT}"], text
        assert answer.hits[0].chunk.origin_id == recorded.event_id
        assert answer.hits[0].chunk.event_kind == actors.EVENT_KIND_WORKFLOW_STEP


async def test_a_step_without_output_is_found_too(server: Server) -> None:
    await keep(server.alice, step("fetch", "nightly", output=""))
    answer = await server.alice(RecallRequest(text="fetch", sources=[SOURCE_WORKFLOW_STEP]))
    assert [hit.chunk.text for hit in answer.hits] == ["nightly / fetch: succeeded"]


async def test_of_a_long_output_the_event_has_the_beginning_and_an_artifact_the_whole(server: Server) -> None:
    text = "".join(f"line {n} 导入\n" for n in range(9_000)) + PAT + "\nthe end\n"
    answer = await server.alice(RecordEventRequest(event=step("fetch", output=text)))
    told = (await get_event(server.alice, answer.recorded.event_id)).stated.workflow_step
    assert (told.truncated, told.artifact_id) == (True, answer.recorded.artifact_id)
    assert len(told.output.encode()) <= EXCERPT_BYTES
    assert told.output.endswith("\n")
    assert text.startswith(told.output)
    whole = (await read(server.alice, told.artifact_id)).decode()
    assert whole.startswith(told.output)
    assert whole.endswith("the end\n")
    assert PAT not in whole
    (redaction,) = answer.recorded.redactions
    assert redaction.field == "content.workflow_step.output"
    assert redaction.offset == text.index(PAT)
    (artifact,) = (await server.alice(ListArtifactsRequest())).artifacts
    assert (artifact.name, artifact.session_id) == (f"{NIGHTLY} / fetch", "s")
    hits = (await server.alice(RecallRequest(text="导入", sources=[SOURCE_WORKFLOW_STEP]))).hits
    assert artifact.artifact_id in hits[0].chunk.source_refs


async def test_a_secret_that_the_cut_goes_through_is_in_neither_part(server: Server) -> None:
    text = "x" * (EXCERPT_BYTES - len(PAT) // 2 - 1) + "\n" + PAT + "\nrest" * 10
    recorded = await keep(server.alice, step("fetch", output=text))
    told = (await get_event(server.alice, recorded.event_id)).stated.workflow_step
    whole = (await read(server.alice, told.artifact_id)).decode()
    assert told.truncated
    assert PAT[:12] not in told.output + whole
    assert whole.count("rest") == 10


async def test_what_a_request_says_of_the_artifact_is_ignored(server: Server) -> None:
    event = step("fetch")
    event.workflow_step.truncated = True
    event.workflow_step.artifact_id = "log_1"
    recorded = await keep(server.alice, event)
    told = (await get_event(server.alice, recorded.event_id)).stated.workflow_step
    assert (told.truncated, told.artifact_id, recorded.artifact_id) == (False, "", "")


async def test_a_repeated_request_stores_no_step_twice(server: Server) -> None:
    event = step("fetch", output="line\n" * 20_000)
    first = await keep(server.alice, event, request_id="r")
    assert await keep(server.alice, event, request_id="r") == first
    assert await names(server.alice) == ["fetch"]
    assert len((await server.alice(ListArtifactsRequest())).artifacts) == 1


async def test_secrets_are_taken_out_of_names(server: Server) -> None:
    answer = await server.alice(RecordEventRequest(event=step(f"push {PAT}", f"deploy {PAT}", run=PAT)))
    fields = {each.field for each in answer.recorded.redactions}
    assert fields == {f"content.workflow_step.{name}" for name in ("workflow", "run", "step")}
    (event,) = await listed(server.alice)
    told = event.stated.workflow_step
    assert PAT not in f"{told.workflow} {told.run} {told.step}"
    assert await names(server.alice, told.workflow, run=told.run) == [told.step]
    assert await names(server.alice, f"deploy {PAT}") == []


async def test_the_steps_of_a_workflow_stand_in_the_order_in_which_they_happened(server: Server) -> None:
    for minute in (3, 1, 2):
        at = NOON + timedelta(minutes=minute)
        await keep(server.alice, step(f"at {minute}", occurred_at=at))
    await keep(server.alice, step("of another", "weekly"))
    twins = [step(f"twin {n}", occurred_at=NOON) for n in range(4)]
    await record_all(server.alice, twins)
    ordered = [f"twin {n}" for n in range(4)] + ["at 1", "at 2", "at 3"]
    assert await names(server.alice) == ordered
    for size in (1, 3, 7):
        assert await names(server.alice, page_size=size) == ordered
    assert await names(server.alice, "weekly") == ["of another"]


async def test_a_timeline_is_narrowed_by_run_and_by_status(server: Server) -> None:
    for run in ("one", "two"):
        for name, status in (("fetch", STARTED), ("load", FAILED), ("check", 0)):
            await keep(server.alice, step(name, run=run, status=status))
    assert await names(server.alice) == ["fetch", "load", "check"] * 2
    assert await names(server.alice, run="two") == ["fetch", "load", "check"]
    assert await names(server.alice, statuses=[FAILED, STARTED]) == ["fetch", "load"] * 2
    assert await names(server.alice, run="one", statuses=[SUCCEEDED], page_size=1) == ["check"]
    assert await names(server.alice, run="three") == []


async def test_a_timeline_has_the_steps_of_the_agent_and_those_that_are_shared(server: Server) -> None:
    await keep(server.admin, step("shared", occurred_at=NOON))
    await keep(server.alice, step("hers", occurred_at=NOON + timedelta(minutes=1)))
    await keep(server.admin, step("his", occurred_at=NOON + timedelta(minutes=2)), agent_id="bob")
    await keep(server.rival, step("another tenant's"))
    assert await names(server.alice, page_size=1) == ["shared", "hers"]
    assert await names(server.admin, agent_id="bob") == ["shared", "his"]
    assert (await refused(names(server.alice, agent_id="bob"))).reason == "SCOPE_FORBIDDEN"
    assert await names(server.admin) == ["shared"]
    shared, hers = await timeline(server.alice)
    assert (shared.agent_id, hers.agent_id) == ("", "alice")
    (at_home,) = await listed(server.admin)
    assert shared.revision == at_home.revision


async def test_a_channel_is_shown_only_what_it_may_load(server: Server) -> None:
    for name, level in (
        ("public", SENSITIVITY_PUBLIC),
        ("internal", 0),
        ("confidential", SENSITIVITY_CONFIDENTIAL),
        ("restricted", SENSITIVITY_RESTRICTED),
    ):
        await keep(server.alice, step(name, sensitivity=level))
    assert await names(server.alice, page_size=1) == [*("public", "internal", "confidential", "restricted")]
    assert await names(server.alice, channel=CHANNEL_AGENT) == ["public", "internal"]
    assert await names(server.alice, channel=CHANNEL_PUBLIC, page_size=1) == ["public"]


async def test_outputs_of_confidential_steps_are_encrypted(server: Server, database: TestDatabase) -> None:
    event = step("fetch", output="the secret harvest", sensitivity=SENSITIVITY_CONFIDENTIAL)
    recorded = await keep(server.alice, event)
    told = (await timeline(server.alice))[0].stated.workflow_step
    assert told.output == "the secret harvest"
    shared = await keep(server.admin, step("load", output="a harvest", sensitivity=SENSITIVITY_CONFIDENTIAL))
    assert [each.event_id for each in await timeline(server.alice)] == [*(recorded.event_id, shared.event_id)]
    kept = rows(database, "select details, sealed_details from camillo.events")
    assert [(details, sealed is None) for details, sealed in kept] == [(None, False)] * 2
    assert all(b"harvest" not in bytes(sealed) for _, sealed in kept)


async def test_lists_of_events_know_workflows(server: Server) -> None:
    for run in ("one", "two"):
        for name, status in (("fetch", SUCCEEDED), ("load", FAILED)):
            await keep(server.alice, step(name, run=run, status=status))
    await keep(server.alice, step("fetch", "weekly", session_id="t"))
    await keep(server.alice, text_event("in words", kind=actors.EVENT_KIND_WORKFLOW_STEP, refs=[]))
    everything = ["fetch", "load", "fetch", "load", "fetch", "in words"]
    assert await found(server.alice) == everything
    assert await found(server.alice, workflow=NIGHTLY) == everything[:4]
    assert await found(server.alice, workflow=NIGHTLY, workflow_run="two") == ["fetch", "load"]
    assert await found(server.alice, workflow_step="fetch") == ["fetch"] * 3
    assert await found(server.alice, workflow_status=FAILED) == ["load"] * 2
    assert await found(server.alice, workflow_run="one", workflow_status=FAILED) == ["load"]
    assert await found(server.alice, workflow="weekly", session_id="t") == ["fetch"]
    assert await found(server.alice, workflow=NIGHTLY, session_id="t") == []
    newest = await listed(server.alice, EventFilter(workflow=NIGHTLY), newest_first=True, page_size=1)
    assert [each.stated.workflow_step.run for each in newest] == ["two", "two", "one", "one"]


async def test_a_watch_of_a_workflow_tells_of_its_steps_alone(server: Server) -> None:
    await keep(server.alice, step("fetch"))
    await keep(server.alice, step("else", "weekly"))
    await keep(server.alice, step("load"))
    request = WatchEventsRequest(from_beginning=True, filter=EventFilter(workflow=NIGHTLY))
    call = server.alice.begin(request, timeout=PATIENCE_SECONDS)
    answers = aiter(call)
    told = [(await anext(answers)).change for _ in range(3)]
    assert [each.recorded.stated.workflow_step.step for each in told] == ["fetch", "load", ""]
    assert told[2].HasField("checkpoint")
    call.cancel()


async def test_forgotten_steps_are_in_no_timeline(server: Server, database: TestDatabase) -> None:
    await keep(server.alice, step("gone", session_id="t"))
    await keep(server.alice, step("kept"))
    assert await names(server.alice) == ["gone", "kept"]
    await server.alice(ForgetEventsRequest(session_id="t"))
    assert await names(server.alice) == ["kept"]
    assert rows(database, "select step from camillo.workflow_steps") == [("kept",)]


BAD: dict[str, tuple[NewEvent, str]] = {
    "no workflow": (step("fetch", ""), "workflow_step.workflow"),
    "no step": (step(""), "workflow_step.step"),
    "long names": (step("x" * 129), "workflow_step.step"),
    "an unknown status": (step("fetch", status=99), "workflow_step.status"),
    "a message": (text_event(workflow_step=step("a").workflow_step), "content"),
}


@pytest.mark.parametrize("name", BAD)
async def test_a_step_that_breaks_a_limit_is_refused(server: Server, name: str) -> None:
    event, field = BAD[name]
    refusal = await refused(keep(server.alice, event))
    assert (refusal.code, refusal.fields) == (grpc.StatusCode.INVALID_ARGUMENT, (f"event.{field}",))


async def test_a_page_token_of_another_workflow_is_refused(server: Server) -> None:
    await record_all(server.alice, [step("a"), step("b")])
    page = await server.alice(ListWorkflowRequest(workflow=NIGHTLY, page_size=1))
    assert page.next_page_token
    other = ListWorkflowRequest(workflow="weekly", page_token=page.next_page_token)
    assert (await refused(server.alice(other))).reason == "INVALID_PAGE_TOKEN"


@pytest.mark.parametrize("text", ["{}", "{}\n" + "line\n" * 20_000])
async def test_what_was_forgotten_is_in_no_step(server: Server, text: str) -> None:
    value = "The gate code of Müller is 4711 e\u0301"
    gone = await remember(server.alice, value)
    await keep(server.alice, step("before", output=value))
    await server.alice(forget(gone.memory_id))
    refusal = await refused(keep(server.alice, step("after", output=text.format(value))))
    assert refusal.reason == "VALUE_REJECTED"
    assert "content.workflow_step.output" in str(refusal.metadata)
    await keep(server.alice, step("after", output=text.format("nothing")))
    kept = step("shortened", output=f"Kept. {value}. Kept, too.")
    answer = await server.alice(RecordEventRequest(event=kept, omit_forgotten=True))
    (omitted,) = answer.recorded.omitted
    assert omitted.field == "content.workflow_step.output"
    (*_, last) = await timeline(server.alice)
    assert last.stated.workflow_step.step == "shortened"
    assert "4711" not in last.stated.workflow_step.output
    assert last.stated.workflow_step.output.startswith("Kept.")
