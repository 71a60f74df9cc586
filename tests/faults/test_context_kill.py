"""SIGKILL while batches of events are recorded: each is there whole or not at all, none twice, and a watch goes on
where it was."""

import asyncio
import os
import signal
from collections import Counter
from contextlib import suppress
from itertools import groupby
from pathlib import Path

import pytest
from camillo.v1.event_pb2 import Event, EventChange
from camillo_client import AsyncCamillo, CamilloError, new_event
from camillo_server.assembly.processes.root_key import ROOT_KEY_FILE

from tests.faults.server_process import server_process
from tests.patience import PATIENCE_SECONDS
from tests.storage.embedded.embedded_child import postmaster_pid

KILLS = 3
WRITERS = 4
AGENTS = 2
BATCH = 25
BATCHES_BEFORE_A_KILL = 30

pytestmark = [pytest.mark.xdist_group("context_kill"), pytest.mark.timeout(110)]


class Recorders:
    """Writers that record batch after batch, each repeated with the same request id until it is answered."""

    def __init__(self) -> None:
        self.acknowledged: list[str] = []
        self.attempted: set[str] = set()
        self._unanswered: dict[int, str] = {}
        self._goal = 0
        self._reached = asyncio.Event()

    async def record(self, client: AsyncCamillo, writer: int, life: int) -> None:
        number = 0
        while True:
            # A batch that the last life left unanswered is sent first, under its own request id.
            name = self._unanswered.get(writer) or f"{life}/{writer}/{number}"
            self._unanswered[writer] = name
            self.attempted.add(name)
            with suppress(CamilloError):
                await record_batch(client, name)
                self.acknowledged.append(name)
                del self._unanswered[writer]
                number += 1
                if len(self.acknowledged) >= self._goal:
                    self._reached.set()

    async def until_acknowledged(self, count: int) -> None:
        self._goal = len(self.acknowledged) + count
        self._reached.clear()
        await self._reached.wait()


def agent_of(name: str) -> str:
    return f"agent-{int(name.split('/')[1]) % AGENTS}"


async def record_batch(client: AsyncCamillo, name: str) -> list[str]:
    """The ids of its events."""
    events = [new_event(f"{name} {i} 紫藤", session_id="s", actor="human:ada") for i in range(BATCH)]
    outcomes = await client.events.record_many(events, agent_id=agent_of(name), request_id=name, timeout=5)
    found = []
    for outcome in outcomes:
        assert not isinstance(outcome, CamilloError)
        found.append(outcome.event_id)
    return found


class Watcher:
    """Follows one agent's events through every life of the server, from the last token that it was given."""

    def __init__(self, agent_id: str) -> None:
        self.seen: list[Event] = []
        self.resumed = 0
        self._agent_id = agent_id
        self._token = ""

    async def follow(self, client: AsyncCamillo) -> None:
        """Follows the watch until the server goes, or the caller cancels."""
        start = {"resume_token": self._token} if self._token else {"from_beginning": True}
        self.resumed += bool(self._token)
        with suppress(CamilloError):
            changes = client.events.watch(agent_id=self._agent_id, max_reconnects=0, **start)
            async for change in changes:
                self._take(change)

    async def until_caught_up(self, client: AsyncCamillo) -> None:
        async for change in client.events.watch(agent_id=self._agent_id, resume_token=self._token):
            self._take(change)
            if change.HasField("checkpoint"):
                return

    def _take(self, change: EventChange) -> None:
        if change.HasField("recorded"):
            self.seen.append(change.recorded)
        self._token = change.resume_token


async def test_batches_are_whole_or_not_there_and_a_watch_misses_and_repeats_nothing(data_directory: Path) -> None:
    recorders = Recorders()
    watchers = [Watcher(f"agent-{i}") for i in range(AGENTS)]
    for life in range(KILLS):
        with server_process(data_directory) as process:
            address = await process.ready()
            key = (data_directory / ROOT_KEY_FILE).read_text().strip()
            async with AsyncCamillo.connect(address, key=key) as client:
                tasks = [asyncio.create_task(recorders.record(client, writer, life)) for writer in range(WRITERS)]
                tasks += [asyncio.create_task(watcher.follow(client)) for watcher in watchers]
                async with asyncio.timeout(PATIENCE_SECONDS):
                    await recorders.until_acknowledged(BATCHES_BEFORE_A_KILL)
                postmaster = postmaster_pid(data_directory)
                await process.kill()
                if life % 2:
                    with suppress(ProcessLookupError):
                        os.kill(postmaster, signal.SIGKILL)
                for task in tasks:
                    task.cancel()
                await asyncio.gather(*tasks, return_exceptions=True)
    with server_process(data_directory) as process:
        address = await process.ready()
        async with AsyncCamillo.connect(address, key=key) as client:
            for watcher in watchers:
                await check_agent(client, watcher, recorders)
            await repeat(client, recorders)
        assert await process.terminate() == 0


async def check_agent(client: AsyncCamillo, watcher: Watcher, recorders: Recorders) -> None:
    agent_id = watcher._agent_id
    stored = [event async for event in client.events.list(agent_id=agent_id)]
    batches = [
        (name, [event.stated.text.split()[1] for event in events])
        for name, events in groupby(stored, lambda event: event.stated.text.split()[0])
    ]
    # In one piece, whole, in order, once: a batch that came in two would be two groups.
    assert all(numbers == [*map(str, range(BATCH))] for _, numbers in batches)
    names = [name for name, _ in batches]
    assert max(Counter(names).values()) == 1
    acknowledged = {name for name in recorders.acknowledged if agent_of(name) == agent_id}
    assert len(acknowledged) >= KILLS * BATCHES_BEFORE_A_KILL // (2 * AGENTS)
    assert acknowledged <= set(names) <= recorders.attempted
    # A revision holds a batch and nothing else, and they follow each other as they are listed.
    revisions = [
        [name for name, _ in groupby(events, lambda event: event.stated.text.split()[0])]
        for _, events in groupby(stored, lambda event: event.revision.token)
    ]
    assert revisions == [[name] for name in names]
    for writer in {name.split("/")[1] for name in names}:
        own = [tuple(map(int, n.split("/"))) for n in names if n.split("/")[1] == writer]
        assert own == sorted(own)
    assert watcher.resumed == KILLS - 1
    await watcher.until_caught_up(client)
    assert [event.event_id for event in watcher.seen] == [event.event_id for event in stored]


async def repeat(client: AsyncCamillo, recorders: Recorders) -> None:
    """Repeats batches that were answered before the kills: they are answered the same, and nothing more is recorded."""
    for name in recorders.acknowledged[-5:]:
        before = [e.event_id async for e in client.events.list(agent_id=agent_of(name))]
        ids = await record_batch(client, name)
        after = [e.event_id async for e in client.events.list(agent_id=agent_of(name))]
        assert after == before
        assert set(ids) <= set(before)
