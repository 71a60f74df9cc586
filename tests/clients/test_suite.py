"""The suite notices what is otherwise than a scenario says."""

import asyncio
import itertools
import socket
import sys
from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import Any

import grpc
import pytest
from camillo.v1.admin_service_pb2 import WhoAmIRequest
from camillo.v1.admin_service_pb2_grpc import AdminServiceStub
from camillo.v1.artifact_service_pb2 import ArtifactBytes, PutArtifactHeader, PutArtifactRequest
from camillo.v1.artifact_service_pb2_grpc import ArtifactServiceStub
from camillo_client import AsyncCamillo
from grpc.aio import AioRpcError, insecure_channel

from clients.conformance import stage
from clients.conformance.play import Differs
from clients.conformance.runners import Recipe, Runner, RunnerFailed
from clients.conformance.scenarios import Scenario
from clients.conformance.suite import Outcome, Suite
from clients.conformance.wire import HOST, closed

numbers = itertools.count(1)
REMEMBER: dict[str, Any] = {
    "call": "Remember",
    "request": {"memory": {"content": "茶 is ready"}},
    "save": {"id": "memory.memory_id"},
}
AWAY = {"method": "Remember", "fail": {"code": "UNAVAILABLE", "reason": "STORAGE_UNAVAILABLE"}}

Told = Callable[..., Awaitable[str]]


@pytest.fixture
def told(ready: Suite, runner: Runner) -> Told:
    """Returns the difference that a scenario with these steps reports; empty if there is none."""

    async def tell(*steps: dict[str, Any], **options: Any) -> str:
        scenario = Scenario("a test", steps, **options)
        try:
            await ready.play(runner, scenario, f"suite-{next(numbers)}")
        except Differs as differs:
            return str(differs)
        return ""

    return tell


async def test_an_answer_that_differs_is_told_with_its_place(told: Told) -> None:
    assert await told({**REMEMBER, "expect": {"memory": {"content": "茶 is ready"}}}) == ""
    assert await told({**REMEMBER, "expect": {"memory": {"content": "coffee"}}}) == (
        "step 1, call Remember: answer.memory.content: expected coffee, got 茶 is ready"
    )
    assert "expected 1, got nothing" in await told({**REMEMBER, "expect": {"nonsense": 1}})


async def test_a_failure_that_nobody_expects_is_told(told: Told) -> None:
    missing = {"call": "GetMemory", "request": {"memory_id": "01890a5d-ac96-774b-bcce-b302099a8057"}}
    assert "MEMORY_NOT_FOUND" in await told(missing)
    right = {"code": "NOT_FOUND", "type": "MemoryNotFound"}
    assert await told({**missing, "error": right}) == ""
    assert "error.type" in await told({**missing, "error": {**right, "type": "EventNotFound"}})


async def test_an_answer_instead_of_a_failure_is_told(told: Told) -> None:
    assert "an error was expected" in await told({**REMEMBER, "error": {"code": "NOT_FOUND"}})


async def test_calls_are_counted_at_the_proxy(told: Told) -> None:
    trouble = {"proxy": {**AWAY, "times": 2}}
    assert await told(trouble, REMEMBER, {"seen": "Remember", "expect": {"$count": 3}}) == ""
    counted = await told(trouble, REMEMBER, {"seen": "Remember", "expect": {"$count": 1}})
    assert counted == "step 3, seen Remember: number of answer: expected 1, got 3"


async def test_trouble_is_of_one_method_and_over_when_it_is(told: Told) -> None:
    other = {"call": "WhoAmI", "expect": {"tenant_id": "acme"}}
    assert await told({"proxy": {**AWAY, "times": 1}}, other, REMEMBER) == ""
    assert "STORAGE_UNAVAILABLE" in await told({"proxy": {**AWAY, "times": 4}}, REMEMBER)


async def test_trouble_that_nobody_met_is_told(told: Told) -> None:
    other = {"call": "WhoAmI", "expect": {"tenant_id": "acme"}}
    assert "no call of Remember met" in await told({"proxy": AWAY}, other)
    cut = {"wire": {"direction": "down", "bytes": 1_000_000}}
    assert "no connection was cut after 1,000,000 bytes down" in await told(cut, other)


async def test_a_port_that_nobody_listens_at_stays_so(ready: Suite, runner: Runner) -> None:
    """Otherwise a test of another language could be given a port that was free only a moment ago."""
    with closed() as address, socket.socket() as other:
        with pytest.raises(OSError, match="in use"):
            other.bind((HOST, int(address.rpartition(":")[2])))
        with pytest.raises(ConnectionRefusedError):
            await asyncio.open_connection(HOST, int(address.rpartition(":")[2]))


async def test_a_reference_to_nothing_is_told(told: Told) -> None:
    assert "no nobody in" in await told({"call": "GetMemory", "request": {"memory_id": "${nobody}"}})


async def test_a_request_that_the_contract_does_not_know_is_told(told: Told) -> None:
    assert "the scenario's request" in await told({"call": "Recall", "request": {"question": "x"}})


async def test_a_command_that_takes_too_long_ends_its_runner(ready: Suite, python: Recipe) -> None:
    steps = (
        {"proxy": {"method": "Recall", "delay_seconds": 30}},
        {"call": "Recall", "request": {"text": "tea"}, "timeout_seconds": 60},
    )
    slow = Scenario("slow", steps, patience_seconds=1.0)
    outcomes: list[Outcome] = []
    quick = Scenario("quick", [REMEMBER])
    assert await ready.play_all(python, [slow, quick], outcomes.append) == outcomes
    assert [outcome.difference for outcome in outcomes] == ["no answer in 1 s", ""]


