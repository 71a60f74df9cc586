"""What NOTIFY costs writers that have nothing else in common: `python -m bench.decisions.notify` (docs/adr/0004).

16 writers, each with a row of its own, commit as fast as they can: without NOTIFY, with NOTIFY in the transaction,
and with NOTIFY after the commit, gathered on a connection of its own as the server does it. One connection listens.
"""

import asyncio
import statistics
import sys
from collections.abc import Awaitable, Callable

import psycopg
from psycopg import AsyncConnection

from bench.decisions.scratch import scratch_postgres
from bench.measure.timing import calls_per_second, taking_turns

WRITERS = 16
ROUNDS = 8
SECONDS_A_ROUND = 2.0
GATHER_SECONDS = 0.005

TABLE = """
create table counters (writer int primary key, count bigint not null) with (fillfactor = 50);
insert into counters select n, 0 from generate_series(0, 15) n;
"""
COUNT = "update counters set count = count + 1 where writer = %s returning count"
COUNT_AND_NOTIFY = (
    "with counted as (update counters set count = count + 1 where writer = %s returning writer) "
    "select pg_notify('changes', writer::text) from counted"
)
Connection = AsyncConnection[tuple[object, ...]]


class Teller:
    """Sends what was rung, every 5 ms."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._unsent: set[int] = set()

    def ring(self, writer: int) -> None:
        self._unsent.add(writer)

    async def run(self) -> None:
        while True:
            await asyncio.sleep(GATHER_SECONDS)
            if self._unsent:
                names = " ".join(map(str, self._unsent))
                self._unsent.clear()
                await self._connection.execute("select pg_notify('changes', %s)", [names])


def main() -> int:
    """Prints commits per second of each way, and their ratios to none."""
    with scratch_postgres() as postgres:
        with psycopg.connect(postgres.superuser_url) as superuser:
            superuser.execute(TABLE)
        asyncio.run(_compare(postgres.superuser_url))
    return 0


async def _compare(url: str) -> None:
    writers = [await _connect(url) for _ in range(WRITERS)]
    listener, telling = await _connect(url), await _connect(url)
    await listener.execute("listen changes")
    teller = Teller(telling)
    tasks = [asyncio.create_task(_listen(listener)), asyncio.create_task(teller.run())]
    ways = _ways(writers, teller)
    rates: dict[str, list[float]] = {name: [] for name in ways}
    for callers in ways.values():
        await calls_per_second(callers, 0.5)
    for name in taking_turns(list(ways), ROUNDS):
        rates[name].append(await calls_per_second(ways[name], SECONDS_A_ROUND))
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    for connection in (*writers, listener, telling):
        await connection.close()
    _report(rates)


def _ways(
    writers: list[Connection], teller: Teller
) -> dict[str, list[Callable[[], Awaitable[object]]]]:
    def silent(number: int) -> Callable[[], Awaitable[object]]:
        return lambda: writers[number].execute(COUNT, [number])

    def notifying(number: int) -> Callable[[], Awaitable[object]]:
        return lambda: writers[number].execute(COUNT_AND_NOTIFY, [number])

    def ringing(number: int) -> Callable[[], Awaitable[object]]:
        async def write() -> None:
            await writers[number].execute(COUNT, [number])
            teller.ring(number)

        return write

    makers = {
        "no NOTIFY": silent,
        "NOTIFY in the transaction": notifying,
        "NOTIFY after it, gathered": ringing,
    }
    return {name: [make(number) for number in range(WRITERS)] for name, make in makers.items()}


def _report(rates: dict[str, list[float]]) -> None:
    print(f"{WRITERS} writers, fsync on, {ROUNDS} rounds of {SECONDS_A_ROUND:g} s; medians")
    base = rates["no NOTIFY"]
    for name, measured in rates.items():
        ratio = statistics.median(m / b for m, b in zip(measured, base, strict=True))
        print(f"{name:28}{statistics.median(measured):8,.0f} commits/s   {ratio:5.2f} x")


async def _connect(url: str) -> Connection:
    return await AsyncConnection.connect(url, autocommit=True, prepare_threshold=0)


async def _listen(connection: Connection) -> None:
    async for _ in connection.notifies():
        pass


if __name__ == "__main__":
    sys.exit(main())
