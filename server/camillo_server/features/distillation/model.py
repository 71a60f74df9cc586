"""The model that distils: one request for each passage, paid and bounded."""

from datetime import timedelta

from camillo_server.features.distillation.proposal import ModelUnavailable
from camillo_server.kernel.scope import Scope
from camillo_server.models.embedding.circuit_breaker import CircuitBreaker
from camillo_server.models.embedding.embedder import EmbeddingUnavailable
from camillo_server.models.embedding.limits import NANO, BudgetExhausted, SpendLimit
from camillo_server.models.embedding.litellm import LiteLLMChat
from camillo_server.models.embedding.spend import EmbeddingBudget
from camillo_server.settings.lifecycle import DistillationSettings

# Enough for as many statements as are asked for, with quotes in any script.
MAX_ANSWER_TOKENS = 8_000


class DistillationModel:
    """A remote language model. A request that fails is not repeated: the turns stay behind the cursor."""

    def __init__(
        self,
        settings: DistillationSettings,
        budget: EmbeddingBudget | None = None,
        breaker: CircuitBreaker | None = None,
    ) -> None:
        """Imports the library, which takes seconds. Raises EmbeddingError where it is not installed."""
        self._chat = LiteLLMChat(settings, MAX_ANSWER_TOKENS, "distillation", budget, breaker)
        self._settings = settings
        self.model_id = self._chat.model_id
        self.timeout = timedelta(seconds=settings.litellm_timeout_seconds)

    def limit_of_run(self) -> SpendLimit:
        """The bound of one distillation, which also counts what it has cost."""
        usd = self._settings.run_budget_usd
        most = None if usd is None else round(usd * NANO)
        return SpendLimit("run", "distillation_run_budget", most, self._settings.run_budget_tokens)

    async def ask(self, messages: list[dict[str, str]], scope: Scope, spent: SpendLimit) -> str:
        """The answer, empty where the model gave none; `spent` counts what it cost. Raises QuotaExceeded where a budget
        is used up, ModelUnavailable."""
        try:
            return await self._chat.complete(messages, scope, (spent,))
        except BudgetExhausted as error:
            raise error.quota from error
        except EmbeddingUnavailable as error:
            raise ModelUnavailable(error.reason) from error
        except TimeoutError as error:
            raise ModelUnavailable("the model took too long") from error
