"""MemoryService. A Remember passes these files, in this order:

1. `doors/rpc/pipeline.py`: credentials, quotas, limits; `doors/spool/spooling.py` takes the write while Postgres is
   away.
2. `features/memories/servicer.py`: the message as a draft (`rows/messages.py`), and the answer.
3. `features/memories/memories.py`: the use case.
4. `rows/builder.py`: the draft without secrets (`lib/redaction/redaction.py`), rated, with the end of
   its kind (`across/lifecycle/plan.py`) and with a vector (`models/embedding/text_embedding.py`).
5. `rows/store/writer.py`: the row, its statement (`storage/row_fields.py` has its columns); many rows:
   `rows/store/batch.py`.
6. `storage/scope_writes.py`: revision, repeated request, blocked values, one commit.
7. `storage/change_notifier.py`: tells the indexes of every process (`search/index/scope_caches.py`).

Its methods that search are those of `search/servicer.py`, its method that forgets is that of
`across/forgetting/servicer.py`; `assembly/search.py` and `assembly/lifecycle_service.py` make these.
"""

from functools import partial

from camillo.v1.memory_service_pb2_grpc import add_MemoryServiceServicer_to_server

from camillo_server.across.forgetting.servicer import ForgettingServicer
from camillo_server.across.lifecycle.plan import LifecyclePolicy
from camillo_server.assembly.kernel import Kernel
from camillo_server.assembly.search import WiredSearch
from camillo_server.doors.rpc.call import CallReader
from camillo_server.doors.rpc.server import Registration, joined
from camillo_server.features.memories.memories import Memories
from camillo_server.features.memories.servicer import MemoryServicer
from camillo_server.features.memories.update_memory import SupersedeMemory, UpdateMemory
from camillo_server.rows.builder import MemoryBuilder
from camillo_server.rows.store.reader import MemoryReader
from camillo_server.rows.store.refs import Lineage
from camillo_server.rows.store.writer import MemoryWriter
from camillo_server.search.servicer import RecallServicer


def wire(kernel: Kernel, calls: CallReader, search: WiredSearch, forgetting: ForgettingServicer) -> Registration:
    """MemoryService."""
    clock, embedding, lineage = kernel.clock, kernel.providers.serving, Lineage(kernel.database)
    writer, reader = MemoryWriter(kernel.writes, kernel.keyring), MemoryReader(kernel.database, kernel.keyring)
    servicer = joined(
        MemoryServicer(
            Memories(reader, writer, memory_builder(kernel), kernel.notifier, clock),
            UpdateMemory(reader, writer, embedding, kernel.redactor, lineage, clock),
            SupersedeMemory(reader, writer, clock),
            calls,
            kernel.spooling,
        ),
        RecallServicer(search.recall, search.history, search.contradictions, calls, kernel.database),
        forgetting,
    )
    return partial(add_MemoryServiceServicer_to_server, servicer)


def memory_builder(kernel: Kernel) -> MemoryBuilder:
    """The builder of rows from drafts."""
    lifetimes = LifecyclePolicy.of(kernel.settings.lifecycle).expires_at
    return MemoryBuilder(kernel.providers.serving, kernel.redactor, lifetimes, Lineage(kernel.database), kernel.clock)
