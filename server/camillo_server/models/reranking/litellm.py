"""Scores of a remote reranker, by the library litellm: one request for a query and its texts, within the tenant's
budget."""

import asyncio
import logging
from collections import Counter
from collections.abc import Mapping, Sequence

import numpy as np

from camillo_server.kernel.errors import DomainError
from camillo_server.kernel.ids import TenantId
from camillo_server.kernel.off_loop import FairSlots
from camillo_server.models.embedding.circuit_breaker import CircuitBreaker
from camillo_server.models.embedding.embedder import NOBODY, EmbeddingUnavailable, encodable
from camillo_server.models.embedding.litellm_library import LiteLLMLibrary, ProviderFailure, Target
from camillo_server.models.embedding.onnx_model import EmbeddingError
from camillo_server.models.embedding.spend import NANO, EmbeddingBudget, Reservation
from camillo_server.models.reranking.text_reranking import Column
from camillo_server.settings.sections import RerankingSettings

logger = logging.getLogger(__name__)

BREAKER_FAILURES, BREAKER_SECONDS = 5, 30.0
REQUESTS_AT_ONCE = 4


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
        self._budget = budget
        self._nano_usd = round(settings.usd_per_request * NANO)
        self._breaker = breaker or CircuitBreaker(BREAKER_FAILURES, BREAKER_SECONDS)
        self._slots = FairSlots(REQUESTS_AT_ONCE)
        self.calls = Counter[str]()

    async def scores(self, query: str, texts: Sequence[str], tenant_id: TenantId = NOBODY) -> Column:
        if not self._slots.take(tenant_id):
            await self._slots.wait(tenant_id)
        try:
            self._breaker.admit()
            found = await self._admitted(query, texts, tenant_id)
        finally:
            self._slots.release(tenant_id)
        return found

    async def close(self) -> None:
        """Does nothing: nothing is held."""

    async def _admitted(self, query: str, texts: Sequence[str], tenant_id: TenantId) -> Column:
        """One request, counted for or against the provider. Raises EmbeddingUnavailable."""
        try:
            found = await self._paid(query, texts, tenant_id)
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

    async def _paid(self, query: str, texts: Sequence[str], tenant_id: TenantId) -> Column:
        reservation = await self._reserve(tenant_id)
        try:
            async with asyncio.timeout(self._target.timeout_seconds):
                answer = await self._library.rerank(self._target, encodable(query), [encodable(text) for text in texts])
        except ProviderFailure as failure:
            if failure.refused:
                await self._settle(reservation, 0)
            raise
        return _column(answer, len(texts))

    async def _reserve(self, tenant_id: TenantId) -> Reservation | None:
        """Reserves a request's cost, which stays spent if it may have been charged. Raises EmbeddingUnavailable."""
        if self._budget is None or tenant_id == NOBODY:
            return None
        try:
            return await self._budget.reserve(tenant_id, self.model_id, self._nano_usd)
        except DomainError as error:
            raise EmbeddingUnavailable(f"the budget cannot be asked: {error}") from error

    async def _settle(self, reservation: Reservation | None, nano_usd: int) -> None:
        if self._budget is None or reservation is None:
            return
        try:
            await self._budget.settle(reservation, nano_usd, 0)
        except DomainError as error:
            # The reserved amount counts as spent, which is never too little.
            logger.warning("spend not settled", extra={"cause": str(error)})

    def _count(self, kind: str, *, is_healthy: bool) -> None:
        self.calls[kind] += 1
        if is_healthy:
            self._breaker.succeeded()
        else:
            self._breaker.failed()


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
