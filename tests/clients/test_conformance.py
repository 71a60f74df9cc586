"""The Python client does what the clients of all languages have to do."""

from pathlib import Path

import pytest

from clients.conformance.runners import Runner
from clients.conformance.scenarios import Scenario, load
from clients.conformance.suite import Suite

SCENARIOS = load(Path(__file__).parents[2] / "clients" / "scenarios.yaml")


@pytest.mark.parametrize(
    "scenario", [scenario for scenario in SCENARIOS if not scenario.large], ids=lambda scenario: scenario.name
)
async def test_the_python_client(ready: Suite, runner: Runner, scenario: Scenario) -> None:
    await ready.play(runner, scenario, f"test-{SCENARIOS.index(scenario)}")
