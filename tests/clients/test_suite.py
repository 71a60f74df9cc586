"""The suite notices what is otherwise than a scenario says."""

import itertools
import sys
from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from clients.conformance.play import Differs
from clients.conformance.runners import Recipe, Runner, RunnerFailed
from clients.conformance.scenarios import Scenario
from clients.conformance.suite import Outcome, Suite

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
    """What is told of a scenario with these steps; empty if nothing is."""

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
    missing = {
        "call": "GetMemory",
        "request": {"memory_id": "01890a5d-ac96-774b-bcce-b302099a8057"},
    }
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
    assert await told({"proxy": {**AWAY, "times": 9}}, other) == ""
    assert "STORAGE_UNAVAILABLE" in await told({"proxy": {**AWAY, "times": 4}}, REMEMBER)


async def test_a_reference_to_nothing_is_told(told: Told) -> None:
    assert "no nobody in" in await told(
        {"call": "GetMemory", "request": {"memory_id": "${nobody}"}}
    )


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
        ("input(); print('{\"id\": 7}', flush=True)", "an answer to 7, not to 1"),
        ("import sys; sys.exit('no such library: 茶')", "no such library: 茶"),
    ],
)
async def test_a_runner_that_keeps_not_to_the_protocol_is_told(
    ready: Suite, program: str, said: str
) -> None:
    recipe = Recipe("none", [sys.executable, "-X", "utf8", "-c", program])
    broken = await Runner.start(recipe, ready.directory / f"broken-{next(numbers)}.log")
    with pytest.raises(RunnerFailed, match=said):
        await broken.ask({"do": "close", "client": "a"}, 30)
    await broken.stop()


async def test_a_runner_answers_a_command_that_it_does_not_know(runner: Runner) -> None:
    answer = await runner.ask({"do": "somersault"}, 30)
    assert answer["error"]["code"] == "UNKNOWN_COMMAND"
    failed = await runner.ask({"do": "close", "client": "nobody"}, 30)
    assert "error" in failed
