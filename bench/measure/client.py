"""The calls that benchmarks make: plain generated stubs, since the client library's own cost is another question."""

import itertools
from collections.abc import AsyncIterator, Iterable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any, Protocol

import grpc
from camillo.v1 import memory_pb2 as pb
from camillo.v1 import memory_service_pb2 as service
from camillo.v1.admin_service_pb2_grpc import AdminServiceStub
from camillo.v1.artifact_service_pb2_grpc import ArtifactServiceStub
from camillo.v1.audit_service_pb2_grpc import AuditServiceStub
from camillo.v1.decision_service_pb2_grpc import DecisionServiceStub
from camillo.v1.event_service_pb2_grpc import EventServiceStub
from camillo.v1.knowledge_service_pb2_grpc import KnowledgeServiceStub
from camillo.v1.lifecycle_service_pb2_grpc import LifecycleServiceStub
from camillo.v1.link_service_pb2_grpc import LinkServiceStub
from camillo.v1.memory_service_pb2_grpc import MemoryServiceStub
from camillo.v1.run_service_pb2_grpc import RunServiceStub
from camillo.v1.slot_service_pb2_grpc import SlotServiceStub
from camillo.v1.snapshot_service_pb2_grpc import SnapshotServiceStub
from camillo.v1.space_service_pb2_grpc import SpaceServiceStub
from camillo.v1.spool_service_pb2_grpc import SpoolServiceStub
from camillo.v1.task_service_pb2_grpc import TaskServiceStub
from google.protobuf.message import Message

from bench.material.texts import Texts
from bench.measure import echo_server
from bench.measure.servers import DIMENSIONS
from bench.measure.timing import Call

CALL_SECONDS = 120.0
IMPORT_SECONDS = 600.0
# As large as the answer to a Remember of one text of 100 characters.
PAYLOAD = bytes(250)
OPTIONS = [
    ("grpc.max_receive_message_length", 64 * 1024 * 1024),
    # A server that is about to serve is found soon.
    ("grpc.initial_reconnect_backoff_ms", 20),
    ("grpc.min_reconnect_backoff_ms", 20),
    ("grpc.max_reconnect_backoff_ms", 50),
]
SERVICES = (
    DecisionServiceStub,
    LinkServiceStub,
    MemoryServiceStub,
    EventServiceStub,
    SlotServiceStub,
    SnapshotServiceStub,
    ArtifactServiceStub,
    LifecycleServiceStub,
    RunServiceStub,
    AdminServiceStub,
    AuditServiceStub,
    KnowledgeServiceStub,
    SpaceServiceStub,
    SpoolServiceStub,
    TaskServiceStub,
)


def channel_to(port: int) -> grpc.aio.Channel:
    """One connection over loopback."""
    return grpc.aio.insecure_channel(f"127.0.0.1:{port}", options=OPTIONS)


def authorization(secret: str) -> tuple[tuple[str, str], ...]:
    """The metadata of a caller that holds this key."""
    return (("authorization", f"Bearer {secret}"),)


class Calls(Protocol):
    """One credential's calls: a request finds its method by its type."""

    async def __call__(self, request: Message) -> Any: ...


