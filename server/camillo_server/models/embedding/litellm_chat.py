"""Answers of a remote chat model, by the library litellm: one request each, within the tenant's budget and a time."""

import asyncio

from camillo_server.kernel.ids import TenantId
from camillo_server.models.embedding.circuit_breaker import CircuitBreaker
from camillo_server.models.embedding.litellm_library import (
    Completion,
    LiteLLMLibrary,
    ProviderFailure,
    Target,
)
from camillo_server.models.embedding.spend import (
    Billing,
    EmbeddingBudget,
    Price,
    ProviderFigures,
    max_tokens,
)
from camillo_server.settings.lifecycle import ChatModelSettings

BREAKER_FAILURES = 5
BREAKER_SECONDS = 30.0


class LiteLLMChat:
    """Asks one model. A request that fails is not repeated."""

    def __init__(
        self,
        settings: ChatModelSettings,
        max_answer_tokens: int,
        budget: EmbeddingBudget | None = None,
        breaker: CircuitBreaker | None = None,
    ) -> None:
        """Imports the library, which takes seconds. Raises EmbeddingError where it is not installed."""
        self._library = LiteLLMLibrary()
        self._target = Target.of(settings)
        self._max_answer_tokens = max_answer_tokens
        self._breaker = breaker or CircuitBreaker(BREAKER_FAILURES, BREAKER_SECONDS)
        self.figures = ProviderFigures()
        price = Price(settings.usd_per_million_tokens)
        self._billing = Billing(self.model_id, price, budget, self.figures)

    @property
    def model_id(self) -> str:
        return f"litellm-{self._target.model}"

    async def complete(self, messages: list[dict[str, str]], tenant_id: TenantId) -> str:
        """The answer, empty where the model gave none or was cut short; counted for or against the provider. Raises
        BudgetExhausted, EmbeddingUnavailable, TimeoutError."""
        self._breaker.admit()
        try:
            completion = await self._complete_paid(messages, tenant_id)
        except ProviderFailure as failure:
            # A provider that refuses one request still works.
            (self._succeeded if failure.healthy else self._failed)(failure.kind)
            raise
        except TimeoutError:
            self._failed("timeout")
            raise
        except BaseException:
            # Out of budget, or cancelled: that says nothing of the provider.
            self._breaker.abandoned()
            raise
        self._succeeded("ok")
        return completion.text

    async def _complete_paid(self, messages: list[dict[str, str]], tenant_id: TenantId) -> Completion:
        """Sends a request that was paid for. If nobody knows what it cost, the reserved amount counts as spent."""
        contents = [message["content"] for message in messages]
        reservation = await self._billing.reserve(tenant_id, contents, self._max_answer_tokens)
        try:
            async with asyncio.timeout(self._target.timeout_seconds):
                completion = await self._library.complete(self._target, messages, self._max_answer_tokens)
        except ProviderFailure as failure:
            if failure.refused:
                await self._billing.refund(reservation)
            raise
        most = max_tokens(contents) + self._max_answer_tokens
        await self._billing.charge(reservation, completion.tokens or most)
        return completion

    def _succeeded(self, kind: str) -> None:
        self.figures.calls[kind] += 1
        self._breaker.succeeded()

    def _failed(self, kind: str) -> None:
        self.figures.calls[kind] += 1
        self._breaker.failed()
