"""The paths of the context daemon's design: its own requests, the shapes of its answers, and what is behind them."""

from typing import Any

import pytest
from camillo.v1 import actor_pb2 as actors
from camillo.v1 import context_pb2, memory_pb2
from camillo.v1 import decision_service_pb2 as decisions
from camillo.v1 import event_service_pb2 as events
from camillo.v1 import snapshot_service_pb2 as bundles
from camillo.v1 import task_service_pb2 as tasks
from camillo.v1.channel_pb2 import CHANNEL_PRIVATE
from camillo.v1.decision_pb2 import NewDecision
from camillo.v1.event_pb2 import NewEvent

from tests.rpc.gateway.conftest import Web
from tests.rpc.gateway.design_examples import (
    BUILD,
    BUILT,
    BUNDLE,
    DECISION,
    DECISIONS,
    EVENT,
    EVENTS,
    RECORDED,
    TASK,
    TASKS,
    differences,
    post,
    refused,
    texts_of,
)

pytestmark = pytest.mark.own_server

TEXTS = ("我们为什么不在星期五发布？", "Launch 🚀 at 👩🏽‍💻 o'clock", "לא משחררים ביום שישי", "لا إصدار يوم الجمعة")


def test_a_difference_from_the_design_is_noticed() -> None:
    assert not differences(BUILT, BUILT)
    for changed in (
        {**BUILT, "more": 1},
        {**BUILT, "omissions": [{"reason": "budget", "candidates": []}]},
        {**BUILT, "sections": [{"name": "", "items": [{"type": "text"}], "token_est": 1}]},
        {**BUILT, "acb_id": None},
    ):
        assert differences(changed, BUILT)


async def test_an_event_of_the_design_is_one_of_the_contract(web: Web) -> None:
    recorded = await post(web, EVENTS, EVENT)
    assert not differences(recorded, RECORDED)
    assert recorded["created_at"].endswith("Z")
    request = events.GetEventRequest(event_id=recorded["event_id"])
    stated = (await web.server.alice(request)).event.stated
    assert (stated.text, stated.session_id) == ("what this project for?", "s1")
    assert (stated.actor.type, stated.actor.id) == (actors.ACTOR_TYPE_HUMAN, "user")
    assert (stated.kind, stated.channel) == (actors.EVENT_KIND_MESSAGE, CHANNEL_PRIVATE)
    assert stated.sensitivity == memory_pb2.SENSITIVITY_PUBLIC
    assert [*stated.tags] == EVENT["tags"]


@pytest.mark.parametrize("text", TEXTS)
async def test_texts_of_any_script_come_back(web: Web, text: str) -> None:
    recorded = await post(web, EVENTS, {**EVENT, "content": {"text": text}})
    request = events.GetEventRequest(event_id=recorded["event_id"])
    assert (await web.server.alice(request)).event.stated.text == text
    built = await post(web, BUNDLE, {**BUILD, "query_text": text})
    assert text in texts_of(built, "recent_window")


@pytest.mark.parametrize(
    ("kind", "content", "expected"),
    [
        ("task_update", {"text": "done"}, "text"),
        ("artifact", {"path": "a.bin", "size": 3, "nested": {"a": [None, True]}}, "json"),
        ("message", {"text": "hi", "lang": "de"}, "json"),
        ("tool_call", {"tool": "fs.read_file", "arguments": {"path": "a"}}, "tool_call"),
        (
            "tool_result",
            {"tool": "fs.read_file", "path": "a", "excerpt_text": "x\ny", "line_range": [3, 4]},
            "tool_result",
        ),
    ],
)
async def test_every_kind_has_its_content(web: Web, kind: str, content: dict[str, Any], expected: str) -> None:
    recorded = await post(web, EVENTS, {**EVENT, "kind": kind, "content": content})
    assert not differences(recorded, RECORDED)
    event = (await web.alice.get(f"/v1/events/{recorded['event_id']}")).json()["event"]["stated"]
    assert event["kind"] == f"EVENT_KIND_{kind.upper()}"
    stored = event[{"tool_call": "toolCall", "tool_result": "toolResult"}.get(expected, expected)]
    if expected == "json":
        assert stored == content
    elif expected == "tool_result":
        assert stored["lineRange"] == {"first": "3", "last": "4"}
    elif expected == "tool_call":
        assert stored["arguments"] == {"path": "a"}


