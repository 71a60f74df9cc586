"""Context bundles, wired: SnapshotService, and the engine that runs use, too."""

from functools import partial

from camillo.v1.snapshot_service_pb2_grpc import add_SnapshotServiceServicer_to_server

from camillo_server.context.build_bundle import BuildBundle, BundleParts
from camillo_server.context.handoff import HandOff, ListHandoffs
from camillo_server.context.recipes import RecipeBook, built_in_recipes, load_yaml
from camillo_server.context.retrieval import Retrieval
from camillo_server.context.servicer import SnapshotServicer, SnapshotUseCases
from camillo_server.context.store.handoffs import PostgresHandoffStore
from camillo_server.context.store.recipes import PostgresRecipeStore
from camillo_server.context.store.record_cache import HeldGround
from camillo_server.context.store.records import PostgresGroundReader
from camillo_server.context.store.views import PostgresViewStore
from camillo_server.context.views import DeleteView, GetView, ListViews, PutView
from camillo_server.decisions.store import DecisionStore
from camillo_server.rpc.call import CallReader
from camillo_server.rpc.server import Registration
from camillo_server.search.wiring import WiredSearch
from camillo_server.tasks.store import TaskStore
from camillo_server.text.tokens import TokenCounter
from camillo_server.wiring import Kernel


class WiredContext:
    """What builds bundles in this process. Its record cache follows the changes of every scope."""

    def __init__(self, kernel: Kernel, search: WiredSearch, counter: TokenCounter) -> None:
        self._kernel = kernel
        self._counter = counter
        self._decisions = DecisionStore(kernel.writes, kernel.keyring)
        self._recipes = RecipeBook(
            PostgresRecipeStore(kernel.database), built_in_recipes(), load_yaml
        )
        records = HeldGround(
            PostgresGroundReader(kernel.database, kernel.keyring),
            search.engine.caches.revision_of,
        )
        kernel.notifier.subscribe(records)
        self.build_bundle = BuildBundle(
            BundleParts(
                recipes=self._recipes,
                ground=records,
                decisions=self._decisions,
                retrieval=Retrieval(
                    search.search, kernel.providers.serving, search.half_life_hours
                ),
                policy=kernel.channels,
                counter=counter,
                clock=kernel.clock,
            )
        )

    def service(self, calls: CallReader) -> Registration:
        """SnapshotService."""
        servicer = SnapshotServicer(self._use_cases(), calls, self._kernel.clock)
        return partial(add_SnapshotServiceServicer_to_server, servicer)

    def _use_cases(self) -> SnapshotUseCases:
        kernel, clock, redactor = self._kernel, self._kernel.clock, self._kernel.redactor
        views = PostgresViewStore(kernel.writes, kernel.keyring)
        handoffs = PostgresHandoffStore(kernel.writes)
        tasks = TaskStore(kernel.writes, kernel.keyring)
        return SnapshotUseCases(
            build=self.build_bundle,
            recipes=self._recipes,
            put_view=PutView(views, redactor, clock),
            get_view=GetView(views),
            list_views=ListViews(views),
            delete_view=DeleteView(views, clock),
            hand_off=HandOff(handoffs, tasks, self._decisions, redactor, self._counter, clock),
            list_handoffs=ListHandoffs(handoffs, clock),
        )
