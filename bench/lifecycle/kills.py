"""A server that does everything at once, killed again and again: what is lost, and what was done twice."""

import asyncio
import random
import sys
from pathlib import Path

import psycopg
from camillo_server.across.admin.store.invariants import violations

from bench.lifecycle.load import LifecycleLoad
from bench.lifecycle.options import LifecycleOptions
from bench.measure.client import connected
from bench.measure.servers import AppServer, app_server, replica, temporary_directory
from bench.measure.timing import Figure, Figures

WRITERS, AGENTS = 8, 3
SEED = 4


def measure(options: LifecycleOptions) -> Figures:
    """Counts; what is wrong is printed on standard error."""
    with (
        temporary_directory() as directory,
        app_server(options.embedding, directory / "data") as app,
    ):
        return asyncio.run(_measure(options, app, directory))


async def _measure(options: LifecycleOptions, app: AppServer, directory: Path) -> Figures:
    load, dice = LifecycleLoad(WRITERS, AGENTS), random.Random(SEED)
    for _ in range(options.kills):
        with replica(app, options.embedding, directory / "killed") as server:
            async with connected(server.port, server.secret) as client:
                answers = dice.randint(*options.answers_a_life)
                await load.live(client, answers, lambda: asyncio.to_thread(server.process.kill))
    async with connected(app.port, app.secret) as client:
        await load.finish(client)
        verdict = await load.verdict(client)
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
