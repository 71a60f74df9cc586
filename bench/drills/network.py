"""Two servers whose way to Postgres is slow, lossy and cut off at times: no answer is stale, and no call hangs."""

import asyncio
import time
from collections import Counter
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, ExitStack, asynccontextmanager
from pathlib import Path
from typing import Any

import grpc
import psycopg
from camillo.v1 import memory_pb2 as pb
from camillo.v1 import memory_service_pb2 as service
from camillo.v1 import spool_service_pb2 as spool_service
from camillo.v1.consistency_pb2 import Freshness
from camillo_server.across.admin.store.invariants import violations
from google.protobuf.message import Message
from psycopg.conninfo import conninfo_to_dict

from bench.drills.drill import Drill, DrillReport
from bench.drills.own_postgres import OwnPostgres, own_postgres
from bench.lifecycle.writer import SCRIPTS
from bench.measure.client import Client, connected
from bench.measure.servers import VECTORS_GIVEN, AppServer, server_on, temporary_directory
from tests.tcp_proxy import TcpProxy, tcp_proxy

PARTITIONS, SHORT_PARTITIONS = 10, 2
PARTITION_SECONDS, SHORT_PARTITION_SECONDS = 5.0, 5.0
CONNECTED_SECONDS = 5.0
# In each direction: 200 ms there and back.
LOSS, DELAY_SECONDS = 0.01, 0.1
AGENTS, PAIRS_PER_SECOND = 12, 2.0
# The callers state no deadline: it is the server that has to end their calls, by this and a margin. That is for the
# attempt to stop a statement, a second, and for a busy machine. A partition is longer than both.
DEADLINE_SECONDS, MARGIN_SECONDS = 2.0, 2.5
# Seconds until an answer is given up that never comes.
GIVE_UP_SECONDS = 60.0
PASSING = (grpc.StatusCode.UNAVAILABLE, grpc.StatusCode.DEADLINE_EXCEEDED)
LOOK_SECONDS = 0.1


class Pair:
    """Remembers in the scope of one agent at one server, and looks for it at the other, by the revision that it was
    told."""

    def __init__(self, agent_id: str) -> None:
        self.agent_id = agent_id
        self.acknowledged: list[str] = []
        self.spooled = 0
        self.refused: Counter[str] = Counter()
        self.stale: list[str] = []
        # When a read was begun that was answered as it was asked for.
        self.fresh_at: list[float] = []
        # Seconds of every call, with the call and how it ended.
        self.seconds: list[tuple[float, str]] = []

    async def work(self, clients: Sequence[Client], over: asyncio.Event) -> None:
        number = 0
        while not over.is_set():
            writer, reader = clients[number % 2], clients[1 - number % 2]
            word = f"{self.agent_id}x{number}"
            memory = pb.NewMemory(content=f"{word} {SCRIPTS[number % len(SCRIPTS)]}", tags=[word])
            request = service.RememberRequest(request_id=word, agent_id=self.agent_id, memory=memory)
            if (written := await self._call(writer, request)) is not None:
                self.acknowledged.append(memory.content)
                if written.HasField("revision"):
                    await self._read(reader, word, written.revision, by_recall=number % 4 < 2)
                else:
                    self.spooled += 1
            number += 1
            await asyncio.sleep(1 / PAIRS_PER_SECOND)

    async def _read(self, reader: Client, word: str, revision: Any, *, by_recall: bool) -> None:
        wanted: dict[str, Any] = {
            "agent_id": self.agent_id,
            "filter": pb.MemoryFilter(tags_any=[word]),
            "freshness": Freshness(at_least_as_fresh=revision),
        }
        request: Message = (
            service.RecallRequest(**wanted, text=word) if by_recall else service.ListMemoriesRequest(**wanted)
        )
        began = time.monotonic()
        answer = await self._call(reader, request)
        if answer is None:
            return
        found = [hit.memory for hit in answer.hits] if by_recall else answer.memories
        if [memory.content.split()[0] for memory in found] == [word]:
            self.fresh_at.append(began)
        else:
            self.stale.append(f"{type(request).__name__} without {word}")

    async def _call(self, client: Client, request: Message) -> Any:
        """Returns the answer; None if the server was cut off. Raises AioRpcError for all else."""
        began, outcome = time.monotonic(), "OK"
        try:
            # Without a deadline, which the server would end it by.
            call = client.method(type(request))(request, metadata=client.metadata)
            async with asyncio.timeout(GIVE_UP_SECONDS):
                return await call
        except grpc.aio.AioRpcError as error:
            outcome = error.code().name
            if error.code() not in PASSING:
                raise
            self.refused[outcome] += 1
            return None
        finally:
            took = time.monotonic() - began
            self.seconds.append((took, f"{type(request).__name__}: {outcome} after {took:.1f} s"))


class Route:
    """The way of one server to Postgres."""

    def __init__(self, proxy: TcpProxy, url: str) -> None:
        self.proxy = proxy
        self.url = url


