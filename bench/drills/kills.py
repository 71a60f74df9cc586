"""SIGKILL of servers and workers under writes of every kind: what is lost, and what was done twice."""

import asyncio
import random
from contextlib import ExitStack
from pathlib import Path

import psycopg
from camillo_server.across.admin.store.invariants import violations

from bench.drills.drill import Drill, DrillReport
from bench.drills.slot_writer import SlotWriter
from bench.lifecycle.ledger import Fate, Verdict
from bench.lifecycle.load import LifecycleLoad
from bench.measure.client import Client, connected
from bench.measure.servers import (
    VECTORS_GIVEN,
    AppServer,
    app_server,
    replica,
    temporary_directory,
)
from tests.faults.worker_process import WorkerProcess, worker_process

LIVES, SHORT_LIVES = 80, 4
WRITERS, SLOT_WRITERS, AGENTS = 12, 4, 3
# In one of so many lives of a server the worker is killed as well, a moment before.
WORKER_EVERY = 4
MAINTAINED_EVERY_MINUTE = {"cron": "* * * * *"}
# After so many answers in each life, in the midst of others.
ANSWERS = (40, 120)
SEED = 7


def run(short: bool) -> DrillReport:
    with (
        temporary_directory() as directory,
        app_server(VECTORS_GIVEN, directory / "data") as app,
    ):
        return asyncio.run(_run(app, directory, SHORT_LIVES if short else LIVES))


class Load(LifecycleLoad):
    """Writers of memories, events and runs, and beside them writers of slots and artifacts."""

    def __init__(self) -> None:
        super().__init__(WRITERS, AGENTS)
        self.slot_writers = [
            SlotWriter(f"slots-{number}", f"agent-{number % AGENTS}", self.answered) for number in range(SLOT_WRITERS)
        ]
        self.others += self.slot_writers

    async def judge(self, client: Client) -> Verdict:
        """Losses and duplicates of all writers. To be called after `finish`."""
        verdict = await self.verdict(client)
        lost, doubled = [*verdict.lost], [*verdict.doubled]
        for writer in self.slot_writers:
            found = await writer.verdict(client)
            lost += found.lost
            doubled += found.doubled
        return Verdict(lost, doubled)

    def nothing_to_lose(self) -> list[str]:
        """Kinds of writes of which none was acknowledged: of these the verdict tells nothing."""
        ledgers = [writer.ledger for writer in self.writers]
        kinds = {
            **{fate.name.lower(): bool(self.contents(fate)) for fate in Fate},
            "events": any(ledger.events for ledger in ledgers),
            "rounds of runs": any(any(ledger.rounds.values()) for ledger in ledgers),
            "slots": any(writer.ledger.slots for writer in self.slot_writers),
            "artifacts": any(writer.ledger.artifacts for writer in self.slot_writers),
        }
        return [kind for kind, is_there in kinds.items() if not is_there]


class Workers:
    """A worker at a time; the next one is started when one was killed."""

    def __init__(self, app: AppServer, directory: Path) -> None:
        self._app, self._directory = app, directory
        self._stack = ExitStack()
        self.kills = 0

    async def start(self) -> WorkerProcess:
        embedding = VECTORS_GIVEN.settings().model_dump(mode="json", exclude_unset=True)
        worker = self._stack.enter_context(
            worker_process(
                self._directory / "worker",
                self._app.url("server"),
                memory=embedding,
                lifecycle=MAINTAINED_EVERY_MINUTE,
            )
        )
        await worker.ready()
        return worker

    async def replace(self, worker: WorkerProcess) -> WorkerProcess:
        """Kills this one; the one that works in its place."""
        await worker.kill()
        self.kills += 1
        return await self.start()

    def close(self) -> None:
        self._stack.close()


async def _run(app: AppServer, directory: Path, lives: int) -> DrillReport:
    report, load, dice = DrillReport("kills"), Load(), random.Random(SEED)
    workers = Workers(app, directory)
    try:
        worker = await workers.start()
        for life in range(lives):
            # Its jobs are the worker's.
            started = replica(app, VECTORS_GIVEN, directory / "killed", {"jobs.enabled": False})
            with started as server:
                async with connected(server.port, server.secret) as client:

                    async def kill(server: AppServer = server, life: int = life) -> None:
                        nonlocal worker
                        if life % WORKER_EVERY == 0:
                            worker = await workers.replace(worker)
                        await asyncio.to_thread(server.process.kill)

                    await load.live(client, dice.randint(*ANSWERS), kill)
    finally:
        workers.close()
    async with connected(app.port, app.secret) as client:
        await load.finish(client)
        verdict = await load.judge(client)
    with psycopg.connect(app.url("server"), autocommit=True) as connection:
        broken = [*violations(connection)]
    report.found("lost", verdict.lost)
    report.found("doubled", verdict.doubled)
    report.found("violations", broken)
    report.expect(not (missing := load.nothing_to_lose()), f"nothing was written of {missing}")
    report.figures |= {
        "server_kills": lives,
        "worker_kills": workers.kills,
        "acknowledged": load.answers,
    }
    return report


DRILL = Drill("kills", "100 SIGKILLs of servers and workers under 16 writers", run)
