"""Slots and memories of two servers that are killed: what callers saw is as if each call had happened at one moment.

Calls are noted with when they began and were answered, and a checker in Go looks for an order of them that explains all
answers."""

import asyncio
import json
import os
import random
import shutil
import subprocess
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import AsyncExitStack, ExitStack, asynccontextmanager, suppress
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any
from uuid import UUID, uuid5

import grpc
from camillo.v1 import memory_pb2 as pb
from camillo.v1 import memory_service_pb2 as service
from camillo.v1 import slot_service_pb2 as slots
from camillo.v1.consistency_pb2 import DURABILITY_COMMITTED, Freshness
from camillo.v1.slot_pb2 import SlotSource
from google.protobuf.message import Message

from bench.drills.drill import Drill, DrillReport
from bench.drills.own_postgres import OwnPostgres, own_postgres
from bench.lifecycle.writer import PASSING, SCRIPTS
from bench.measure.client import Client, connected
from bench.measure.command import say
from bench.measure.servers import (
    ROOT,
    VECTORS_GIVEN,
    AppServer,
    server_on,
    temporary_directory,
)
from tests.ports import free_port

HISTORIES, SHORT_HISTORIES = 200, 10
AT_ONCE, CLIENTS, CALLS = 4, 8, 20
# Longest pause of a caller between two calls, so that histories last through kills.
PAUSE_SECONDS = 0.1
SLOTS, MEMORIES = 2, 3
# Attempts of a write, always under the same request id; then nobody knows what became of it.
ATTEMPTS = 4
CALL_SECONDS, ALIVE_SECONDS = 5.0, 0.5
CONFLICT, ABSENT = grpc.StatusCode.ABORTED, grpc.StatusCode.NOT_FOUND
CHECKER = ROOT / "bench" / "drills" / "checker"
OFFENDING = ROOT / "build" / "drills"
NAMES = UUID("7e3b2c1a-0d4f-5a6b-8c9d-0e1f2a3b4c5d")
SEED = 11


@dataclass(slots=True)
class Noted:
    """A call as the checker reads it; without an end, nobody knows whether it took effect."""

    history: str
    client: int
    op: str
    call: int
    value: str = ""
    if_version: int | None = None
    end: int | None = None
    outcome: str = ""
    version: int = 0
    read: str = ""

    def line(self) -> str:
        told = asdict(self)
        told["return"] = told.pop("end")
        return json.dumps(told, ensure_ascii=False)


class Replica:
    """A server that is killed and comes back at its port."""

    def __init__(self, postgres: OwnPostgres, data_dir: Path) -> None:
        self.port = free_port()
        self._postgres = postgres
        self._data_dir = data_dir
        self._running = ExitStack()
        self._server: AppServer | None = None

    def start(self) -> None:
        url, secret = self._postgres.server_url, self._postgres.secret
        server = server_on(url, secret, VECTORS_GIVEN, self._data_dir, port=self.port)
        self._server = self._running.enter_context(server)

    def kill(self) -> None:
        """SIGKILL."""
        assert self._server is not None
        self._server.process.kill()
        self._running.close()

    def stop(self) -> None:
        self._running.close()