async def test_a_bundle_has_the_form_of_the_design(web: Web) -> None:
    view = context_pb2.View(name="rules", text="Zero dependencies.")
    await web.server.alice(bundles.PutViewRequest(view=view))
    asked = await post(web, EVENTS, EVENT)
    ref = [asked["event_id"]]
    decided = await post(web, DECISIONS, {**DECISION, "refs": ref})
    long = {"tool": "fs.read_file", "path": "README.md", "excerpt_text": "what project\n" * 6000}
    result = await post(web, EVENTS, {**EVENT, "kind": "tool_result", "content": long})
    built = await post(web, BUNDLE, BUILD)
    assert not differences(built, BUILT)
    sections = {each["name"]: each for each in built["sections"]}
    assert sections["rules"]["items"][0]["refs"] == ["view:rules"]
    [decision] = sections["relevant_decisions"]["items"]
    assert (decision["type"], decision["decision_id"]) == ("decision", decided["decision_id"])
    assert decision["refs"] == ref
    assert asked["event_id"] in sections["recent_window"]["items"][0]["refs"]
    assert 0 < built["token_used_est"] <= built["budget_tokens"] == 65000
    cut = [each for each in built["omissions"] if each["reason"] == "truncated_tool_output"]
    assert cut[0]["artifact_id"]
    assert result["event_id"] in {each for omission in cut for each in omission["candidates"]}
    provenance = built["provenance"]
    assert (provenance["intent"], "project" in provenance["query_terms"]) == (BUILD["intent"], True)
    assert provenance["filters"]["sensitivity_allowed"] == ["none", "low", "high"]
    assert provenance["scoring"] == {"alpha": 0.6, "beta": 0.3, "gamma": 0.1}
    assert provenance["candidate_pool_size"] > 0


async def test_a_bundle_keeps_within_the_budget_that_is_asked_for(web: Web) -> None:
    for number in range(20):
        await post(web, EVENTS, {**EVENT, "content": {"text": f"project {number} " * 100}})
    built = await post(web, BUNDLE, {**BUILD, "max_tokens": 1000})
    assert 0 < built["token_used_est"] <= built["budget_tokens"] == 1000
    assert "budget" in {each["reason"] for each in built["omissions"]}
    for too_many in (65001, 0, -1, 1.5, True, "9"):
        assert await refused(web, BUNDLE, {**BUILD, "max_tokens": too_many}) == "max_tokens"


async def test_a_long_result_becomes_an_artifact(web: Web) -> None:
    text = "".join(f"line {number} 日志 🌙\n" for number in range(6000))
    assert len(text.encode()) > 64 * 1024
    content = {"tool": "fs.read_file", "path": "README.md", "excerpt_text": text}
    recorded = await post(web, EVENTS, {**EVENT, "kind": "tool_result", "content": content})
    request = events.GetEventRequest(event_id=recorded["event_id"])
    result = (await web.server.alice(request)).event.stated.tool_result
    assert result.truncated
    assert text.startswith(result.excerpt_text)
    assert len(result.excerpt_text.encode()) <= 64 * 1024
    assert result.line_range.last == result.excerpt_text.count("\n")
    path = f"/api/v1/artifacts/{result.artifact_id}"
    whole = await web.alice.get(path, params={"tenant_id": "acme", "agent_id": "alice"})
    assert (whole.status_code, whole.text) == (200, text)
    part = await web.alice.get(path, headers={"range": "bytes=0-5"})
    assert (part.status_code, part.text) == (206, "line 0")
    named_call = await web.alice.get(path, headers={"x-request-id": "mine"})
    assert named_call.headers["x-request-id"] == "mine"
    head = await web.alice.head(path)
    assert (head.status_code, head.headers["content-length"]) == (200, str(len(text.encode())))
    again = {**content, "excerpt_text": "line 0", "truncated": True, "line_range": [1, 1]}
    named = {**again, "artifact_id": result.artifact_id}
    await post(web, EVENTS, {**EVENT, "kind": "tool_result", "content": named})
    unnamed = {**EVENT, "kind": "tool_result", "content": again}
    assert (await refused(web, EVENTS, unnamed)).endswith("artifact_id")
    assert (await web.alice.post(path)).headers["allow"] == "GET, HEAD"
    for query in ("colour=red", "channel=loud", "channel=team&channel=public"):
        assert (await web.alice.get(f"{path}?{query}")).status_code == 400


