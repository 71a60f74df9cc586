"""Scores of a remote reranker, by the library litellm: one request for a query and its texts, within the tenant's
budget."""

import asyncio
from collections.abc import Mapping, Sequence

import numpy as np

from camillo_server.kernel.ids import AgentId, TenantId
from camillo_server.kernel.off_loop import FairSlots
from camillo_server.kernel.scope import ANY_AGENT
from camillo_server.models.embedding.circuit_breaker import CircuitBreaker
from camillo_server.models.embedding.embedder import NOBODY, EmbeddingUnavailable, encodable
from camillo_server.models.embedding.limits import NANO, Used
from camillo_server.models.embedding.litellm_library import LiteLLMLibrary, ProviderFailure, Target
from camillo_server.models.embedding.onnx_model import EmbeddingError
from camillo_server.models.embedding.spend import Billing, EmbeddingBudget, ProviderFigures
from camillo_server.models.reranking.text_reranking import Column
from camillo_server.settings.sections import RerankingSettings

BREAKER_FAILURES, BREAKER_SECONDS = 5, 30.0
REQUESTS_AT_ONCE = 4
# The price where neither the settings nor the library know one.
UNKNOWN_USD_PER_REQUEST = 0.002


class LiteLLMReranker:
    """Asks a provider over the network. A request that fails is not repeated: the recall does not wait so long."""

    is_remote = True
    weight = None

    def __init__(
        self,
        settings: RerankingSettings,
        budget: EmbeddingBudget | None = None,
        *,
        breaker: CircuitBreaker | None = None,
    ) -> None:
        """Imports the library, which takes seconds. Raises EmbeddingError where it is not installed."""
        if settings.model is None:
            raise EmbeddingError("litellm needs the name of a model")
        key = settings.api_key
        self._library = LiteLLMLibrary()
        self._target = Target(
            settings.model,
            settings.api_base,
            key.get_secret_value() if key else None,
            timeout_seconds=settings.timeout_seconds,
        )
        self.model_id = f"litellm-{settings.model}"
        self._price = Used(nano_usd=round(_usd_per_request(self._library, settings) * NANO))
        self.figures = ProviderFigures()
        self._billing = Billing(self.model_id, "reranking", budget, self.figures)
        self._breaker = breaker or CircuitBreaker(BREAKER_FAILURES, BREAKER_SECONDS)
        self._slots = FairSlots(REQUESTS_AT_ONCE)

    async def scores(
        self, query: str, texts: Sequence[str], tenant_id: TenantId = NOBODY, agent_id: AgentId = ANY_AGENT
    ) -> Column:
        if not self._slots.take(tenant_id):
            await self._slots.wait(tenant_id)
        try:
            self._breaker.admit()
            found = await self._admitted(query, texts, tenant_id, agent_id)
        finally:
            self._slots.release(tenant_id)
        return found

    async def close(self) -> None:
        """Does nothing: nothing is held."""

    async def _admitted(self, query: str, texts: Sequence[str], tenant_id: TenantId, agent_id: AgentId) -> Column:
        """One request, counted for or against the provider. Raises EmbeddingUnavailable."""
        try:
            found = await self._paid(query, texts, tenant_id, agent_id)
        except ProviderFailure as failure:
            # A provider that refuses one request still works.
            self._count(failure.kind, is_healthy=failure.healthy)
            raise
        except TimeoutError as error:
            self._count("timeout", is_healthy=False)
            raise EmbeddingUnavailable("the reranker took too long") from error
        except BaseException:
            # Out of budget, or cancelled: that says nothing of the provider.
            self._breaker.abandoned()
            raise
        self._count("ok", is_healthy=True)
        return found

    async def _paid(self, query: str, texts: Sequence[str], tenant_id: TenantId, agent_id: AgentId) -> Column:
        """Pays for the request, not for its tokens. The amount stays spent if it may have been charged."""
        payment = await self._billing.reserve(tenant_id, self._price)
        try:
            async with asyncio.timeout(self._target.timeout_seconds):
                answer = await self._library.rerank(self._target, encodable(query), [encodable(text) for text in texts])
        except ProviderFailure as failure:
            if failure.refused:
                await self._billing.refund(payment)
            raise
        await self._billing.charge(payment, self._price, {agent_id: 1})
        return _column(answer, len(texts))

    def _count(self, kind: str, *, is_healthy: bool) -> None:
        self.figures.calls[kind] += 1
        if is_healthy:
            self._breaker.succeeded()
        else:
            self._breaker.failed()


def _usd_per_request(library: LiteLLMLibrary, settings: RerankingSettings) -> float:
    """The configured price, else the one that the library knows."""
    if settings.usd_per_request is not None:
        return settings.usd_per_request
    known = library.usd_per_query(settings.model or "")
    return UNKNOWN_USD_PER_REQUEST if known is None else known


def _column(answer: Mapping[int, float], count: int) -> Column:
    """The scores in the order of the texts. Raises ProviderFailure."""
    try:
        scores = np.array([answer[index] for index in range(count)], np.float32)
    except (KeyError, TypeError, ValueError) as error:
        raise _malformed("no number for each text") from error
    if len(answer) != count or not np.isfinite(scores).all():
        raise _malformed("no number for each text")
    clipped: Column = np.clip(scores, 0, 1)
    return clipped


def _malformed(what: str) -> ProviderFailure:
    return ProviderFailure(f"the reranker answered with {what}", kind="malformed", transient=False)