@dataclass(slots=True)
class History:
    """The calls of eight callers on a few slots and memories of one agent."""

    agent_id: str
    clients: Sequence[Client]
    calls: list[Noted] = field(default_factory=list)

    async def run(self) -> None:
        dice = random.Random(f"{SEED}/{self.agent_id}")
        async with asyncio.TaskGroup() as tasks:
            for number in range(CLIENTS):
                tasks.create_task(self._caller(number, random.Random(dice.random())))

    async def _caller(self, number: int, dice: random.Random) -> None:
        # By key, the newest version that this caller has seen.
        seen: dict[str, int] = {}
        for turn in range(CALLS):
            await asyncio.sleep(dice.uniform(0, PAUSE_SECONDS))
            name = f"{number}.{turn}"
            slot, memory = f"/k/{dice.randrange(SLOTS)}", dice.randrange(MEMORIES)
            kind = dice.choice(("get slot", "set slot", "swap slot", "get memory", "remember"))
            if kind == "get slot":
                read = slots.GetSlotRequest(agent_id=self.agent_id, key=slot)
                noted = await self._read(number, slot, read, dice)
                if noted is not None:
                    seen[slot] = noted.version
            elif kind in ("set slot", "swap slot"):
                version = seen.get(slot, 0) if kind == "swap slot" else None
                await self._set_slot(number, slot, name, version, dice)
            elif kind == "get memory":
                memory_id = self._memory_id(memory)
                fresh = Freshness(fully_consistent=True)
                get = service.GetMemoryRequest(agent_id=self.agent_id, memory_id=memory_id, freshness=fresh)
                await self._read(number, memory_id, get, dice)
            elif number < MEMORIES:
                # Each memory is one caller's, who states it once.
                await self._remember(number, number, dice)

    def _memory_id(self, memory: int) -> str:
        return str(uuid5(NAMES, f"{self.agent_id}/{memory}"))

    async def _set_slot(self, client: int, key: str, name: str, if_version: int | None, dice: random.Random) -> None:
        content = json.dumps({"v": f"{name} {dice.choice(SCRIPTS)}"}, ensure_ascii=False)
        request = slots.SetMemoryRequest(
            request_id=name,
            agent_id=self.agent_id,
            key=key,
            json_content=content,
            source=SlotSource(text="a drill"),
            if_version=if_version,
        )
        noted = self._noted(client, key, "write", value=content, if_version=if_version)
        answer = await self._written(noted, request, dice)
        if answer is not None:
            noted.version = answer.slot.version

    async def _remember(self, client: int, memory: int, dice: random.Random) -> None:
        content = f"{self.agent_id} number {memory} {SCRIPTS[memory]}"
        new = pb.NewMemory(memory_id=self._memory_id(memory), content=content)
        request = service.RememberRequest(request_id=f"m{memory}", agent_id=self.agent_id, memory=new)
        if any(each.history.endswith(new.memory_id) and each.op == "write" for each in self.calls):
            return
        noted = self._noted(client, new.memory_id, "write", value=content)
        if await self._written(noted, request, dice) is not None:
            noted.version = 1

    async def _written(self, noted: Noted, request: Message, dice: random.Random) -> Any:
        """The answer; None where it is a conflict, or nobody knows."""
        for _ in range(ATTEMPTS):
            try:
                answer = await dice.choice(self.clients)(request, CALL_SECONDS)
            except grpc.aio.AioRpcError as error:
                if error.code() in PASSING:
                    continue
                if error.code() != CONFLICT:
                    raise
                noted.end, noted.outcome = time.monotonic_ns(), "conflict"
                return None
            if answer.durability != DURABILITY_COMMITTED:
                return None
            noted.end, noted.outcome = time.monotonic_ns(), "ok"
            return answer
        return None

    async def _read(self, client: int, key: str, request: Message, dice: random.Random) -> Noted | None:
        noted = Noted(f"{self.agent_id} {key}", client, "read", time.monotonic_ns())
        try:
            answer = await dice.choice(self.clients)(request, CALL_SECONDS)
        except grpc.aio.AioRpcError as error:
            if error.code() in PASSING:
                # It changed nothing, and told nothing.
                return None
            if error.code() != ABSENT:
                raise
            noted.outcome = "absent"
        else:
            noted.outcome = "ok"
            if isinstance(answer, slots.GetSlotResponse):
                noted.version, noted.read = answer.slot.version, answer.slot.json_content
            else:
                noted.version, noted.read = answer.memory.version, answer.memory.content
        noted.end = time.monotonic_ns()
        self.calls.append(noted)
        return noted

    def _noted(self, client: int, key: str, op: str, **more: Any) -> Noted:
        noted = Noted(f"{self.agent_id} {key}", client, op, time.monotonic_ns(), **more)
        self.calls.append(noted)
        return noted


class Verdict:
    """The checker's verdict on some histories."""

    def __init__(self, told: dict[str, Any]) -> None:
        self.checked: int = told["checked"]
        self.violations: list[str] = told["violations"]
        self.undecided: list[str] = told["undecided"]