async def test_an_event_that_decides_is_a_decision_too(web: Web) -> None:
    event = {**EVENT, "kind": "decision", "sensitivity": "low"}
    reply = await post(web, EVENTS, {**event, "content": {"text": "No release on a Friday"}})
    assert not differences(reply, RECORDED)
    reasons = {"rationale": ["nobody is there"], "scope": "global"}
    content = {"decision": "We write our own parser", **reasons}
    based = {**event, "content": content, "refs": [reply["event_id"]]}
    stated = await post(web, EVENTS, based)
    listed = (await web.alice.get(f"{DECISIONS}/query")).json()["decisions"]
    by_text = {each["decision"]: each for each in listed}
    assert by_text["No release on a Friday"]["refs"] == [reply["event_id"]]
    parser = by_text["We write our own parser"]
    assert (parser["refs"], parser["scope"]) == ([stated["event_id"], reply["event_id"]], "global")
    assert parser["rationale"] == ["nobody is there"]
    for wrong, field in (
        ({"text": "x" * 2001}, "content.decision"),
        ({"rationale": ["why"]}, "content.decision"),
        ({"decision": "x", "colour": "red"}, "content.colour"),
    ):
        assert await refused(web, EVENTS, {**event, "content": wrong}) == field
    # Neither was recorded as an event.
    recorded = (await web.alice.get("/v1/events")).json()["events"]
    assert [each["eventId"] for each in recorded] == [reply["event_id"], stated["event_id"]]


async def test_a_request_that_is_repeated_is_done_once(web: Web) -> None:
    event = {**EVENT, "kind": "decision", "content": {"text": "No release on a Friday"}}
    first, second = [await post(web, EVENTS, event, idempotency_key="one") for _ in range(2)]
    assert first == second
    found = (await web.alice.get(f"{DECISIONS}/query")).json()["decisions"]
    assert len(found) == 1
    refs = {"refs": [first["event_id"]]}
    same = [await post(web, DECISIONS, {**DECISION, **refs}, idempotency_key="a") for _ in "12"]
    opened = [await post(web, TASKS, TASK, idempotency_key="b") for _ in "12"]
    assert same[0] == same[1]
    assert opened[0] == opened[1]
    assert (await post(web, TASKS, TASK))["task_id"] != opened[0]["task_id"]


async def test_what_broke_between_the_event_and_its_decision_is_made_up_for(web: Web) -> None:
    stated: Any = NewEvent(
        session_id="s1",
        channel=CHANNEL_PRIVATE,
        actor=actors.Actor(type=actors.ACTOR_TYPE_HUMAN, id="user"),
        kind=actors.EVENT_KIND_DECISION,
        sensitivity=memory_pb2.SENSITIVITY_PUBLIC,
        tags=EVENT["tags"],
        text="No release on a Friday",
    )
    half = await web.server.alice(events.RecordEventRequest(request_id="one", event=stated))
    assert (await web.alice.get(f"{DECISIONS}/query")).json() == {"decisions": []}
    event = {**EVENT, "kind": "decision", "content": {"text": "No release on a Friday"}}
    whole = await post(web, EVENTS, event, idempotency_key="one")
    assert whole["event_id"] == half.recorded.event_id
    [decision] = (await web.alice.get(f"{DECISIONS}/query")).json()["decisions"]
    assert decision["refs"] == [half.recorded.event_id]


