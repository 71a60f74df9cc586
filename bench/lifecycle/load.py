"""Writers of everything, with maintenance beside them, on servers that come and go; and what is wrong in the end."""

import asyncio
from collections.abc import Awaitable, Callable

import grpc
from camillo.v1 import event_service_pb2 as event_service
from camillo.v1 import lifecycle_service_pb2 as lifecycle
from camillo.v1 import run_service_pb2 as run_service

from bench.lifecycle.ledger import Fate, Verdict
from bench.lifecycle.writer import PASSING, LifecycleWriter, RetryingWriter
from bench.measure.client import Client

PAUSE_SECONDS = 0.05
RENDERED_TOKENS = 100_000


class LifecycleLoad:
    """A load of several writers, who share a few agents."""

    def __init__(self, writers: int, agents: int) -> None:
        self.writers = [
            LifecycleWriter(f"writer-{number}-", f"agent-{number % agents}", self.answered) for number in range(writers)
        ]
        self.agent_ids = sorted({writer.ledger.agent_id for writer in self.writers})
        # Writers of another kind, which write beside them and judge for themselves.
        self.others: list[RetryingWriter] = []
        self.answers = 0
        self._goal = 0
        self._reached = asyncio.Event()

    async def live(self, client: Client, answers: int, kill: Callable[[], Awaitable[None]]) -> None:
        """One life of a server: all write until so many answers more are there, and then it is killed."""
        self._goal = self.answers + answers
        self._reached.clear()
        async with asyncio.TaskGroup() as tasks:
            for writer in (*self.writers, *self.others):
                tasks.create_task(writer.write(client))
            maintaining = tasks.create_task(self._maintain(client))
            await self._reached.wait()
            await kill()
            maintaining.cancel()

    async def finish(self, client: Client) -> None:
        """Repeats the writes that no life of the server answered; each must be answered now."""
        for writer in (*self.writers, *self.others):
            assert await writer.finish(client)

    async def verdict(self, client: Client) -> Verdict:
        """Losses and duplicates in the memories, events and runs of all agents. To be called after `finish`."""
        stored = {each: [m async for m in client.memories(each)] for each in self.agent_ids}
        recorded = {each: await _events(client, each) for each in self.agent_ids}
        lost: list[str] = []
        doubled: list[str] = []
        for ledger in (writer.ledger for writer in self.writers):
            rounds = {run: await _rounds(client, ledger.agent_id, run) for run in ledger.rounds}
            found = ledger.judge(stored[ledger.agent_id], rounds, recorded[ledger.agent_id])
            lost += found.lost
            doubled += found.doubled
        return Verdict(lost, doubled)

    def contents(self, fate: Fate) -> list[tuple[str, str]]:
        """The agent and the text of every memory of this fate."""
        return [
            (writer.ledger.agent_id, content) for writer in self.writers for content in writer.ledger.contents(fate)
        ]

    def answered(self) -> None:
        """A write was acknowledged."""
        self.answers += 1
        if self.answers >= self._goal:
            self._reached.set()

    async def _maintain(self, client: Client) -> None:
        while True:
            for agent_id in self.agent_ids:
                try:
                    await client(lifecycle.RunMaintenanceRequest(agent_id=agent_id))
                except grpc.aio.AioRpcError as error:
                    if error.code() not in PASSING:
                        raise
            await asyncio.sleep(PAUSE_SECONDS)


async def _events(client: Client, agent_id: str) -> list[str]:
    request = event_service.ListEventsRequest(agent_id=agent_id, page_size=1_000)
    return [event.stated.text async for page in client.pages(request) for event in page.events]


async def _rounds(client: Client, agent_id: str, run_id: str) -> int:
    request = run_service.RenderRunRequest(agent_id=agent_id, run_id=run_id, max_tokens=RENDERED_TOKENS)
    rounds: int = (await client(request)).run.rounds
    return rounds
