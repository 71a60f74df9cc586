"""LifecycleService: passes, compaction and forgetting; and the jobs that work in the background.

Forget: door -> ForgettingServicer -> Forgetting -> ForgettingStore, which plans (DeletionPlanner: the cascade, repeated
texts), carries the plan out by what each feature declares (assembly/declared.py), and blocks the values: one commit.
"""

from functools import partial

from camillo.v1.lifecycle_service_pb2_grpc import add_LifecycleServiceServicer_to_server

from camillo_server.across.forgetting.forgetting import Forgetting
from camillo_server.across.forgetting.servicer import ForgettingServicer
from camillo_server.across.forgetting.store.forgetting import ForgettingStore
from camillo_server.across.lifecycle.background_jobs import BackgroundJobs, DistillJobs, JobWork
from camillo_server.across.lifecycle.embed_scope import EmbedScope, MissingVectors, ReembedScope
from camillo_server.across.lifecycle.maintenance import (
    GetUsage,
    Maintenance,
    MaintenanceJobs,
    Models,
    Reembedding,
    Reindex,
)
from camillo_server.across.lifecycle.plan import LifecyclePolicy
from camillo_server.across.lifecycle.servicer import LifecycleServicer
from camillo_server.across.lifecycle.store.embedding_backlog import EmbeddingBacklog
from camillo_server.across.lifecycle.store.passes import PassStore
from camillo_server.across.lifecycle.store.reembedding import ReembeddingStore
from camillo_server.across.lifecycle.store.reindexing import ReindexingStore
from camillo_server.across.lifecycle.store.usage import UsageStore
from camillo_server.assembly.declared import FORGETTABLES
from camillo_server.assembly.kernel import Kernel
from camillo_server.doors.rpc.call import CallReader
from camillo_server.doors.rpc.server import Registration, joined
from camillo_server.features.artifacts.repeating_artifacts import RepeatingArtifacts
from camillo_server.features.compaction.compactions import Compactions
from camillo_server.features.compaction.groups import FindGroups
from camillo_server.features.compaction.merge import LiteLLMSummariser, MergeGroups
from camillo_server.features.compaction.servicer import CompactionServicer
from camillo_server.features.compaction.store.compactions import CompactionStore
from camillo_server.features.links.entity_store import EntityStore
from camillo_server.models.embedding.lexical import LexicalEmbedder
from camillo_server.search.index.verification import CachedIndexes
from camillo_server.storage.blocklist import key_blocks
from camillo_server.storage.jobs.board import JobBoard
from camillo_server.storage.vacuum import vacuum_texts


class WiredJobs:
    """The background jobs of one process, and the use cases of LifecycleService that rest on them."""

    def __init__(self, kernel: Kernel, distill: DistillJobs) -> None:
        settings, database, clock = kernel.settings, kernel.database, kernel.clock
        serving, following = kernel.providers.serving, kernel.providers.next
        backlog = EmbeddingBacklog(database, kernel.notifier, clock, kernel.keyring)
        store = ReembeddingStore(database, kernel.keyring, kernel.notifier.notify)
        by_model = {serving.model_id: serving}
        if following is not None:
            by_model.setdefault(following.model_id, following)
        reembed = ReembedScope(database, store, by_model, clock)
        work = JobWork(
            EmbedScope(backlog, serving),
            MissingVectors(database, backlog, kernel.without_vectors),
            reembed,
            MaintenanceJobs(
                database,
                _maintenance(kernel),
                partial(_vacuum, kernel),
                settings.lifecycle,
            ),
            distill,
        )
        self.background = BackgroundJobs(kernel.database_url, settings.jobs, work, settings.database)
        self.board = JobBoard(database, kernel.clock)
        models = Models(serving.model_id, following.model_id if following else None)
        self.reembedding = Reembedding(store, models, clock, reembed.pending.add)


def wire(
    kernel: Kernel,
    calls: CallReader,
    jobs: WiredJobs,
    indexes: CachedIndexes,
    forgetting: ForgettingServicer,
) -> Registration:
    """LifecycleService, whose methods that compact and forget are those of other features. Raises EmbeddingError."""
    policy = LifecyclePolicy.of(kernel.settings.lifecycle)
    usage = GetUsage(UsageStore(kernel.database), indexes, policy, kernel.clock)
    servicer = joined(
        LifecycleServicer(
            _maintenance(kernel),
            usage,
            jobs.board,
            jobs.reembedding,
            Reindex(ReindexingStore(kernel.writes, kernel.keyring), kernel.clock),
            kernel.settings.lifecycle.forget_without_plan,
            calls,
        ),
        _compaction(kernel, calls),
        forgetting,
    )
    return partial(add_LifecycleServiceServicer_to_server, servicer)


async def _vacuum(kernel: Kernel) -> None:
    # Here, as servers of the release before do not recognize keyed blocks: by the next run they are gone.
    await key_blocks(kernel.database)
    seconds = kernel.settings.database.connect_timeout_seconds
    await vacuum_texts(kernel.database_url, seconds)


def _maintenance(kernel: Kernel) -> Maintenance:
    policy = LifecyclePolicy.of(kernel.settings.lifecycle)
    return Maintenance(PassStore(kernel.writes, policy), kernel.clock)


def forgetting_servicer(kernel: Kernel, calls: CallReader, artifacts: RepeatingArtifacts) -> ForgettingServicer:
    """The methods of all services that forget; each service takes its own."""
    store = ForgettingStore(kernel.writes, kernel.keyring, FORGETTABLES, artifacts.find)
    names = EntityStore(kernel.writes, kernel.keyring)
    forgetting = Forgetting(store, kernel.refusals, kernel.clock, names.names_beside)
    max_without_plan = kernel.settings.lifecycle.forget_without_plan
    return ForgettingServicer(forgetting, max_without_plan, calls)


def _compaction(kernel: Kernel, calls: CallReader) -> CompactionServicer:
    """The methods that compact. Raises EmbeddingError."""
    store = CompactionStore(kernel.writes, kernel.keyring)
    compactions = Compactions(
        store,
        FindGroups(store, LexicalEmbedder(), kernel.settings.compaction),
        MergeGroups(_summariser(kernel), kernel.redactor),
        kernel.providers.serving,
        kernel.clock,
    )
    return CompactionServicer(compactions, calls)


def _summariser(kernel: Kernel) -> LiteLLMSummariser | None:
    """The model that puts memories together, if one is configured."""
    compaction = kernel.settings.compaction
    if compaction.litellm_model is None:
        return None
    return LiteLLMSummariser(compaction, kernel.model_budget)
