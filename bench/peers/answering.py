"""A contender's process: opens its store, then answers every line of JSON it reads by another, until there are no more.

The first line it reads is its Circumstances. An error ends it, with the cause as the last line of its stderr.
"""

import asyncio
import itertools
import json
import os
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from importlib import import_module
from importlib.metadata import version
from pathlib import Path
from typing import Any, TextIO

from bench.measure.timing import Call, calls_per_second, latencies_ms
from bench.peers.material import Item, Material
from bench.peers.store import Circumstances, Opener, Store

Answer = dict[str, Any]


class Workload:
    """The measurements of one open store."""

    def __init__(self, store: Store, material: Material) -> None:
        self._store = store
        self._material = material
        self._more = material.more()

    async def answer(self, command: Mapping[str, Any]) -> Answer:
        """Does what `do` names. Raises KeyError for what it does not know."""
        match command["do"]:
            case "fill":
                await self._store.fill(self._material.stored())
                return {}
            case "search":
                asked = self._material.asked[: command["count"]]
                return {"found": [await self._store.search(query) for query in asked]}
            case "one_caller":
                [call] = self.callers(1)
                return {"latencies_ms": await self._latencies_for(call, command["seconds"])}
            case "bundle":
                questions = itertools.cycle(self._material.asked)
                return {"latencies_ms": await self._latencies_for(lambda: self._bundle(questions), command["seconds"])}
            case "callers":
                return await self._together(self.callers(command["count"]), command["seconds"])
            case "put":
                return {"latencies_ms": await self._put(command["count"])}
            case unknown:
                raise KeyError(unknown)

    def callers(self, count: int) -> list[Call]:
        """Each begins elsewhere: stores that answer equal questions of one moment only once are not to profit."""
        asked = self._material.asked
        starts = [place * len(asked) // count for place in range(count)]
        return [self._search_call([*asked[start:], *asked[:start]]) for start in starts]

    def _search_call(self, asked: Sequence[Item]) -> Call:
        queries = itertools.cycle(asked)
        return lambda: self._store.search(next(queries))

    async def _bundle(self, questions: Iterator[Item]) -> None:
        """Raises ValueError for one that is empty, so that a quick wrong answer is noticed."""
        if not await self._store.bundle(next(questions)):
            raise ValueError("a bundle is empty")

    async def _latencies_for(self, call: Call, seconds: float) -> list[float]:
        taken: list[float] = []
        end = time.perf_counter() + seconds
        while time.perf_counter() < end:
            taken += await latencies_ms(call, 1)
        return taken

    async def _together(self, callers: Sequence[Call], seconds: float) -> Answer:
        """The rate that all callers reach together, and how long each call took."""
        taken: list[float] = []

        def timed(call: Call) -> Call:
            async def one() -> None:
                taken.extend(await latencies_ms(call, 1))

            return one

        qps = await calls_per_second([timed(call) for call in callers], seconds)
        return {"qps": qps, "latencies_ms": taken}

    async def _put(self, count: int) -> list[float]:
        items = iter(list(itertools.islice(self._more, count)))
        return await latencies_ms(lambda: self._store.put(next(items)), count)


async def _serve(opened: Opener, packages: Sequence[str], replies: TextIO) -> None:
    given = Circumstances(**json.loads(sys.stdin.readline()))
    material = Material.load(Path(given.material))
    async with opened(given, material) as store:
        workload = Workload(store, material)
        _reply(replies, {"versions": {package: version(package) for package in packages}})
        while line := await asyncio.to_thread(sys.stdin.readline):
            _reply(replies, await workload.answer(json.loads(line)))


def _reply(replies: TextIO, answer: Answer) -> None:
    print(json.dumps(answer), file=replies, flush=True)


def _own_stdout() -> TextIO:
    """Returns the former stdout; from now on, what libraries print goes to stderr."""
    replies = os.fdopen(os.dup(sys.stdout.fileno()), "w")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    return replies


def main() -> None:
    replies = _own_stdout()
    contender = import_module(sys.argv[1])
    asyncio.run(_serve(contender.opened, contender.PACKAGES, replies))


if __name__ == "__main__":
    main()
