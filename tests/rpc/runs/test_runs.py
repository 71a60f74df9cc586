"""Runs: started, appended to, instructed, rendered; each agent's own, and gone when nobody calls any more."""

import asyncio
from typing import Any

import grpc
import pytest
from camillo.v1 import admin_service_pb2 as admin
from camillo.v1 import memory_pb2
from camillo.v1 import run_pb2 as pb
from camillo.v1 import run_service_pb2 as service
from camillo_server.across.runs.store.endings import remove_ended_runs

from tests.rpc.memories.calls import UNKNOWN_ID, remember
from tests.rpc.runs.calls import answer, append, call, end, inject, names, render, start, starting, trigger
from tests.rpc.test_secrets import CONTROL, stored_texts
from tests.secret_samples import samples
from tests.server_fixtures import Server, refused

SECRET = samples(7)["github-pat"]
SEALED = [memory_pb2.SENSITIVITY_CONFIDENTIAL, memory_pb2.SENSITIVITY_RESTRICTED]


async def test_a_run_is_as_it_was_stated(server: Server) -> None:
    request = starting(
        request_id="once",
        trigger=trigger("webhook", text="订单迟到了 🚢", nested={"a": [1, None, "é"]}),
        focus="حافظ على هدوء العميل",
        session_id="s1",
        sensitivity=memory_pb2.SENSITIVITY_PUBLIC,
        max_tokens=500,
        idle_seconds=600,
    )
    started = await server.alice(request)
    run = started.run
    assert (run.agent_id, run.session_id, run.focus) == ("alice", "s1", request.focus)
    assert (run.trigger, run.sensitivity) == (request.trigger, request.sensitivity)
    assert (run.max_tokens, run.idle_seconds, run.rounds, run.instructions) == (500, 600, 0, 0)
    assert run.started_at == run.active_at
    assert not started.HasField("snapshot")
    server.clock.move(60)
    assert await server.alice(request) == started
    request.focus = "another"
    assert (await refused(server.alice(request))).reason == "REQUEST_ID_REUSED"


async def test_what_is_left_out_has_its_default(server: Server) -> None:
    run = (await server.alice(starting())).run
    assert run.sensitivity == memory_pb2.SENSITIVITY_INTERNAL
    assert (run.max_tokens, run.idle_seconds) == (2_000, 3_600)


async def test_a_run_starts_with_what_its_agent_should_know(server: Server) -> None:
    await remember(server.alice, "Ada wants every late order told by phone", pinned=True)
    await remember(server.admin, "bob's own", agent_id="bob", pinned=True)
    started = await server.alice(starting(skip_snapshot=False))
    assert "told by phone" in started.snapshot.prompt
    assert "bob's own" not in started.snapshot.prompt
    assert (started.snapshot.recipe, started.snapshot.budget_tokens) == ("run_snapshot", 500)
    small = await server.alice(starting(skip_snapshot=False, snapshot_max_tokens=50))
    assert small.snapshot.tokens <= 50


async def test_a_run_is_rendered_as_it_went(server: Server) -> None:
    run_id = await start(server.alice, focus="the late order")
    for number in range(1, 6):
        steps = call("search", f"found {number}.", query=f"q{number}"), answer(f"said {number}.")
        appended = await append(server.alice, run_id, *steps)
        assert appended.run.rounds == number
    told = await inject(server.alice, run_id, "answer in 中文")
    assert (told.rounds, told.instructions) == (5, 1)
    found = await render(server.alice, run_id)
    assert names(found) == ["trigger", "focus", "instructions", "earlier", "rounds"]
    assert [(each.items, each.cut) for each in found.sections[3:]] == [(2, 0), (3, 0)]
    assert '[2] called search(query="q2") -> found 2.; answered "said 2."\n' in found.prompt
    assert '[3] called search(query="q3")\n  result: found 3.\n[3] answered: said 3.' in found.prompt
    assert "- answer in 中文\n" in found.prompt
    assert 0 < found.tokens <= 2_000
    again = await render(server.alice, run_id)
    assert (again.prompt, again.sections) == (found.prompt, found.sections)
    assert again.run == found.run == told


