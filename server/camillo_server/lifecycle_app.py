"""What becomes of memories with time, wired: the part of the composition root that knows these classes."""

from collections.abc import Mapping
from dataclasses import dataclass

from camillo.v1 import lifecycle_service_pb2_grpc

from camillo_server.contents.keyring import Keyring
from camillo_server.domain.clock import Clock
from camillo_server.domain.compaction.compact import Compact, CompactionParts
from camillo_server.domain.compaction.criteria import Thresholds
from camillo_server.domain.compaction.find_groups import FindGroups
from camillo_server.domain.compaction.list_compactions import ListCompactions
from camillo_server.domain.compaction.merge_groups import MergeGroups
from camillo_server.domain.compaction.revert_compaction import RevertCompaction
from camillo_server.domain.forgetting.lift_value_blocks import LiftValueBlocks
from camillo_server.domain.forgetting.list_receipts import ListReceipts
from camillo_server.domain.forgetting.reset_scope import ResetScope
from camillo_server.domain.ids import TenantId
from camillo_server.domain.indexes import Indexes
from camillo_server.domain.lifecycle.archive_memories import ArchiveMemories
from camillo_server.domain.lifecycle.jobs import ListJobs, RetryJob
from camillo_server.domain.lifecycle.prune_memories import PruneMemories
from camillo_server.domain.lifecycle.run_maintenance import RunMaintenance
from camillo_server.domain.lifecycle.usage import GetUsage
from camillo_server.domain.masking.rules import Mask, MaskingPolicy, Rules
from camillo_server.domain.memory import Sensitivity
from camillo_server.domain.text_embedding import TextEmbedding
from camillo_server.embedding.lexical import LexicalEmbedder
from camillo_server.job_app import JobApp, lifecycle_policy
from camillo_server.redaction.redactor import SecretRedactor
from camillo_server.rpc.call import CallReader
from camillo_server.rpc.lifecycle_servicer import LifecycleServicer, LifecycleUseCases
from camillo_server.rpc.server import Registration
from camillo_server.settings import Settings
from camillo_server.storage.compactions import PostgresCompactionStore
from camillo_server.storage.embedding_spend import BudgetLimit, PostgresEmbeddingSpend
from camillo_server.storage.lifecycle_passes import PostgresLifecycle
from camillo_server.storage.lifted_blocks import PostgresValueBlocks
from camillo_server.storage.receipts import PostgresReceipts
from camillo_server.storage.scope_reset import PostgresScopeReset
from camillo_server.storage.scope_writes import ScopeWrites
from camillo_server.storage.usage import PostgresUsage
from camillo_server.summarising.litellm import LiteLLMSummariser


@dataclass(frozen=True, slots=True)
class LifecycleParts:
    """What the rest of the server lends."""

    writes: ScopeWrites
    keyring: Keyring
    embedding: TextEmbedding
    indexes: Indexes
    jobs: JobApp
    clock: Clock


class LifecycleApp:
    """The service of lifecycles."""

    def __init__(self, settings: Settings, parts: LifecycleParts) -> None:
        self._settings = settings
        self._parts = parts
        self._policy = lifecycle_policy(settings)

    def service(self, calls: CallReader) -> Registration:
        """Adds the service to a gRPC server."""
        servicer = LifecycleServicer(self._use_cases(), calls)
        return lambda server: lifecycle_service_pb2_grpc.add_LifecycleServiceServicer_to_server(
            servicer, server
        )

    def _use_cases(self) -> LifecycleUseCases:
        parts, policy = self._parts, self._policy
        writes, jobs, clock = parts.writes, parts.jobs, parts.clock
        passes = PostgresLifecycle(writes, policy)
        compactions = PostgresCompactionStore(writes, parts.keyring)
        return LifecycleUseCases(
            maintain=RunMaintenance(passes, policy, clock),
            prune=PruneMemories(passes, clock),
            archive=ArchiveMemories(passes, clock),
            usage=GetUsage(PostgresUsage(writes.database), parts.indexes, policy, clock),
            reset=ResetScope(PostgresScopeReset(writes), clock),
            receipts=ListReceipts(PostgresReceipts(writes.database)),
            lift=LiftValueBlocks(PostgresValueBlocks(writes), clock),
            compact=self._compact(compactions),
            revert=RevertCompaction(compactions, clock),
            compactions=ListCompactions(compactions, clock),
            jobs=ListJobs(jobs.board),
            retry=RetryJob(jobs.board),
            reembed=jobs.start_reembedding(),
            reembedding=jobs.get_reembedding(),
        )

    def _compact(self, store: PostgresCompactionStore) -> Compact:
        compaction = self._settings.compaction
        thresholds = Thresholds(compaction.tag_threshold, compaction.likeness)
        parts = CompactionParts(
            FindGroups(store, LexicalEmbedder(), thresholds),
            MergeGroups(self._summariser(), SecretRedactor()),
            self._parts.embedding,
        )
        return Compact(store, parts, self._parts.clock)

    def _summariser(self) -> LiteLLMSummariser | None:
        """The model that puts memories together, if one is configured. Raises EmbeddingError."""
        compaction, memory = self._settings.compaction, self._settings.memory
        if compaction.litellm_model is None:
            return None
        database, clock = self._parts.writes.database, self._parts.clock
        spend = PostgresEmbeddingSpend(database, clock, BudgetLimit.of(memory))
        return LiteLLMSummariser(compaction, spend, budget_usd=memory.embedding_budget_usd or 0)


def masking_policy(settings: Settings) -> MaskingPolicy:
    """What is masked where it is shown."""
    masking = settings.masking
    default = masking.default.model_dump()
    return MaskingPolicy(
        _rules(default),
        {
            TenantId(tenant): _rules({**default, **rules.model_dump(exclude_none=True)})
            for tenant, rules in masking.tenants.items()
        },
    )


def _rules(masks: Mapping[str, str]) -> Rules:
    return {level: Mask(masks[level.name.lower()]) for level in Sensitivity}
