"""A server that does everything at once, killed again and again: what is lost, and what was done twice."""

import asyncio
import random
import sys
from pathlib import Path

import psycopg
from camillo_server.storage.invariants import violations

from bench.lifecycle.calls import LifecycleCalls
from bench.lifecycle.load import LifecycleLoad
from bench.lifecycle.options import LifecycleOptions
from bench.measure.servers import AppServer, Embedding, app_server, replica, temporary_directory
from bench.measure.timing import Figure
from bench.recall.calls import connected

WRITERS, AGENTS = 8, 3
SEED = 4


def measure(options: LifecycleOptions) -> dict[str, Figure]:
    """Counts, all told on standard error where they are not 0."""
    embedding = Embedding("random", options.dimensions)
    with temporary_directory() as directory, app_server(embedding, directory / "data") as app:
        return asyncio.run(_measure(options, app, directory))


async def _measure(options: LifecycleOptions, app: AppServer, directory: Path) -> dict[str, Figure]:
    load, dice = LifecycleLoad(WRITERS, AGENTS), random.Random(SEED)
    embedding = Embedding("random", options.dimensions)
    for _ in range(options.kills):
        with replica(app, embedding, directory / "killed") as server:
            async with connected(server.port) as channel:
                calls = LifecycleCalls(channel, app.secret)
                answers = dice.randint(*options.answers_a_life)
                await load.live(calls, answers, lambda: asyncio.to_thread(server.process.kill))
    async with connected(app.port) as channel:
        calls = LifecycleCalls(channel, app.secret)
        await load.finish(calls)
        verdict = await load.verdict(calls)
    with psycopg.connect(app.url("server"), autocommit=True) as connection:
        broken = [*violations(connection)]
    for what in (*verdict.lost, *verdict.doubled, *broken):
        print(what, file=sys.stderr)
    return {
        "kill_lost": Figure((float(len(verdict.lost)),)),
        "kill_doubled": Figure((float(len(verdict.doubled)),)),
        "kill_violations": Figure((float(len(broken)),)),
        "kill_answers": Figure((float(load.answers),)),
    }
