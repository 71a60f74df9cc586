"""Compaction, wired: LifecycleService has its methods."""

from camillo_server.assembly.kernel import Kernel
from camillo_server.doors.rpc.call import CallReader
from camillo_server.features.compaction.compactions import Compactions
from camillo_server.features.compaction.groups import FindGroups
from camillo_server.features.compaction.merge import MergeGroups
from camillo_server.features.compaction.servicer import CompactionServicer
from camillo_server.features.compaction.store.compactions import CompactionStore
from camillo_server.features.compaction.summarizer import LiteLLMSummariser
from camillo_server.models.embedding.lexical import LexicalEmbedder
from camillo_server.models.embedding.spend import BudgetLimit, EmbeddingBudget


def compaction_servicer(kernel: Kernel, calls: CallReader) -> CompactionServicer:
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
    compaction, memory = kernel.settings.compaction, kernel.settings.memory
    if compaction.litellm_model is None:
        return None
    spend = EmbeddingBudget(kernel.database, kernel.clock, BudgetLimit.of(memory))
    return LiteLLMSummariser(compaction, spend, budget_usd=memory.embedding_budget_usd or 0)
