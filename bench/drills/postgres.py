"""Postgres killed and stopped under writes at a steady pace: what was spooled is stored, once, in its order, and
soon."""

import asyncio
import random
import time
from collections.abc import Callable, Sequence

import psycopg
from camillo.v1 import spool_service_pb2 as spool_service
from camillo.v1.spool_pb2 import SPOOL_STATE_FAILED, SPOOL_STATE_WAITING, SpoolState
from camillo_server.across.admin.store.invariants import violations

from bench.drills.drill import Drill, DrillReport
from bench.drills.own_postgres import OwnPostgres, own_postgres
from bench.drills.paced_writer import PacedWriter
from bench.measure.client import Client, connected
from bench.measure.servers import VECTORS_GIVEN, server_on, temporary_directory

OUTAGES, SHORT_OUTAGES = 60, 2
WRITERS, WRITES_PER_SECOND = 6, 8.0
# How long Postgres is left alone before it is started again, and how long it serves before the next outage.
AWAY_SECONDS, SERVING_SECONDS = (1.0, 4.0), (0.5, 1.5)
MAX_DRAIN_RATIO = 2.0
LOOK_SECONDS = 0.02
PATIENCE_SECONDS = 120.0
SEED = 5
ROWS = """
select kind, key from (
    select revision, 0 as place, 'memory' as kind, memory_id::text as key from camillo.memories where agent_id = %(agent_id)s
    union all
    select revision, place, 'event', event_id::text from camillo.events where agent_id = %(agent_id)s
    union all
    select revision, 0, 'slot', slot_id::text from camillo.slots where agent_id = %(agent_id)s
) as written order by revision, place
"""  # noqa: E501


def run(short: bool) -> DrillReport:
    with (
        temporary_directory() as directory,
        own_postgres(directory / "data") as postgres,
        server_on(postgres.server_url, postgres.secret, VECTORS_GIVEN, directory / "server") as server,
    ):
        outages = SHORT_OUTAGES if short else OUTAGES
        return asyncio.run(_run(postgres, server.port, outages))


async def _run(postgres: OwnPostgres, port: int, outages: int) -> DrillReport:
    report, dice = DrillReport("postgres"), random.Random(SEED)
    writers = [PacedWriter(f"writer-{number}", WRITES_PER_SECOND) for number in range(WRITERS)]
    over = asyncio.Event()
    async with connected(port, postgres.secret) as client:
        for writer in writers:
            await writer.start(client)
        ratios = []
        async with asyncio.TaskGroup() as tasks:
            for writer in writers:
                tasks.create_task(writer.write(client, over))
            for number in range(outages):
                # Load at its pace before Postgres goes.
                await asyncio.sleep(dice.uniform(*SERVING_SECONDS))
                end = postgres.stop_fast if number % 2 else postgres.kill
                ratios.append(await _outage(postgres, client, end, dice.uniform(*AWAY_SECONDS)))
            over.set()
        await _judge(report, client, postgres, writers)
    report.expect(max(ratios) <= MAX_DRAIN_RATIO, f"drained only after {max(ratios):.1f} times the outage")
    report.figures |= {
        "outages": outages,
        "acknowledged": sum(len(writer.acknowledged) for writer in writers),
        "spooled": sum(writer.spooled for writer in writers),
        "refused": sum(writer.refused for writer in writers),
        "drain_ratio_worst": max(ratios),
        "drain_ratio_median": sorted(ratios)[len(ratios) // 2],
    }
    report.expect(report.figures["spooled"] > 0, "nothing was spooled")
    return report


async def _outage(postgres: OwnPostgres, client: Client, end: Callable[[], None], away_seconds: float) -> float:
    """One outage; how long what was spooled took to be stored, in lengths of the outage."""
    began = time.monotonic()
    await asyncio.to_thread(end)
    # Load at its pace while Postgres is away.
    await asyncio.sleep(away_seconds)
    async with asyncio.timeout(PATIENCE_SECONDS):
        while not postgres.embedded.has_died():  # noqa: ASYNC110 (a process)
            await asyncio.sleep(LOOK_SECONDS)
    await asyncio.to_thread(postgres.start_again)
    back = time.monotonic()
    await _until_drained(client)
    return (time.monotonic() - back) / (back - began)


async def _until_drained(client: Client) -> None:
    async with asyncio.timeout(PATIENCE_SECONDS):
        while await _spooled(client, SPOOL_STATE_WAITING):  # noqa: ASYNC110 (a server)
            await asyncio.sleep(LOOK_SECONDS)


async def _spooled(client: Client, state: SpoolState) -> list[str]:
    """The spooled writes in this state, in words, from the first page."""
    request = spool_service.ListSpooledRequest(state=state, page_size=100)
    writes = (await client(request)).writes
    return [f"{each.method} of {each.agent_id}: {each.reason} {each.message}" for each in writes]


async def _judge(report: DrillReport, client: Client, postgres: OwnPostgres, writers: Sequence[PacedWriter]) -> None:
    await _until_drained(client)
    report.found("lost", await _spooled(client, SPOOL_STATE_FAILED))
    report.found("hung", [each for writer in writers for each in writer.hung])
    with psycopg.connect(postgres.superuser_url) as connection:
        for writer in writers:
            verdict = await writer.verdict(client)
            report.found("lost", verdict.lost)
            report.found("doubled", verdict.doubled)
            rows = connection.execute(ROWS, {"agent_id": writer.agent_id}).fetchall()
            behind = await writer.out_of_order(client, rows)
            report.expect(not behind, f"out of order: {behind[:3]}")
    with psycopg.connect(postgres.server_url, autocommit=True) as connection:
        report.found("violations", [*violations(connection)])


DRILL = Drill("postgres", "30 SIGKILLs and 30 fast stops of Postgres under load at a steady pace", run)
