"""A run of the suite: one server, and every scenario with a runner."""

from __future__ import annotations

import asyncio
import shutil
import tempfile
import time
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from camillo_client import CamilloError

from clients.conformance import certificates, stage, world
from clients.conformance.play import Differs, Play
from clients.conformance.runners import Recipe, Runner, RunnerFailed
from clients.conformance.scenarios import Scenario
from clients.conformance.variables import Variables


@dataclass(frozen=True, slots=True)
class Outcome:
    """The outcome of one scenario in one language; `difference` is empty where all was as expected."""

    language: str
    scenario: str
    seconds: float
    difference: str = ""

    def as_dict(self) -> dict[str, Any]:
        return asdict(self)


@dataclass(frozen=True, slots=True)
class Suite:
    """The server of a run, and where its files lie."""

    world: world.World
    certificates: certificates.Certificates
    directory: Path

    def log_of(self, recipe: Recipe) -> Path:
        """Where the runner of a language, and what builds it, print what is not for the harness."""
        return self.directory / f"{recipe.language}.log"

    async def start(self, recipe: Recipe) -> Runner:
        """The runner of a language, with the world's environment."""
        environment = {**recipe.environment, **self.world.environment}
        return await Runner.start(replace(recipe, environment=environment), self.log_of(recipe))

    async def play_all(
        self, recipe: Recipe, scenarios: Sequence[Scenario], tell: Callable[[Outcome], None]
    ) -> list[Outcome]:
        """All scenarios in one language; a runner that fails is started anew for the next one."""
        outcomes: list[Outcome] = []
        runner: Runner | None = None
        try:
            for number, scenario in enumerate(scenarios):
                begun, difference = time.monotonic(), ""
                try:
                    runner = runner or await self.start(recipe)
                    await self.play(runner, scenario, f"{recipe.language}-{number}")
                except Differs as differs:
                    difference = str(differs)
                except RunnerFailed as failed:
                    difference = str(failed)
                    ended, runner = runner, None
                    await _stopped(ended)
                seconds = time.monotonic() - begun
                outcomes.append(Outcome(recipe.language, scenario.name, seconds, difference))
                tell(outcomes[-1])
        finally:
            await _stopped(runner)
        return outcomes

    async def _cast(self, agent_id: str) -> Mapping[str, Any]:
        try:
            return await self.world.cast(agent_id)
        except CamilloError as error:
            # One scenario more that has failed, not the end of all of them.
            raise Differs(f"nobody could be given a key: {error}") from None

    async def play(self, runner: Runner, scenario: Scenario, agent_id: str) -> None:
        """One scenario, as an agent that nobody was before; Differs or RunnerFailed if it comes otherwise."""
        directory = self.directory / agent_id
        await asyncio.to_thread(directory.mkdir)
        try:
            async with stage.set_for(self.world, self.certificates, directory) as own:
                variables = Variables({**own.variables, **await self._cast(agent_id)})
                await Play(scenario, runner, own, variables).through()
        finally:
            await asyncio.to_thread(shutil.rmtree, directory)


@asynccontextmanager
async def suite() -> AsyncIterator[Suite]:
    """Ready to be run, with a server of its own; all is gone afterwards."""
    # Short, for Postgres puts a socket into it.
    directory = Path(await asyncio.to_thread(tempfile.mkdtemp, prefix="camillo-conformance-"))
    try:
        made = await asyncio.to_thread(certificates.made_in, directory)
        async with world.running(directory) as running:
            yield Suite(running, made, directory)
    finally:
        await asyncio.to_thread(shutil.rmtree, directory, ignore_errors=True)


async def _stopped(runner: Runner | None) -> None:
    if runner is not None:
        await runner.stop()
