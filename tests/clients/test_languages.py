"""All languages of a run: built, then played, some at a time."""

import asyncio
import os
import sys
from pathlib import Path

import pytest

from clients.conformance import runners
from clients.conformance.languages import Tour
from clients.conformance.runners import Recipe, RunnerFailed, build
from clients.conformance.scenarios import Scenario
from clients.conformance.suite import Outcome, Suite
from tests.patience import PATIENCE_SECONDS

RENDER = Scenario("a ref", [{"render_ref": "abc_1", "description": "", "expect": "[x]"}], clients={})
# Answers when there are as many others as it is told, and not before.
TOGETHER = """
import json, os, pathlib, sys, time
folder, own, others = pathlib.Path(sys.argv[1]), sys.argv[2], int(sys.argv[3])
for line in sys.stdin:
    (folder / own).write_text(str(os.getpid()))
    while len(list(folder.iterdir())) < others:
        time.sleep(0.01)
    print(json.dumps({"id": json.loads(line)["id"], "ok": "[x]"}), flush=True)
"""


def language(name: str, folder: Path, others: int, build: tuple[str, ...] = ()) -> Recipe:
    return Recipe(name, [sys.executable, "-c", TOGETHER, str(folder), name, str(others)], build=build)


def tour(jobs: int, *scenarios: Scenario) -> tuple[Tour, list[str]]:
    """A tour, and the list to which it reports."""
    told: list[str] = []
    return Tour(
        scenarios,
        jobs,
        lambda outcome: told.append(f"{outcome.language}: {outcome.scenario}"),
        lambda outcomes: told.append(f"{outcomes[0].language}: all"),
    ), told


async def test_languages_are_played_at_the_same_time_and_told_in_their_order(ready: Suite, tmp_path: Path) -> None:
    both = [language(f"slow{tmp_path.name}", tmp_path, 2), language(f"fast{tmp_path.name}", tmp_path, 1)]
    travelling, _ = tour(2, RENDER)
    outcomes = await travelling.through(ready, both)
    assert [outcome.language for outcome in outcomes] == [recipe.language for recipe in both]
    assert not any(outcome.difference for outcome in outcomes)


async def test_one_at_a_time_is_one_at_a_time(ready: Suite, tmp_path: Path) -> None:
    first = language(f"first{tmp_path.name}", tmp_path, 1)
    second = language(f"second{tmp_path.name}", tmp_path, 2)
    travelling, told = tour(1, RENDER)
    await travelling.through(ready, [first, second])
    assert [line.partition(":")[2] for line in told] == [" a ref", " all", " a ref", " all"]


async def test_a_language_that_cannot_be_built_fails_everywhere_and_is_told_once(ready: Suite, tmp_path: Path) -> None:
    failing = (sys.executable, "-c", "raise SystemExit('no such library: \u8336')")
    broken = language(f"broken{tmp_path.name}", tmp_path, 1, failing)
    good = language(f"good{tmp_path.name}", tmp_path, 1)
    travelling, told = tour(2, RENDER, Scenario("another", RENDER.steps, clients={}))
    outcomes = await travelling.through(ready, [broken, good])
    assert ["no such library" in outcome.difference for outcome in outcomes] == [True, True, False, False]
    assert sum(line.startswith("broken") for line in told) == 2


async def test_a_build_without_end_is_a_failure(tmp_path: Path) -> None:
    endless = Recipe("endless", ["x"], build=(sys.executable, "-c", "import time; time.sleep(60)"))
    with pytest.raises(RunnerFailed, match=r"took over 0\.2 s"):
        await build(endless, tmp_path / "log", seconds=0.2)


async def test_a_run_that_is_broken_off_leaves_no_runner_behind(
    ready: Suite, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(runners, "STOP_SECONDS", 0.1)
    waiting = language(f"waiting{tmp_path.name}", tmp_path, 99)
    outcomes: list[Outcome] = []
    playing = asyncio.create_task(ready.play_all(waiting, [RENDER], outcomes.append))
    async with asyncio.timeout(PATIENCE_SECONDS):
        while not any(path.stat().st_size for path in tmp_path.iterdir()):  # noqa: ASYNC110
            await asyncio.sleep(0.01)
    playing.cancel()
    with pytest.raises(asyncio.CancelledError):
        await playing
    assert not outcomes
    # Nobody answers to its number any more.
    process_id = int((tmp_path / waiting.language).read_text())
    with pytest.raises(ProcessLookupError):
        os.kill(process_id, 0)
