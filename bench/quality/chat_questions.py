"""Keeps chats as memories or events of a server, and asks their questions through the API."""

import asyncio
import time
from collections import defaultdict
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager

from camillo.v1 import memory_pb2 as pb
from camillo.v1 import memory_service_pb2 as service
from camillo_server.models.embedding.embedder import Embedder
from camillo_server.models.embedding.providers import choose_embedder, prefixes_of

from bench.material.chats import Chat, EventRecorder, KeptMemory, Question
from bench.measure.client import Client, connected, import_batches
from bench.measure.command import say
from bench.measure.servers import AppServer, Embedding, app_server, temporary_directory
from bench.quality.arms import KEPT_AS, cases_of, found_alone
from bench.quality.asked import DEPTHS, Asked, distinct
from bench.quality.variants import Variant
from bench.recall.calls import Recaller

# Limit of the timed queries: as many hits as an agent has room for.
USUAL_LIMIT = 10
# Memories that hold as many different messages as the last depth: a long message is several memories.
DEEP_LIMIT = 100
MAX_LIMIT = 200
IMPORT_BATCH = 200
WARM_SECONDS = 60.0
MESSAGE_KEY = "message"


class ChatAsker:
    """Asks about one chat, kept as memories, or as events of which it is told whose messages they are, or as both."""

    def __init__(
        self,
        recaller: Recaller,
        message_of: Mapping[str, str] | None = None,
        sources: Sequence[pb.Source] = (pb.SOURCE_EVENT,),
    ) -> None:
        self._recaller = recaller
        self._message_of = message_of or {}
        self._sources = () if message_of is None else sources

    async def ask(self, question: Question, variant: Variant) -> Asked:
        """Asks for few hits, and then for as many as the last depth takes, which finds the query embedded."""
        _, usual = await self._answer(question, variant, USUAL_LIMIT)
        answer, deep = await self._answer(question, variant, DEEP_LIMIT)
        found = self._messages(answer)
        if len(found) < DEPTHS[-1] and len(answer.hits) == DEEP_LIMIT:
            more, _ = await self._answer(question, variant, MAX_LIMIT)
            found = self._messages(more)
        return Asked(
            question.category,
            question.evidence,
            found,
            max((hit.score for hit in answer.hits), default=0.0),
            usual,
            deep,
        )

    async def _answer(self, question: Question, variant: Variant, limit: int) -> tuple[service.RecallResponse, float]:
        """The answer, and the milliseconds until it was there. Raises AssertionError where a plain one lacked an
        arm."""
        request = service.RecallRequest(
            agent_id=self._recaller.agent_id,
            text=question.text,
            limit=limit,
            sources=self._sources,
            **variant.fields,
        )
        if question.asked_at is not None:
            request.query_time.FromDatetime(question.asked_at)
        started = time.perf_counter()
        answer = await self._recaller.recall(request)
        milliseconds = (time.perf_counter() - started) * 1000
        assert variant.fields or not answer.degraded, answer.degraded
        return answer, milliseconds

    def _messages(self, answer: service.RecallResponse) -> tuple[str, ...]:
        return distinct(map(self._message, answer.hits))

    def _message(self, hit: pb.RecallHit) -> str:
        if hit.HasField("memory"):
            return str(hit.memory.metadata[MESSAGE_KEY])
        return self._message_of[hit.chunk.origin_id]


class Stage:
    """Keeps chats in a server, each for an agent of its own."""

    def __init__(self, client: Client, embedder: Embedder, *, as_events: bool) -> None:
        self._client = client
        self._embedder = embedder
        self._as_events = as_events

    async def keep(self, chat: Chat) -> ChatAsker:
        """Returns when memory answers and all vectors are there."""
        agent_id = f"chat-{chat.name}"
        recaller = Recaller(self._client, agent_id)
        if self._as_events:
            recorder = EventRecorder(self._client)
            message_of, _ = await recorder.record(chat, agent_id)
            await recorder.until_embedded(agent_id)
            return ChatAsker(recaller, message_of)
        await import_memories(self._client, chat.memories, agent_id, self._embedder)
        request = service.RecallRequest(agent_id=agent_id, text=chat.name, limit=USUAL_LIMIT)
        await recaller.until_warm(request, WARM_SECONDS)
        return ChatAsker(recaller)