async def test_a_rendering_keeps_within_the_budget_that_is_asked_for(server: Server) -> None:
    run_id = await start(server.alice, max_tokens=300)
    for number in range(30):
        await append(server.alice, run_id, call("search", f"{number} " + "слово " * 200))
    own = await render(server.alice, run_id)
    wide = await render(server.alice, run_id, max_tokens=4_000)
    assert own.tokens <= 300 < wide.tokens <= 4_000
    assert own.sections[-1].cut
    await inject(server.alice, run_id, "word " * 399)
    told = await refused(render(server.alice, run_id))
    assert (told.code, told.reason) == (grpc.StatusCode.FAILED_PRECONDITION, "BUDGET_TOO_SMALL")
    assert "instructions=" in told.metadata["sections"]
    assert (await render(server.alice, run_id, max_tokens=4_000)).tokens <= 4_000


async def test_a_repeated_request_adds_nothing_more(server: Server) -> None:
    run_id = await start(server.alice)
    steps = call("search", "found"), answer("said")
    first = await append(server.alice, run_id, *steps, request_id="once")
    told = await inject(server.alice, run_id, "be brief", request_id="told")
    repeated = await append(server.alice, run_id, *steps, request_id="once")
    assert repeated.revision == first.revision
    assert repeated.run == told
    assert await inject(server.alice, run_id, "be brief", request_id="told") == told
    assert (await render(server.alice, run_id)).prompt.count("be brief") == 1
    other = await refused(append(server.alice, run_id, answer("other"), request_id="once"))
    assert other.reason == "REQUEST_ID_REUSED"


async def test_rounds_of_many_writers_at_once_all_count(server: Server) -> None:
    run_id = await start(server.alice, max_tokens=100_000)
    added = await asyncio.gather(*(append(server.alice, run_id, answer(f"said {number}.")) for number in range(40)))
    assert sorted(each.run.rounds for each in added) == list(range(1, 41))
    prompt = (await render(server.alice, run_id)).prompt
    assert all(f"said {number}." in prompt for number in range(40))


async def test_a_run_is_its_agents_own(server: Server) -> None:
    await server.admin(admin.CreateAgentRequest(agent_id="bob"))
    run_id = await start(server.alice)
    shared = await start(server.admin)
    calls: list[Any] = [(append, answer("x")), (inject, "x"), (render,), (end,)]
    for method, *rest in calls:
        for told in (
            await refused(method(server.admin, run_id, *rest, agent_id="bob")),
            await refused(method(server.admin, run_id, *rest)),
            await refused(method(server.rival, run_id, *rest, agent_id="alice")),
            await refused(method(server.alice, shared, *rest)),
            await refused(method(server.alice, UNKNOWN_ID, *rest)),
        ):
            assert (told.code, told.reason) == (grpc.StatusCode.NOT_FOUND, "RUN_NOT_FOUND")
    assert (await render(server.reader, run_id)).run.rounds == 0
    written = await refused(append(server.reader, run_id, answer("x")))
    assert written.reason == "SCOPE_FORBIDDEN"
    added = await append(server.admin, run_id, answer("x"), agent_id="alice")
    assert added.run.rounds == 1


@pytest.mark.own_server
async def test_a_run_ends_by_itself_when_nobody_calls(server: Server) -> None:
    run_id = await start(server.alice, idle_seconds=60)
    server.clock.move(59)
    await append(server.alice, run_id, answer(CONTROL))
    server.clock.move(59)
    assert (await inject(server.alice, run_id, "go on")).rounds == 1
    server.clock.move(60)
    for gone in (
        render(server.alice, run_id),
        append(server.alice, run_id, answer("x")),
        inject(server.alice, run_id, "x"),
        end(server.alice, run_id),
    ):
        assert (await refused(gone)).reason == "RUN_NOT_FOUND"
    assert CONTROL in stored_texts(server.database)
    other = await start(server.alice)
    await append(server.alice, other, answer("goes on"))
    await remove_ended_runs(server.app.kernel.database, server.clock.now())
    stored = stored_texts(server.database)
    assert CONTROL not in stored
    assert "goes on" in stored
    assert (await render(server.alice, other)).run.rounds == 1


