"""Forgetting a memory on which many rest, and when what was forgotten is gone from another server's recall."""

import asyncio
import time
from uuid import uuid4

from camillo.v1 import memory_pb2 as pb
from camillo.v1 import memory_service_pb2 as service

from bench.lifecycle.calls import LifecycleCalls
from bench.lifecycle.options import LifecycleOptions
from bench.material.texts import Texts
from bench.measure.servers import AppServer, Embedding, app_server, replica, temporary_directory
from bench.measure.timing import Figure, percentile
from bench.recall.calls import Recaller, by_texts, connected

AGENT = "forgetting"
KEPT = 1_000
BATCH = 500
WARM_SECONDS = 60.0
PATIENCE_SECONDS = 10.0


def measure(options: LifecycleOptions) -> dict[str, Figure]:
    """Milliseconds."""
    embedding = Embedding("random", options.dimensions)
    with (
        temporary_directory() as directory,
        app_server(embedding, directory / "data") as app,
        replica(app, embedding, directory / "other") as other,
    ):
        return asyncio.run(_measure(options, app, other))


async def _measure(
    options: LifecycleOptions, app: AppServer, other: AppServer
) -> dict[str, Figure]:
    async with connected(app.port) as here, connected(other.port) as there:
        calls = LifecycleCalls(here, app.secret)
        await _import(calls, [pb.Memory(content=text) for text in _texts(1, KEPT)])
        reader = Recaller(there, app.secret, AGENT)
        warmed = await reader.until_warm(next(by_texts(AGENT, ["anything"])), WARM_SECONDS)
        assert warmed is not None
        derived = [
            await _forgotten_ms(calls, options.derived_rows, number)
            for number in range(options.forgets)
        ]
        elsewhere = [
            await _gone_ms(calls, reader, f"{text} {number}")
            for number, text in enumerate(_texts(2, options.replica_forgets))
        ]
    return {
        "forget_1000_ms": Figure(tuple(derived)),
        "forget_replica_p50_ms": Figure((percentile(elsewhere, 50),)),
        "forget_replica_p95_ms": Figure((percentile(elsewhere, 95),)),
        "forget_replica_max_ms": Figure((max(elsewhere),)),
    }


async def _forgotten_ms(calls: LifecycleCalls, derived_rows: int, number: int) -> float:
    """A memory with so many that rest on it, from the call to the answer."""
    source = await calls.remember(AGENT, f"what {derived_rows} rest on, {number}")
    texts = _texts(10 + number, derived_rows)
    await _import(
        calls,
        [
            pb.Memory(content=f"{text} {number}/{place}", source_refs=[source.memory_id])
            for place, text in enumerate(texts)
        ],
    )
    started = time.perf_counter()
    answer = await calls(_forgetting(source.memory_id))
    taken = (time.perf_counter() - started) * 1000
    assert answer.forgotten == 1 + derived_rows, answer.forgotten
    return taken


async def _gone_ms(calls: LifecycleCalls, reader: Recaller, text: str) -> float:
    """From the answer until the other server, which has found it before, finds it no longer; it is asked without a pause."""
    memory = await calls.remember(AGENT, text)
    await _until(reader, text, memory.memory_id, found=True)
    await calls(_forgetting(memory.memory_id))
    started = time.perf_counter()
    await _until(reader, text, memory.memory_id, found=False)
    return (time.perf_counter() - started) * 1000


async def _until(reader: Recaller, text: str, memory_id: str, *, found: bool) -> None:
    request = next(by_texts(AGENT, [text]))
    async with asyncio.timeout(PATIENCE_SECONDS):
        while True:
            answer = await reader.recall(request)
            if any(hit.memory.memory_id == memory_id for hit in answer.hits) == found:
                return


async def _import(calls: LifecycleCalls, memories: list[pb.Memory]) -> None:
    for start in range(0, len(memories), BATCH):
        batch = memories[start : start + BATCH]
        answer = await calls(service.ImportMemoriesRequest(agent_id=AGENT, memories=batch))
        assert answer.imported + answer.merged == len(batch), answer


def _forgetting(memory_id: str) -> service.ForgetMemoriesRequest:
    return service.ForgetMemoriesRequest(
        request_id=str(uuid4()),
        agent_id=AGENT,
        memory_ids=service.MemoryIds(ids=[memory_id]),
    )


def _texts(seed: int, count: int) -> list[str]:
    return Texts(seed).sentences(count)
