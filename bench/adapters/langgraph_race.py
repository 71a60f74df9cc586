"""LangGraph's store and checkpointer on Camillo and on Postgres, in turns; one JSON object on the last line.

Runs in the environment of the adapter: `bench.adapters` starts it."""

from __future__ import annotations

import asyncio
import json
import os
import random
import sys
import time
from collections.abc import Awaitable, Callable, Iterator
from contextlib import AsyncExitStack
from itertools import count
from typing import Any

from camillo_client import Camillo
from camillo_langgraph import CamilloSaver, CamilloStore
from langgraph.checkpoint.base import empty_checkpoint
from langgraph.checkpoint.base.id import uuid6
from langgraph.checkpoint.postgres.aio import AsyncPostgresSaver
from langgraph.store.base import PutOp
from langgraph.store.postgres.aio import AsyncPostgresStore
from psycopg.rows import dict_row
from psycopg_pool import AsyncConnectionPool

DIMENSIONS, USERS, BATCH, CALLERS = 384, 100, 500, 16
WORDS = ("tea", "coffee", "milk", "office", "train", "meeting", "invoice", "garden", "cat", "bicycle", "Berlin", "猫")
Work = Callable[[], Awaitable[object]]


async def embed(texts: list[str]) -> list[list[float]]:
    """Vectors without a model: the same text has the same one."""
    return [[drawn.gauss(0, 1) for _ in range(DIMENSIONS)] for drawn in map(random.Random, texts)]


def texts() -> Iterator[str]:
    drawn = random.Random(5)
    return (f"{' '.join(drawn.choices(WORDS, k=8))} {number}" for number in count())


async def filled(store: Any, items: int) -> None:
    said = texts()
    puts = [
        PutOp(("users", str(number % USERS)), f"item-{number}", {"text": next(said), "rank": number % 50})
        for number in range(items)
    ]
    for start in range(0, items, BATCH):
        await store.abatch(puts[start : start + BATCH])


async def rate(work: Work, seconds: float) -> float:
    """Calls a second of all callers."""
    end, done = time.perf_counter() + seconds, 0

    async def caller() -> None:
        nonlocal done
        while time.perf_counter() < end:
            await work()
            done += 1

    begun = time.perf_counter()
    await asyncio.gather(*(caller() for _ in range(CALLERS)))
    return done / (time.perf_counter() - begun)


def works_of_store(store: Any) -> dict[str, Work]:
    said, numbers, drawn = texts(), count(), random.Random(7)

    def question() -> str:
        # None is asked twice at once: both stores ask for equal ones once.
        return f"{' '.join(drawn.choices(WORDS, k=4))} {next(numbers)}"

    def put() -> Awaitable[object]:
        number = next(numbers)
        value = {"text": next(said), "rank": number % 50}
        stored: Awaitable[object] = store.aput(("users", str(number % USERS)), f"new-{number}", value)
        return stored

    return {
        "put": put,
        "get": lambda: store.aget(("users", "7"), f"item-{7 + USERS * (next(numbers) % 50)}"),
        "search": lambda: store.asearch(("users",), query=question(), limit=10),
        "search_person": lambda: store.asearch(("users", "7"), query=question(), limit=10),
        "search_filter": lambda: store.asearch(("users",), filter={"rank": {"$gte": next(numbers) % 50}}, limit=10),
    }


def works_of_saver(saver: Any) -> dict[str, Work]:
    numbers = count()
    stored: list[Any] = []

    async def put() -> None:
        number = next(numbers)
        checkpoint = empty_checkpoint()
        checkpoint["id"] = str(uuid6(clock_seq=number % 1000))
        messages = [f"message {each} of a conversation about tea" for each in range(20)]
        checkpoint["channel_values"] = {"messages": messages, "step": number}
        versions = {"messages": f"{number:032}.1", "step": f"{number:032}.1"}
        checkpoint["channel_versions"] = versions
        config: Any = {"configurable": {"thread_id": f"t{number % USERS}", "checkpoint_ns": ""}}
        stored.append(await saver.aput(config, checkpoint, {"source": "loop", "step": number}, versions))

    async def put_writes() -> None:
        await saver.aput_writes(stored[-1], [("messages", ["tea"]), ("step", 1)], f"task-{next(numbers)}")

    return {
        "checkpoint_put": put,
        "checkpoint_writes": put_writes,
        "checkpoint_get": lambda: saver.aget_tuple({"configurable": {"thread_id": f"t{next(numbers) % USERS}"}}),
    }


async def race(postgres_url: str, items: int, rounds: int, seconds: float) -> dict[str, list[float]]:
    found: dict[str, list[float]] = {}
    async with AsyncExitStack() as stack:
        camillo = stack.enter_context(Camillo.connect(timeout_seconds=60)).for_project("race")
        pool_config: Any = {"min_size": 5, "max_size": 20}
        store = await stack.enter_async_context(
            AsyncPostgresStore.from_conn_string(
                postgres_url, pool_config=pool_config, index={"dims": DIMENSIONS, "embed": embed, "fields": ["text"]}
            )
        )
        await store.setup()
        kwargs = {"autocommit": True, "prepare_threshold": 0, "row_factory": dict_row}
        pool: Any = await stack.enter_async_context(AsyncConnectionPool(postgres_url, kwargs=kwargs, **pool_config))
        saver = AsyncPostgresSaver(pool)
        await saver.setup()
        # The server embeds; the peer has vectors for nothing.
        ours = CamilloStore(camillo)
        for each in (store, ours):
            await filled(each, items)
        contenders = {
            "camillo": {**works_of_store(ours), **works_of_saver(CamilloSaver(camillo))},
            "postgres": {**works_of_store(store), **works_of_saver(saver)},
        }
        for number in range(rounds + 1):
            for name in contenders["camillo"]:
                for contender, works in contenders.items():
                    reached = await rate(works[name], seconds)
                    # The first round warms up.
                    if number:
                        found.setdefault(f"{contender}_{name}_qps", []).append(reached)
    return found


if __name__ == "__main__":
    _, items, rounds, seconds = sys.argv
    print(json.dumps(asyncio.run(race(os.environ["POSTGRES_URL"], int(items), int(rounds), float(seconds)))))
