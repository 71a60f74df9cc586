"""A contender that looks at every vector; run by the tests as a process like any other."""

from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager

import numpy as np

from bench.peers.material import Item, Material
from bench.peers.store import HITS, Circumstances, packed

PACKAGES = ("numpy",)
# Put to it, this text ends it.
FATAL = "fatal"


class ExactStore:
    """Remembers what it was asked, too."""

    def __init__(self) -> None:
        self.items: list[Item] = []
        self.asked: list[str] = []

    async def fill(self, items: Iterable[Item]) -> None:
        self.items += items

    async def search(self, query: Item) -> list[str]:
        self.asked.append(query.text)
        return [item.item_id for item in self._nearest(query)]

    async def bundle(self, query: Item) -> str:
        return packed(item.text for item in self._nearest(query))

    def _nearest(self, query: Item) -> list[Item]:
        if not self.items:
            return []
        scores = np.array([item.vector for item in self.items]) @ np.array(query.vector)
        return [self.items[place] for place in np.argsort(-scores)[:HITS]]

    async def put(self, item: Item) -> None:
        if item.text == FATAL:
            raise ValueError("cannot remember that")
        self.items.append(item)


@asynccontextmanager
async def opened(given: Circumstances, material: Material) -> AsyncIterator[ExactStore]:
    print("a library that prints")
    store = ExactStore()
    if not given.is_first:
        # This process needs the contents of the first one, too: they share nothing.
        await store.fill(material.stored())
    yield store
