"""One caller: the bare echo, the echo through the real server, and Remember, in rounds that take turns."""

import asyncio
from collections.abc import Mapping
from contextlib import AsyncExitStack

from bench.foundation.options import Options
from bench.measure.client import Material, channel_to, echo_call, remember_call
from bench.measure.repeats import Repeats
from bench.measure.servers import (
    VECTORS_GIVEN,
    AppServer,
    ServerProcess,
    app_server,
    bare_echo_server,
    temporary_directory,
)
from bench.measure.timing import Call, Figure, latencies_ms, percentile, taking_turns

WARM_UP_CALLS = 200


def measure(options: Options, *, with_remember: bool) -> dict[str, Figure]:
    """The medians of every round, in milliseconds."""
    with (
        temporary_directory() as directory,
        bare_echo_server() as bare,
        app_server(VECTORS_GIVEN, directory / "data") as app,
    ):
        return asyncio.run(_measure(options.repeats, bare, app, with_remember=with_remember))


async def _measure(
    repeats: Repeats, bare: ServerProcess, app: AppServer, *, with_remember: bool
) -> dict[str, Figure]:
    async with AsyncExitStack() as channels:
        to_bare = await channels.enter_async_context(channel_to(bare.port))
        to_app = await channels.enter_async_context(channel_to(app.port))
        calls = {
            "bare_echo_p50_ms": echo_call(to_bare),
            "echo_p50_ms": echo_call(to_app, app.secret),
        }
        if with_remember:
            calls["remember_p50_ms"] = remember_call(
                to_app, app.secret, Material.made(), "one-caller"
            )
        return await _medians(calls, repeats)


async def _medians(calls: Mapping[str, Call], repeats: Repeats) -> dict[str, Figure]:
    for call in calls.values():
        await latencies_ms(call, min(WARM_UP_CALLS, repeats.calls_a_round))
    found: dict[str, list[float]] = {name: [] for name in calls}
    for name in taking_turns(list(calls), repeats.rounds):
        found[name].append(percentile(await latencies_ms(calls[name], repeats.calls_a_round), 50))
    return {name: Figure(tuple(medians)) for name, medians in found.items()}
