"""Bundles and events of a scope that is warm, one caller: how long they take."""

import asyncio
import itertools

from bench.context.calls import ContextCalls, message
from bench.context.options import ContextOptions
from bench.material.texts import Texts
from bench.measure.servers import AppServer
from bench.measure.timing import Figure, latencies_ms, percentile
from bench.recall.calls import connected

AGENT = "speed"
SESSION = "now"
WARM_UP = 20
EVENTS = 200
IDENTITY = "# Identity\n\nYou are a careful engineer who keeps an old service running.\n"
RULES = "# Rules\n\n" + "\n".join(f"- Rule {number}: say what you did." for number in range(40))


def measure(options: ContextOptions, app: AppServer) -> dict[str, Figure]:
    """Milliseconds."""
    return asyncio.run(_measure(options, app))


async def _measure(options: ContextOptions, app: AppServer) -> dict[str, Figure]:
    texts = itertools.cycle(Texts(7).sentences(EVENTS))
    async with connected(app.port) as channel:
        calls = ContextCalls(channel, app.secret, AGENT)
        await calls.put_view("identity", IDENTITY)
        await calls.put_view("rules", RULES)
        await calls.record_many([message(SESSION, "Ann", next(texts)) for _ in range(EVENTS)])

        recorded = await latencies_ms(
            lambda: calls.record(message(SESSION, "Ann", next(texts))), options.records + WARM_UP
        )
        bundled = await latencies_ms(
            lambda: calls.bundle(session_id=SESSION), options.bundles + WARM_UP
        )
    return {
        "record_p50_ms": Figure((percentile(recorded[WARM_UP:], 50),)),
        "record_p95_ms": Figure((percentile(recorded[WARM_UP:], 95),)),
        "bundle_fast_p50_ms": Figure((percentile(bundled[WARM_UP:], 50),)),
        "bundle_fast_p95_ms": Figure((percentile(bundled[WARM_UP:], 95),)),
    }
