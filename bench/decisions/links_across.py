"""Measures what links from an agent's memories into documents of its tenant cost a recall over both:
`python -m bench.decisions.links_across [--model DIR]` (docs/adr/links.md).

Two agents have the same memories; those of one are linked with documents, whose passages say the same in other words.
Every question is asked of each in turns, and of the one with links also without following them: milliseconds, and how
often the passage that a question's memory is linked with is among the ten best."""

import argparse
import asyncio
import time
from collections import defaultdict
from statistics import median
from typing import Any

from camillo.v1 import link_pb2 as links
from camillo.v1 import memory_pb2 as pb
from camillo.v1 import memory_service_pb2 as service
from camillo.v1 import recall_pb2
from camillo.v1.knowledge_service_pb2 import PublishDocumentRequest
from camillo.v1.link_service_pb2 import AddLinksRequest
from rich.console import Console
from rich.table import Table

from bench.knowledge.documents import Published
from bench.measure.client import CALL_SECONDS, Client, connected
from bench.measure.command import add_model, parse
from bench.measure.servers import AppServer, app_server, embedding_by, temporary_directory

MEMORIES, DOCUMENTS, ROUNDS = 2_000, 200, 5
LINKED, PLAIN = "linked", "plain"
IGNORE = recall_pb2.LINK_MODE_IGNORE
WAYS = {"no links": (PLAIN, 0), "links, ignored": (LINKED, IGNORE), "links": (LINKED, 0)}
SUBJECTS = ("harbour", "archive", "bakery", "tower", "garden", "market", "station", "library")


def note(number: int) -> str:
    return f"the {SUBJECTS[number % len(SUBJECTS)]} of district {number} was closed by clerk {number * 7}"


def rule(number: int) -> str:
    # No word in common with what is asked.
    return f"# Regulation R{number}\n\nShutting a public place needs paragraph P{number * 3} to apply.\n"


def question(number: int) -> str:
    return f"who closed the {SUBJECTS[number % len(SUBJECTS)]} of district {number}?"


async def prepare(client: Client) -> dict[int, str]:
    """The documents by number; the memory of each number is linked with it."""
    documents = {}
    for number in range(DOCUMENTS):
        published = Published(f"rules/{number}.md", rule(number).encode())
        answer = await client.send(published.messages(), PublishDocumentRequest, CALL_SECONDS)
        documents[number] = answer.document.document_id
    for number in range(MEMORIES):
        await client.remember(PLAIN, note(number))
        memory = await client.remember(LINKED, note(number))
        if number in documents:
            ends: dict[str, Any] = {
                "from": links.LinkEnd(source=pb.SOURCE_MEMORY, id=memory.memory_id),
                "to": links.LinkEnd(source=pb.SOURCE_DOCUMENT, id=documents[number]),
            }
            link = links.NewLink(type=links.LINK_TYPE_ABOUT, **ends)
            await client(AddLinksRequest(agent_id=LINKED, links=[link]))
    return documents


async def measure(app: AppServer) -> dict[str, list[tuple[float, bool]]]:
    """The milliseconds of each recall, and whether it found the passage, by way."""
    found: dict[str, list[tuple[float, bool]]] = defaultdict(list)
    async with connected(app.port, app.secret) as client:
        documents = await prepare(client)
        for round_ in range(ROUNDS + 1):
            # Way by way, so that no answer is known from the other one; the first round embeds the questions.
            for way, (agent_id, mode) in WAYS.items():
                for number, document_id in documents.items():
                    request = service.RecallRequest(
                        agent_id=agent_id,
                        text=question(number),
                        sources=[pb.SOURCE_MEMORY, pb.SOURCE_DOCUMENT],
                        limit=10,
                        link_mode=mode,  # type: ignore[arg-type]
                    )
                    began = time.perf_counter()
                    hits = (await client(request)).hits
                    milliseconds = (time.perf_counter() - began) * 1000
                    is_there = any(hit.chunk.citation.document_id == document_id for hit in hits)
                    if round_:
                        found[way].append((milliseconds, is_there))
    return found


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.decisions.links_across", description=__doc__)
    add_model(parser)
    embedding = embedding_by(parse(parser).model)
    with temporary_directory() as directory, app_server(embedding, directory / "data") as app:
        measured = asyncio.run(measure(app))
    table = Table(title=f"{MEMORIES} memories, {DOCUMENTS} documents", title_justify="left")
    for heading in ("", "recalls", "passage in the first 10", "ms"):
        table.add_column(heading)
    for way, each in measured.items():
        milliseconds, there = zip(*each, strict=True)
        share = sum(there) / len(there)
        table.add_row(way, str(len(each)), f"{share:.3f}", f"{median(milliseconds):.2f}")
    Console(width=100).print(table)


if __name__ == "__main__":
    main()
