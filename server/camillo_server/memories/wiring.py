"""Memories, wired: the part of the composition root that knows their classes."""

from dataclasses import dataclass

from camillo.v1 import memory_service_pb2_grpc

from camillo_server.crypto.keyring import Keyring
from camillo_server.embedding.text_embedding import TextEmbedding
from camillo_server.forgetting.forgetting import Forgetting
from camillo_server.forgetting.servicer import ForgettingServicer
from camillo_server.forgetting.store.forgetting import ForgettingStore
from camillo_server.kernel.clock import Clock
from camillo_server.memories.builder import MemoryBuilder
from camillo_server.memories.import_memories import ImportMemories
from camillo_server.memories.memories import Memories
from camillo_server.memories.servicer import MemoryServicer
from camillo_server.memories.store.reader import MemoryReader
from camillo_server.memories.store.writer import MemoryWriter
from camillo_server.memories.update_memory import UpdateMemory
from camillo_server.memories.watch_memories import WatchMemories
from camillo_server.redaction.redactor import SecretRedactor
from camillo_server.rpc.call import CallReader
from camillo_server.rpc.server import Registration, joined
from camillo_server.search.recall import Recall
from camillo_server.search.servicer import RecallServicer
from camillo_server.storage.change_notifier import ChangeNotifier
from camillo_server.storage.receipts import ReceiptStore
from camillo_server.storage.scope_writes import ScopeWrites


@dataclass(frozen=True, slots=True)
class MemoryParts:
    """What the rest of the server lends."""

    writes: ScopeWrites
    notifier: ChangeNotifier
    keyring: Keyring
    recall: Recall
    builder: MemoryBuilder
    embedding: TextEmbedding
    clock: Clock


class MemoryApp:
    """The service of memories."""

    def __init__(self, parts: MemoryParts) -> None:
        self._parts = parts

    def service(self, calls: CallReader) -> Registration:
        """Adds the service to a gRPC server."""
        parts = self._parts
        forgetting = Forgetting(
            ForgettingStore(parts.writes, parts.keyring),
            ReceiptStore(parts.writes.database),
            parts.clock,
        )
        servicer = joined(
            self._servicer(calls),
            RecallServicer(parts.recall, calls),
            ForgettingServicer(forgetting, calls),
        )
        return lambda server: memory_service_pb2_grpc.add_MemoryServiceServicer_to_server(
            servicer, server
        )

    def _servicer(self, calls: CallReader) -> MemoryServicer:
        parts, clock, redactor = self._parts, self._parts.clock, SecretRedactor()
        reader = MemoryReader(parts.writes.database, parts.keyring)
        writer = MemoryWriter(parts.writes, parts.keyring)
        return MemoryServicer(
            Memories(reader, writer, parts.builder, clock),
            UpdateMemory(reader, writer, parts.embedding, redactor, clock),
            ImportMemories(writer, parts.embedding, redactor, clock),
            WatchMemories(reader, parts.notifier, clock),
            calls,
        )