def has_go() -> bool:
    """Whether there can be a checker. Raises RuntimeError where CI has none."""
    if shutil.which("go") is not None:
        return True
    if os.environ.get("CI"):
        raise RuntimeError("Go is not installed: histories cannot be checked")
    return False


def check(calls: Sequence[Noted], directory: Path) -> Verdict:
    """Builds the checker in this directory, and asks it."""
    checker = directory / "checker"
    subprocess.run(["go", "build", "-o", str(checker), "."], cwd=CHECKER, check=True)
    lines = "".join(f"{each.line()}\n" for each in calls)
    done = subprocess.run([str(checker)], input=lines, capture_output=True, text=True, check=True)
    return Verdict(json.loads(done.stdout))


def run(short: bool) -> DrillReport:
    if not has_go():
        say("Go is not installed: histories are not checked")
        return DrillReport("linearizability", figures={"histories": 0})
    with temporary_directory() as directory, own_postgres(directory / "data") as postgres:
        return asyncio.run(_run(postgres, directory, short))


async def _run(postgres: OwnPostgres, directory: Path, short: bool) -> DrillReport:
    report = DrillReport("linearizability")
    count = SHORT_HISTORIES if short else HISTORIES
    replicas = [Replica(postgres, directory / f"server-{number}") for number in range(2)]
    async with AsyncExitStack() as stack:
        for replica in replicas:
            await asyncio.to_thread(replica.start)
            stack.push_async_callback(asyncio.to_thread, replica.stop)
        clients = [await stack.enter_async_context(connected(replica.port, postgres.secret)) for replica in replicas]
        histories = [History(f"agent-{number}", clients) for number in range(count)]
        async with _killed_in_turns(replicas) as kills:
            await _side_by_side([history.run for history in histories])
    calls = [each for history in histories for each in history.calls]
    verdict = await asyncio.to_thread(check, calls, directory)
    report.found("violations", verdict.violations)
    report.expect(not verdict.undecided, f"the checker gave up on {verdict.undecided}")
    _keep_offending(calls, verdict.violations)
    report.figures |= {
        "histories": len(histories),
        "keys": verdict.checked,
        "calls": len(calls),
        "writes": sum(each.op == "write" for each in calls),
        "conflicts": sum(each.outcome == "conflict" for each in calls),
        "open_ended": sum(each.end is None for each in calls),
        "kills": len(kills),
    }
    return report


async def _side_by_side(work: Sequence[Callable[[], Awaitable[None]]]) -> None:
    slots_free = asyncio.Semaphore(AT_ONCE)

    async def one(run_one: Callable[[], Awaitable[None]]) -> None:
        async with slots_free:
            await run_one()

    async with asyncio.TaskGroup() as tasks:
        for each in work:
            tasks.create_task(one(each))


@asynccontextmanager
async def _killed_in_turns(replicas: Sequence[Replica]) -> AsyncIterator[list[int]]:
    """Kills one replica and starts it again, then the other, for as long as it lasts; one of them always serves."""
    kills: list[int] = []

    async def go_on() -> None:
        while True:
            await asyncio.sleep(ALIVE_SECONDS)
            replica = replicas[len(kills) % len(replicas)]
            replica.kill()
            kills.append(replica.port)
            await asyncio.shield(asyncio.to_thread(replica.start))

    task = asyncio.create_task(go_on())
    try:
        yield kills
    finally:
        task.cancel()
        with suppress(asyncio.CancelledError):
            await task


def _keep_offending(calls: Sequence[Noted], violations: Sequence[str]) -> None:
    for name in violations:
        OFFENDING.mkdir(parents=True, exist_ok=True)
        path = OFFENDING / f"{name.replace(' ', '-').replace('/', '_')}.jsonl"
        lines = (each.line() for each in calls if each.history == name)
        path.write_text("\n".join(lines) + "\n", "utf-8")


DRILL = Drill(
    "linearizability",
    "histories of 8 callers of two servers that are killed in turns, checked for each slot and memory",
    run,
)
