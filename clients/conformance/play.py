"""Playing a scenario: each step asked of a runner or done at the proxy, and what comes of it compared with what is
expected."""

from __future__ import annotations

import asyncio
import hashlib
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from camillo_client.methods import method_named

from clients.conformance.answers import (
    NotProto,
    canonical,
    canonical_error,
    canonical_request,
    expected_error,
)
from clients.conformance.faults import fault
from clients.conformance.made_values import value_of
from clients.conformance.matching import difference
from clients.conformance.runners import Runner
from clients.conformance.scenarios import COMMANDS, Scenario, Step, full_name, kind_of
from clients.conformance.stage import Stage
from clients.conformance.variables import Missing, Variables, at
from clients.conformance.wire import Cut

# The protocol's name for the value of a command's own key.
FIRST_ARGUMENT = {
    "connect": "client",
    "bind": "client",
    "call": "method",
    "hits": "method",
    "pages": "method",
    "stream": "method",
    "recall": "text",
    "bundle": "text",
    "record": "text",
    "put": "path",
    "publish": "path",
    "read": "artifact",
    "offload": "text",
    "render_ref": "artifact_id",
    "parse_refs": "text",
    "close": "client",
}
CLIENTLESS = {"connect", "bind", "close", "render_ref", "parse_refs"}
NOT_ASKED = {"expect", "error", "save", "times", "elapsed"}


class Differs(Exception):
    """Something came otherwise than a scenario says."""


@dataclass(slots=True)
class Play:
    """One scenario, with one runner, on one stage."""

    scenario: Scenario
    runner: Runner
    stage: Stage
    variables: Variables
    _reads: int = field(default=0)

    async def through(self) -> None:
        """Plays all steps; Differs at the first that comes otherwise, RunnerFailed if the runner fails."""
        address = "${proxy}" if self.scenario.needs_proxy else "${address}"
        for name, options in self.scenario.clients.items():
            connect = {"connect": name, "address": address, "key": "${alice.key}", **options}
            given = {name: value for name, value in connect.items() if value is not None}
            await self._once("connecting", given)
        for number, step in enumerate(self.scenario.steps, start=1):
            for time_ in range(1, int(step.get("times", 1)) + 1):
                self.variables.set("n", time_)
                await self._once(f"step {number}, {_named(step)}", step)
        for name in self.scenario.clients:
            await self._once(f"closing {name}", {"close": name})
        self._check_trouble()

    async def _once(self, place: str, step: Step) -> None:
        try:
            await self._do(self.variables.filled(dict(step)))
        except (Differs, Missing, NotProto) as differs:
            raise Differs(f"{place}: {differs}") from None

    async def _do(self, step: Step) -> None:
        kind = kind_of(step)
        if kind in COMMANDS:
            await self._command(step)
        elif kind == "proxy":
            self.stage.proxy.faults.append(fault(step["proxy"]))
        elif kind == "wire":
            self._wire(step["wire"])
        elif kind == "make":
            await self._make(step)
        else:
            calls = [call.as_dict() for call in self.stage.proxy.calls_of(step["seen"])]
            self._compare(step, calls)

    def _check_trouble(self) -> None:
        """Trouble that nobody met has shown nothing."""
        for unmet in (each for each in self.stage.proxy.faults if not each.befallen):
            raise Differs(f"no call of {unmet.method} met the trouble that was made for it")
        for whole in (each for each in self.stage.wire.cuts if not each.broken):
            raise Differs(f"no connection was cut after {whole.bytes:,} bytes {whole.direction}")

    def _wire(self, told: Any) -> None:
        if told == "drop":
            self.stage.wire.drop()
        else:
            self.stage.wire.cut(Cut(**told))

    async def _make(self, step: Step) -> None:
        if "file_bytes" in step:
            made: Any = await asyncio.to_thread(self.stage.file, step["make"], step["file_bytes"], step.get("text", ""))
        elif "file_text" in step:
            text = value_of({"letters": len(step["file_text"]), **step, "text": step["file_text"]})
            made = await asyncio.to_thread(self.stage.text_file, step["make"], text)
        else:
            made = value_of(step)
        self.variables.set(step["make"], made)

    async def _command(self, step: Step) -> None:
        kind = kind_of(step)
        command = self._asked(kind, step)
        begun = time.monotonic()
        answer = await self.runner.ask(command, self.scenario.patience_seconds)
        if "elapsed" in step:
            self._same(step["elapsed"], time.monotonic() - begun, "seconds")
        if "error" in answer:
            self._refused(step, answer["error"])
            return
        if "error" in step:
            raise Differs(f"an error was expected, got {str(answer.get('ok'))[:200]}")
        told = canonical(kind, str(command.get("method", "")), answer.get("ok"))
        if kind == "read":
            told = await asyncio.to_thread(_read, told, Path(command["path"]))
        self._compare(step, told)

    def _asked(self, kind: str, step: Step) -> dict[str, Any]:
        """The command of the protocol."""
        rest = {key: value for key, value in step.items() if key not in NOT_ASKED | {kind}}
        command = {"do": kind, FIRST_ARGUMENT[kind]: step[kind], **rest}
        if kind not in CLIENTLESS:
            command.setdefault("client", "a")
        if "method" in command:
            command["method"] = full_name(command["method"])
            request = method_named(command["method"]).request
            command["request"] = canonical_request(request, command.get("request", {}))
        if kind == "read":
            self._reads += 1
            command["path"] = str(self.stage.directory / f"read-{self._reads}")
        return command

    def _refused(self, step: Step, error: Mapping[str, Any]) -> None:
        if "error" not in step:
            raise Differs(f"failed: {dict(error)}")
        self._same(expected_error(step["error"]), canonical_error(error), "error")
        self._save(step, error)

    def _compare(self, step: Step, told: Any) -> None:
        if "expect" in step:
            self._same(step["expect"], told, "answer")
        self._save(step, told)

    def _save(self, step: Step, told: Any) -> None:
        for name, path in step.get("save", {}).items():
            self.variables.set(name, at(told, path))

    def _same(self, expected: Any, actual: Any, place: str) -> None:
        if found := difference(expected, actual, place):
            raise Differs(found)


def _named(step: Step) -> str:
    kind = kind_of(step)
    return f"{kind} {step[kind]}" if isinstance(step[kind], str) else kind


def _read(told: Any, path: Path) -> dict[str, Any]:
    """A runner's answer to a read, and the size and digest of the file that it wrote."""
    if not isinstance(told, dict) or not path.is_file():
        raise Differs(f"a read is answered by an object and a file, not by {str(told)[:200]}")
    sha256 = hashlib.sha256()
    with path.open("rb") as file:
        while piece := file.read(1024 * 1024):
            sha256.update(piece)
    return {**told, "file": {"size": path.stat().st_size, "sha256": sha256.hexdigest()}}
