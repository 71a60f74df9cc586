"""Agents that write and look for what they wrote, at a steady rate, while something happens to the fleet."""

import asyncio
import os
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import TypeVar

from camillo.v1.memory_pb2 import MemoryFilter
from camillo_client import AsyncCamillo, CamilloError

from tests.mesh.fleet import AGENTS

# CAMILLO_TEST_MESH_SECONDS=60 for as long as an operator would watch.
SECONDS = float(os.environ.get("CAMILLO_TEST_MESH_SECONDS", "12"))
CALLS_PER_SECOND = 100
# A write, and a look for it.
CALLS_PER_ROUND = 2
WORDS = ("plain", "你好世界", "🦊 fox", "مرحبا بالعالم", "e\u0301clair")

R = TypeVar("R")


@dataclass(slots=True)
class Load:
    """Outcomes that the agents saw."""

    answered: int = 0
    failures: list[CamilloError] = field(default_factory=list)
    # Contents that were written, acknowledged, and not found.
    stale: list[str] = field(default_factory=list)
    slowest_seconds: float = 0.0
    written: dict[str, list[str]] = field(default_factory=dict)
    _over: bool = False

    def end(self) -> None:
        """Lets each agent finish its round."""
        self._over = True

    def summary(self) -> str:
        """A summary in one line."""
        return (
            f"{self.answered} answered, {len(self.failures)} failed, {len(self.stale)} stale,"
            f" slowest {1000 * self.slowest_seconds:.0f} ms"
        )

    async def live(self, agent: str, client: AsyncCamillo) -> None:
        """Rounds of one agent until the end, each begun on time if the one before is over."""
        pause = len(AGENTS) * CALLS_PER_ROUND / CALLS_PER_SECOND
        begins = time.monotonic()
        number = 0
        while not self._over:
            await self._round(agent, number, client)
            number += 1
            begins = max(begins + pause, time.monotonic() - pause)
            await asyncio.sleep(max(0.0, begins - time.monotonic()))

    async def _round(self, agent: str, number: int, client: AsyncCamillo) -> None:
        content, tag = f"{agent} {number} {WORDS[number % len(WORDS)]}", f"n{number}"
        if await self._timed(lambda: client.remember(content, tags=[tag])) is None:
            return
        self.written.setdefault(agent, []).append(content)
        wanted = MemoryFilter(tags_any=[tag])
        if number % 2:
            found = await self._timed(lambda: recalled(client, content, wanted))
        else:
            found = await self._timed(lambda: listed(client, wanted))
        if found is not None and found != [content]:
            self.stale.append(content)

    async def _timed(self, call: Callable[[], Awaitable[R]]) -> R | None:
        """The answer; None where the call failed."""
        started = time.monotonic()
        try:
            answer = await call()
        except CamilloError as error:
            self.failures.append(error)
            return None
        finally:
            self.slowest_seconds = max(self.slowest_seconds, time.monotonic() - started)
        self.answered += 1
        return answer


async def recalled(client: AsyncCamillo, text: str, wanted: MemoryFilter) -> list[str]:
    """Contents of the hits, at least as fresh as the client's own writes."""
    return [hit.memory.content for hit in (await client.recall(text, filter=wanted)).hits]


async def listed(client: AsyncCamillo, wanted: MemoryFilter) -> list[str]:
    """Contents that pass, at least as fresh as the client's own writes."""
    return [memory.content async for memory in client.list_memories(wanted)]
