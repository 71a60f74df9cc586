"""Forgetting a memory on which many rest, and when it is gone elsewhere; many writers who state the same texts."""

import asyncio
import random
import time
from uuid import uuid4

from camillo.v1 import memory_pb2 as pb
from camillo.v1 import memory_service_pb2 as service

from bench.lifecycle.options import LifecycleOptions
from bench.material.texts import Texts
from bench.measure.client import Client, connected
from bench.measure.servers import AppServer, app_server, replica, temporary_directory
from bench.measure.timing import Figure, Figures, percentile
from bench.recall.calls import Recaller, by_texts

AGENT, REPEATS_AGENT = "forgetting", "repeats"
KEPT = 1_000
BATCH, REPEATS_BATCH = 500, 25
WARM_SECONDS = 60.0
PATIENCE_SECONDS = 10.0


def measure(options: LifecycleOptions) -> Figures:
    """Milliseconds."""
    with (
        temporary_directory() as directory,
        app_server(options.embedding, directory / "data") as app,
        replica(app, options.embedding, directory / "other") as other,
    ):
        return asyncio.run(_measure(options, app, other))


async def _measure(options: LifecycleOptions, app: AppServer, other: AppServer) -> Figures:
    async with (
        connected(app.port, app.secret) as here,
        connected(other.port, other.secret) as there,
    ):
        await _import(here, [pb.Memory(content=text) for text in Texts(1).sentences(KEPT)])
        reader = Recaller(there, AGENT)
        warmed = await reader.until_warm(next(by_texts(AGENT, ["anything"])), WARM_SECONDS)
        assert warmed is not None
        derived = [await _forgotten_ms(here, options.derived_rows, number) for number in range(options.forgets)]
        elsewhere = [
            await _gone_ms(here, reader, f"{text} {number}")
            for number, text in enumerate(Texts(2).sentences(options.replica_forgets))
        ]
    return {
        "forget_1000_ms": Figure(tuple(derived)),
        "forget_replica_p50_ms": Figure((percentile(elsewhere, 50),)),
        "forget_replica_p95_ms": Figure((percentile(elsewhere, 95),)),
        "forget_replica_max_ms": Figure((max(elsewhere),)),
    }


async def _forgotten_ms(client: Client, derived_rows: int, number: int) -> float:
    """A memory with so many that rest on it, from the call to the answer."""
    source = await client.remember(AGENT, f"what {derived_rows} rest on, {number}")
    texts = Texts(10 + number).sentences(derived_rows)
    await _import(
        client,
        [pb.Memory(content=f"{text} {number}/{row}", source_refs=[source.memory_id]) for row, text in enumerate(texts)],
    )
    started = time.perf_counter()
    answer = await client(_forgetting(source.memory_id))
    taken = (time.perf_counter() - started) * 1000
    assert answer.forgotten == 1 + derived_rows, answer.forgotten
    return taken


async def _gone_ms(client: Client, reader: Recaller, text: str) -> float:
    """Milliseconds from the answer until the other server no longer finds the memory; it is asked without a pause."""
    memory = await client.remember(AGENT, text)
    await _until(reader, text, memory.memory_id, found=True)
    await client(_forgetting(memory.memory_id))
    started = time.perf_counter()
    await _until(reader, text, memory.memory_id, found=False)
    return (time.perf_counter() - started) * 1000


async def _until(reader: Recaller, text: str, memory_id: str, *, found: bool) -> None:
    request = next(by_texts(AGENT, [text]))
    async with asyncio.timeout(PATIENCE_SECONDS):
        while await reader.finds(request, memory_id) != found:
            pass


async def _import(client: Client, memories: list[pb.Memory]) -> None:
    for start in range(0, len(memories), BATCH):
        batch = memories[start : start + BATCH]
        answer = await client(service.ImportMemoriesRequest(agent_id=AGENT, memories=batch))
        assert answer.imported + answer.merged == len(batch), answer


def _forgetting(memory_id: str) -> service.ForgetMemoriesRequest:
    return service.ForgetMemoriesRequest(
        request_id=str(uuid4()),
        agent_id=AGENT,
        memory_ids=service.MemoryIds(ids=[memory_id]),
    )


def measure_repeats(options: LifecycleOptions) -> Figures:
    """Rows, and statements a second, of writers who state the same texts at once, by every way there is."""
    with (
        temporary_directory() as directory,
        app_server(options.embedding, directory / "data") as app,
    ):
        return asyncio.run(_repeats(options, app))


async def _repeats(options: LifecycleOptions, app: AppServer) -> Figures:
    # A number makes each differ, whatever words were drawn.
    drawn = Texts(21).sentences(options.texts)
    texts = [f"{text} {number}" for number, text in enumerate(drawn)]
    async with connected(app.port, app.secret) as client:
        started = time.perf_counter()
        await asyncio.gather(*(_state(client, texts, number) for number in range(options.writers)))
        taken = time.perf_counter() - started
        stored = [memory async for memory in client.memories(REPEATS_AGENT)]
    stated = sum(memory.stated_count for memory in stored)
    assert stated == options.writers * options.texts, stated
    assert {memory.content for memory in stored} == set(texts)
    return {
        "dedupe_rows": Figure((float(len(stored)),)),
        "dedupe_statements_per_s": Figure((stated / taken,)),
    }


async def _state(client: Client, texts: list[str], writer: int) -> None:
    """All of them, in an order of the writer's own: one by one, in batches, or as imports."""
    texts = random.Random(writer).sample(texts, len(texts))
    if writer % 4 < 2:
        for text in texts:
            await client.remember(REPEATS_AGENT, text)
        return
    for start in range(0, len(texts), REPEATS_BATCH):
        batch = texts[start : start + REPEATS_BATCH]
        if writer % 4 == 3:
            memories = [pb.Memory(content=text) for text in batch]
            imported = service.ImportMemoriesRequest(agent_id=REPEATS_AGENT, memories=memories)
            await client(imported)
        else:
            new = [pb.NewMemory(content=text) for text in batch]
            await client(service.BatchRememberRequest(agent_id=REPEATS_AGENT, memories=new))
