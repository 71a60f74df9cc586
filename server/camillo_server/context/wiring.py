"""Events, decisions, tasks and context bundles, wired: the part of the composition root that knows their classes."""

from collections.abc import Sequence
from dataclasses import dataclass

from camillo.v1 import (
    decision_service_pb2_grpc,
    event_service_pb2_grpc,
    snapshot_service_pb2_grpc,
    task_service_pb2_grpc,
)

from camillo_server.artifacts.offload_output import OffloadOutput
from camillo_server.context.build_bundle import BuildBundle, BundleParts
from camillo_server.context.handoff import HandOff, ListHandoffs
from camillo_server.context.recipes import RecipeBook, built_in_recipes, load_yaml
from camillo_server.context.retrieval import Retrieval
from camillo_server.context.servicer import SnapshotServicer, SnapshotUseCases
from camillo_server.context.store.handoffs import PostgresHandoffStore
from camillo_server.context.store.recipes import PostgresRecipeStore
from camillo_server.context.store.record_cache import HeldGround
from camillo_server.context.store.views import PostgresViewStore
from camillo_server.context.views import DeleteView, GetView, ListViews, PutView
from camillo_server.crypto.keyring import Keyring
from camillo_server.decisions.decisions import Decisions
from camillo_server.decisions.query_decisions import QueryDecisions
from camillo_server.decisions.servicer import DecisionServicer
from camillo_server.decisions.store import DecisionStore
from camillo_server.events.forget_events import ForgetEvents
from camillo_server.events.read_events import GetEvent, ListEvents, WatchEvents
from camillo_server.events.rebuild_chunks import RebuildChunks
from camillo_server.events.record_events import EventMaking, RecordEvent, RecordEvents
from camillo_server.events.servicer import EventServicer, EventUseCases
from camillo_server.events.store.reader import PostgresEventReader
from camillo_server.events.store.refs import PostgresRefResolver
from camillo_server.events.store.writer import PostgresEventWriter
from camillo_server.events.tool_results import NormalizeToolResult, OffloadedOutputs
from camillo_server.kernel.channel import ChannelPolicy
from camillo_server.kernel.clock import Clock
from camillo_server.redaction.redactor import SecretRedactor
from camillo_server.rpc.call import CallReader
from camillo_server.rpc.server import Registration
from camillo_server.search.recall import Recall
from camillo_server.storage.change_notifier import ChangeNotifier
from camillo_server.storage.database import Database
from camillo_server.storage.scope_writes import ScopeWrites
from camillo_server.tasks.servicer import TaskServicer
from camillo_server.tasks.store import TaskStore
from camillo_server.tasks.tasks import Tasks
from camillo_server.text.tokens import TokenCounter


@dataclass(frozen=True, slots=True)
class ContextParts:
    """What the rest of the server lends."""

    database: Database
    writes: ScopeWrites
    notifier: ChangeNotifier
    ground: HeldGround
    keyring: Keyring
    policy: ChannelPolicy
    recall: Recall
    retrieval: Retrieval
    offload: OffloadOutput
    counter: TokenCounter
    clock: Clock


class ContextApp:
    """The services of events, decisions, tasks and snapshots."""

    def __init__(self, parts: ContextParts) -> None:
        self._parts = parts
        self._redactor = SecretRedactor()
        self._decisions = DecisionStore(parts.writes, parts.keyring)
        self._tasks = TaskStore(parts.writes, parts.keyring)
        self._resolver = PostgresRefResolver(parts.database)
        self._recipes = RecipeBook(
            PostgresRecipeStore(parts.database), built_in_recipes(), load_yaml
        )
        self.build_bundle = BuildBundle(
            BundleParts(
                recipes=self._recipes,
                ground=parts.ground,
                decisions=self._decisions,
                retrieval=parts.retrieval,
                policy=parts.policy,
                counter=parts.counter,
                clock=parts.clock,
            )
        )

    def services(self, calls: CallReader) -> Sequence[Registration]:
        """Each adds a service to a gRPC server."""
        events = EventServicer(self._event_use_cases(), calls)
        shared = (self._resolver, self._redactor, self._parts.policy, self._parts.clock)
        decisions = DecisionServicer(
            Decisions(self._decisions, *shared),
            QueryDecisions(self._decisions, self._parts.recall, self._parts.policy),
            calls,
        )
        tasks = TaskServicer(Tasks(self._tasks, *shared), calls)
        snapshots = SnapshotServicer(self._snapshot_use_cases(), calls, self._parts.clock)
        return (
            lambda server: event_service_pb2_grpc.add_EventServiceServicer_to_server(
                events, server
            ),
            lambda server: decision_service_pb2_grpc.add_DecisionServiceServicer_to_server(
                decisions, server
            ),
            lambda server: task_service_pb2_grpc.add_TaskServiceServicer_to_server(tasks, server),
            lambda server: snapshot_service_pb2_grpc.add_SnapshotServiceServicer_to_server(
                snapshots, server
            ),
        )

    def _event_use_cases(self) -> EventUseCases:
        parts, clock, policy = self._parts, self._parts.clock, self._parts.policy
        reader = PostgresEventReader(parts.database, parts.keyring)
        writer = PostgresEventWriter(parts.writes, parts.keyring)
        normalize = NormalizeToolResult(OffloadedOutputs(parts.offload))
        record = RecordEvents(writer, EventMaking(self._resolver, normalize, self._redactor), clock)
        return EventUseCases(
            record=RecordEvent(record),
            record_many=record,
            get=GetEvent(reader, policy),
            list=ListEvents(reader, policy),
            watch=WatchEvents(reader, parts.notifier, policy),
            forget=ForgetEvents(writer, clock),
            rebuild_chunks=RebuildChunks(writer, reader, self._decisions.chunk_rows, clock),
        )

    def _snapshot_use_cases(self) -> SnapshotUseCases:
        parts, clock = self._parts, self._parts.clock
        views = PostgresViewStore(parts.writes, parts.keyring)
        handoffs = PostgresHandoffStore(parts.writes)
        return SnapshotUseCases(
            build=self.build_bundle,
            recipes=self._recipes,
            put_view=PutView(views, self._redactor, clock),
            get_view=GetView(views),
            list_views=ListViews(views),
            delete_view=DeleteView(views, clock),
            hand_off=HandOff(
                handoffs, self._tasks, self._decisions, self._redactor, parts.counter, clock
            ),
            list_handoffs=ListHandoffs(handoffs, clock),
        )