@asynccontextmanager
async def routes(postgres: OwnPostgres, count: int) -> AsyncIterator[list[Route]]:
    """Yields a route to Postgres for each server, through a proxy of its own."""
    parts = conninfo_to_dict(postgres.server_url)
    async with AsyncExitStack() as stack:
        made = []
        for _ in range(count):
            proxy = await stack.enter_async_context(tcp_proxy(str(parts["host"]), int(parts["port"] or 0)))
            url = f"postgresql://{parts['user']}@127.0.0.1:{proxy.port}/{parts['dbname']}"
            made.append(Route(proxy, url))
        yield made


def run(short: bool) -> DrillReport:
    with temporary_directory() as directory, own_postgres(directory / "data") as postgres:
        return asyncio.run(_run(postgres, directory, short))


async def _run(postgres: OwnPostgres, directory: Path, short: bool) -> DrillReport:
    async with routes(postgres, 2) as ways, AsyncExitStack() as stack:
        clients = []
        for number, way in enumerate(ways):
            server = await stack.enter_async_context(_server(postgres, way, directory / f"server-{number}"))
            clients.append(await stack.enter_async_context(connected(server.port, postgres.secret)))
        return await _drill(postgres, ways, clients, short)


@asynccontextmanager
async def _server(postgres: OwnPostgres, way: Route, data_dir: Path) -> AsyncIterator[AppServer]:
    """Started and stopped in a thread: its proxy passes bytes on in this loop."""
    settings = {"server.default_deadline_seconds": DEADLINE_SECONDS}
    with ExitStack() as stack:
        started = server_on(way.url, postgres.secret, VECTORS_GIVEN, data_dir, settings)
        try:
            yield await asyncio.to_thread(stack.enter_context, started)
        finally:
            await asyncio.to_thread(stack.close)


async def _drill(postgres: OwnPostgres, ways: Sequence[Route], clients: Sequence[Client], short: bool) -> DrillReport:
    report, over = DrillReport("network"), asyncio.Event()
    pairs = [Pair(f"agent-{number}") for number in range(AGENTS)]
    for way in ways:
        way.proxy.loss, way.proxy.delay_seconds = LOSS, DELAY_SECONDS
    async with asyncio.TaskGroup() as tasks:
        for pair in pairs:
            tasks.create_task(pair.work(clients, over))
        healed = await _partitions(ways, short)
        over.set()
    for way in ways:
        way.proxy.loss = way.proxy.delay_seconds = 0.0
    for client in clients:
        await _until_drained(client)
    await _judge(report, clients[0], pairs)
    with psycopg.connect(postgres.server_url, autocommit=True) as connection:
        report.found("violations", [*violations(connection)])
    fresh_at = sorted(at for pair in pairs for at in pair.fresh_at)
    report.figures |= {
        "partitions": len(healed),
        "acknowledged": sum(len(pair.acknowledged) for pair in pairs),
        "spooled": sum(pair.spooled for pair in pairs),
        "fresh_reads": len(fresh_at),
        "refused": sum(sum(pair.refused.values()) for pair in pairs),
        "longest_call_s": max(took for pair in pairs for took, _ in pair.seconds),
        "fresh_again_worst_s": max(_first_behind(fresh_at, at) - at for at in healed),
    }
    report.expect(bool(fresh_at), "no read was answered")
    return report


async def _partitions(ways: Sequence[Route], short: bool) -> list[float]:
    """Cuts off one server, the other, or both; when each partition was over."""
    healed = []
    for number in range(SHORT_PARTITIONS if short else PARTITIONS):
        await asyncio.sleep(CONNECTED_SECONDS)
        cut_off = ([ways[0]], [ways[1]], ways)[number % 3]
        for way in cut_off:
            way.proxy.cut()
        await asyncio.sleep(SHORT_PARTITION_SECONDS if short else PARTITION_SECONDS)
        for way in cut_off:
            way.proxy.heal()
        healed.append(time.monotonic())
    await asyncio.sleep(CONNECTED_SECONDS)
    return healed


def _first_behind(moments: Sequence[float], moment: float) -> float:
    return next((each for each in moments if each >= moment), float("inf"))


async def _until_drained(client: Client) -> None:
    async with asyncio.timeout(GIVE_UP_SECONDS):
        while True:
            answer = await client(spool_service.ListSpooledRequest(page_size=1), GIVE_UP_SECONDS)
            # While Postgres is away those that failed are not seen.
            if not answer.writes and not answer.degraded:
                return
            await asyncio.sleep(LOOK_SECONDS)


async def _judge(report: DrillReport, client: Client, pairs: Sequence[Pair]) -> None:
    limit = DEADLINE_SECONDS + MARGIN_SECONDS
    for pair in pairs:
        stored = Counter([memory.content async for memory in client.memories(pair.agent_id)])
        report.found("lost", [each for each in pair.acknowledged if not stored[each]])
        report.found("doubled", [each for each, count in stored.items() if count > 1])
        report.found("stale", pair.stale)
        report.found("hung", [call for took, call in pair.seconds if took > limit])


DRILL = Drill(
    "network",
    "two servers whose way to Postgres loses 1 %, takes 200 ms and is cut off ten times",
    run,
)
