"""Echo, Remember and ImportMemories: one caller, 16 callers, one long stream."""

import asyncio
import time
from dataclasses import dataclass
from pathlib import Path

from bench.material.texts import Texts
from bench.measure.client import (
    Client,
    Material,
    channel_to,
    connected,
    echo_call,
    import_batches,
    remember_call,
    with_vectors,
)
from bench.measure.servers import (
    DIMENSIONS,
    VECTORS_GIVEN,
    AppServer,
    app_server,
    bare_echo_server,
    temporary_directory,
    watched_memory,
)
from bench.measure.timing import (
    FULL,
    QUICK,
    Call,
    Figures,
    Repeats,
    Rounds,
    latencies_ms,
    percentiles,
    rates_of,
    rounds_of,
)


@dataclass(frozen=True, slots=True)
class Options:
    """A full run; `quick()` is one that only shows that everything works."""

    repeats: Repeats = FULL
    imported_memories: int = 50_000
    import_rounds: int = 3
    recalled_memories: int = 10_000
    recalls_a_round: int = 100
    restarts: int = 3
    # How often new servers are started where versions are compared.
    starts: int = 3
    run_timeout_seconds: float = 300.0
    model: Path | None = None

    @classmethod
    def quick(cls) -> "Options":
        return cls(
            repeats=QUICK,
            imported_memories=2_000,
            import_rounds=1,
            recalled_memories=1_000,
            recalls_a_round=20,
            restarts=1,
            starts=1,
        )


WARM_UP_CALLS = 200
FIRST_ROWS = 500
# Processor time is told in hundredths of a second.
ECHOES_PER_CALL = 5


def measure_echo(options: Options) -> Figures:
    return _measure_calls(options, with_remember=False)


def measure_remember(options: Options) -> Figures:
    """Measures Remember beside the echo, in rounds that take turns."""
    return _measure_calls(options, with_remember=True)


def _measure_calls(options: Options, *, with_remember: bool) -> Figures:
    """The median of every round in milliseconds; calls a second of 16 callers, and cores used meanwhile."""
    with (
        temporary_directory() as directory,
        bare_echo_server() as bare,
        app_server(VECTORS_GIVEN, directory / "data") as app,
    ):
        figures = asyncio.run(_latencies(options, bare.port, app, with_remember))
        return figures | asyncio.run(_rates(options, app, with_remember))


async def _latencies(options: Options, bare: int, app: AppServer, with_remember: bool) -> Figures:
    repeats = options.repeats
    async with channel_to(bare) as to_bare, connected(app.port, app.secret) as client:
        calls = {"bare_echo": echo_call(to_bare), **one_caller(client)}
        if not with_remember:
            del calls["remember"]
        for call in calls.values():
            await latencies_ms(call, min(WARM_UP_CALLS, repeats.calls_a_round))
        found = await rounds_of(calls, repeats.rounds, repeats.calls_a_round)
    return {f"{name}_p50_ms": percentiles(rounds, 50) for name, rounds in found.items()}


async def _rates(options: Options, app: AppServer, with_remember: bool) -> Figures:
    async with connected(app.port, app.secret) as client:
        callers = many_callers(client, options.repeats.callers)
        if not with_remember:
            del callers["remember"]
        return await rates_of(callers, options.repeats, app.process.cpu_seconds)


def one_caller(client: Client) -> dict[str, Call]:
    """An echo and a Remember."""
    return {
        "echo": echo_call(client.channel, client.secret),
        "remember": remember_call(client, Material.with_vectors(), "one-caller"),
    }


def many_callers(client: Client, callers: int) -> dict[str, list[Call]]:
    """So many callers of each call over one connection; each remembers in a scope of its own."""
    material = Material.with_vectors()
    return {
        "echo": [echo_call(client.channel, client.secret) for _ in range(callers)],
        "remember": [remember_call(client, material, f"caller-{number}") for number in range(callers)],
    }


class Import:
    """One stream with vectors, serialised before; only its first message names the scope."""

    def __init__(self, rows: int) -> None:
        texts = Texts()
        sentences = texts.sentences(rows)
        self.rows = rows
        self._memories = with_vectors(sentences, texts.vectors(rows, DIMENSIONS).tolist())
        self._rest = import_batches("", self._memories[FIRST_ROWS:])

    async def into(self, client: Client, agent_id: str, *, first_only: bool = False) -> float:
        """Seconds until all of it, or a first message, is stored in the scope of this agent."""
        first = import_batches(agent_id, self._memories[:FIRST_ROWS])
        started = time.perf_counter()
        answer = await client.import_serialized([*first, *([] if first_only else self._rest)])
        seconds = time.perf_counter() - started
        # Two made-up sentences may be the same.
        assert first_only or answer.imported + answer.merged == self.rows
        return seconds


def measure_imports(options: Options) -> Figures:
    """Memories a second of every round, each into a scope of its own; memory growth from the first tenth of a
    stream, when every buffer has its size, to its highest point, in MB; the processor time that the server takes for a
    memory, in microseconds, and over that of an echo of the same round."""
    with temporary_directory() as directory, app_server(VECTORS_GIVEN, directory / "data") as app:
        return asyncio.run(_imports(options, app))


async def _cpu_seconds_of_echo(client: Client, app: AppServer, options: Options) -> float:
    """Seconds of the server's processor that one of many echoes takes."""
    call = echo_call(client.channel, client.secret)
    count = ECHOES_PER_CALL * options.repeats.calls_a_round
    before = app.process.cpu_seconds()
    await latencies_ms(call, count)
    return (app.process.cpu_seconds() - before) / count


async def _imports(options: Options, app: AppServer) -> Figures:
    stream, found = Import(options.imported_memories), Rounds()
    async with connected(app.port, app.secret) as client:
        await stream.into(client, "warm-up", first_only=True)
        for number in range(options.import_rounds):
            echo_seconds = await _cpu_seconds_of_echo(client, app, options)
            before = app.process.cpu_seconds()
            async with watched_memory(app.process.memory_mb) as samples:
                seconds = await stream.into(client, f"scope-{number}")
            cpu_seconds = (app.process.cpu_seconds() - before) / stream.rows
            found.add(
                {
                    "import_per_s": stream.rows / seconds,
                    "import_cpu_us": cpu_seconds * 1e6,
                    "import_over_echo": cpu_seconds / echo_seconds,
                    "import_rss_growth_mb": samples.settled_growth_mb,
                    "import_rss_peak_mb": max(samples),
                }
            )
    return found.figures()
