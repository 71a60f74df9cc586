"""Recalls by a bare stub and by the client, in turn, without asyncio: reads an order from a line, answers with a
line."""

import sys
import time
from collections.abc import Callable, Mapping

import grpc
from camillo.v1 import memory_service_pb2 as service
from camillo.v1 import memory_service_pb2_grpc as stubs
from camillo_client import Camillo, RecallAnswer

from bench.clients.order import Order, Taken, answer, turns
from bench.measure.client import authorization

Recall = Callable[[str], service.RecallResponse | RecallAnswer]


def main() -> None:
    number, order = Order.parse(sys.stdin.readline())
    connected = Camillo.connect(order.address, key=order.key, agent_id=order.agent_id)
    with grpc.insecure_channel(order.address) as channel, connected as camillo:
        contenders = {"bare": by_stub(channel, order), "facade": by_client(camillo, order)}
        measure(contenders, order, order.warm_up_blocks)
        taken = measure(contenders, order, order.blocks)
    print(answer(number, taken), flush=True)


def by_stub(channel: grpc.Channel, order: Order) -> Recall:
    """The generated stub, with nothing but the credential."""
    stub = stubs.MemoryServiceStub(channel)
    metadata = authorization(order.key)

    def recall(query: str) -> service.RecallResponse:
        request = service.RecallRequest(agent_id=order.agent_id, text=query, limit=order.limit)
        return stub.Recall(request, metadata=metadata)

    return recall


def by_client(camillo: Camillo, order: Order) -> Recall:
    """The client's short form."""
    return lambda query: camillo.recall(query, limit=order.limit)


def measure(contenders: Mapping[str, Recall], order: Order, blocks: int) -> dict[str, Taken]:
    """Measures so many blocks of each contender."""
    taken = {name: Taken() for name in contenders}
    for name in turns(blocks):
        recall, of = contenders[name], taken[name]
        for query in order.queries:
            began = time.perf_counter_ns()
            found = recall(query)
            of.add(time.perf_counter_ns() - began, len(found.hits))
    return taken


if __name__ == "__main__":
    main()
