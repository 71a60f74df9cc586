"""Measures what a list of entities costs, and what is related to one: `python -m bench.decisions.entities`
(docs/adr/links.md).

Two agents have the same memories; one has merged names. Both are asked in turns: milliseconds, medians."""

import argparse
import asyncio
import time
from collections import defaultdict
from statistics import median

from camillo.v1 import link_pb2 as links
from camillo.v1 import memory_pb2 as pb
from camillo.v1 import memory_service_pb2 as service
from camillo.v1.link_service_pb2 import ListEntitiesRequest, ListRelatedRequest, MergeEntitiesRequest
from rich.console import Console
from rich.table import Table

from bench.measure.client import Client, connected
from bench.measure.command import add_model, parse
from bench.measure.servers import AppServer, app_server, embedding_by, temporary_directory

MEMORIES, MERGED, ROUNDS, AT_ONCE = 5_000, 1_000, 3, 100
MERGED_NAMES, NONE = "merged", "none"
FIRST = ("Ana", "Bob", "Clara", "David", "Eva", "Farid", "Greta", "Hugo", "Ines", "Jonas")
LAST = ("Lima", "Stone", "Weber", "Costa", "Novak", "Haddad", "Lind", "Moreau", "Silva", "Kern")


def name(number: int) -> str:
    return f"{FIRST[number % 10]} {LAST[number // 10 % 10]} Number{'abcdefghij'[number // 100 % 10]}"


def text(number: int) -> str:
    return f"then {name(number)} asked about ticket ABC-{number} and the opening hours of the harbour office"


async def prepare(client: Client) -> None:
    for agent_id in (MERGED_NAMES, NONE):
        for begin in range(0, MEMORIES, AT_ONCE):
            memories = [pb.NewMemory(content=text(number)) for number in range(begin, begin + AT_ONCE)]
            await client(service.BatchRememberRequest(agent_id=agent_id, memories=memories))
    for number in range(MERGED):
        into = links.Entity(type=links.ENTITY_TYPE_NAME, name=name(number))
        alias = links.Entity(type=links.ENTITY_TYPE_NAME, name=f"安娜{number}")
        await client(MergeEntitiesRequest(agent_id=MERGED_NAMES, into=into, names=[alias]))


async def measure(app: AppServer) -> dict[tuple[str, str], list[float]]:
    """The milliseconds of each call, by what was asked of whom."""
    found: dict[tuple[str, str], list[float]] = defaultdict(list)
    async with connected(app.port, app.secret) as client:
        await prepare(client)
        for _ in range(ROUNDS):
            for agent_id in (NONE, MERGED_NAMES):
                entity = links.Entity(type=links.ENTITY_TYPE_NAME, name=name(7))
                for call, request in (
                    ("list", ListEntitiesRequest(agent_id=agent_id)),
                    ("related", ListRelatedRequest(agent_id=agent_id, entity=entity)),
                ):
                    began = time.perf_counter()
                    await client(request)
                    found[call, agent_id].append((time.perf_counter() - began) * 1000)
    return found


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.decisions.entities", description=__doc__)
    add_model(parser)
    embedding = embedding_by(parse(parser).model)
    with temporary_directory() as directory, app_server(embedding, directory / "data") as app:
        measured = asyncio.run(measure(app))
    table = Table(title=f"{MEMORIES} memories, {MERGED} merged names", title_justify="left")
    for heading in ("call", "merged names", "ms"):
        table.add_column(heading)
    for (call, agent_id), milliseconds in measured.items():
        table.add_row(call, agent_id, f"{median(milliseconds):.1f}")
    Console(width=100).print(table)


if __name__ == "__main__":
    main()
