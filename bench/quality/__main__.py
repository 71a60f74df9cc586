"""How much of the evidence a recall finds: `python -m bench.quality --data DIR` (see bench/README.md).

Every chat becomes the memories, or with `--as events` the events, of an agent of its own; every question is asked
through the API. Recall@k is the mean over the questions of the share of their evidence that is among the first k
different messages.
"""

import argparse
import asyncio
import time
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from camillo.v1 import memory_pb2 as pb
from camillo.v1 import memory_service_pb2 as service
from camillo_server.embedding.embedder import Embedder
from camillo_server.embedding.providers import choose_embedder
from rich.console import Console
from rich.table import Table

from bench.material.chats import (
    Chat,
    EventRecorder,
    KeptMemory,
    Question,
    read_chats,
    recall_events,
    share_of,
)
from bench.measure.client import Client, connected, import_batches
from bench.measure.command import add_model, parse, print_json, say
from bench.measure.servers import (
    AppServer,
    Embedding,
    app_server,
    embedding_by,
    temporary_directory,
)
from bench.recall.calls import Recaller

DEPTHS = (5, 10, 25, 50)
# What is timed: as many hits as an agent has room for.
USUAL_LIMIT = 10
# Memories that hold as many different messages as the last depth: a long message is several memories.
DEEP_LIMIT = 100
MAX_LIMIT = 200
IMPORT_BATCH = 200
WARM_SECONDS = 60.0
MESSAGE_KEY = "message"
ALL = "all"


@dataclass(frozen=True, slots=True)
class Asked:
    """One question: its recall at each depth, and how long answers of 10 hits and of 100 took."""

    category: str
    recalls: tuple[float, ...]
    milliseconds: float
    deep_milliseconds: float


@dataclass(frozen=True, slots=True)
class Quality:
    """Means over questions."""

    questions: int
    recalls: tuple[float, ...]
    milliseconds: float
    deep_milliseconds: float

    @classmethod
    def of(cls, asked: Sequence[Asked]) -> "Quality":
        count = len(asked)
        recalls = (
            sum(column) / count for column in zip(*(one.recalls for one in asked), strict=True)
        )
        return cls(
            count,
            tuple(recalls),
            sum(one.milliseconds for one in asked) / count,
            sum(one.deep_milliseconds for one in asked) / count,
        )

    def as_json(self) -> dict[str, float]:
        """Rounded, by the names of the keys."""
        named = {
            f"r{depth}": round(share, 4) for depth, share in zip(DEPTHS, self.recalls, strict=True)
        }
        return {
            **named,
            "ms_per_query": round(self.milliseconds, 3),
            "ms_per_query_100_hits": round(self.deep_milliseconds, 3),
            "questions": self.questions,
        }


def recall_at(found: Iterable[str], evidence: frozenset[str]) -> tuple[float, ...]:
    """The share of the evidence among the first 5, 10, 25 and 50 different ids."""
    distinct = list(dict.fromkeys(found))
    return tuple(share_of(evidence, distinct[:depth]) for depth in DEPTHS)


def by_category(asked: Sequence[Asked]) -> dict[str, Quality]:
    """Every category by name, and all of them together first."""
    grouped: defaultdict[str, list[Asked]] = defaultdict(list)
    for one in asked:
        grouped[one.category].append(one)
    named = {name: Quality.of(grouped[name]) for name in sorted(grouped)}
    return {ALL: Quality.of(asked), **named}


def measure(chats: Sequence[Chat], embedding: Embedding, *, as_events: bool) -> list[Asked]:
    """All questions, asked of one server, one after the other."""
    with temporary_directory() as directory, app_server(embedding, directory / "data") as app:
        if as_events:
            return asyncio.run(_measure_events(chats, app))
        return asyncio.run(_measure_memories(chats, embedding, app))


async def _measure_events(chats: Sequence[Chat], app: AppServer) -> list[Asked]:
    asked: list[Asked] = []
    async with connected(app.port, app.secret) as client:
        recorder = EventRecorder(client)
        for chat in chats:
            say(chat.name)
            agent_id = f"chat-{chat.name}"
            message_of, _ = await recorder.record(chat, agent_id)
            await recorder.until_embedded(agent_id)
            asker = _Asker(Recaller(client, agent_id), message_of)
            asked += [await _ask(asker, question) for question in chat.questions]
    return asked


