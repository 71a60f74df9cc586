"""Measures what links are worth in a recall, and what wrong ones cost: `python -m bench.decisions.links --data DIR
[--model DIR]` (docs/adr/links.md).

The messages that answer one question are linked, as by a caller who knows that they belong together; this is done for
every second question with several of them. For each of these links, so many others lead from one message to any other.
Every question is asked twice, with links and without, and counted by whether its own messages are linked; the
milliseconds are the median.
"""

import argparse
import asyncio
import random
import time
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from statistics import mean, median

from camillo.v1 import link_pb2 as links
from camillo.v1 import memory_pb2 as pb
from camillo.v1 import memory_service_pb2 as service
from camillo.v1 import recall_pb2
from camillo.v1.link_service_pb2 import AddLinksRequest
from camillo_server.models.embedding.providers import choose_embedder
from rich.console import Console
from rich.table import Table

from bench.material.chats import Chat, Question, read_chats
from bench.measure.client import Client, connected
from bench.measure.command import add_model, parse, say
from bench.measure.servers import (
    AppServer,
    Embedding,
    app_server,
    embedding_by,
    temporary_directory,
)
from bench.quality.asked import DEPTHS, recall_at
from bench.quality.chat_questions import DEEP_LIMIT, MESSAGE_KEY, import_memories

MODES = {"without links": recall_pb2.LINK_MODE_IGNORE, "with links": recall_pb2.LINK_MODE_FOLLOW}
LINKS_AT_ONCE = 100
SEED = 7
LINKED, OTHERS = "linked", "others"
# By depth, and the milliseconds.
Recalls = Mapping[tuple[str, str], list[tuple[float, ...]]]


async def measure(chats: Sequence[Chat], embedding: Embedding, app: AppServer, noise: int) -> Recalls:
    """The recalls of each question, by mode and by whether its messages are linked."""
    embedder = choose_embedder(embedding.settings()).embedder
    recalls: defaultdict[tuple[str, str], list[tuple[float, ...]]] = defaultdict(list)
    async with connected(app.port, app.secret) as client:
        for chat in chats:
            say(chat.name)
            agent_id = f"chat-{chat.name}"
            await import_memories(client, chat.memories, agent_id, embedder)
            # A long message becomes several memories, of which one is taken.
            ids = {str(memory.metadata[MESSAGE_KEY]): memory.memory_id async for memory in client.memories(agent_id)}
            linked = [each for each in chat.questions if len(each.evidence & ids.keys()) > 1][::2]
            await _link(client, agent_id, list(_pairs(ids, linked, noise)))
            # Mode by mode, so that no answer is known from the other one; the first round reads texts and embeds
            # queries.
            for mode in ("", *MODES):
                for question in chat.questions:
                    found, milliseconds = await _ask(client, agent_id, question, MODES.get(mode, 0))
                    kind = LINKED if question in linked else OTHERS
                    if mode:
                        shares = recall_at(found, question.evidence)
                        recalls[kind, mode].append((*shares, milliseconds))
    await embedder.close()
    return recalls


async def _ask(client: Client, agent_id: str, question: Question, link_mode: int) -> tuple[list[str], float]:
    """The messages of the hits, best first, and the milliseconds until they were there."""
    request = service.RecallRequest(
        agent_id=agent_id,
        text=question.text,
        limit=DEEP_LIMIT,
        link_mode=link_mode,  # type: ignore[arg-type]
    )
    began = time.perf_counter()
    hits = (await client(request)).hits
    milliseconds = (time.perf_counter() - began) * 1000
    return [str(hit.memory.metadata[MESSAGE_KEY]) for hit in hits], milliseconds


def _pairs(ids: Mapping[str, str], questions: Sequence[Question], noise: int) -> Iterator[tuple[str, str]]:
    """Yields links from one message of a question to the next, and links that mean nothing."""
    chosen = random.Random(SEED)
    messages = sorted(ids)
    for question in questions:
        for one, other in pairwise(sorted(question.evidence & ids.keys())):
            yield ids[one], ids[other]
            for _ in range(noise):
                yield ids[one], ids[chosen.choice([each for each in messages if each != one])]


async def _link(client: Client, agent_id: str, pairs: Sequence[tuple[str, str]]) -> None:
    stated = [
        links.NewLink(
            **{"type": links.LINK_TYPE_ABOUT, "from": _end(one), "to": _end(other)}  # type: ignore[arg-type]
        )
        for one, other in pairs
    ]
    for first in range(0, len(stated), LINKS_AT_ONCE):
        part = stated[first : first + LINKS_AT_ONCE]
        await client(AddLinksRequest(agent_id=agent_id, links=part))


def _end(memory_id: str) -> links.LinkEnd:
    return links.LinkEnd(source=pb.SOURCE_MEMORY, id=memory_id)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.decisions.links", description=__doc__)
    parser.add_argument("--data", type=Path, required=True, help="a directory of chats")
    parser.add_argument("--noise", type=int, default=1, help="links beside each that means something")
    add_model(parser)
    given = parse(parser)
    embedding = embedding_by(given.model)
    with temporary_directory() as directory, app_server(embedding, directory / "data") as app:
        recalls = asyncio.run(measure(read_chats(given.data), embedding, app, given.noise))
    table = Table(title=f"{given.data.name}, {given.noise} other links for each", title_justify="left")
    for heading in ("questions", "", "count", *(f"R@{depth}" for depth in DEPTHS), "ms"):
        table.add_column(heading)
    for (kind, mode), each in sorted(recalls.items()):
        *recalled, milliseconds = zip(*each, strict=True)
        shares = (f"{mean(column):.3f}" for column in recalled)
        table.add_row(kind, mode, str(len(each)), *shares, f"{median(milliseconds):.2f}")
    Console(width=100).print(table)


if __name__ == "__main__":
    main()
