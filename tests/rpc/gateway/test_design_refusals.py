"""Callers and requests that the paths of the context daemon's design refuse, and what they do not show."""

import json
from typing import Any

import httpx
import pytest
from camillo.v1 import actor_pb2 as actors
from camillo.v1 import decision_service_pb2 as decisions
from camillo.v1 import event_service_pb2 as events
from camillo.v1 import memory_pb2
from camillo.v1 import snapshot_service_pb2 as bundles
from camillo.v1.decision_pb2 import NewDecision
from camillo.v1.event_pb2 import NewEvent

from tests.rpc.gateway.conftest import Web
from tests.rpc.gateway.design_examples import (
    BUILD,
    BUNDLE,
    DECISION,
    DECISIONS,
    EVENT,
    EVENTS,
    TASK,
    TASKS,
    post,
    refused,
    texts_of,
)

pytestmark = pytest.mark.own_server

SECRET_LEVEL = memory_pb2.SENSITIVITY_RESTRICTED


async def test_each_tenant_has_its_own(web: Web) -> None:
    bodies = {EVENTS: EVENT, BUNDLE: BUILD, TASKS: TASK, DECISIONS: {**DECISION, "refs": ["x"]}}
    for path, body in bodies.items():
        answer = await web.alice.post(path, json={**body, "tenant_id": "rival"})
        assert answer.status_code == 403, path
        assert answer.json()["details"][0]["reason"] == "SCOPE_FORBIDDEN"
        assert await refused(web, path, {**body, "tenant_id": ""}) == "tenant_id"
    assert (await web.alice.get(f"{DECISIONS}/query?tenant_id=rival")).status_code == 403
    assert (await web.alice.get(f"{DECISIONS}/query?tenant_id=acme")).status_code == 200
    assert (await web.alice.get("/v1/events")).json().get("events", []) == []
    recorded = await post(web, EVENTS, EVENT)
    rival = web.with_key(web.server.keys.rival)
    theirs = {**EVENT, "tenant_id": "rival", "agent_id": "@shared"}
    based = {**theirs, "refs": [recorded["event_id"]]}
    assert (await web.alice.post(EVENTS, json=based, headers=rival)).status_code == 400
    assert (await web.alice.post(EVENTS, json=theirs, headers=rival)).status_code == 200
    other_agent = await web.alice.post(EVENTS, json={**EVENT, "agent_id": "bob"})
    assert other_agent.status_code == 403


async def test_an_administrator_names_the_agent(web: Web) -> None:
    admin = web.with_key(web.server.keys.admin)
    await web.alice.post("/v1/agents", json={"agentId": "bob"}, headers=admin)
    recorded = await web.alice.post(EVENTS, json={**EVENT, "agent_id": "bob"}, headers=admin)
    path = f"/v1/events/{recorded.json()['event_id']}?agent_id=bob"
    event = (await web.alice.get(path, headers=admin)).json()["event"]
    assert event["agentId"] == "bob"
    own = await web.alice.post(BUNDLE, json={**BUILD, "agent_id": "bob"}, headers=admin)
    assert EVENT["content"]["text"] in texts_of(own.json())
    assert EVENT["content"]["text"] not in texts_of(await post(web, BUNDLE, BUILD))


async def test_public_shows_less_than_private(web: Web) -> None:
    hidden = {"low": "lighthouse low", "high": "lighthouse high"}
    for level, text in hidden.items():
        await post(web, EVENTS, {**EVENT, "sensitivity": level, "content": {"text": text}})
    shown = "lighthouse none"
    event = await post(web, EVENTS, {**EVENT, "content": {"text": shown}})
    await post(web, DECISIONS, {**DECISION, "refs": [event["event_id"]]})
    expected = {
        "public": {"none"},
        "agent": {"none", "low"},
        "team": {"none", "low", "high"},
        "private": {"none", "low", "high"},
    }
    for channel, levels in expected.items():
        built = await post(web, BUNDLE, {**BUILD, "channel": channel, "query_text": "lighthouse"})
        text = texts_of(built)
        found = {level for level in ("none", "low", "high") if f"lighthouse {level}" in text}
        assert found == levels, channel
        assert {*built["provenance"]["filters"]["sensitivity_allowed"]} == levels
        listed = (await web.alice.get(f"{DECISIONS}/query?channel={channel}")).json()
        assert bool(listed["decisions"]) == (channel != "public")


