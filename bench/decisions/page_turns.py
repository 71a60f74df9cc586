"""Unpacking a page of changes beside other calls: `python -m bench.decisions.page_turns` (docs/adr/0018).

A full page at once on the event loop, at once in a thread, and in parts on the loop, which give way between: how long
other calls had to wait at most, and how long it took. The ways take turns; medians over rounds.
"""

import asyncio
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from statistics import median

from camillo_server.search.index.resident_scope import parts
from camillo_server.search.store.scope_rows import PAGE_ROWS, PackedPage, ScopeRowsReader
from camillo_server.settings import DatabaseSettings
from camillo_server.storage.database import Database

from bench.decisions.loop_watch import watched_loop
from bench.decisions.scope_loading import DIMENSIONS, SCOPE, filled_postgres
from bench.measure.timing import latencies_ms, percentile, taking_turns

ROUNDS = 200
PART_ROWS = (32, 64, 128, 256)

Way = Callable[[], Awaitable[None]]


async def at_once(page: PackedPage) -> None:
    page.unpack(DIMENSIONS)


async def in_a_thread(pool: ThreadPoolExecutor, page: PackedPage) -> None:
    await asyncio.get_running_loop().run_in_executor(pool, page.unpack, DIMENSIONS)


async def in_parts(rows: int, page: PackedPage) -> None:
    for part in parts(page, rows):
        part.unpack(DIMENSIONS)
        await asyncio.sleep(0)


async def main() -> None:
    """Prints what each way costs."""
    page = await _full_page()
    with ThreadPoolExecutor(1) as pool:
        ways: dict[str, Way] = {
            "at once": partial(at_once, page),
            "at once, in a thread": partial(in_a_thread, pool, page),
            **{f"in parts of {rows}": partial(in_parts, rows, page) for rows in PART_ROWS},
        }
        held_up: dict[str, list[float]] = {name: [] for name in ways}
        taken: dict[str, list[float]] = {name: [] for name in ways}
        for name in taking_turns(list(ways), ROUNDS):
            async with watched_loop() as watch:
                taken[name] += await latencies_ms(ways[name], 1)
            held_up[name].append(watch.longest_ms)
    for name in ways:
        print(
            f"{len(page):,} rows {name:<21} others wait {median(held_up[name]):5.2f} ms,"
            f" p95 {percentile(held_up[name], 95):5.2f}; takes {median(taken[name]):5.2f} ms"
        )


async def _full_page() -> PackedPage:
    with filled_postgres(PAGE_ROWS) as postgres:
        database = Database(
            postgres.server_url, DatabaseSettings(pool_min=1, pool_max=1, connect_timeout_seconds=5)
        )
        await database.open()
        page = await ScopeRowsReader(database, "m", DIMENSIONS).changes(SCOPE, 0)
        await database.close()
    return page


if __name__ == "__main__":
    asyncio.run(main())