@asynccontextmanager
async def stage(app: AppServer, embedding: Embedding, *, as_events: bool = False) -> AsyncIterator[Stage]:
    """A connection to the server, and the same embedder as it has."""
    embedder = choose_embedder(embedding.settings()).embedder
    async with connected(app.port, app.secret) as client:
        yield Stage(client, embedder, as_events=as_events)
    await embedder.close()


def measure(
    chats: Sequence[Chat], embedding: Embedding, variants: Sequence[Variant], *, as_events: bool
) -> dict[str, tuple[list[Asked], list[Asked]]]:
    """All questions with an answer and all without one, by variant, asked of one server, one after the other."""
    with temporary_directory() as directory, app_server(embedding, directory / "data") as app:
        return asyncio.run(_measure(chats, embedding, variants, app, as_events=as_events))


def measure_alone(chats: Sequence[Chat], embedding: Embedding, kept_as: str) -> dict[str, list[Asked]]:
    """The questions with an answer as each arm by itself answers them, without a server: nothing is timed or
    scored."""

    async def ask() -> dict[str, list[Asked]]:
        alone: defaultdict[str, list[Asked]] = defaultdict(list)
        embedder = choose_embedder(embedding.settings()).embedder
        for chat in chats:
            cases = await cases_of(chat, KEPT_AS[kept_as](chat), embedder)
            for question, case in zip(chat.questions, cases, strict=True):
                for arm, found in found_alone(case).items():
                    alone[arm].append(Asked(question.category, question.evidence, found, 0.0, 0.0, 0.0))
        await embedder.close()
        return alone

    return asyncio.run(ask())


async def _measure(
    chats: Sequence[Chat],
    embedding: Embedding,
    variants: Sequence[Variant],
    app: AppServer,
    *,
    as_events: bool,
) -> dict[str, tuple[list[Asked], list[Asked]]]:
    asked: dict[str, tuple[list[Asked], list[Asked]]] = {each.name: ([], []) for each in variants}
    async with stage(app, embedding, as_events=as_events) as kept:
        for chat in chats:
            say(chat.name)
            asker = await kept.keep(chat)
            if len(variants) > 1:
                # Else only the first one would pay for embedding the questions.
                await asyncio.gather(*(asker.ask(each, variants[0]) for each in chat.questions))
            for variant in variants:
                answerable, unanswerable = asked[variant.name]
                answerable += [await asker.ask(each, variant) for each in chat.questions]
                unanswerable += [await asker.ask(each, variant) for each in chat.unanswerable]
    return asked


async def import_memories(client: Client, kept: Sequence[KeptMemory], agent_id: str, embedder: Embedder) -> None:
    """Imports with vectors made here: those that the server makes of an import come later, when nobody waits."""
    memories: list[pb.Memory] = []
    before = prefixes_of(embedder).document
    for start in range(0, len(kept), IMPORT_BATCH):
        batch = kept[start : start + IMPORT_BATCH]
        vectors = await embedder.embed([before + each.content for each in batch])
        for each, vector in zip(batch, vectors.tolist(), strict=True):
            memory = pb.Memory(
                content=each.content,
                kind=pb.MEMORY_KIND_CONVERSATION,
                session_id=each.session_id,
                vector=pb.Vector(model_id=embedder.model_id, values=vector),
                metadata={MESSAGE_KEY: each.message_id},
            )
            memory.occurred_at.FromDatetime(each.occurred_at)
            memories.append(memory)
    await client.import_serialized(import_batches(agent_id, memories, IMPORT_BATCH))