async def test_what_is_secret_is_not_stored_and_what_is_restricted_not_shown(web: Web) -> None:
    for path, body in ((EVENTS, EVENT), (DECISIONS, DECISION), (TASKS, TASK)):
        assert await refused(web, path, {**body, "sensitivity": "secret"}) == "sensitivity"
    stated: Any = NewEvent(
        session_id="s1",
        actor=actors.Actor(type=actors.ACTOR_TYPE_HUMAN, id="user"),
        sensitivity=SECRET_LEVEL,
        text="lighthouse restricted",
    )
    recorded = (await web.server.alice(events.RecordEventRequest(event=stated))).recorded
    await post(web, EVENTS, {**EVENT, "content": {"text": "lighthouse open"}})
    request = bundles.BuildBundleRequest(session_id="s1", query_text="lighthouse")
    assert "lighthouse restricted" in (await web.server.alice(request)).bundle.prompt
    built = await post(web, BUNDLE, {**BUILD, "query_text": "lighthouse"})
    assert "lighthouse open" in texts_of(built)
    assert "restricted" not in json.dumps(built)
    withheld = [each for each in built["omissions"] if each["reason"] == "sensitivity"]
    assert withheld[0]["candidates"] == [recorded.event_id]
    for section in built["sections"]:
        assert section["token_est"] > 0
    refs = [recorded.event_id]
    for level, expected in ((SECRET_LEVEL, 0), (memory_pb2.SENSITIVITY_CONFIDENTIAL, 1)):
        decision: Any = NewDecision(decision=f"d{level}", refs=refs, sensitivity=level)
        await web.server.alice(decisions.RecordDecisionRequest(decision=decision))
        listed = (await web.alice.get(f"{DECISIONS}/query")).json()["decisions"]
        assert len(listed) == expected
        put = await web.alice.put("/v1/artifacts/upload", params={"sensitivity": level}, content=b"some")
        artifact_id = put.json()["artifact"]["artifactId"]
        assert (await web.alice.get(f"/v1/artifacts/{artifact_id}/content")).status_code == 200
        status = (await web.alice.get(f"/api/v1/artifacts/{artifact_id}")).status_code
        assert status == (200 if expected else 404)
        assert (await web.alice.get(f"/api/v1/artifacts/{artifact_id}?channel=public")).status_code == 404


async def test_what_is_not_of_the_design_is_named(web: Web) -> None:
    for path, body, field in (
        (EVENTS, {**EVENT, "colour": "red"}, "colour"),
        (EVENTS, {**EVENT, "actor": {**EVENT["actor"], "name": "x"}}, "actor.name"),
        (EVENTS, {**EVENT, "actor": {"type": "system", "id": "x"}}, "actor.type"),
        (EVENTS, {**EVENT, "kind": "workflow_step"}, "kind"),
        (EVENTS, {**EVENT, "channel": "CHANNEL_PUBLIC"}, "channel"),
        (EVENTS, {**EVENT, "tags": ["a", 1]}, "tags[1]"),
        (EVENTS, {**EVENT, "content": "text"}, "content"),
        (EVENTS, {**EVENT, "session_id": None}, "session_id"),
        (EVENTS, {**EVENT, "content": {"text": ""}}, "content.text"),
        (EVENTS, {**EVENT, "tags": ["x" * 200]}, "event.tags[0]"),
        (BUNDLE, {**BUILD, "recipe": "brief"}, "recipe"),
        (DECISIONS, {**DECISION, "superseded_by": "x"}, "superseded_by"),
        (DECISIONS, {**DECISION, "status": "superseded"}, "status"),
        (TASKS, {**TASK, "goal": "x"}, "goal"),
        (EVENTS, {**EVENT, "kind": "tool_result", "content": {"tool": "x", "exit_code": 1}}, "content.exit_code"),
        (EVENTS, {**EVENT, "kind": "tool_result", "content": {"tool": "x", "line_range": [1]}}, "content.line_range"),
    ):
        assert await refused(web, path, body) == field
    assert (await web.alice.get("/v1/events")).json().get("events", []) == []


