"""Compares turns with facts and turns: the questions of chats are asked over turns alone, and then over both."""

import asyncio
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from camillo.v1 import memory_pb2 as pb
from camillo.v1 import memory_service_pb2 as service
from camillo_server.features.distillation.selection import passages
from camillo_server.models.embedding.embedder import Embedder
from camillo_server.models.embedding.providers import choose_embedder

from bench.distillation.extractor import extract
from bench.distillation.share import turns_of
from bench.material.chats import Chat, EventRecorder, KeptMemory
from bench.measure.client import Client, connected
from bench.measure.command import say
from bench.measure.servers import Embedding, app_server, temporary_directory
from bench.quality.asked import Asked
from bench.quality.chat_questions import USUAL_LIMIT, WARM_SECONDS, ChatAsker, import_memories
from bench.quality.variants import PLAIN
from bench.recall.calls import Recaller

BOTH = (pb.SOURCE_EVENT, pb.SOURCE_MEMORY)


@dataclass(slots=True)
class AskedTwice:
    """The same questions over turns alone, and over facts and turns."""

    without: list[Asked] = field(default_factory=list)
    with_facts: list[Asked] = field(default_factory=list)


def ask_with_and_without(collections: Mapping[str, Sequence[Chat]], embedding: Embedding) -> dict[str, AskedTwice]:
    """The answers by collection, of one server."""
    with temporary_directory() as directory, app_server(embedding, directory / "data") as app:

        async def ask() -> dict[str, AskedTwice]:
            asked: defaultdict[str, AskedTwice] = defaultdict(AskedTwice)
            embedder = choose_embedder(embedding.settings()).embedder
            async with connected(app.port, app.secret) as client:
                for name, chats in collections.items():
                    for chat in chats:
                        say(f"{name} {chat.name}")
                        await _ask(client, embedder, f"{name}-{chat.name}", chat, asked[name])
            await embedder.close()
            return asked

        return asyncio.run(ask())


async def _ask(client: Client, embedder: Embedder, agent_id: str, chat: Chat, asked: AskedTwice) -> None:
    recaller, recorder = Recaller(client, agent_id), EventRecorder(client)
    message_of, _ = await recorder.record(chat, agent_id)
    await recorder.until_embedded(agent_id)
    turns_alone = ChatAsker(recaller, message_of)
    asked.without += [await turns_alone.ask(each, PLAIN) for each in chat.questions]
    await import_memories(client, _facts(chat), agent_id, embedder)
    request = service.RecallRequest(agent_id=agent_id, text=chat.name, limit=USUAL_LIMIT, sources=BOTH)
    await recaller.until_warm(request, WARM_SECONDS)
    both = ChatAsker(recaller, message_of, BOTH)
    asked.with_facts += [await both.ask(each, PLAIN) for each in chat.questions]


def _facts(chat: Chat) -> list[KeptMemory]:
    """The statements of the extractor as memories of the messages that they quote."""
    message_of = {turn.event_id: each for turn, each in zip(turns_of(chat), chat.messages, strict=True)}
    kept: list[KeptMemory] = []
    for statement in extract(passages(turns_of(chat), {}).passages).statements:
        message = message_of[statement.quotes[0].event_id]
        # In no session: there, a fact would stand between the turns that are each other's neighbours.
        kept.append(KeptMemory(message.message_id, "", statement.occurred_at, statement.content))
    return kept
