"""What all programs call: a server whose memory holds one scope."""

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager

from camillo.v1 import memory_service_pb2 as service
from camillo_client import AsyncCamillo

from bench.clients.options import ClientOptions
from bench.clients.order import Order
from bench.material.texts import Texts
from bench.measure.servers import DIMENSIONS, AppServer, Embedding, app_server, temporary_directory
from bench.recall.calls import Recaller, connected

AGENT = "overhead"
WARM_SECONDS = 60.0
# The questions are drawn like the memories, but by another seed: they cite no memory by chance of order.
QUERY_SEED = 2


class NotWarm(Exception):
    """The scope is not answered from memory."""


@contextmanager
def stage(options: ClientOptions) -> Iterator[Order]:
    """What the programs are asked to do, while the server runs."""
    with (
        temporary_directory() as directory,
        app_server(Embedding("lexical", DIMENSIONS), directory / "data") as app,
    ):
        order = Order(
            address=f"127.0.0.1:{app.port}",
            key=app.secret,
            agent_id=AGENT,
            queries=Texts(QUERY_SEED).queries(options.queries),
            limit=options.limit,
            warm_up_blocks=1,  # each language has its own
            blocks=options.blocks,
        )
        asyncio.run(_fill(order, options.memories))
        asyncio.run(_warm_up(app, order))
        yield order


async def _fill(order: Order, memories: int) -> None:
    async with AsyncCamillo.connect(
        order.address, key=order.key, agent_id=order.agent_id, timeout_seconds=60
    ) as camillo:
        for outcome in await camillo.remember_many(Texts().sentences(memories)):
            if isinstance(outcome, Exception):
                raise outcome


async def _warm_up(app: AppServer, order: Order) -> None:
    """Every query once, answered from memory, so that none of a program's calls is a question's first."""
    async with connected(app.port) as channel:
        recaller = Recaller(channel, app.secret, AGENT)
        for query in order.queries:
            request = service.RecallRequest(agent_id=AGENT, text=query, limit=order.limit)
            if await recaller.until_warm(request, WARM_SECONDS) is None:
                raise NotWarm(f"not within {WARM_SECONDS:g} s")
