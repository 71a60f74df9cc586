"""Mirrors: the first one of a large scope, how soon a change is on the disk, and how long its files are searched."""

import asyncio
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from camillo.v1 import slot_pb2
from camillo.v1 import slot_service_pb2 as service
from camillo_client.mirror.paths import path_of

from bench.measure.client import Client, connected
from bench.measure.servers import ROOT, AppServer, temporary_directory
from bench.measure.timing import Figure, Figures, percentiles
from bench.slots.scopes import SlotOptions, fill

MIRRORED, SEARCHED = "mirrored", "searched"
LOOK_SECONDS = 0.0005
PATIENCE_SECONDS = 10.0
WARM_UP = 10


def mirror_command(app: AppServer, agent_id: str, directory: Path, *more: str) -> list[str]:
    """`camillo mirror`, as a process of its own."""
    command = [sys.executable, "-m", "camillo_server", "mirror", str(directory), *more]
    return [*command, "--address", f"127.0.0.1:{app.port}", "--agent", agent_id]


def mirror_environment(app: AppServer) -> dict[str, str]:
    code = os.pathsep.join(map(str, (ROOT / "server", ROOT / "clients" / "python" / "src")))
    return {**os.environ, "PYTHONPATH": code, "CAMILLO_KEY": app.secret}


async def measure_mirror(options: SlotOptions, app: AppServer) -> Figures:
    """The first mirror of the large scope; while it follows, changes of it; searches in that of a tenth."""
    async with connected(app.port, app.secret) as client:
        with temporary_directory() as directory:
            await fill(client, app, MIRRORED, options.slots)
            await fill(client, app, SEARCHED, options.slots // 10)
            whole, tenth = directory / "whole", directory / "tenth"
            synced = _synced_seconds(app, MIRRORED, whole)
            _synced_seconds(app, SEARCHED, tenth)
            searched = [_searched_seconds(tenth) for _ in range(options.rounds)]
            with _following(app, whole):
                changes = [
                    await _change_ms(client, whole, number)
                    for number in range(WARM_UP + options.rounds * options.calls_a_round // 2)
                ][WARM_UP:]
    size = len(changes) // options.rounds
    rounds = [changes[at : at + size] for at in range(0, options.rounds * size, size)]
    return {
        "mirror_sync_s": Figure((synced,)),
        "mirror_change_p95_ms": percentiles(rounds, 95),
        "mirror_grep_s": Figure(tuple(searched)),
    }


def _synced_seconds(app: AppServer, agent_id: str, directory: Path) -> float:
    start = time.perf_counter()
    command = mirror_command(app, agent_id, directory)
    subprocess.run(command, env=mirror_environment(app), check=True, stdout=subprocess.DEVNULL)
    return time.perf_counter() - start


def _searched_seconds(directory: Path) -> float:
    """One `grep` over the log and one over the files, for a text that one slot has."""
    start = time.perf_counter()
    for where in ("log.jsonl", "index"):
        command = ["grep", "-rc", 'milk 77"', str(directory / where)]
        subprocess.run(command, stdout=subprocess.DEVNULL, check=True)
    return time.perf_counter() - start


@contextmanager
def _following(app: AppServer, directory: Path) -> Iterator[None]:
    command = mirror_command(app, MIRRORED, directory, "--follow")
    with subprocess.Popen(command, env=mirror_environment(app), stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        try:
            # It says how many slots there are, and then follows.
            assert process.stdout.readline()
            yield
        finally:
            process.terminate()
            process.stdout.read()


async def _change_ms(client: Client, directory: Path, number: int) -> float:
    """Milliseconds from the answer to a write until its file is there."""
    key = f"/user/changed/slot-{number}"
    path = directory.joinpath("index", *path_of(key))
    request = service.SetMemoryRequest(
        agent_id=MIRRORED,
        key=key,
        json_content=f'{{"text":"milk and tea {number}"}}',
        source=slot_pb2.SlotSource(text="chat"),
    )
    await client(request)
    start = time.perf_counter()
    while not path.exists():
        if time.perf_counter() - start > PATIENCE_SECONDS:
            raise TimeoutError(f"{key} is not in the mirror")
        await asyncio.sleep(LOOK_SECONDS)
    return (time.perf_counter() - start) * 1e3
