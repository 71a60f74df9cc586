"""A run lies in the database: the server that holds its connection is killed, and another one goes on with it."""

import asyncio
from contextlib import suppress
from pathlib import Path

import pytest
from camillo_client import AsyncCamillo, CamilloError, function_call

from tests.faults.server_process import server_process
from tests.patience import PATIENCE_SECONDS
from tests.postgres_fixtures import TestDatabase
from tests.tenant_keys import Keys

WRITERS = 6
ROUNDS_BEFORE_A_KILL = 40
LIVES = 2

pytestmark = [pytest.mark.xdist_group("two_servers"), pytest.mark.timeout(110)]


class Writers:
    """Writers that append round after round to one run; each repeats a request id until it is answered."""

    def __init__(self, run_id: str) -> None:
        self.acknowledged: list[str] = []
        self.attempted: set[str] = set()
        self._run_id = run_id
        self._unanswered: dict[int, str] = {}
        self._goal = 0
        self._reached = asyncio.Event()

    async def append(self, client: AsyncCamillo, writer: int, life: int) -> None:
        number = 0
        while True:
            # A step that the last life left unanswered is sent first, under its own request id.
            name = self._unanswered.get(writer) or f"{life}/{writer}/{number}"
            self._unanswered[writer] = name
            self.attempted.add(name)
            with suppress(CamilloError):
                step = function_call("work", {"name": name}, f"结果 {name}.")
                await client.runs.append(self._run_id, step, request_id=name, timeout=5)
                self.acknowledged.append(name)
                del self._unanswered[writer]
                number += 1
                if len(self.acknowledged) >= self._goal:
                    self._reached.set()

    async def until_acknowledged(self, count: int) -> None:
        self._goal = len(self.acknowledged) + count
        self._reached.clear()
        await self._reached.wait()


async def test_another_server_goes_on_with_a_run_and_nothing_acknowledged_is_lost(
    database: TestDatabase, keys: Keys, tmp_path: Path
) -> None:
    writers: Writers | None = None
    for life in range(LIVES):
        with server_process(tmp_path, database_url=database.server_url) as process:
            address = await process.ready()
            async with AsyncCamillo.connect(address, key=keys.alice) as client:
                if writers is None:
                    run = (await client.runs.start("message", {"text": "go"})).run
                    await client.runs.inject(run.run_id, "keep at it")
                    writers = Writers(run.run_id)
                tasks = [asyncio.create_task(writers.append(client, writer, life)) for writer in range(WRITERS)]
                async with asyncio.timeout(PATIENCE_SECONDS):
                    await writers.until_acknowledged(ROUNDS_BEFORE_A_KILL)
                await process.kill()
                for task in tasks:
                    task.cancel()
                await asyncio.gather(*tasks, return_exceptions=True)
    assert writers is not None
    with server_process(tmp_path, database_url=database.server_url) as process:
        address = await process.ready()
        async with AsyncCamillo.connect(address, key=keys.alice) as client:
            await check(client, run.run_id, writers)
        assert await process.terminate() == 0


async def check(client: AsyncCamillo, run_id: str, writers: Writers) -> None:
    """Checks that each acknowledged round is there once, and so is what was sent last; then the run ends once."""
    rendered = await client.runs.render(run_id, max_tokens=100_000)
    assert "keep at it" in rendered.prompt
    shown = [name for name in writers.attempted if f'work(name="{name}")' in rendered.prompt]
    assert set(writers.acknowledged) <= set(shown)
    assert len(writers.acknowledged) >= LIVES * ROUNDS_BEFORE_A_KILL
    assert rendered.prompt.count("called work(") == len(shown) == rendered.run.rounds
    ended = await client.runs.end(run_id, memories=["it went on"], request_id="end")
    again = await client.runs.end(run_id, memories=["it went on"], request_id="end")
    assert again == ended
    assert ended.rounds == len(shown)
    assert [each.content for each in ended.memories] == ["it went on"]
    with pytest.raises(CamilloError, match="run not found"):
        await client.runs.render(run_id)
