"""A process that works with its spool until it is killed; it prints only what is certain."""

import asyncio
import json
import resource
from collections.abc import Awaitable, Callable, Mapping
from itertools import count
from pathlib import Path
from random import Random

from camillo_server.doors.spool.spool import Spool
from camillo_server.doors.spool.spooled_write import SpooledWrite
from camillo_server.kernel.errors import SpoolUnavailable

from tests.unit.spool.spooled_writes import KEYS, TEXTS, spooled_write

MAX_BYTES = 64 << 20
APPENDERS = 16


def numbered_write(number: int, size: int) -> SpooledWrite:
    return spooled_write(number, f"{number} {TEXTS[number % 3]} ".encode().ljust(size, b"."))


def number_of(write: object) -> int:
    assert isinstance(write, SpooledWrite)
    number, text = write.body.decode().split(" ", 1)
    assert text.startswith(TEXTS[int(number) % 3])
    return int(number)


async def main(directory: str, does: str, *arguments: str) -> None:
    await WORK[does](Spool(Path(directory), MAX_BYTES, KEYS), *arguments)


async def append(spool: Spool, seed: str, begin: str = "0") -> None:
    """Appends until the spool is full, many at once, and prints the number of each that is acknowledged."""
    numbers, random = count(int(begin)), Random(seed)  # noqa: S311

    async def append_on() -> None:
        while True:
            number = next(numbers)
            try:
                await spool.append(numbered_write(number, random.randrange(100, 20_000)))
            except SpoolUnavailable:
                await asyncio.Event().wait()
            print(number, flush=True)

    await asyncio.gather(*(append_on() for _ in range(APPENDERS)))


async def adopt(spool: Spool, gate: str) -> None:
    """Takes over what there is when the gate is there, prints the numbers, and lives on with them."""
    print(json.dumps("ready"), flush=True)
    wait_for(Path(gate))
    await spool.open()
    items = [item async for batch in spool.batches() for item in batch]
    print(json.dumps([number_of(item) for item in items]), flush=True)
    await asyncio.Event().wait()


def wait_for(path: Path) -> None:
    while not path.exists():
        pass


async def replay(spool: Spool) -> None:
    """Takes over what there is and does one after the other; prints each number before it counts as done."""
    await spool.open()
    async for batch in spool.batches(100_000):
        for item in batch:
            print(number_of(item), flush=True)
            await spool.done([item])
    print(json.dumps("all"), flush=True)
    await asyncio.Event().wait()


async def fill(spool: Spool, max_file_bytes: str) -> None:
    """Appends until the system refuses a larger file, then smaller writes; prints which were acknowledged, and tries
    on."""
    limit = int(max_file_bytes)
    resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))
    for number in range(40):
        try:
            await spool.append(numbered_write(number, 20_000 if number < 30 else 500))
        except SpoolUnavailable:
            continue
        print(number, flush=True)
    print(json.dumps("all"), flush=True)
    await asyncio.Event().wait()


WORK: Mapping[str, Callable[..., Awaitable[None]]] = {"append": append, "adopt": adopt, "replay": replay, "fill": fill}
