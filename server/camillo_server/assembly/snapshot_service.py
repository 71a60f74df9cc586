"""SnapshotService, and the engine that runs use, too. A BuildBundle passes these files, in this order:

1. `doors/rpc/pipeline.py`, `across/context/servicer.py`: the message as a request (`across/context/messages.py`).
2. `across/context/build_bundle.py`: the use case; the recipe (`across/context/recipes.py`).
3. `across/context/store/record_cache.py`: the records of every feature, else read by
   `across/context/store/records.py`; the policy (`across/context/records.py`).
4. `across/context/retrieval.py`: what the index in memory finds.
5. `across/context/candidates.py`, `across/context/filling.py`, `across/context/packing.py`: one item
   for each record, chosen under the budget.
6. `across/context/rendering.py`: the text, and the report.
"""

from collections.abc import Callable
from functools import partial

from camillo.v1.snapshot_service_pb2_grpc import add_SnapshotServiceServicer_to_server

from camillo_server.across.context.build_bundle import BuildBundle
from camillo_server.across.context.bundle import Truncations
from camillo_server.across.context.prepared_texts import PreparedTextCache
from camillo_server.across.context.recipes import RecipeBook
from camillo_server.across.context.rendering import YieldingCounter
from camillo_server.across.context.retrieval import Retrieval
from camillo_server.across.context.servicer import SnapshotServicer
from camillo_server.across.context.store.context import HandoffStore, RecipeStore, ViewStore
from camillo_server.across.context.store.record_cache import RecordCache
from camillo_server.across.context.store.records import RecordReader
from camillo_server.across.context.views import Handoffs, Views
from camillo_server.assembly.kernel import Kernel
from camillo_server.assembly.search import WiredSearch
from camillo_server.doors.rpc.call import CallReader
from camillo_server.doors.rpc.server import Registration
from camillo_server.features.decisions.store import DecisionStore
from camillo_server.features.tasks.store import TaskStore
from camillo_server.lib.text.tokens import TokenCounter


class WiredContext:
    """The parts that build bundles in this process. Their record cache follows the changes of every scope."""

    def __init__(
        self,
        kernel: Kernel,
        search: WiredSearch,
        counter: TokenCounter,
        fence_seed: Callable[[str], str],
    ) -> None:
        self._kernel = kernel
        self._counter = counter
        self._decisions = DecisionStore(kernel.writes, kernel.keyring)
        self._recipes = RecipeBook(RecipeStore(kernel.database, kernel.notifier))
        records = RecordCache(
            RecordReader(kernel.database, kernel.keyring),
            search.engine.caches.revision_of,
            kernel.is_cut_off,
        )
        prepared_texts = PreparedTextCache()
        for cache in (self._recipes.cache, records, prepared_texts):
            kernel.notifier.subscribe(cache)
        self.build_bundle = BuildBundle(
            recipes=self._recipes,
            records=records,
            decisions=self._decisions,
            retrieval=Retrieval(
                search.search,
                kernel.providers.serving,
                search.stale_marks,
                search.senders,
                search.links,
                search.half_life_hours,
            ),
            policy=kernel.channels,
            counter=YieldingCounter(counter),
            prepared_texts=prepared_texts,
            clock=kernel.clock,
            truncations=Truncations(kernel.audit_queue.note, kernel.audit_queue.reading),
            fence_seed=fence_seed,
        )

    def service(self, calls: CallReader) -> Registration:
        """SnapshotService."""
        kernel, clock, redactor = self._kernel, self._kernel.clock, self._kernel.redactor
        views = Views(ViewStore(kernel.writes, kernel.keyring), redactor, clock)
        tasks = TaskStore(kernel.writes, kernel.keyring)
        handoffs = Handoffs(HandoffStore(kernel.writes), tasks, self._decisions, redactor, self._counter, clock)
        servicer = SnapshotServicer(
            self.build_bundle, self._recipes, views, handoffs, calls, clock, kernel.context_tokens
        )
        return partial(add_SnapshotServiceServicer_to_server, servicer)