@pytest.mark.own_server
async def test_rendering_keeps_a_run_alive_and_writes_at_most_once_a_minute(server: Server) -> None:
    run_id = await start(server.alice, idle_seconds=60)
    for _ in range(20):
        server.clock.move(25)
        found = await render(server.reader, run_id)
    assert found.run.active_at.ToSeconds() == server.clock.now().timestamp()

    async def writes_after(seconds: int) -> bool:
        before = _stored(server, run_id)
        server.clock.move(seconds)
        await render(server.alice, run_id)
        return _stored(server, run_id) != before

    server.clock.move(59)
    await append(server.alice, run_id, answer("hello"))
    assert await writes_after(1)
    assert not await writes_after(30)
    assert not await writes_after(30)
    assert await writes_after(1)
    assert await writes_after(119)
    server.clock.move(120)
    assert (await refused(render(server.alice, run_id))).reason == "RUN_NOT_FOUND"


def _stored(server: Server, run_id: str) -> list[str]:
    return [line for line in stored_texts(server.database).splitlines() if run_id in line]


@pytest.mark.own_server
async def test_secrets_are_taken_out_of_everything(server: Server) -> None:
    started = await server.alice(starting(trigger=trigger(SECRET, token=SECRET, also={"a": [SECRET]}), focus=SECRET))
    run_id = started.run.run_id
    told = {"password": "q8Zt2Lw9PmX4vB7n"}
    steps = [call(SECRET, f"{CONTROL} {SECRET}", **told), answer(SECRET)]
    appended = await append(server.alice, run_id, *steps)
    assert {each.field for each in appended.redactions} == {
        "steps[0].function_call.name",
        "steps[0].function_call.arguments.password",
        "steps[0].function_call.result",
        "steps[1].llm_response",
    }
    request = service.InjectInstructionRequest(run_id=run_id, instruction=f"use {SECRET}")
    injected = await server.alice(request)
    assert [each.field for each in injected.redactions] == ["instruction"]
    found = await render(server.alice, run_id)
    kept = await end(server.alice, run_id, distill=True)
    texts = [str(started), found.prompt, str(kept), stored_texts(server.database)]
    assert all("[redacted" in text for text in texts)
    assert not any(SECRET in text or "q8Zt2Lw9PmX4vB7n" in text for text in texts)


@pytest.mark.own_server
@pytest.mark.parametrize("level", SEALED)
async def test_what_is_sensitive_is_sealed_at_rest(server: Server, level: Any) -> None:
    words = ("zebrastreifen", "斑马线", "حمار", "kvitten", "🦓")
    run_id = await start(server.alice, trigger=trigger("t", text=words[0]), focus=words[1], sensitivity=level)
    await append(server.alice, run_id, call("f", words[2]), answer(words[3]), request_id="once")
    await inject(server.alice, run_id, words[4])
    plain = await start(server.alice, focus=CONTROL)
    stored = stored_texts(server.database)
    assert CONTROL in stored
    assert not any(word in stored or word.encode().hex() in stored for word in words)
    prompt = (await render(server.alice, run_id)).prompt
    assert all(word in prompt for word in words)
    (memory,) = (await end(server.alice, run_id, distill=True)).memories
    assert memory.sensitivity == level
    assert words[3] in memory.content
    assert not any(word in stored_texts(server.database) for word in words)
    (open_one,) = (await end(server.alice, plain, distill=True)).memories
    assert open_one.content in stored_texts(server.database).replace("\\n", "\n")


