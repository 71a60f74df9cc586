"""How much of the evidence a recall finds: `python -m bench.quality --data DIR` (see bench/README.md).

Every chat becomes the memories, or with `--as events` the events, of an agent of its own; every question is asked through the API. Recall@k is the mean
over the questions of the share of their evidence that is among the first k different messages.
"""

import argparse
import asyncio
import json
import signal
import sys
import time
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from camillo.v1 import memory_pb2 as pb
from camillo.v1 import memory_service_pb2 as service
from camillo_server.domain.embedder import Embedder
from camillo_server.embedding.choose import choose_embedder
from rich.console import Console
from rich.table import Table

from bench.material.chat_events import EventRecorder, recall_events
from bench.material.chat_files import Chat, KeptMemory, Question, read_chats
from bench.measure.client import import_messages
from bench.measure.servers import AppServer, Embedding, app_server, temporary_directory
from bench.recall.calls import Recaller, connected

DEPTHS = (5, 10, 25, 50)
# What is timed: as many hits as an agent has room for.
USUAL_LIMIT = 10
# Memories that hold as many different messages as the last depth: a long message is several memories.
DEEP_LIMIT = 100
MOST_LIMIT = 200
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

    def told(self) -> dict[str, float]:
        """As it stands in the JSON."""
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
    return tuple(len(evidence.intersection(distinct[:depth])) / len(evidence) for depth in DEPTHS)


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
        return asyncio.run(_measure(chats, embedding, app))


async def _measure_events(chats: Sequence[Chat], app: AppServer) -> list[Asked]:
    asked: list[Asked] = []
    async with connected(app.port) as channel:
        recorder = EventRecorder(channel, app.secret)
        for chat in chats:
            print(f"{chat.name} ...", file=sys.stderr, flush=True)
            agent_id = f"chat-{chat.name}"
            message_of, _ = await recorder.record(chat, agent_id)
            await recorder.until_embedded(agent_id)
            asker = _Asker(Recaller(channel, app.secret, agent_id), message_of)
            asked += [await _ask(asker, question) for question in chat.questions]
    return asked


async def _measure(chats: Sequence[Chat], embedding: Embedding, app: AppServer) -> list[Asked]:
    settings = embedding.settings()
    embedder = choose_embedder(settings).embedder
    asked: list[Asked] = []
    async with connected(app.port) as channel:
        for chat in chats:
            print(f"{chat.name} ...", file=sys.stderr, flush=True)
            agent_id = f"chat-{chat.name}"
            # Vectors made here: those the server makes of an import come later, when nobody waits.
            messages = await _import(chat.memories, agent_id, embedder)
            await import_messages(channel, app.secret, messages)
            recaller = Recaller(channel, app.secret, agent_id)
            await recaller.until_warm(_request(agent_id, chat.name, USUAL_LIMIT), WARM_SECONDS)
            asker = _Asker(recaller)
            asked += [await _ask(asker, question) for question in chat.questions]
    await embedder.close()
    return asked


async def _import(memories: Sequence[KeptMemory], agent_id: str, embedder: Embedder) -> list[bytes]:
    """The messages of an import, serialised."""
    messages = []
    for start in range(0, len(memories), IMPORT_BATCH):
        batch = memories[start : start + IMPORT_BATCH]
        vectors = await embedder.embed([kept.content for kept in batch])
        request = service.ImportMemoriesRequest(agent_id="" if start else agent_id)
        for kept, vector in zip(batch, vectors.tolist(), strict=True):
            memory = request.memories.add(
                content=kept.content,
                kind=pb.MEMORY_KIND_CONVERSATION,
                session_id=kept.session_id,
                vector=pb.Vector(model_id=embedder.model_id, values=vector),
            )
            memory.occurred_at.FromDatetime(kept.occurred_at)
            memory.metadata[MESSAGE_KEY] = kept.message_id
        messages.append(request.SerializeToString())
    return messages


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
        found, _ = await asker.answer(question.text, MOST_LIMIT)
    return Asked(question.category, recall_at(found, question.evidence), usual, deep)


def _request(agent_id: str, text: str, limit: int) -> service.RecallRequest:
    return service.RecallRequest(agent_id=agent_id, text=text, limit=limit)


def _tell(qualities: Mapping[str, Quality], title: str) -> None:
    table = Table(title=title, title_justify="left")
    for heading in ("category", "questions", *(f"R@{depth}" for depth in DEPTHS), "ms", "ms deep"):
        table.add_column(heading, justify="left" if heading == "category" else "right")
    for name, quality in qualities.items():
        shares = (f"{share:.3f}" for share in quality.recalls)
        times = (quality.milliseconds, quality.deep_milliseconds)
        table.add_row(name, str(quality.questions), *shares, *(f"{one:.2f}" for one in times))
    Console(width=110).print(table)


def main() -> None:
    given = _arguments()
    # Else the server would go on when this process is ended.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))
    embedding = Embedding("onnx", model=given.model) if given.model else Embedding("lexical")
    as_events = given.kept_as == "events"
    qualities = by_category(measure(read_chats(given.data), embedding, as_events=as_events))
    model = given.model.name if given.model else "lexical"
    _tell(qualities, f"{given.data.name} as {given.kept_as}, {model}")
    if given.json:
        categories = {name: quality.told() for name, quality in qualities.items() if name != ALL}
        print(json.dumps({**qualities[ALL].told(), "categories": categories}), flush=True)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m bench.quality", description=__doc__)
    parser.add_argument("--data", type=Path, required=True, help="a directory of chats")
    parser.add_argument("--model", type=Path, help="recall with the ONNX model of this directory")
    parser.add_argument(
        "--as", dest="kept_as", choices=("memories", "events"), default="memories", help="kept as"
    )
    parser.add_argument("--json", action="store_true", help="one JSON object on the last line")
    return parser.parse_args()


if __name__ == "__main__":
    main()
