"""Measures what NOTIFY costs writers that share nothing else: `python -m bench.decisions.notify` (docs/adr/0004).

16 writers, each with a row of its own, commit as fast as they can: without NOTIFY, with NOTIFY in the transaction,
and with NOTIFY after the commit, gathered on a connection of its own as the server does it. One connection listens.
"""

import asyncio
from collections.abc import Callable
from contextlib import AsyncExitStack

import psycopg
from psycopg import AsyncConnection

from bench.decisions.scratch import scratch_postgres
from bench.measure.timing import Call, Rounds, calls_per_second, taking_turns

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


class Notifier:
    """Sends what was changed, every 5 ms."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self._unsent: set[int] = set()

    def notify(self, writer: int) -> None:
        self._unsent.add(writer)

    async def run(self) -> None:
        while True:
            await asyncio.sleep(GATHER_SECONDS)
            if self._unsent:
                names = " ".join(map(str, self._unsent))
                self._unsent.clear()
                await self._connection.execute("select pg_notify('changes', %s)", [names])


def main() -> None:
    """Prints commits per second of each way, and their ratios to none."""
    with scratch_postgres() as postgres:
        with psycopg.connect(postgres.superuser_url) as superuser:
            superuser.execute(TABLE)
        asyncio.run(_compare(postgres.superuser_url))


async def _compare(url: str) -> None:
    async with AsyncExitStack() as stack:

        async def connect() -> Connection:
            connection = await AsyncConnection.connect(url, autocommit=True, prepare_threshold=0)
            return await stack.enter_async_context(connection)

        writers = [await connect() for _ in range(WRITERS)]
        listener, notifier = await connect(), Notifier(await connect())
        await listener.execute("listen changes")
        tasks = [asyncio.create_task(_listen(listener)), asyncio.create_task(notifier.run())]
        ways, rates = _ways(writers, notifier), Rounds()
        for callers in ways.values():
            await calls_per_second(callers, 0.5)
        for name in taking_turns(list(ways), ROUNDS):
            rates.add({name: await calls_per_second(ways[name], SECONDS_A_ROUND)})
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
    _print(rates)


def _ways(writers: list[Connection], notifier: Notifier) -> dict[str, list[Call]]:
    def silent(number: int) -> Call:
        return lambda: writers[number].execute(COUNT, [number])

    def in_the_transaction(number: int) -> Call:
        return lambda: writers[number].execute(COUNT_AND_NOTIFY, [number])

    def after_it(number: int) -> Call:
        async def write() -> None:
            await writers[number].execute(COUNT, [number])
            notifier.notify(number)

        return write

    ways: dict[str, Callable[[int], Call]] = {
        "no NOTIFY": silent,
        "NOTIFY in the transaction": in_the_transaction,
        "NOTIFY after it, gathered": after_it,
    }
    return {name: [call(number) for number in range(WRITERS)] for name, call in ways.items()}


def _print(rates: Rounds) -> None:
    print(f"{WRITERS} writers, fsync on, {ROUNDS} rounds of {SECONDS_A_ROUND:g} s; medians")
    figures = rates.figures()
    for name, figure in figures.items():
        ratio = figure.over(figures["no NOTIFY"]).median
        print(f"{name:28}{figure.median:8,.0f} commits/s   {ratio:5.2f} x")


async def _listen(connection: Connection) -> None:
    async for _ in connection.notifies():
        pass


if __name__ == "__main__":
    main()