async def test_a_run_has_bounds(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in (("ROUNDS", 3), ("INSTRUCTIONS", 2), ("BYTES", 4_096)):
        monkeypatch.setattr(f"camillo_server.across.runs.store.entries.MAX_{name}", value)
    monkeypatch.setattr("camillo_server.across.runs.store.runs.MAX_OPEN_RUNS", 2)
    run_id = await start(server.alice)
    for _ in range(2):
        await inject(server.alice, run_id, "x")
        await append(server.alice, run_id, answer("x"))
    over = [
        (await refused(inject(server.alice, run_id, "x")), "run_instructions", "2"),
        (await refused(append(server.alice, run_id, answer("é" * 2_000))), "run_bytes", "4096"),
    ]
    assert (await append(server.alice, run_id, answer("x"))).run.rounds == 3
    over.append((await refused(append(server.alice, run_id, answer("x"))), "run_rounds", "3"))
    await start(server.alice, idle_seconds=60)
    over.append((await refused(start(server.alice)), "open_runs", "2"))
    for told, quota, limit in over:
        assert (told.code, told.reason) == (grpc.StatusCode.RESOURCE_EXHAUSTED, "QUOTA_EXCEEDED")
        assert told.metadata == {"quota": quota, "limit": limit}
    assert (await render(server.alice, run_id)).run.rounds == 3
    server.clock.move(60)
    await start(server.alice)


@pytest.mark.parametrize(
    ("request_", "field"),
    [
        (service.StartRunRequest(), "trigger.type"),
        (starting(trigger=pb.Trigger(type="x" * 129)), "trigger.type"),
        (starting(trigger=trigger(text="x" * 16_400)), "trigger.payload"),
        (starting(trigger=trigger(text="a\0b")), "trigger.payload.text"),
        (starting(focus="x" * 2_001), "focus"),
        (starting(session_id="x" * 129), "session_id"),
        (starting(sensitivity=9), "sensitivity"),
        (starting(max_tokens=99), "max_tokens"),
        (starting(max_tokens=-1), "max_tokens"),
        (starting(max_tokens=100_001), "max_tokens"),
        (starting(idle_seconds=59), "idle_seconds"),
        (starting(idle_seconds=604_801), "idle_seconds"),
        (starting(snapshot_max_tokens=49), "snapshot_max_tokens"),
        (starting(request_id="x" * 129), "request_id"),
        (service.AppendRunRequest(run_id="x", steps=[answer("x")]), "run_id"),
        (service.AppendRunRequest(run_id=UNKNOWN_ID), "steps"),
        (service.AppendRunRequest(run_id=UNKNOWN_ID, steps=[answer("x")] * 101), "steps"),
        (service.AppendRunRequest(run_id=UNKNOWN_ID, steps=[pb.RunStep()]), "steps[0]"),
        (service.AppendRunRequest(run_id=UNKNOWN_ID, steps=[answer("")]), "steps[0].llm_response"),
        (service.AppendRunRequest(run_id=UNKNOWN_ID, steps=[answer("é" * 32_769)]), "steps[0].llm_response"),
        (service.AppendRunRequest(run_id=UNKNOWN_ID, steps=[answer("x"), call("")]), "steps[1].function_call.name"),
        (service.AppendRunRequest(run_id=UNKNOWN_ID, steps=[call("f", "x" * 65_537)]), "steps[0].function_call.result"),
        (
            service.AppendRunRequest(run_id=UNKNOWN_ID, steps=[call("f", a="x" * 65_537)]),
            "steps[0].function_call.arguments",
        ),
        (service.InjectInstructionRequest(run_id=UNKNOWN_ID), "instruction"),
        (service.InjectInstructionRequest(run_id=UNKNOWN_ID, instruction="x" * 2_001), "instruction"),
        (service.RenderRunRequest(run_id=UNKNOWN_ID, max_tokens=99), "max_tokens"),
        (service.RenderRunRequest(), "run_id"),
        (service.EndRunRequest(run_id=UNKNOWN_ID, memories=[memory_pb2.NewMemory()]), "memories[0].content"),
        (service.EndRunRequest(run_id=UNKNOWN_ID, memories=[memory_pb2.NewMemory(content="x")] * 101), "memories"),
    ],
)
async def test_a_bad_request_is_refused_with_its_field(server: Server, request_: Any, field: str) -> None:
    told = await refused(server.alice(request_))
    assert (told.code, told.fields) == (grpc.StatusCode.INVALID_ARGUMENT, (field,))