class Client:
    """Calls under one key. A request finds its method by its type."""

    def __init__(self, channel: grpc.aio.Channel, secret: str) -> None:
        self.channel = channel
        self.secret = secret
        self.metadata = authorization(secret)
        # Typed for the synchronous channel only.
        self._stubs: list[Any] = [stub(channel) for stub in SERVICES]
        self._methods: dict[type[Message], Any] = {}

    def __call__(self, request: Message, seconds: float = CALL_SECONDS) -> Any:
        """Starts the call: to be awaited, or iterated over where the answer is a stream. An import is a stream of this
        one message."""
        sent = [request] if isinstance(request, service.ImportMemoriesRequest) else request
        return self.method(type(request))(sent, metadata=self.metadata, timeout=seconds)

    def send(self, requests: Iterable[Message], kind: type[Message], seconds: float) -> Any:
        """Starts the call whose request is a stream of this kind."""
        return self.method(kind)(requests, metadata=self.metadata, timeout=seconds)

    def method(self, kind: type[Message]) -> Any:
        """The stub's method that takes this kind of request."""
        if kind not in self._methods:
            name = kind.__name__.removesuffix("Request")
            [self._methods[kind]] = [getattr(s, name) for s in self._stubs if hasattr(s, name)]
        return self._methods[kind]

    def raw(self, name: str) -> Any:
        """A unary method that takes and returns bytes."""
        method: Any = self.channel.unary_unary(name)
        return lambda payload: method(payload, metadata=self.metadata, timeout=CALL_SECONDS)

    async def remember(self, agent_id: str, content: str, **fields: Any) -> pb.Memory:
        """The stored memory."""
        new = pb.NewMemory(content=content, **fields)
        answer = await self(service.RememberRequest(agent_id=agent_id, memory=new))
        memory: pb.Memory = answer.memory
        return memory

    async def memories(self, agent_id: str) -> AsyncIterator[pb.Memory]:
        """All of an agent's, archived ones among them."""
        request = service.ListMemoriesRequest(
            agent_id=agent_id,
            filter=pb.MemoryFilter(archived=pb.ARCHIVED_FILTER_INCLUDE),
            page_size=1_000,
        )
        async for page in self.pages(request):
            for memory in page.memories:
                yield memory

    async def pages(self, request: Any) -> AsyncIterator[Any]:
        """Every page of a list, beginning with this request's."""
        while True:
            page = await self(request)
            yield page
            if not page.next_page_token:
                return
            request.page_token = page.next_page_token

    async def import_serialized(self, messages: Sequence[bytes]) -> service.ImportMemoriesResponse:
        """Streams messages that are serialised already. Raises AssertionError where a memory was not stored."""
        method: Any = self.channel.stream_unary(
            "/camillo.v1.MemoryService/ImportMemories",
            response_deserializer=service.ImportMemoriesResponse.FromString,
        )
        answer: service.ImportMemoriesResponse = await method(
            iter(messages), metadata=self.metadata, timeout=IMPORT_SECONDS
        )
        assert not answer.failed, answer.failures[0]
        return answer


@asynccontextmanager
async def connected(port: int, secret: str) -> AsyncIterator[Client]:
    """A client whose channel is ready: on a busy machine, a first attempt to connect may take longer than a caller
    waits."""
    async with channel_to(port) as channel:
        await channel.channel_ready()
        yield Client(channel, secret)


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
    def with_vectors(cls, count: int = 256, seed: int = 1) -> "Material":
        """Texts of about 100 characters with vectors of 384 numbers."""
        texts = Texts(seed)
        pairs = zip(texts.sentences(count), texts.vectors(count, DIMENSIONS), strict=True)
        return cls([pb.NewMemory(content=text, vector=pb.Vector(values=vector.tolist())) for text, vector in pairs])


def remember_call(client: Client, material: Material, agent_id: str) -> Call:
    """Remembers one memory with its vector and a request id of its own, in the scope of this agent."""
    numbers = itertools.count()

    def call() -> Any:
        number = next(numbers)
        request = service.RememberRequest(
            request_id=f"{agent_id}-{id(numbers):x}-{number}",
            agent_id=agent_id,
            memory=material.memories[number % len(material.memories)],
        )
        request.memory.content += f" {number}"
        return client(request)

    return call


def recall_call(client: Client, queries: Sequence[str], agent_id: str, seconds: float = 30.0) -> Call:
    """Asks the next of these questions for five hits, in the scope of this agent; waits for a server to be ready."""
    recall = client.method(service.RecallRequest)
    asked = itertools.cycle(queries)

    def call() -> Any:
        request = service.RecallRequest(agent_id=agent_id, text=next(asked), limit=5)
        return recall(request, metadata=client.metadata, timeout=seconds, wait_for_ready=True)

    return call


def import_batches(agent_id: str, memories: Sequence[pb.Memory], batch: int = 500) -> list[bytes]:
    """The messages of an import into the scope of this agent, serialised; only the first names the scope."""
    return [
        service.ImportMemoriesRequest(
            agent_id="" if start else agent_id, memories=memories[start : start + batch]
        ).SerializeToString()
        for start in range(0, len(memories), batch)
    ]


def with_vectors(texts: Iterable[str], vectors: Iterable[Sequence[float]], model_id: str = "") -> list[pb.Memory]:
    """Memories of these texts; no model means the server's."""
    return [
        pb.Memory(content=text, vector=pb.Vector(model_id=model_id, values=vector))
        for text, vector in zip(texts, vectors, strict=True)
    ]
