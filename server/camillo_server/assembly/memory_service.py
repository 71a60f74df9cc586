"""Memories, wired: MemoryService, whose methods that search and forget are those of other features."""

from functools import partial

from camillo.v1.memory_service_pb2_grpc import (
    add_MemoryServiceServicer_to_server,
)

from camillo_server.across.forgetting.servicer import ForgettingServicer
from camillo_server.assembly.kernel import Kernel
from camillo_server.assembly.lifecycle_service import lifecycle_policy
from camillo_server.assembly.search import WiredSearch
from camillo_server.doors.rpc.call import CallReader
from camillo_server.doors.rpc.server import Registration, joined
from camillo_server.features.memories.memories import Memories
from camillo_server.features.memories.servicer import MemoryServicer
from camillo_server.features.memories.supersede_memory import SupersedeMemory
from camillo_server.features.memories.update_memory import UpdateMemory
from camillo_server.rows.builder import MemoryBuilder
from camillo_server.rows.store.lineage import Lineage
from camillo_server.rows.store.reader import MemoryReader
from camillo_server.rows.store.writer import MemoryWriter
from camillo_server.search.servicer import RecallServicer


def wire(kernel: Kernel, calls: CallReader, search: WiredSearch, forgetting: ForgettingServicer) -> Registration:
    """MemoryService."""
    servicer = joined(
        _servicer(kernel, calls),
        RecallServicer(search.recall, search.history, search.contradictions, calls, kernel.database),
        forgetting,
    )
    return partial(add_MemoryServiceServicer_to_server, servicer)


def memory_builder(kernel: Kernel) -> MemoryBuilder:
    """From drafts to the rows that are stored: without secrets, with vectors and the ends of their kinds."""
    lifetimes = lifecycle_policy(kernel.settings).expires_at
    return MemoryBuilder(
        kernel.providers.serving,
        kernel.redactor,
        lifetimes,
        Lineage(kernel.database),
        kernel.clock,
    )


def _servicer(kernel: Kernel, calls: CallReader) -> MemoryServicer:
    clock = kernel.clock
    reader = MemoryReader(kernel.database, kernel.keyring)
    writer = MemoryWriter(kernel.writes, kernel.keyring)
    return MemoryServicer(
        Memories(reader, writer, memory_builder(kernel), kernel.notifier, clock),
        UpdateMemory(
            reader,
            writer,
            kernel.providers.serving,
            kernel.redactor,
            Lineage(kernel.database),
            clock,
        ),
        SupersedeMemory(reader, writer, clock),
        calls,
        kernel.spooling,
    )
