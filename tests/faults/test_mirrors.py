"""Mirrors beside many writers, two servers, and kills: the same files in the end, to the byte."""

import asyncio
import json
import os
import random
import subprocess
import sys
from collections import defaultdict
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from camillo_client import AsyncCamillo
from camillo_client.errors import DeadlineExceeded, Overloaded, Unavailable

from tests.faults import mirror_process
from tests.faults.server_process import server_process
from tests.postgres_fixtures import TestDatabase
from tests.tenant_keys import Keys

# More where somebody waits for it: CAMILLO_TEST_KILLS=200 and CAMILLO_TEST_SLOT_WRITES=2000.
KILLS = int(os.environ.get("CAMILLO_TEST_KILLS", "6"))
WRITES = int(os.environ.get("CAMILLO_TEST_SLOT_WRITES", "320"))
WRITERS = 32
KEY = "/user/shared/牙科"

pytestmark = [pytest.mark.xdist_group("mirrors"), pytest.mark.timeout(110 + 3 * KILLS)]


def files(directory: Path) -> dict[str, bytes]:
    """Contents of the files that a reader sees, by path."""
    found = [directory / "log.jsonl", *(directory / "index").rglob("*.json")]
    return {str(path.relative_to(directory)): path.read_bytes() for path in found}


async def written(camillo: AsyncCamillo, name: str, count: int, draw: random.Random) -> int:
    """Sets a key that all write, and keys of its own, through outages; how many writes of the common key succeeded."""
    common = 0
    for number in range(count):
        key = KEY if draw.random() < 0.5 else f"/user/{name}/{draw.randrange(5)}"
        content = "null" if draw.random() < 0.1 else json.dumps({"n": number, "by": name})
        request_id = f"{name}-{number}"
        while True:
            try:
                await camillo.slots.set_memory(key, content, "a test", request_id=request_id)
                break
            except (Unavailable, Overloaded, DeadlineExceeded):
                await asyncio.sleep(0.01)
        common += key == KEY
    return common


async def test_mirrors_are_identical_and_complete_whatever_is_killed(
    database: TestDatabase, keys: Keys, tmp_path: Path
) -> None:
    draw = random.Random(7)  # noqa: S311
    with ExitStack() as processes:
        servers = [
            processes.enter_context(server_process(tmp_path, database_url=database.server_url)) for _ in range(2)
        ]
        addresses = [await process.ready() for process in servers]
        clients = [AsyncCamillo.connect(address, key=keys.admin, agent_id="alice") for address in addresses]
        killed = tmp_path / "killed"
        argv = [sys.executable, mirror_process.__file__, addresses[0], keys.admin, "alice"]
        writing = asyncio.gather(
            *(
                written(clients[n % 2], f"writer-{n}", WRITES // WRITERS, random.Random(n))  # noqa: S311
                for n in range(WRITERS)
            )
        )
        for _ in range(KILLS):
            with subprocess.Popen([*argv, str(killed)]) as process:
                try:
                    await asyncio.to_thread(process.wait, draw.uniform(0.5, 1.5))
                except subprocess.TimeoutExpired:
                    process.kill()
        common = sum(await writing)
        mirrored = []
        for directory, camillo in ((killed, clients[0]), (tmp_path / "whole", clients[1])):
            async with camillo.mirror(directory) as mirror:
                await mirror.sync()
            mirrored.append(files(directory))
        history = [slot async for slot in clients[1].slots.history(KEY)]
        for camillo in clients:
            await camillo.close()
    assert mirrored[0] == mirrored[1]
    versions = [slot.version for slot in history]
    assert versions == list(range(common, 0, -1))
    lines: dict[str, list[Any]] = defaultdict(list)
    for line in mirrored[0]["log.jsonl"].decode().splitlines():
        lines[json.loads(line)["key"]].append(json.loads(line))
    assert [line["version"] for line in lines[KEY]] == list(range(1, common + 1))
    told = [json.loads(slot.json_content) for slot in reversed(history)]
    assert [line["content"] for line in lines[KEY]] == told
    newest = [each[-1]["content"] for each in lines.values() if each[-1]["valid"]]
    index = [json.loads(content) for name, content in mirrored[0].items() if name != "log.jsonl"]
    assert sorted(map(str, index)) == sorted(map(str, newest))
    assert len(index) > WRITERS


async def test_a_mirror_outlives_its_server_and_says_since_when_it_is_away(
    database: TestDatabase, keys: Keys, tmp_path: Path
) -> None:
    directory = tmp_path / "mirror"
    with ExitStack() as processes:
        server = processes.enter_context(server_process(tmp_path, database_url=database.server_url))
        address = await server.ready()
        async with AsyncCamillo.connect(address, key=keys.admin, agent_id="alice") as camillo:
            await camillo.slots.set_memory("/user/a", "1", "a test")
            async with camillo.mirror(directory) as mirror:
                steps = mirror.follow()
                while not (await anext(steps)).is_current:
                    pass
                await server.kill()
                while (await anext(steps)).away is None:
                    pass
                position = json.loads((directory / "mirror.json").read_text())
                assert position["away_since"] >= position["heard_at"] != ""
                assert len(files(directory)) == 2
                port = int(address.rpartition(":")[2])
                again = processes.enter_context(server_process(tmp_path, database_url=database.server_url, port=port))
                await again.ready()
                await camillo.slots.set_memory("/user/b", "2", "a test")
                while len(files(directory)) < 3:
                    await anext(steps)
                await steps.aclose()
    assert json.loads((directory / "mirror.json").read_text())["away_since"] == ""
