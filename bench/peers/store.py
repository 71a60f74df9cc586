"""The operations that every contender is asked for, and what it is given for them."""

from collections.abc import Callable, Iterable
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from bench.peers.material import Item, Material

HITS = 10
# The tokens of a text that goes before a model, and the characters that count as one where it is packed by hand.
BUNDLE_TOKENS, TOKEN_CHARACTERS = 1_000, 4


@dataclass(frozen=True, slots=True)
class Circumstances:
    """Where a contender works: its own directory and database, and the Camillo server with its key."""

    material: str
    directory: str
    postgres_url: str
    port: int
    secret: str
    # Which of its client processes this is. The first one makes what all of them use, and has done so when the next
    # begins.
    number: int = 0

    @property
    def is_first(self) -> bool:
        return self.number == 0

    @property
    def own_directory(self) -> Path:
        return Path(self.directory)


class Store(Protocol):
    """A contender, open."""

    async def fill(self, items: Iterable[Item]) -> None:
        """Stores all of them, in whatever way is quickest; not measured."""

    async def search(self, query: Item) -> list[str]:
        """The ids of the ten nearest, best first."""

    async def bundle(self, query: Item) -> str:
        """The text that goes before a model for this question, within BUNDLE_TOKENS."""

    async def put(self, item: Item) -> None:
        """Stores one more; returns when it is as durable as this contender makes it."""


def packed(texts: Iterable[str]) -> str:
    """The hits of a search as callers pack them by hand: each text once, a line each, as many as fit."""
    lines, room = [], BUNDLE_TOKENS * TOKEN_CHARACTERS
    for text in dict.fromkeys(texts):
        line = f"- {text}"
        room -= len(line) + 1
        if room < 0:
            break
        lines.append(line)
    return "\n".join(lines)


# The function that a contender's module offers as `opened`.
Opener = Callable[[Circumstances, Material], AbstractAsyncContextManager[Store]]
