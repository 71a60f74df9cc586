"""Many writers who state the same texts at once, by every way there is to state them."""

import asyncio
import random
import time

from camillo.v1 import memory_pb2 as pb
from camillo.v1 import memory_service_pb2 as service

from bench.lifecycle.calls import LifecycleCalls
from bench.lifecycle.options import LifecycleOptions
from bench.material.texts import Texts
from bench.measure.servers import AppServer, Embedding, app_server, temporary_directory
from bench.measure.timing import Figure
from bench.recall.calls import connected

AGENT = "repeats"
BATCH = 25


def measure(options: LifecycleOptions) -> dict[str, Figure]:
    """Rows, and statements a second."""
    embedding = Embedding("random", options.dimensions)
    with temporary_directory() as directory, app_server(embedding, directory / "data") as app:
        return asyncio.run(_measure(options, app))


async def _measure(options: LifecycleOptions, app: AppServer) -> dict[str, Figure]:
    # A number makes each differ, whatever words were drawn.
    drawn = Texts(21).sentences(options.texts)
    texts = [f"{text} {number}" for number, text in enumerate(drawn)]
    async with connected(app.port) as channel:
        calls = LifecycleCalls(channel, app.secret)
        started = time.perf_counter()
        await asyncio.gather(*(_state(calls, texts, number) for number in range(options.writers)))
        taken = time.perf_counter() - started
        stored = [memory async for memory in calls.memories(AGENT)]
    stated = sum(memory.stated_count for memory in stored)
    assert stated == options.writers * options.texts, stated
    assert {memory.content for memory in stored} == set(texts)
    return {
        "dedupe_rows": Figure((float(len(stored)),)),
        "dedupe_statements_per_s": Figure((stated / taken,)),
    }


async def _state(calls: LifecycleCalls, texts: list[str], writer: int) -> None:
    """All of them, in an order of the writer's own: one by one, in batches, or as imports."""
    texts = random.Random(writer).sample(texts, len(texts))
    if writer % 4 < 2:
        for text in texts:
            await calls.remember(AGENT, text)
        return
    for start in range(0, len(texts), BATCH):
        await calls(_several(texts[start : start + BATCH], as_import=writer % 4 == 3))


def _several(
    texts: list[str], *, as_import: bool
) -> service.BatchRememberRequest | service.ImportMemoriesRequest:
    if as_import:
        memories = [pb.Memory(content=text) for text in texts]
        return service.ImportMemoriesRequest(agent_id=AGENT, memories=memories)
    new = [pb.NewMemory(content=text) for text in texts]
    return service.BatchRememberRequest(agent_id=AGENT, memories=new)
