"""Recalls, and the echo that they are measured against: the same request, and the same answer out of a drawer."""

import asyncio
import itertools
import time
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from camillo.v1 import admin_service_pb2 as admin
from camillo.v1 import memory_pb2 as pb
from camillo.v1 import memory_service_pb2 as service
from camillo.v1.consistency_pb2 import Freshness

from bench.material.corpus import RARE_TAG, Vectors
from bench.measure import echo_server
from bench.measure.client import Client
from bench.measure.timing import Call

LIMIT = 10
CALL_SECONDS = 60.0
POLL_SECONDS = 0.005

Requests = Iterable[service.RecallRequest]


class Recaller:
    """Recalls in one scope, and counts who answered."""

    def __init__(self, client: Client, agent_id: str) -> None:
        self._client = client
        self.agent_id = agent_id
        self._answer: Any = client.channel.unary_unary(
            echo_server.ANSWER,
            request_serializer=service.RecallRequest.SerializeToString,
            response_deserializer=service.RecallResponse.FromString,
        )
        self.answered_by: Counter[str] = Counter()

    async def recall(self, request: service.RecallRequest) -> service.RecallResponse:
        """One answer. Raises grpc.aio.AioRpcError."""
        answer: service.RecallResponse = await self._client(request, CALL_SECONDS)
        self.answered_by[pb.AnsweredBy.Name(answer.answered_by)] += 1
        return answer

    async def keep(self, answer: service.RecallResponse) -> None:
        """Has the echo answer with this from now on."""
        await self._client.raw(echo_server.KEEP)(answer.SerializeToString())

    def recalls(self, requests: Requests) -> Call:
        """Sends these requests again and again."""
        following = itertools.cycle(requests)
        return lambda: self.recall(next(following))

    def echoes(self, requests: Requests) -> Call:
        """Calls that are the same for the client, answered with what was kept."""
        following = itertools.cycle(requests)
        return lambda: self._answer(next(following), metadata=self._client.metadata, timeout=CALL_SECONDS)

    def cache_share(self) -> float:
        """How many of the recalls since the last clearing memory has answered."""
        return self.answered_by["ANSWERED_BY_CACHE"] / max(1, self.answered_by.total())

    async def until_warm(self, request: service.RecallRequest, seconds: float) -> float | None:
        """Seconds until the cache answers this request, None if it does not in so many. Other calls go first."""
        started = time.perf_counter()
        while time.perf_counter() - started < seconds:
            answer = await self.recall(request)
            if answer.answered_by == pb.ANSWERED_BY_CACHE:
                return time.perf_counter() - started
            await asyncio.sleep(POLL_SECONDS)
        return None

    async def finds(self, request: service.RecallRequest, memory_id: str) -> bool:
        """Whether this memory is among the hits."""
        return any(hit.memory.memory_id == memory_id for hit in (await self.recall(request)).hits)


def by_vectors(
    agent_id: str,
    vectors: Vectors,
    *,
    rare_only: bool = False,
    freshness: Freshness | None = None,
) -> list[service.RecallRequest]:
    """One request for each vector; with `rare_only` among the memories of the rare tag alone."""
    wanted = pb.MemoryFilter(tags_any=[RARE_TAG]) if rare_only else None
    return [
        service.RecallRequest(
            agent_id=agent_id,
            vector=pb.Vector(values=vector.tolist()),
            limit=LIMIT,
            filter=wanted,
            freshness=freshness,
        )
        for vector in vectors
    ]


def by_texts(agent_id: str, texts: Iterable[str]) -> Iterator[service.RecallRequest]:
    """One request for each text."""
    for text in texts:
        yield service.RecallRequest(agent_id=agent_id, text=text, limit=LIMIT)


@dataclass(frozen=True, slots=True)
class CacheFacts:
    """Rows and bytes of one scope in the cache, as the server counts them for its budget."""

    memories: int
    bytes: int


async def cache_facts(client: Client, agent_id: str) -> CacheFacts | None:
    """Rows and bytes of a scope in the cache; None if the server does not hold the scope."""
    async for page in client.pages(admin.ListIndexesRequest(page_size=1_000)):
        for index in page.indexes:
            if index.agent_id == agent_id:
                return CacheFacts(index.memories, index.bytes)
    return None
