"""The model that distils: one request for each passage, paid and bounded."""

from datetime import timedelta

from camillo_server.features.distillation.errors import ModelUnavailable
from camillo_server.kernel.errors import QuotaExceeded
from camillo_server.kernel.scope import Scope
from camillo_server.models.embedding.circuit_breaker import CircuitBreaker
from camillo_server.models.embedding.embedder import EmbeddingUnavailable
from camillo_server.models.embedding.limits import NANO, BudgetExhausted, BudgetLimit, SpendLimit
from camillo_server.models.embedding.litellm import LiteLLMChat
from camillo_server.models.embedding.spend import EmbeddingBudget
from camillo_server.settings.lifecycle import DistillationSettings

# Enough for as many statements as are asked for, with quotes in any script.
MAX_ANSWER_TOKENS = 8_000
NANO_PER_CENT = NANO // 100


class DistillationModel:
    """A remote language model. A request that fails is not repeated: the turns stay behind the cursor."""

    def __init__(
        self,
        settings: DistillationSettings,
        budget: EmbeddingBudget | None = None,
        limit: BudgetLimit | None = None,
        breaker: CircuitBreaker | None = None,
    ) -> None:
        """Imports the library, which takes seconds. Raises EmbeddingError where it is not installed. `limit` is the
        tenant's, which the budget checks; an error names it."""
        self._chat = LiteLLMChat(settings, MAX_ANSWER_TOKENS, "distillation", budget, breaker)
        self._settings = settings
        self._limit = limit
        self.model_id = self._chat.model_id
        self.timeout = timedelta(seconds=settings.litellm_timeout_seconds)

    def limit_of_run(self) -> SpendLimit:
        """The bound of one distillation, which also counts what it has cost."""
        usd = self._settings.run_budget_usd
        return SpendLimit("run", None if usd is None else round(usd * NANO), self._settings.run_budget_tokens)

    async def ask(self, messages: list[dict[str, str]], scope: Scope, spent: SpendLimit) -> str:
        """The answer, empty where the model gave none; `spent` counts what it cost. Raises QuotaExceeded where a budget
        is used up, ModelUnavailable."""
        try:
            return await self._chat.complete(messages, scope, (spent,))
        except BudgetExhausted as error:
            raise self._quota(error, spent) from error
        except EmbeddingUnavailable as error:
            raise ModelUnavailable(error.reason) from error
        except TimeoutError as error:
            raise ModelUnavailable("the model took too long") from error

    def _quota(self, error: BudgetExhausted, spent: SpendLimit) -> QuotaExceeded:
        if error.period == spent.period:
            name, nano_usd, tokens = "distillation_run_budget", spent.max_nano_usd, spent.max_tokens
        else:
            name = "embedding_budget"
            nano_usd, tokens = (self._limit.nano_usd, self._limit.tokens) if self._limit else (None, None)
        limit = (nano_usd or 0) // NANO_PER_CENT if error.unit == "cents" else tokens or 0
        return QuotaExceeded(f"{name}_{error.unit}", limit)
