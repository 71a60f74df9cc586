"""16 callers over one connection: the echo through the real server, and Remember with a scope for each caller."""

import asyncio
import time

from bench.foundation.options import Options
from bench.measure.client import Material, channel_to, echo_call, remember_call
from bench.measure.repeats import Repeats
from bench.measure.servers import VECTORS_GIVEN, AppServer, app_server, temporary_directory
from bench.measure.timing import Call, Figure, calls_per_second, taking_turns


def measure(options: Options, *, with_remember: bool) -> dict[str, Figure]:
    """Calls a second of every round, and how much of a core client and server took meanwhile (1 is one core)."""
    with temporary_directory() as directory, app_server(VECTORS_GIVEN, directory / "data") as app:
        return asyncio.run(_measure(options.repeats, app, with_remember=with_remember))


async def _measure(repeats: Repeats, app: AppServer, *, with_remember: bool) -> dict[str, Figure]:
    async with channel_to(app.port) as channel:
        material = Material.made()
        calls: dict[str, list[Call]] = {
            "echo": [echo_call(channel, app.secret) for _ in range(repeats.callers)],
        }
        if with_remember:
            calls["remember"] = [
                remember_call(channel, app.secret, material, f"caller-{number}")
                for number in range(repeats.callers)
            ]
        found: dict[str, list[float]] = {}
        for name in calls:
            await calls_per_second(calls[name], repeats.rate_seconds / 3)
        for name in taking_turns(list(calls), repeats.rate_rounds):
            for figure, value in (await _round(name, calls[name], repeats, app)).items():
                found.setdefault(figure, []).append(value)
    return {name: Figure(tuple(values)) for name, values in found.items()}


async def _round(
    name: str, calls: list[Call], repeats: Repeats, app: AppServer
) -> dict[str, float]:
    client_before, server_before = time.process_time(), app.process.cpu_seconds()
    started = time.perf_counter()
    rate = await calls_per_second(calls, repeats.rate_seconds)
    seconds = time.perf_counter() - started
    return {
        f"{name}_qps_{repeats.callers}": rate,
        f"{name}_client_cores": (time.process_time() - client_before) / seconds,
        f"{name}_server_cores": (app.process.cpu_seconds() - server_before) / seconds,
    }
