"""When a write is visible to recall: in the server that took it, and in another one on the same database."""

import asyncio
import itertools
import time
from collections.abc import Sequence
from typing import Any, cast

import grpc
from camillo.v1 import memory_pb2 as pb
from camillo.v1 import memory_service_pb2 as service
from camillo.v1 import memory_service_pb2_grpc as stubs
from camillo.v1.consistency_pb2 import Freshness

from bench.material.corpus import Vectors
from bench.measure.client import authorization
from bench.measure.timing import Figure, percentile
from bench.recall.calls import Recaller, by_vectors, connected
from bench.recall.stage import BESIDE, BESIDE_CORPUS, Stage

VISIBLE_SECONDS = 10.0
ROUNDS = 5


class Writer:
    """Remembers vectors in the scope beside."""

    def __init__(self, channel: grpc.aio.Channel, secret: str) -> None:
        self._stub = cast("Any", stubs.MemoryServiceStub(channel))
        self._metadata = authorization(secret)
        self._numbers = itertools.count()

    async def remember(self, vector: Sequence[float]) -> service.RememberResponse:
        content = f"what has just happened: {next(self._numbers)}"
        memory = pb.NewMemory(content=content, vector=pb.Vector(values=vector))
        request = service.RememberRequest(agent_id=BESIDE, memory=memory)
        answer: service.RememberResponse = await self._stub.Remember(
            request, metadata=self._metadata, timeout=30
        )
        return answer


async def measure(stage: Stage) -> dict[str, Figure]:
    """Shares of writes found at once, and milliseconds from a write's answer to its being seen elsewhere."""
    own_writes, replica_writes = stage.options.own_writes, stage.options.replica_writes
    vectors = BESIDE_CORPUS.queries(own_writes + replica_writes)
    with stage.other_server() as other:
        async with connected(stage.app.port) as here, connected(other.port) as there:
            writer = Writer(here, stage.app.secret)
            reader = Recaller(here, stage.app.secret, BESIDE)
            other_reader = Recaller(there, stage.app.secret, BESIDE)
            for warmed in (reader, other_reader):
                request = by_vectors(BESIDE, vectors[:1])[0]
                await warmed.until_warm(request, stage.warm_seconds)
            own = await _own_writes(writer, reader, vectors[:own_writes])
            return {**own, **await _replica_writes(writer, other_reader, vectors[own_writes:])}


async def _own_writes(writer: Writer, reader: Recaller, vectors: Vectors) -> dict[str, Figure]:
    demanded, anyway = [], []
    for place in range(len(vectors)):
        written = await writer.remember(vectors[place].tolist())
        freshness = Freshness(at_least_as_fresh=written.revision)
        memory_id = written.memory.memory_id
        one = vectors[place : place + 1]
        demanded.append(
            await _finds(reader, by_vectors(BESIDE, one, freshness=freshness), memory_id)
        )
        anyway.append(await _finds(reader, by_vectors(BESIDE, one), memory_id))
    return {
        "own_write_visible_share": Figure((sum(demanded) / len(demanded),)),
        "own_write_visible_undemanded_share": Figure((sum(anyway) / len(anyway),)),
    }


async def _replica_writes(writer: Writer, reader: Recaller, vectors: Vectors) -> dict[str, Figure]:
    taken = []
    for place in range(len(vectors)):
        written = await writer.remember(vectors[place].tolist())
        requests = by_vectors(BESIDE, vectors[place : place + 1])
        taken.append(await _milliseconds_until_found(reader, requests, written.memory.memory_id))
        # Writes at all phases of whatever the follower does at intervals.
        await asyncio.sleep(0.001 * (place % 17))
    parts = [taken[start::ROUNDS] for start in range(ROUNDS) if taken[start::ROUNDS]]
    return {
        "replica_visible_p50_ms": Figure(tuple(percentile(part, 50) for part in parts)),
        "replica_visible_p95_ms": Figure((percentile(taken, 95),)),
        "replica_visible_max_ms": Figure((max(taken),)),
    }


async def _milliseconds_until_found(
    reader: Recaller, requests: list[service.RecallRequest], memory_id: str
) -> float:
    started = time.perf_counter()
    while time.perf_counter() - started < VISIBLE_SECONDS:
        if await _finds(reader, requests, memory_id):
            break
    return (time.perf_counter() - started) * 1000


async def _finds(reader: Recaller, requests: list[service.RecallRequest], memory_id: str) -> bool:
    answer = await reader.recall(requests[0])
    return any(hit.memory.memory_id == memory_id for hit in answer.hits)
