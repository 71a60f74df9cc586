"""Memories, wired: MemoryService, whose methods that search and forget are those of other features."""

from functools import partial

from camillo.v1.memory_service_pb2_grpc import add_MemoryServiceServicer_to_server

from camillo_server.forgetting.servicer import ForgettingServicer
from camillo_server.forgetting.wiring import forgetting
from camillo_server.lifecycle.wiring import lifecycle_policy
from camillo_server.memories.import_memories import ImportMemories
from camillo_server.memories.read_memories import (
    ExportMemories,
    GetMemory,
    ListMemories,
    ListMemoryRevisions,
    WatchMemories,
)
from camillo_server.memories.remember import BatchRemember, MemoryBuilder, Remember
from camillo_server.memories.servicer import MemoryServicer, MemoryUseCases
from camillo_server.memories.store.reader import MemoryReader
from camillo_server.memories.store.writer import MemoryWriter
from camillo_server.memories.update_memory import RestoreMemories, UpdateMemory
from camillo_server.rpc.call import CallReader
from camillo_server.rpc.server import Registration, joined
from camillo_server.search.recall import Recall
from camillo_server.search.servicer import RecallServicer
from camillo_server.wiring import Kernel


def wire(kernel: Kernel, calls: CallReader, recall: Recall) -> Registration:
    """MemoryService."""
    servicer = joined(
        MemoryServicer(_use_cases(kernel), calls),
        RecallServicer(recall, calls),
        ForgettingServicer(forgetting(kernel), calls),
    )
    return partial(add_MemoryServiceServicer_to_server, servicer)


def memory_builder(kernel: Kernel) -> MemoryBuilder:
    """From drafts to the rows that are stored: without secrets, with vectors and the ends of their kinds."""
    lifetimes = lifecycle_policy(kernel.settings).expires_at
    return MemoryBuilder(kernel.providers.serving, kernel.redactor, lifetimes, kernel.clock)


def _use_cases(kernel: Kernel) -> MemoryUseCases:
    clock, redactor, embedding = kernel.clock, kernel.redactor, kernel.providers.serving
    builder = memory_builder(kernel)
    reader = MemoryReader(kernel.database, kernel.keyring)
    writer = MemoryWriter(kernel.writes, kernel.keyring)
    return MemoryUseCases(
        remember=Remember(writer, builder),
        batch_remember=BatchRemember(writer, builder),
        import_memories=ImportMemories(writer, embedding, redactor, clock),
        get=GetMemory(reader, clock),
        list=ListMemories(reader, clock),
        update=UpdateMemory(reader, writer, embedding, redactor, clock),
        restore=RestoreMemories(writer, clock),
        list_revisions=ListMemoryRevisions(reader, clock),
        watch=WatchMemories(reader, kernel.notifier, clock),
        export=ExportMemories(reader, clock),
    )
