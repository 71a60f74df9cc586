"""The calls that benchmarks make: plain generated stubs, since the client library's own cost is another question."""

import itertools
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, cast

import grpc
from camillo.v1 import memory_pb2 as pb
from camillo.v1 import memory_service_pb2 as service
from camillo.v1 import memory_service_pb2_grpc as stubs

from bench.material.texts import Texts
from bench.measure import echo_server
from bench.measure.servers import DIMENSIONS
from bench.measure.timing import Call

# As large as the answer to a Remember of one text of 100 characters.
PAYLOAD = bytes(250)
OPTIONS = [
    ("grpc.max_receive_message_length", 64 * 1024 * 1024),
    # A server that is about to serve is found soon.
    ("grpc.initial_reconnect_backoff_ms", 20),
    ("grpc.min_reconnect_backoff_ms", 20),
    ("grpc.max_reconnect_backoff_ms", 50),
]


def channel_to(port: int) -> grpc.aio.Channel:
    """One connection over loopback."""
    return grpc.aio.insecure_channel(f"127.0.0.1:{port}", options=OPTIONS)


def authorization(secret: str) -> tuple[tuple[str, str], ...]:
    """The metadata of a caller that holds this key."""
    return (("authorization", f"Bearer {secret}"),)


def echo_call(channel: grpc.aio.Channel, secret: str | None = None) -> Call:
    """Sends 250 bytes and takes them back; with a key, as its holder."""
    method: Any = channel.unary_unary(echo_server.METHOD)
    metadata = authorization(secret) if secret else None
    return lambda: method(PAYLOAD, metadata=metadata, timeout=30)


@dataclass(frozen=True, slots=True)
class Material:
    """Memories to remember, made before the clock starts; they are sent again and again, with a number each time, which
    makes them new ones."""

    memories: Sequence[pb.NewMemory]

    @classmethod
    def made(cls, count: int = 256, seed: int = 1) -> "Material":
        """Texts of about 100 characters with vectors of 384 numbers."""
        texts = Texts(seed)
        pairs = zip(texts.sentences(count), texts.vectors(count, DIMENSIONS), strict=True)
        return cls(
            [
                pb.NewMemory(content=text, vector=pb.Vector(values=vector.tolist()))
                for text, vector in pairs
            ]
        )


def remember_call(
    channel: grpc.aio.Channel, secret: str, material: Material, agent_id: str
) -> Call:
    """Remembers one memory with its vector and a request id of its own, in the scope of this agent."""
    stub = cast("Any", stubs.MemoryServiceStub(channel))  # typed for the synchronous channel only
    metadata = authorization(secret)
    numbers = itertools.count()

    def call() -> Any:
        number = next(numbers)
        request = service.RememberRequest(
            request_id=f"{agent_id}-{id(numbers):x}-{number}",
            agent_id=agent_id,
            memory=material.memories[number % len(material.memories)],
        )
        request.memory.content += f" {number}"
        return stub.Remember(request, metadata=metadata, timeout=30)

    return call


def recall_call(
    channel: grpc.aio.Channel,
    secret: str,
    queries: Sequence[str],
    agent_id: str,
    timeout_seconds: float = 30.0,
) -> Call:
    """Asks the next of these questions for five hits, in the scope of this agent."""
    stub = cast("Any", stubs.MemoryServiceStub(channel))
    metadata = authorization(secret)
    asked = itertools.cycle(queries)

    def call() -> Any:
        request = service.RecallRequest(agent_id=agent_id, text=next(asked), limit=5)
        return stub.Recall(request, metadata=metadata, timeout=timeout_seconds, wait_for_ready=True)

    return call


async def import_messages(
    channel: grpc.aio.Channel, secret: str, messages: Sequence[bytes]
) -> service.ImportMemoriesResponse:
    """Streams messages that are serialised already. Raises AssertionError where a memory was not stored."""
    method: Any = channel.stream_unary(
        "/camillo.v1.MemoryService/ImportMemories",
        response_deserializer=service.ImportMemoriesResponse.FromString,
    )
    answer: service.ImportMemoriesResponse = await method(
        iter(messages), metadata=authorization(secret), timeout=600
    )
    assert not answer.failed, answer.failures[0]
    return answer


def import_batches(
    agent_id: str,
    texts: Sequence[str],
    vectors: Sequence[Sequence[float]],
    model_id: str = "",
    batch: int = 500,
) -> list[bytes]:
    """The messages of an import into the scope of this agent, serialised; no model means the server's."""
    messages = []
    for start in range(0, len(texts), batch):
        pairs = zip(texts[start : start + batch], vectors[start : start + batch], strict=True)
        message = service.ImportMemoriesRequest(
            agent_id="" if start else agent_id,
            memories=[
                pb.Memory(content=text, vector=pb.Vector(model_id=model_id, values=vector))
                for text, vector in pairs
            ],
        )
        messages.append(message.SerializeToString())
    return messages