async def test_decisions_are_recorded_and_found(web: Web) -> None:
    event = await post(web, EVENTS, EVENT)
    decided = await post(web, DECISIONS, {**DECISION, "refs": [event["event_id"]]})
    columns = {"decision_id", "tenant_id", "ts", "status", "refs", *DECISION}
    assert decided.keys() == columns
    assert {key: decided[key] for key in DECISION} == DECISION
    found = await web.alice.get(
        f"{DECISIONS}/query", params={"query_text": "dependencies", "scope": ["project", "user"]}
    )
    assert found.json() == {"decisions": [decided]}
    request = decisions.GetDecisionRequest(decision_id=decided["decision_id"])
    assert (await web.server.alice(request)).decision.stated.decision == DECISION["decision"]
    web.server.clock.move(1)
    successor = NewDecision(decision="One dependency", refs=[event["event_id"]])
    superseding = decisions.SupersedeDecisionRequest(
        decision_id=decided["decision_id"], expected_version=1, decision=successor
    )
    await web.server.alice(superseding)
    for statuses, expected in (
        ([], ["One dependency"]),
        (["superseded"], ["Zero dependencies"]),
        (["active", "superseded"], ["One dependency", "Zero dependencies"]),
    ):
        answer = await web.alice.get(f"{DECISIONS}/query", params={"status": statuses})
        assert [each["decision"] for each in answer.json()["decisions"]] == expected
    one = await web.alice.get(f"{DECISIONS}/query?status=active&status=superseded&limit=1")
    assert len(one.json()["decisions"]) == 1
    baseless = await web.alice.post(DECISIONS, json=DECISION)
    assert baseless.json()["details"][0]["reason"] == "PROVENANCE_REQUIRED"
    for query in ("limit=0", "limit=201", "limit=x", "status=maybe", "kind=a", "scope=none"):
        assert (await web.alice.get(f"{DECISIONS}/query?{query}")).status_code == 400, query


async def test_tasks_are_opened_and_changed(web: Web) -> None:
    opened = await post(web, TASKS, TASK)
    assert opened.keys() == {"task_id", "ts", "refs", *TASK}
    assert {key: opened[key] for key in TASK} == TASK
    change = {"tenant_id": "acme", "task_id": opened["task_id"], "status": "doing"}
    changed = await post(web, TASKS, change)
    assert (changed["status"], changed["title"], changed["details"]) == ("doing", "Read", "All")
    task = (await web.server.alice(tasks.GetTaskRequest(task_id=opened["task_id"]))).task
    assert task.version == 2
    built = await post(web, BUNDLE, BUILD)
    assert "Read" in texts_of(built, "task_state")
    await post(web, TASKS, {**change, "status": "done"})
    assert "Read" not in texts_of(await post(web, BUNDLE, BUILD), "task_state")
    alone = {"tenant_id": "acme", "task_id": opened["task_id"]}
    assert await refused(web, TASKS, alone) == "task_id"
    absent = {**change, "task_id": "00000000-0000-4000-8000-000000000000"}
    assert (await web.alice.post(TASKS, json=absent)).status_code == 404
    assert await refused(web, TASKS, {**TASK, "status": "blocked"}) == "status"


async def test_an_unknown_project_is_learnt(web: Web) -> None:
    """The key scenario of the design, A1: read, answer with evidence, decide on what was read."""
    readme = "".join(f"Legacy bills customer {number} by fax.\n" for number in range(5000))
    files = {"README.md": readme, "package.json": '{"name": "legacy"}'}
    recorded = [await post(web, EVENTS, EVENT)]
    tool = {**EVENT, "actor": {"type": "tool", "id": "fs"}}
    for path, text in files.items():
        call = {"tool": "fs.read_file", "arguments": {"path": path}}
        lines = [1, text.count("\n") or 1]
        result = {**call, "path": path, "excerpt_text": text, "line_range": lines}
        del result["arguments"]
        recorded.append(await post(web, EVENTS, {**EVENT, "kind": "tool_call", "content": call}))
        recorded.append(await post(web, EVENTS, {**tool, "kind": "tool_result", "content": result}))
    listed = (await web.alice.get("/v1/events")).json()["events"]
    assert [each["eventId"] for each in listed] == [each["event_id"] for each in recorded]
    built = await post(web, BUNDLE, {**BUILD, "query_text": "what does legacy bill by?"})
    assert not differences(built, BUILT)
    assert 0 < built["token_used_est"] <= 65_000
    sections = {each["name"]: each for each in built["sections"]}
    evidence = sections["retrieved_evidence"]
    assert 0 < evidence["token_est"] <= 28_000
    refs = evidence["items"][0]["refs"][:2]
    assert {*refs} & {chunk for each in recorded for chunk in each["chunk_ids"]}
    hypothesis = "Project purpose hypothesis v0.1: it bills by fax"
    decided = await post(web, DECISIONS, {**DECISION, "decision": hypothesis, "refs": refs})
    assert decided["refs"] == refs
    again = await post(web, BUNDLE, BUILD)
    assert hypothesis in texts_of(again, "relevant_decisions")
