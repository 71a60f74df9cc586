"""Tenants, what each of them stores, and the calls that they make."""

import itertools
from collections.abc import Iterator, Sequence
from typing import Any

from camillo.v1 import admin_pb2, admin_service_pb2
from camillo.v1 import memory_pb2 as pb
from camillo.v1 import memory_service_pb2 as service
from camillo.v1 import snapshot_service_pb2 as snapshots
from camillo.v1.context_pb2 import Turn

from bench.material.texts import Texts
from bench.measure.client import Client, recall_call
from bench.measure.timing import Call

AGENT = "agent"
MEMORIES = 1_000
# A conversation that fills a window of 200,000 tokens; and a batch of as many queries as it may have.
TURNS, TURN_CHARACTERS = 2_000, 400
QUERIES, QUERY_CHARACTERS = 32, 100_000
RECALLS_OF_A_WRITE = 3


async def new_tenant(root: Client, tenant_id: str) -> str:
    """The secret of a writer of a new tenant, whose agent has a thousand memories."""
    await root(admin_service_pb2.CreateTenantRequest(tenant_id=tenant_id))
    key = await root(
        admin_service_pb2.CreateKeyRequest(tenant_id=tenant_id, any_agent=True, role=admin_pb2.ROLE_WRITER)
    )
    caller = Client(root.channel, key.secret)
    memories = [pb.Memory(content=text) for text in Texts(7).sentences(MEMORIES)]
    await caller(service.ImportMemoriesRequest(agent_id=AGENT, memories=memories))
    return str(key.secret)


def recalls(client: Client) -> Call:
    return recall_call(client, Texts(11).sentences(500), AGENT)


def remembers(client: Client) -> Call:
    numbered = zip(itertools.count(), itertools.cycle(Texts(13).sentences(500)))

    def call() -> Any:
        number, text = next(numbered)
        memory = pb.NewMemory(content=f"{text} {id(numbered):x} {number}")
        return client(service.RememberRequest(agent_id=AGENT, memory=memory))

    return call


def both(client: Client) -> Call:
    """Three recalls, then a write, and so on."""
    calls: Iterator[Call] = itertools.cycle([recalls(client)] * RECALLS_OF_A_WRITE + [remembers(client)])
    return lambda: next(calls)()


def working_memories(client: Client) -> Call:
    """The context of a call in a very long conversation."""
    turns = [Turn(speaker="user", text=text) for text in _long_texts(TURNS, TURN_CHARACTERS)]
    request = snapshots.BuildWorkingMemoryRequest(agent_id=AGENT, turns=turns)
    return lambda: client(request)


def batches(client: Client) -> Call:
    """Sends batches of as many long queries as a batch may have."""
    texts = _long_texts(QUERIES, QUERY_CHARACTERS)
    request = service.BatchRecallRequest(
        requests=[service.RecallRequest(agent_id=AGENT, text=text, limit=50) for text in texts]
    )
    return lambda: client(request)


def _long_texts(count: int, characters: int) -> Sequence[str]:
    words = " ".join(Texts(17).sentences(1_100))
    starts = range(0, count * 37, 37)
    return [words[start : start + characters] for start in starts]