async def _measure_memories(
    chats: Sequence[Chat], embedding: Embedding, app: AppServer
) -> list[Asked]:
    embedder = choose_embedder(embedding.settings()).embedder
    asked: list[Asked] = []
    async with connected(app.port, app.secret) as client:
        for chat in chats:
            say(chat.name)
            agent_id = f"chat-{chat.name}"
            await import_memories(client, chat.memories, agent_id, embedder)
            recaller = Recaller(client, agent_id)
            await recaller.until_warm(_request(agent_id, chat.name, USUAL_LIMIT), WARM_SECONDS)
            asker = _Asker(recaller)
            asked += [await _ask(asker, question) for question in chat.questions]
    await embedder.close()
    return asked


async def import_memories(
    client: Client, kept: Sequence[KeptMemory], agent_id: str, embedder: Embedder
) -> None:
    """With vectors made here: those that the server makes of an import come later, when nobody waits."""
    memories: list[pb.Memory] = []
    for start in range(0, len(kept), IMPORT_BATCH):
        batch = kept[start : start + IMPORT_BATCH]
        vectors = await embedder.embed([each.content for each in batch])
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


class _Asker:
    """Asks about one chat, kept as memories, or as events of which it is told whose messages they are."""

    def __init__(self, recaller: Recaller, message_of: Mapping[str, str] | None = None) -> None:
        self._recaller = recaller
        self._message_of = message_of

    async def answer(self, text: str, limit: int) -> tuple[list[str], float]:
        """The messages of the hits, best first, and the milliseconds until they were there. Raises AssertionError
        where an arm was missing."""
        ask = _request if self._message_of is None else recall_events
        request = ask(self._recaller.agent_id, text, limit)
        started = time.perf_counter()
        answer = await self._recaller.recall(request)
        milliseconds = (time.perf_counter() - started) * 1000
        assert not answer.degraded, answer.degraded
        return [self._message(hit) for hit in answer.hits], milliseconds

    def _message(self, hit: pb.RecallHit) -> str:
        if self._message_of is None:
            return str(hit.memory.metadata[MESSAGE_KEY])
        return self._message_of[hit.chunk.origin_id]


async def _ask(asker: _Asker, question: Question) -> Asked:
    """Asks for few hits, and then for as many as the last depth takes, which finds the query embedded."""
    _, usual = await asker.answer(question.text, USUAL_LIMIT)
    found, deep = await asker.answer(question.text, DEEP_LIMIT)
    if len(set(found)) < DEPTHS[-1] and len(found) == DEEP_LIMIT:
        found, _ = await asker.answer(question.text, MAX_LIMIT)
    return Asked(question.category, recall_at(found, question.evidence), usual, deep)


def _request(agent_id: str, text: str, limit: int) -> service.RecallRequest:
    return service.RecallRequest(agent_id=agent_id, text=text, limit=limit)


def _print(qualities: Mapping[str, Quality], title: str) -> None:
    table = Table(title=title, title_justify="left")
    for heading in ("category", "questions", *(f"R@{depth}" for depth in DEPTHS), "ms", "ms deep"):
        table.add_column(heading, justify="left" if heading == "category" else "right")
    for name, quality in qualities.items():
        shares = (f"{share:.3f}" for share in quality.recalls)
        times = (quality.milliseconds, quality.deep_milliseconds)
        table.add_row(name, str(quality.questions), *shares, *(f"{one:.2f}" for one in times))
    Console(width=110).print(table)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.quality", description=__doc__)
    parser.add_argument("--data", type=Path, required=True, help="a directory of chats")
    add_model(parser)
    parser.add_argument(
        "--as", dest="kept_as", choices=("memories", "events"), default="memories", help="kept as"
    )
    parser.add_argument("--json", action="store_true", help="one JSON object on the last line")
    given = parse(parser)
    as_events = given.kept_as == "events"
    asked = measure(read_chats(given.data), embedding_by(given.model), as_events=as_events)
    qualities = by_category(asked)
    model = given.model.name if given.model else "lexical"
    _print(qualities, f"{given.data.name} as {given.kept_as}, {model}")
    if given.json:
        categories = {name: found.as_json() for name, found in qualities.items() if name != ALL}
        print_json({**qualities[ALL].as_json(), "categories": categories})


if __name__ == "__main__":
    main()
