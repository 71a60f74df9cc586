"""Measures what a noisy tenant does to its neighbours: `python -m bench.fairness --json` (see bench/README.md)."""

import asyncio
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

from bench.fairness import bodies, calls
from bench.fairness.bodies import FULL, QUICK, Times
from bench.fairness.noise import KINDS, Noise, noise
from bench.measure.client import Client, connected
from bench.measure.command import Benchmark, parse, say
from bench.measure.report import Goal
from bench.measure.servers import (
    NO_SETTINGS,
    AppServer,
    app_server,
    embedding_by,
    temporary_directory,
)
from bench.measure.timing import Call, Figures, Rounds, latencies_ms, percentile, taking_turns
from tests.ports import free_port

MAX_RATIO = 1.5
NEIGHBOURS = 8
# The part with bodies of JSON, by HTTP and MCP, on a server of its own.
BODIES = "bodies"
FAIRNESS = Benchmark(
    "fairness",
    __doc__,
    keys=(
        *(
            f"{kind}_{call}_{name}_p95_ms"
            for kind in KINDS
            for call in ("recall", "remember")
            for name in ("alone", "noisy")
        ),
        *bodies.KEYS,
    ),
    goals=(
        *(
            Goal(
                f"others' {call}s beside {kind} of 50 callers, p95 / without",
                f"{kind}_{call}_noisy_p95_ms",
                over=f"{kind}_{call}_alone_p95_ms",
                most=MAX_RATIO,
                unit="x",
            )
            for kind in KINDS
            for call in ("recall", "remember")
        ),
        *bodies.GOALS,
    ),
    parts=[*KINDS, BODIES],
)


@dataclass(frozen=True, slots=True)
class Options:
    """A full run; `quick()` is one that only shows that everything works."""

    rounds: int = 4
    seconds: float = 4.0
    neighbours: int = NEIGHBOURS
    times: Times = FULL

    @classmethod
    def quick(cls) -> "Options":
        return cls(rounds=1, seconds=0.5, neighbours=2, times=QUICK)


def measure(options: Options, parts: Sequence[str]) -> Figures:
    """Each kind of noise, one after the other, with the same neighbours; and bodies of JSON."""
    figures: Figures = {}
    kinds = [each for each in parts if each != BODIES]
    if kinds:
        with _server() as app:
            figures |= asyncio.run(_measure(app, options, kinds))
    if BODIES in parts:
        port = free_port()
        with _server({"server.http_port": port}) as app:
            figures |= asyncio.run(bodies.measure(app, port, options.times))
    return figures


@contextmanager
def _server(settings: Mapping[str, object] = NO_SETTINGS) -> Iterator[AppServer]:
    with (
        temporary_directory() as directory,
        app_server(embedding_by(None), directory / "data", settings=settings) as app,
    ):
        yield app


async def _measure(app: AppServer, options: Options, kinds: Sequence[str]) -> Figures:
    figures: Figures = {}
    async with connected(app.port, app.secret) as root:
        secrets = [await calls.new_tenant(root, f"neighbour-{n}") for n in range(options.neighbours)]
        noisy = await calls.new_tenant(root, "noisy")
        neighbours = [Client(root.channel, secret) for secret in secrets]
        for kind in kinds:
            say(kind)
            with noise(app.port, noisy, kind) as state:
                figures |= await _rounds(kind, neighbours, state, options)
    return figures


async def _rounds(kind: str, neighbours: Sequence[Client], state: Noise, options: Options) -> Figures:
    found = Rounds()
    await _round(neighbours, options.seconds / 2)
    for name in taking_turns(["alone", "noisy"], options.rounds):
        if name == "alone":
            recalls, remembers = await _round(neighbours, options.seconds)
        else:
            before = state.answered.value
            with state.on():
                await asyncio.sleep(options.seconds / 5)
                recalls, remembers = await _round(neighbours, options.seconds)
            found.add({f"{kind}_answered": state.answered.value - before})
            # Threads still end their work for calls that were cancelled.
            await asyncio.sleep(options.seconds / 5)
        for call, taken in (("recall", recalls), ("remember", remembers)):
            found.add({f"{kind}_{call}_{name}_p{n}_ms": percentile(taken, n) for n in (50, 95, 99)})
            found.add({f"{kind}_{call}_{name}_calls": len(taken)})
    return found.figures()


async def _round(neighbours: Sequence[Client], seconds: float) -> tuple[list[float], list[float]]:
    """Milliseconds of recalls and of writes of all neighbours, each with one caller that calls without a pause."""
    recalls: list[float] = []
    remembers: list[float] = []
    end = time.perf_counter() + seconds

    async def keep_calling(recall: Call, remember: Call) -> None:
        while time.perf_counter() < end:
            recalls.extend(await latencies_ms(recall, calls.RECALLS_OF_A_WRITE))
            remembers.extend(await latencies_ms(remember, 1))

    await asyncio.gather(*(keep_calling(calls.recalls(each), calls.remembers(each)) for each in neighbours))
    return recalls, remembers


def main() -> None:
    parser = FAIRNESS.parser()
    given = parse(parser)
    options = Options.quick() if given.quick else Options()
    FAIRNESS.finish(given, measure(options, given.only or [*FAIRNESS.parts]))


if __name__ == "__main__":
    main()
