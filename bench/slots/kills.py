"""Mirrors beside many writers at two servers, while mirror and servers are killed: what is torn, lost or different."""

import asyncio
import json
import random
from collections import Counter
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, ExitStack, asynccontextmanager
from pathlib import Path
from subprocess import DEVNULL

from camillo_client import AsyncCamillo
from camillo_client.errors import DeadlineExceeded, Overloaded, Unavailable

from bench.measure.servers import VECTORS_GIVEN, AppServer, replica, temporary_directory
from bench.measure.timing import Figure, Figures
from bench.slots.mirror import mirror_command, mirror_environment
from bench.slots.scopes import SlotOptions

AGENT, KEY = "killed", "/user/shared/牙科"
WRITERS = 32
# From the start of a mirror until its kill: its program is loaded in the first half second.
LIVES_SECONDS = (0.3, 1.5)
RETRY_SECONDS = 0.02


class Replicas:
    """Two servers on one database; each is killed and started again at its port."""

    def __init__(self, app: AppServer, directory: Path) -> None:
        self._app, self._directory = app, directory
        self._running: list[tuple[ExitStack, AppServer]] = []

    def __enter__(self) -> "Replicas":
        self._running = [self._started(number, 0) for number in range(2)]
        return self

    def __exit__(self, *exception: object) -> None:
        for stack, _ in self._running:
            stack.close()

    def server(self, number: int) -> AppServer:
        return self._running[number][1]

    def kill(self, number: int) -> None:
        """SIGKILL; returns when another one serves in its place."""
        stack, server = self._running[number]
        server.process.kill()
        stack.close()
        self._running[number] = self._started(number, server.port)

    def _started(self, number: int, port: int) -> tuple[ExitStack, AppServer]:
        stack = ExitStack()
        directory = self._directory / f"server-{number}"
        started = replica(self._app, VECTORS_GIVEN, directory, port=port)
        return stack, stack.enter_context(started)


async def measure_kills(options: SlotOptions, app: AppServer) -> Figures:
    """Writers set one key and keys of their own; the mirror is killed again and again, and so are the servers in turn.
    In the end it is compared with one that is made anew, and with every write that was acknowledged."""
    draw = random.Random(11)
    with temporary_directory() as directory, Replicas(app, directory) as replicas:
        killed, anew = directory / "killed", directory / "anew"
        torn = 0
        over = asyncio.Event()
        async with _clients(replicas) as clients:
            writing = asyncio.gather(*(_writer(clients[n % 2], f"writer-{n}", options, over) for n in range(WRITERS)))
            killing = asyncio.create_task(_kill_servers(replicas, options.server_kills))
            for _ in range(options.mirror_kills):
                await _killed(replicas.server(0), killed, draw.uniform(*LIVES_SECONDS))
                torn += torn_lines(killed)
            await killing
            over.set()
            acknowledged = [key_and_text for each in await writing for key_and_text in each]
            for directory_ in (killed, anew):
                async with clients[0].mirror(directory_) as mirror:
                    await mirror.sync()
            history = [slot.json_content async for slot in clients[1].slots.history(KEY)]
        return {
            "mirror_torn": Figure((float(torn),)),
            "mirror_lost": Figure((float(lost_writes(killed, acknowledged)),)),
            "mirror_differing": Figure((float(differing(killed, anew, history)),)),
            "mirror_writes": Figure((float(len(acknowledged)),)),
        }


@asynccontextmanager
async def _clients(replicas: Replicas) -> AsyncIterator[list[AsyncCamillo]]:
    async with AsyncExitStack() as stack:
        yield [
            await stack.enter_async_context(
                AsyncCamillo.connect(f"127.0.0.1:{server.port}", key=server.secret, agent_id=AGENT)
            )
            for server in (replicas.server(0), replicas.server(1))
        ]


async def _writer(camillo: AsyncCamillo, name: str, options: SlotOptions, over: asyncio.Event) -> list[tuple[str, str]]:
    """Writes through outages until all is over, and its part of the writes at least: keys and contents, in order."""
    draw = random.Random(name)
    acknowledged: list[tuple[str, str]] = []
    while not over.is_set() or len(acknowledged) < options.writes // WRITERS:
        number = len(acknowledged)
        key = KEY if draw.random() < 0.5 else f"/user/{name}/{draw.randrange(5)}"
        content = json.dumps({"by": name, "n": number})
        await _written(camillo, key, content, f"{name}-{number}")
        acknowledged.append((key, content))
        if not over.is_set():
            await asyncio.sleep(draw.uniform(0, 2 * options.pause_seconds))
    return acknowledged


async def _written(camillo: AsyncCamillo, key: str, content: str, request_id: str) -> None:
    while True:
        try:
            await camillo.slots.set_memory(key, content, "a benchmark", request_id=request_id)
            return
        except (Unavailable, Overloaded, DeadlineExceeded):
            await asyncio.sleep(RETRY_SECONDS)


async def _killed(server: AppServer, directory: Path, after_seconds: float) -> None:
    """A mirror that is killed so long after its start."""
    command = mirror_command(server, AGENT, directory, "--follow")
    process = await asyncio.create_subprocess_exec(
        *command, env=mirror_environment(server), stdout=DEVNULL, stderr=DEVNULL
    )
    await asyncio.sleep(after_seconds)
    process.kill()
    await process.wait()


async def _kill_servers(replicas: Replicas, kills: int) -> None:
    for number in range(kills):
        await asyncio.to_thread(replicas.kill, number % 2)


def torn_lines(directory: Path) -> int:
    """Lines of the log that are no JSON, as a reader finds them right after the kill."""
    log = directory / "log.jsonl"
    lines = log.read_bytes().splitlines(keepends=True) if log.exists() else []
    return sum(not _is_whole(line) for line in lines)


def _is_whole(line: bytes) -> bool:
    try:
        json.loads(line)
    except ValueError:
        return False
    return line.endswith(b"\n")


def lost_writes(directory: Path, acknowledged: Sequence[tuple[str, str]]) -> int:
    """Acknowledged writes that the log has not, or not once."""
    lines = map(json.loads, (directory / "log.jsonl").read_text().splitlines())
    logged = Counter((line["key"], json.dumps(line["content"])) for line in lines)
    return sum(logged[each] != 1 for each in acknowledged)


def differing(killed: Path, anew: Path, history: Sequence[str]) -> int:
    """Files that the two mirrors do not have alike, and the common key's history where the log tells another one."""
    mine, theirs = _files(killed), _files(anew)
    files = sum(mine.get(name) != theirs.get(name) for name in mine | theirs)
    lines = map(json.loads, mine["log.jsonl"].decode().splitlines())
    told = [json.dumps(line["content"]) for line in lines if line["key"] == KEY]
    return files + (told != [*reversed(history)])


def _files(directory: Path) -> dict[str, bytes]:
    found = [directory / "log.jsonl", *(directory / "index").rglob("*.json")]
    return {str(path.relative_to(directory)): path.read_bytes() for path in found}
