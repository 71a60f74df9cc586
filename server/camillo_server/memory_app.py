"""Memories, wired: the part of the composition root that knows their classes."""

from dataclasses import dataclass

from camillo.v1 import memory_service_pb2_grpc

from camillo_server.contents.keyring import Keyring
from camillo_server.domain.batch_remember import BatchRemember
from camillo_server.domain.clock import Clock
from camillo_server.domain.export_memories import ExportMemories
from camillo_server.domain.forget_memories import ForgetMemories
from camillo_server.domain.get_memory import GetMemory
from camillo_server.domain.import_memories import ImportMemories
from camillo_server.domain.list_memories import ListMemories
from camillo_server.domain.list_memory_revisions import ListMemoryRevisions
from camillo_server.domain.memory_making import MemoryMaking
from camillo_server.domain.recall import Recall
from camillo_server.domain.remember import Remember
from camillo_server.domain.restore_memories import RestoreMemories
from camillo_server.domain.text_embedding import TextEmbedding
from camillo_server.domain.update_memory import UpdateMemory
from camillo_server.domain.watch_memories import WatchMemories
from camillo_server.redaction.redactor import SecretRedactor
from camillo_server.rpc.call import CallReader
from camillo_server.rpc.memory_servicer import MemoryServicer, MemoryUseCases
from camillo_server.rpc.server import Registration
from camillo_server.storage.change_bell import PostgresChangeBell
from camillo_server.storage.memory_forgetting import PostgresForgetting
from camillo_server.storage.memory_reader import PostgresMemoryReader
from camillo_server.storage.memory_writer import PostgresMemoryWriter
from camillo_server.storage.scope_writes import ScopeWrites


@dataclass(frozen=True, slots=True)
class MemoryParts:
    """What the rest of the server lends."""

    writes: ScopeWrites
    bell: PostgresChangeBell
    keyring: Keyring
    recall: Recall
    making: MemoryMaking
    embedding: TextEmbedding
    clock: Clock


class MemoryApp:
    """The service of memories."""

    def __init__(self, parts: MemoryParts) -> None:
        self._parts = parts

    def service(self, calls: CallReader) -> Registration:
        """Adds the service to a gRPC server."""
        servicer = MemoryServicer(self._use_cases(), calls)
        return lambda server: memory_service_pb2_grpc.add_MemoryServiceServicer_to_server(
            servicer, server
        )

    def _use_cases(self) -> MemoryUseCases:
        parts, clock, redactor = self._parts, self._parts.clock, SecretRedactor()
        embedding, making = parts.embedding, parts.making
        reader = PostgresMemoryReader(parts.writes.database, parts.keyring)
        writer = PostgresMemoryWriter(parts.writes, parts.keyring)
        return MemoryUseCases(
            remember=Remember(writer, making),
            batch_remember=BatchRemember(writer, making),
            import_memories=ImportMemories(writer, embedding, redactor, clock),
            recall=parts.recall,
            get=GetMemory(reader, clock),
            list=ListMemories(reader, clock),
            update=UpdateMemory(reader, writer, embedding, redactor, clock),
            forget=ForgetMemories(PostgresForgetting(parts.writes, parts.keyring), clock),
            restore=RestoreMemories(writer, clock),
            list_revisions=ListMemoryRevisions(reader, clock),
            watch=WatchMemories(reader, parts.bell, clock),
            export=ExportMemories(reader, clock),
        )
