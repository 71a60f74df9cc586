"""Recalls, and the echo that they are measured against: the same request, and the same answer out of a drawer."""

import asyncio
import itertools
import time
from collections import Counter
from collections.abc import AsyncIterator, Iterable, Iterator, Sequence
from contextlib import asynccontextmanager
from typing import Any

import grpc
from camillo.v1 import memory_pb2 as pb
from camillo.v1 import memory_service_pb2 as service
from camillo.v1.consistency_pb2 import Freshness

from bench.material.corpus import RARE_TAG, Vectors
from bench.measure import echo_server
from bench.measure.client import authorization, channel_to
from bench.measure.timing import Call

LIMIT = 10
CALL_SECONDS = 60.0
POLL_SECONDS = 0.005
RECALL = "/camillo.v1.MemoryService/Recall"


@asynccontextmanager
async def connected(port: int) -> AsyncIterator[grpc.aio.Channel]:
    """A channel that is ready: on a busy machine, a first attempt to connect may take longer than a caller waits."""
    async with channel_to(port) as channel:
        await channel.channel_ready()
        yield channel


class Recaller:
    """Recalls in one scope, and counts who answered."""

    def __init__(self, channel: grpc.aio.Channel, secret: str, agent_id: str) -> None:
        self._channel = channel
        self._metadata = authorization(secret)
        self.agent_id = agent_id
        self._recall = self._method(RECALL)
        self._answer = self._method(echo_server.ANSWER)
        self.answered_by: Counter[str] = Counter()

    async def recall(self, request: service.RecallRequest) -> service.RecallResponse:
        """One answer. Raises grpc.aio.AioRpcError."""
        answer: service.RecallResponse = await self._recall(
            request, metadata=self._metadata, timeout=CALL_SECONDS
        )
        self.answered_by[answered_by(answer)] += 1
        return answer

    async def keep(self, answer: service.RecallResponse) -> None:
        """Has the echo answer with this from now on."""
        keep: Any = self._channel.unary_unary(echo_server.KEEP)
        await keep(answer.SerializeToString(), metadata=self._metadata, timeout=CALL_SECONDS)

    def recalls(self, requests: Iterable[service.RecallRequest]) -> Call:
        """Sends the next of these requests, which have no end."""
        following = iter(requests)
        return lambda: self.recall(next(following))

    def echoes(self, requests: Iterable[service.RecallRequest]) -> Call:
        """The same as far as the client is concerned, answered with what was kept."""
        following = iter(requests)

        def call() -> Any:
            return self._answer(next(following), metadata=self._metadata, timeout=CALL_SECONDS)

        return call

    def cache_share(self) -> float:
        """How many of the recalls since the last clearing memory has answered."""
        return self.answered_by["CACHE"] / max(1, self.answered_by.total())

    async def until_warm(self, request: service.RecallRequest, seconds: float) -> float | None:
        """Seconds until the cache answers this request, None if it does not in so many. Other calls go first."""
        started = time.perf_counter()
        while time.perf_counter() - started < seconds:
            answer = await self.recall(request)
            if answer.answered_by == pb.ANSWERED_BY_CACHE:
                return time.perf_counter() - started
            await asyncio.sleep(POLL_SECONDS)
        return None

    def _method(self, name: str) -> Any:
        return self._channel.unary_unary(
            name,
            request_serializer=service.RecallRequest.SerializeToString,
            response_deserializer=service.RecallResponse.FromString,
        )


def answered_by(answer: service.RecallResponse) -> str:
    """`CACHE` or `POSTGRES`."""
    return pb.AnsweredBy.Name(answer.answered_by).removeprefix("ANSWERED_BY_")


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


def without_end(requests: Sequence[service.RecallRequest]) -> Iterator[service.RecallRequest]:
    """The same again and again."""
    return itertools.cycle(requests)
