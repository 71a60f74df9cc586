"""MemoryService. A Remember passes these files, in this order (tests/rpc/test_call_paths.py holds it):

1. `doors/rpc/pipeline.py` takes the call when it is its turn (`kernel/off_loop.py`), if not too many wait
   (`doors/rpc/admission.py`), with its deadline (`kernel/clock.py`), and counts it (`telemetry/instruments.py`).
2. `doors/identity/credentials.py` knows who calls (`doors/identity/key_cache.py`) and what they may
   (`kernel/scope.py`).
3. `doors/rpc/request_bodies.py` decodes the message; `doors/rpc/call.py` holds it to quotas (`storage/quotas.py`),
   limits and defaults (`doors/rpc/validate.py`, `doors/rpc/field_limits.py`, `doors/rpc/fields.py`).
4. `doors/spool/spooling.py` takes the write while Postgres is away (`doors/spool/spool.py`), and keeps answers for
   repeated requests (`doors/spool/committed_answers.py`); `storage/receipts.py` notes what is committed.
5. `features/memories/servicer.py`: the message as a draft (`rows/messages.py`, `rows/row.py`), and the answer.
6. `features/memories/memories.py`: the use case.
7. `rows/builder.py`: the draft without secrets (`lib/redaction/redaction.py`, `lib/redaction/detector.py`,
   `lib/redaction/rules.py`; behind `lib/redaction/pattern_gate.py` and `lib/text/pattern_scan.py` where its characters
   may be one), rated (`lib/text/speech.py`), with the end of its kind (`across/lifecycle/plan.py`) and with a vector
   (`models/embedding/text_embedding.py`, and the model, such as `models/embedding/lexical.py`).
8. `rows/store/writer.py`: the row and its statement (`rows/store/rows.py`, `storage/statements.py`; its columns are in
   `storage/row_fields.py`), its terms (`lib/text/index_terms.py`, `lib/text/counted_terms.py`,
   `lib/text/word_forms.py`), what it is (`kernel/kinds.py`, `rows/occurrences.py`), encrypted if there are keys
   (`lib/crypto/keyring.py`); many rows: `rows/store/batch.py`.
9. `storage/group_commit.py`: alone, or together with others that wait. `storage/scope_writes.py`: revision
   (`storage/scopes.py`), repeated request (`storage/written_requests.py`), values that were forgotten
   (`storage/blocklist.py`), and one commit (`storage/database.py`, `storage/connection_pool.py`, `storage/wire.py`,
   `kernel/writes.py`).
10. `storage/change_notifier.py` tells the caches of every process: of indexes (`search/index/scope_caches.py`,
    `search/index/budget.py`, `search/index/resident_scope.py`) and of bundles (`across/context/recipes.py`,
    `across/context/store/record_cache.py`, `across/context/prepared_texts.py`).
11. `doors/rpc/tokens.py` makes the token of the revision.

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
