"""Recalls by a bare stub and by the client, in turn, with asyncio: reads an order from a line, answers with a line."""

import asyncio
import sys
import time
from collections.abc import Awaitable, Callable, Mapping
from typing import Any, cast

import grpc
from camillo.v1 import memory_service_pb2 as service
from camillo.v1 import memory_service_pb2_grpc as stubs
from camillo_client import AsyncCamillo, RecallAnswer

from bench.clients.order import Order, Taken, answer, turns
from bench.measure.client import authorization

Recall = Callable[[str], Awaitable[service.RecallResponse | RecallAnswer]]


async def main() -> None:
    number, order = Order.parse(await asyncio.to_thread(sys.stdin.readline))
    connected = AsyncCamillo.connect(order.address, key=order.key, agent_id=order.agent_id)
    async with grpc.aio.insecure_channel(order.address) as channel, connected as camillo:
        contenders = {"bare": by_stub(channel, order), "facade": by_client(camillo, order)}
        await measure(contenders, order, order.warm_up_blocks)
        taken = await measure(contenders, order, order.blocks)
    print(answer(number, taken), flush=True)


def by_stub(channel: grpc.aio.Channel, order: Order) -> Recall:
    """The generated stub, with nothing but the credential."""
    stub = cast("Any", stubs.MemoryServiceStub(channel))  # typed for the synchronous channel only
    metadata = authorization(order.key)

    def recall(query: str) -> Awaitable[service.RecallResponse]:
        request = service.RecallRequest(agent_id=order.agent_id, text=query, limit=order.limit)
        called: Awaitable[service.RecallResponse] = stub.Recall(request, metadata=metadata)
        return called

    return recall


def by_client(camillo: AsyncCamillo, order: Order) -> Recall:
    """The client's short form."""
    return lambda query: camillo.recall(query, limit=order.limit)


async def measure(contenders: Mapping[str, Recall], order: Order, blocks: int) -> dict[str, Taken]:
    """Measures so many blocks of each contender."""
    taken = {name: Taken() for name in contenders}
    for name in turns(blocks):
        recall, of = contenders[name], taken[name]
        for query in order.queries:
            began = time.perf_counter_ns()
            found = await recall(query)
            of.add(time.perf_counter_ns() - began, len(found.hits))
    return taken


if __name__ == "__main__":
    asyncio.run(main())
