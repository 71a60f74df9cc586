"""Stores collections in a server and asks their questions, one after the other."""

import asyncio
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from camillo.v1 import memory_pb2 as pb
from camillo.v1 import memory_service_pb2 as service
from camillo_server.models.embedding.embedder import Embedder
from camillo_server.models.embedding.providers import prefixes_of
from google.protobuf.timestamp_pb2 import Timestamp

from bench.material.chats import Chat, ChatMessage, EventRecorder
from bench.measure.client import Calls
from bench.quality.suites.collection import Collection, Statement, SuiteQuestion
from bench.quality.variants import Variant

BATCH = 200
TRIES = 10
WARM_QUERY = "anything at all"
WARM_TRIES, PAUSE_SECONDS = 400, 0.01
FOREIGN_KEY = "?"
SPEAKER = "user"


@dataclass(frozen=True, slots=True)
class SuiteAnswer:
    """The keys of the hits, best first, with their scores. The best score says how likely there is an answer."""

    question: SuiteQuestion
    found: tuple[str, ...]
    scores: tuple[float, ...]
    is_no_match: bool
    milliseconds: float

    @property
    def best(self) -> float:
        return max(self.scores, default=0.0)


class Asker:
    """One collection in a server, kept by an agent of its own: as memories, or as events, those of a day in one
    session."""

    def __init__(self, call: Calls, collection: Collection, embedder: Embedder, *, as_events: bool = False) -> None:
        self._call = call
        self._as_events = as_events
        self._embedder = embedder
        self._collection = collection
        self._agent_id = f"suite-{collection.name}"
        stored = (*collection.statements, *collection.elsewhere)
        self._keys = {str(collection.memory_id(each.key)): each.key for each in stored}

    async def store(self) -> None:
        """Stores statements; as memories, each in a later call than what it replaces. Vectors are made here: a server
        that is busy makes them later. Raises AssertionError where a statement was refused."""
        if self._as_events:
            await self._record()
            return
        for statements in generations(self._collection.statements):
            await self._remember(self._agent_id, statements)
        await self._remember(f"{self._agent_id}-other", self._collection.elsewhere)

    async def until_warm(self) -> None:
        """Returns once memory answers, or when Postgres has done so for some seconds."""
        request = service.RecallRequest(agent_id=self._agent_id, text=WARM_QUERY, limit=1, sources=self._sources)
        for _ in range(WARM_TRIES):
            if (await self._call(request)).answered_by == pb.ANSWERED_BY_CACHE:
                return
            await asyncio.sleep(PAUSE_SECONDS)

    async def answers(self, variant: Variant) -> list[SuiteAnswer]:
        """Answers to all questions, in their order."""
        return [await self._ask(question, variant) for question in self._collection.questions]

    async def _ask(self, question: SuiteQuestion, variant: Variant) -> SuiteAnswer:
        request = service.RecallRequest(
            agent_id=self._agent_id,
            text=question.text,
            limit=variant.limit,
            sources=self._sources,
            **variant.fields,
        )
        _set_time(request.as_of, question.as_of)
        _set_time(request.query_time, question.asked_at)
        answer, milliseconds = await self._answer(request)
        return SuiteAnswer(
            question,
            tuple(map(self._key, answer.hits)),
            tuple(hit.score for hit in answer.hits),
            answer.no_match,
            milliseconds,
        )

    async def _answer(self, request: service.RecallRequest) -> tuple[service.RecallResponse, float]:
        """The answer of all arms, and its milliseconds. Raises AssertionError where an arm stays away."""
        for _ in range(TRIES):
            started = time.perf_counter()
            answer: service.RecallResponse = await self._call(request)
            if not answer.degraded:
                return answer, (time.perf_counter() - started) * 1000
        raise AssertionError(answer.degraded)

    @property
    def _sources(self) -> list[pb.Source]:
        return [pb.SOURCE_EVENT] if self._as_events else []

    def _key(self, hit: pb.RecallHit) -> str:
        stored = hit.chunk.origin_id if self._as_events else hit.memory.memory_id
        return self._keys.get(stored, FOREIGN_KEY)

    async def _record(self) -> None:
        """Returns when memory answers and the server has made all vectors."""
        recorder = EventRecorder(self._call)
        messages = tuple(
            ChatMessage(each.key, f"{each.occurred_at:%Y-%m-%d}", SPEAKER, each.occurred_at, each.text)
            for each in self._collection.statements
        )
        chat = Chat(self._collection.name, messages, (), ())
        self._keys, _ = await recorder.record(chat, self._agent_id)
        await recorder.until_embedded(self._agent_id)

    async def _remember(self, agent_id: str, statements: Sequence[Statement]) -> None:
        # The server refuses what has expired already, which could not be found in any case.
        now = datetime.now(UTC)
        statements = [each for each in statements if each.expires_at is None or each.expires_at > now]
        before = prefixes_of(self._embedder).document
        for start in range(0, len(statements), BATCH):
            some = statements[start : start + BATCH]
            vectors = await self._embedder.embed([before + each.text for each in some])
            batch = [self._new(each) for each in some]
            for memory, vector in zip(batch, vectors.tolist(), strict=True):
                memory.vector.CopyFrom(pb.Vector(model_id=self._embedder.model_id, values=vector))
            request = service.BatchRememberRequest(agent_id=agent_id, memories=batch)
            for result in (await self._call(request)).results:
                assert result.HasField("memory"), result.error

    def _new(self, statement: Statement) -> pb.NewMemory:
        memory = pb.NewMemory(
            memory_id=str(self._collection.memory_id(statement.key)),
            content=statement.text,
            kind=f"MEMORY_KIND_{statement.kind}",
            session_id=statement.session_id,
            supersedes=[str(self._collection.memory_id(key)) for key in statement.supersedes],
            never_expires=statement.expires_at is None,
        )
        for name in ("occurred_at", "valid_from", "valid_until", "expires_at"):
            if (moment := getattr(statement, name)) is not None:
                _set_time(getattr(memory, name), moment)
        return memory


def generations(statements: Sequence[Statement]) -> Iterator[list[Statement]]:
    """All statements, none in one list with what it supersedes or before that. Raises KeyError where that is
    missing."""
    depth: dict[str, int] = {}
    waiting = {each.key: each for each in statements}

    def depth_of(key: str) -> int:
        if key not in depth:
            replaced = waiting[key].supersedes
            depth[key] = 1 + max((depth_of(each) for each in replaced), default=-1)
        return depth[key]

    deepest = max((depth_of(key) for key in waiting), default=-1)
    for level in range(deepest + 1):
        yield [each for each in statements if depth[each.key] == level]


def _set_time(field: Timestamp, moment: datetime | None) -> None:
    if moment is not None:
        field.FromDatetime(moment)