@pytest.mark.parametrize(
    ("program", "said"),
    [
        ("", "the runner ended"),
        ("print('hello', flush=True); input()", "no JSON"),
        ('input(); print(\'{"id": 7, "ok": 1}\', flush=True)', "an answer to 7, not to 1"),
        ("input(); print('{\"id\": 1}', flush=True)", "not one of ok and error"),
        ('input(); print(\'{"id": 1, "ok": 1, "error": {}}\', flush=True)', "not one of ok"),
        ('input(); print(\'{"id": 1, "error": "no"}\', flush=True)', "error that is no object"),
        ("input(); print('[]', flush=True)", "not one of ok and error"),
        ("input(); import os; os.write(1, b'\\xff\\n')", "no JSON"),
        ("import sys; sys.exit('no such library: 茶')", "no such library: 茶"),
    ],
)
async def test_a_runner_that_keeps_not_to_the_protocol_is_told(ready: Suite, program: str, said: str) -> None:
    recipe = Recipe("none", [sys.executable, "-X", "utf8", "-c", program])
    broken = await Runner.start(recipe, ready.directory / f"broken-{next(numbers)}.log")
    with pytest.raises(RunnerFailed, match=said):
        await broken.ask({"do": "close", "client": "a"}, 30)
    await broken.stop()


async def test_what_the_server_says_to_an_upload_passes_whenever_it_comes(ready: Suite) -> None:
    """grpc.aio, which the proxy calls with, makes up a status of its own where a stream ends while it sends."""
    header = PutArtifactHeader(upload_id="01890a5d-ac96-774b-bcce-b302099a8057")
    piece = PutArtifactRequest(bytes=ArtifactBytes(data=b"x" * 1000))
    messages = [PutArtifactRequest(header=header), *[piece] * 8]
    stranger = (("authorization", "Bearer none"),)

    def put(address: str) -> str:
        with grpc.insecure_channel(address) as channel, pytest.raises(grpc.RpcError) as raised:
            ArtifactServiceStub(channel).PutArtifact(iter(messages), metadata=stranger)
        code: str = raised.value.code().name
        return code

    async with stage.set_for(ready.world, ready.certificates, ready.directory) as own:
        told = [await asyncio.to_thread(put, own.variables["proxy"]) for _ in range(40)]
    assert set(told) == {"UNAUTHENTICATED"}


async def test_a_server_that_gives_no_keys_fails_a_scenario_and_not_the_run(ready: Suite, python: Recipe) -> None:
    with closed() as address:
        async with AsyncCamillo.connect(address, timeout_seconds=1) as nobody:
            without = replace(ready, world=replace(ready.world, admin=nobody))
            [outcome] = await without.play_all(python, [Scenario("a", [REMEMBER])], lambda _: None)
    assert "nobody could be given a key" in outcome.difference


async def test_a_header_that_came_twice_is_not_taken_for_one(ready: Suite) -> None:
    twice = (("camillo-scope", "a"), ("camillo-scope", "a"), ("authorization", "Bearer none"))
    async with stage.set_for(ready.world, ready.certificates, ready.directory) as own:
        async with insecure_channel(own.variables["proxy"]) as channel:
            with pytest.raises(AioRpcError, match="UNAUTHENTICATED"):
                await AdminServiceStub(channel).WhoAmI(WhoAmIRequest(), metadata=twice)
        seen = [call.as_dict() for call in own.proxy.calls_of("WhoAmI")]
    assert [call["metadata"]["camillo-scope"] for call in seen] == ["a, a"]


async def test_a_runner_that_ended_before_it_was_asked_is_told_as_one_that_ends(ready: Suite) -> None:
    recipe = Recipe("none", [sys.executable, "-c", "import sys; sys.exit('no such library')"])
    ended = await Runner.start(recipe, ready.directory / f"ended-{next(numbers)}.log")
    await ended._process.wait()
    with pytest.raises(RunnerFailed, match="the runner ended; no such library"):
        await ended.ask({"do": "close", "client": "a"}, 30)
    await ended.stop()


async def test_a_runner_answers_a_command_that_it_does_not_know(runner: Runner) -> None:
    answer = await runner.ask({"do": "somersault"}, 30)
    assert answer["error"]["code"] == "UNKNOWN_COMMAND"
    failed = await runner.ask({"do": "close", "client": "nobody"}, 30)
    assert "error" in failed
    # Not one of the kinds of errors that somebody thought of.
    odd = await runner.ask({"do": "call", "method": 7, "client": "nobody"}, 30)
    assert "error" in odd
    assert "error" in await runner.ask({"do": "close", "client": "nobody"}, 30)


@pytest.mark.parametrize(
    ("steps", "answer", "said"),
    [
        ([{"read": "some_artifact"}], '{"bytes": 1}', "an object and a file"),
        ([{"read": "some_artifact"}], "7", "an object and a file"),
        ([{"parse_refs": "text"}], "null", "objects in a list"),
        ([{"parse_refs": "text"}], '["abc_1"]', "objects in a list"),
        ([{"put": "/no/such/file"}], "[]", "no Artifact in proto3 JSON"),
        ([{"pages": "ListMemories"}], "{}", "answered by a list"),
    ],
)
async def test_an_answer_of_another_form_is_told_and_ends_nothing(
    ready: Suite, steps: list[dict[str, Any]], answer: str, said: str
) -> None:
    """A runner that answers every step so fails the scenario, but does not end the whole run."""
    program = (
        "import json, sys\nfor line in sys.stdin:\n"
        f"    print(json.dumps({{'id': json.loads(line)['id'], 'ok': json.loads({answer!r})}}), flush=True)"
    )
    recipe = Recipe(f"other-{next(numbers)}", [sys.executable, "-c", program])
    [outcome] = await ready.play_all(recipe, [Scenario("a test", steps)], lambda _: None)
    assert said in outcome.difference
