"""The runners: one process for each language, asked one command at a time."""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Self

import yaml

ROOT = Path(__file__).parents[2]
MOST_LINE_BYTES = 128 * 1024 * 1024
BUILD_SECONDS = 1200.0
# Longest time in which a busy runner has to notice that its input has ended.
STOP_SECONDS = 10.0
# Zone of the machine for all runners: the one where the suite runs may be UTC, which clients do not name.
TIME_ZONE = "Australia/Sydney"


class RunnerFailed(Exception):
    """A runner could not be built, ended, or did not answer in time."""


@dataclass(frozen=True, slots=True)
class Recipe:
    """How a language's runner is made and started."""

    language: str
    command: Sequence[str]
    cwd: str = "."
    needs: Sequence[str] = ()
    build: Sequence[str] = ()
    environment: Mapping[str, str] = field(default_factory=dict)

    def missing(self) -> list[str]:
        """The tools that are not here."""
        return [tool for tool in self.needs if shutil.which(tool) is None]


def recipes(path: Path) -> list[Recipe]:
    """The recipes of a file, in its order."""
    return [Recipe(**each) for each in yaml.safe_load(path.read_text("utf-8"))]


async def build(recipe: Recipe, log: Path, seconds: float = BUILD_SECONDS) -> None:
    """Makes the runner; RunnerFailed with the end of what was printed."""
    if not recipe.build:
        return
    process = await _started(recipe, recipe.build, log)
    try:
        code = await asyncio.wait_for(process.wait(), seconds)
    except TimeoutError:
        raise RunnerFailed(f"{' '.join(recipe.build)} took over {seconds:g} s") from None
    finally:
        # Also where the run ends before it.
        await _ended(process)
    if code:
        raise RunnerFailed(f"{' '.join(recipe.build)} ended with {code}:\n{end_of(log)}")


class Runner:
    """A started runner."""

    def __init__(self, process: asyncio.subprocess.Process, log: Path) -> None:
        self._process = process
        self._input, self._output = _pipes(process)
        self._log = log
        self._number = 0

    @classmethod
    async def start(cls, recipe: Recipe, log: Path) -> Self:
        return cls(await _started(recipe, recipe.command, log), log)

    async def ask(self, command: Mapping[str, Any], patience_seconds: float) -> dict[str, Any]:
        """The answer: it has `ok` or `error`. RunnerFailed if none comes, or one to something else."""
        self._number += 1
        # In ASCII, so that no language depends on the machine's encoding.
        line = json.dumps({"id": self._number, **command}) + "\n"
        try:
            async with asyncio.timeout(patience_seconds):
                answer = await self._exchange(line.encode())
        except TimeoutError:
            raise RunnerFailed(f"no answer in {patience_seconds:g} s") from None
        return _checked(answer, self._number)

    async def stop(self) -> None:
        """The end of its input is the end of it."""
        self._input.close()
        try:
            await asyncio.wait_for(self._process.wait(), STOP_SECONDS)
        except TimeoutError:
            await _ended(self._process)

    async def _exchange(self, line: bytes) -> Any:
        self._input.write(line)
        try:
            await self._input.drain()
            said = await self._output.readline()
        except ConnectionError:
            # It ended before it had read what it was asked.
            said = b""
        except ValueError as error:
            raise RunnerFailed(f"{error}; {end_of(self._log)}") from error
        if not said:
            raise RunnerFailed(f"the runner ended; {end_of(self._log)}")
        try:
            return json.loads(said)
        except ValueError:
            # Neither JSON, nor text at all.
            raise RunnerFailed(f"no JSON: {said[:200]!r}") from None


def _checked(answer: Any, number: int) -> dict[str, Any]:
    """An answer to the command of this number, which is either a result or an error."""
    if not isinstance(answer, dict) or len(answer.keys() & {"ok", "error"}) != 1:
        raise RunnerFailed(f"an answer that has not one of ok and error: {str(answer)[:200]}")
    if answer.get("id") != number:
        raise RunnerFailed(f"an answer to {answer.get('id')}, not to {number}")
    if not isinstance(answer.get("error", {}), dict):
        raise RunnerFailed(f"an error that is no object: {str(answer)[:200]}")
    return answer


async def _ended(process: asyncio.subprocess.Process) -> None:
    if process.returncode is None:
        process.kill()
        await process.wait()


def _pipes(
    process: asyncio.subprocess.Process,
) -> tuple[asyncio.StreamWriter, asyncio.StreamReader]:
    if process.stdin is None or process.stdout is None:
        raise RunnerFailed("a runner was started without pipes")
    return process.stdin, process.stdout


async def _started(recipe: Recipe, command: Sequence[str], log: Path) -> asyncio.subprocess.Process:
    # Without what would make a client connect elsewhere than a scenario says.
    inherited = {k: v for k, v in os.environ.items() if not k.startswith("CAMILLO_")}
    is_runner = command is recipe.command
    with await asyncio.to_thread(log.open, "ab") as errors:
        try:
            return await asyncio.create_subprocess_exec(
                *(part.replace("{python}", sys.executable) for part in command),
                cwd=ROOT / recipe.cwd,
                env={**inherited, "TZ": TIME_ZONE, **recipe.environment},
                stdin=asyncio.subprocess.PIPE if is_runner else asyncio.subprocess.DEVNULL,
                stdout=asyncio.subprocess.PIPE if is_runner else errors,
                stderr=errors,
                limit=MOST_LINE_BYTES,
            )
        except OSError as error:
            raise RunnerFailed(f"{command[0]} does not start: {error}") from None


def end_of(log: Path) -> str:
    """The last lines that a runner printed to its standard error."""
    if not log.exists():
        return ""
    return "\n".join(log.read_text("utf-8", "replace").splitlines()[-15:])