@pytest.mark.parametrize("path", [EVENTS, BUNDLE, DECISIONS, TASKS])
async def test_hostile_bodies_are_refused(web: Web, path: str) -> None:
    stated = {name: value for name, value in EVENT.items() if name != "content"}
    head = json.dumps(stated)[:-1].encode()
    sound = await web.alice.post(EVENTS, content=head + b',"content":{"a":[1e99,"\\ud83d\\ude80"]}}')
    assert sound.status_code == 200, sound.text
    bombs = (
        b"",
        b"null",
        b"[]",
        b"{",
        b"\xff\xfe",
        b'{"tenant_id": "acme", "tenant_id": "acme"}',
        b"[" * 100_000,
        b'{"content":' * 100_000,
        head + b',"content":{"a":' + b"[" * 500 + b"]" * 500 + b"}}",
        head + b',"content":{"a":1e999}}',
        head + b',"content":{"a":NaN}}',
        head + b',"content":{"a":' + b"9" * 100_000 + b"}}",
        head + b',"content":{"text":"\\ud800"}}',
        head + b',"content":{"a":"\\ud800"}}',
        head + b',"content":{"\\ud800":1}}',
        head + b',"content":{"text":"a\\u0000b"}}',
        head + b',"\\ud800":1}',
        b" " * (17 * 1024 * 1024),
    )
    for bomb in bombs:
        answer = await web.alice.post(path, content=bomb)
        assert answer.status_code == 400, (bomb[-40:], answer.text[:200])
        assert len(answer.content) < 10_000
    assert len((await web.alice.get("/v1/events")).json()["events"]) == 1


async def test_callers_without_a_key_or_a_role(web: Web) -> None:
    paths = [("POST", each) for each in (EVENTS, BUNDLE, DECISIONS, TASKS)]
    paths += [("GET", f"{DECISIONS}/query"), ("GET", "/api/v1/artifacts/some")]
    async with httpx.AsyncClient(base_url=web.alice.base_url) as nobody:
        for http_method, path in paths:
            answer = await nobody.request(http_method, path, content=b"{not even read")
            assert (answer.status_code, answer.headers["www-authenticate"]) == (401, "Bearer")
    reader = web.with_key(web.server.keys.reader)
    for path, body in ((EVENTS, EVENT), (DECISIONS, {**DECISION, "refs": ["x"]}), (TASKS, TASK)):
        assert (await web.alice.post(path, json=body, headers=reader)).status_code == 403
    assert (await web.alice.post(BUNDLE, json=BUILD, headers=reader)).status_code == 200


async def test_methods_and_forms_of_errors_are_those_of_the_other_paths(web: Web) -> None:
    for http_method, path, allowed in (
        ("GET", EVENTS, "POST"),
        ("DELETE", TASKS, "POST"),
        ("POST", f"{DECISIONS}/query", "GET"),
    ):
        answer = await web.alice.request(http_method, path)
        assert (answer.status_code, answer.headers["allow"]) == (405, allowed)
    for path in ("/api/v1/nothing", "/api/v1/events/", "/api/v1"):
        assert (await web.alice.post(path, json=EVENT)).status_code == 404
    problem = await web.alice.post(EVENTS, json={}, headers={"accept": "application/problem+json"})
    assert problem.headers["content-type"] == "application/problem+json"
    assert (problem.json()["status"], problem.json()["reason"]) == (400, "INVALID_FIELD")
    late = await web.alice.post(EVENTS, json=EVENT, headers={"grpc-timeout": "1n"})
    assert late.status_code == 504


async def test_a_whole_number_of_any_length_keeps_its_digits(web: Web) -> None:
    number = int("9" * 400)
    recorded = await post(web, EVENTS, {**EVENT, "content": {"a": number, "b": 12}})
    event = (await web.alice.get(f"/v1/events/{recorded['event_id']}")).json()["event"]
    assert event["stated"]["json"] == {"a": str(number), "b": 12}
