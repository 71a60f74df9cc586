"""Vectors and answers of a remote provider, by the library litellm: bounded, within the tenant's budget and a time;
requests for vectors are repeated."""

import asyncio
import math
import random
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from camillo_server.kernel.ids import AgentId, TenantId
from camillo_server.kernel.scope import Scope
from camillo_server.models.embedding.circuit_breaker import BreakerState, CircuitBreaker, CircuitOpen
from camillo_server.models.embedding.embedder import NOBODY, EmbeddingUnavailable, encodable
from camillo_server.models.embedding.limits import BudgetExhausted, SpendLimit, Used
from camillo_server.models.embedding.litellm_library import (
    Completion,
    LiteLLMLibrary,
    ProviderAnswer,
    ProviderFailure,
    Target,
)
from camillo_server.models.embedding.onnx_model import EmbeddingError
from camillo_server.models.embedding.prefixes import NO_PREFIXES, Prefixes, prefixes_by_name, prefixes_id
from camillo_server.models.embedding.spend import (
    Billing,
    EmbeddingBudget,
    Operation,
    Payment,
    Price,
    ProviderFigures,
    max_tokens,
    shares_of,
)
from camillo_server.settings.lifecycle import ChatModelSettings
from camillo_server.settings.settings import MemorySettings

Rows = NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Retries:
    """The number of repeats of a call, and the pauses between them."""

    max_retries: int = 3
    first_seconds: float = 0.25
    max_seconds: float = 8.0

    def pause_seconds(self, failures: int, retry_after_seconds: float | None) -> float | None:
        """The pause after the n-th failure, at random so that callers do not return together; None to give up.

        Never shorter than the provider asks for; one that asks for more than the longest pause is not waited for.
        """
        if failures > self.max_retries:
            return None
        demanded = retry_after_seconds or 0.0
        if demanded > self.max_seconds:
            return None
        grown = min(self.max_seconds, self.first_seconds * 2 ** (failures - 1))
        return demanded + random.uniform(grown / 2, grown)  # noqa: S311


class LiteLLMEmbedder:
    """Asks a provider over the network. Batches that are too large for one request are its caller's to divide."""

    def __init__(
        self,
        settings: MemorySettings,
        budget: EmbeddingBudget | None = None,
        *,
        breaker: CircuitBreaker | None = None,
        pause: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        """Imports the library, which takes seconds. Raises EmbeddingError.

        Nothing is asked of the provider: a server starts while it is away.
        """
        library, target = LiteLLMLibrary(), Target.of(settings, settings.embedding_dimensions)
        self._library = library
        self._target = target
        self._retries = Retries(settings.litellm_retries)
        self._pause = pause
        self.dimensions = target.dimensions or _known_dimensions(library, target.model)
        self._prefixes = prefixes_by_name(target.model) if settings.litellm_prefixes else NO_PREFIXES
        # Vectors of texts without prefixes are others.
        self.model_id = f"litellm-{target.model}-{self.dimensions}{prefixes_id(self._prefixes)}"
        # A request given up by its callers after so long is held against the provider.
        self._slow_seconds = settings.embed_timeout_seconds / 2
        self._breaker = breaker or CircuitBreaker(settings.litellm_breaker_failures, settings.litellm_breaker_seconds)
        self.figures = ProviderFigures()
        self._price = Price(_embedding_price(library, target.model, settings))
        self._billing = Billing(self.model_id, "embedding", budget, self.figures)
        self._closed = False

    @property
    def prefixes(self) -> Prefixes:
        """The prefixes that the model wants before a query and before a stored text."""
        return self._prefixes

    @property
    def breaker_state(self) -> BreakerState:
        """The state of the circuit breaker: whether requests go to the provider at present."""
        return self._breaker.state

    async def embed(
        self, texts: Sequence[str], tenant_id: TenantId = NOBODY, agent_ids: Sequence[AgentId] = ()
    ) -> Rows:
        rows = np.zeros((len(texts), self.dimensions), dtype=np.float32)
        # Providers refuse empty texts; such a text has no feature.
        indices = [index for index, text in enumerate(texts) if text.strip()]
        if indices:
            sent = [encodable(texts[index]) for index in indices]
            of_sent = [agent_ids[index] for index in indices] if len(agent_ids) > 1 else agent_ids
            rows[indices] = await self._embed_with_retries(sent, tenant_id, of_sent)
        return rows

    async def close(self) -> None:
        self._closed = True

    async def _embed_with_retries(self, texts: list[str], tenant_id: TenantId, agent_ids: Sequence[AgentId]) -> Rows:
        failures = 0
        while True:
            try:
                return await self._embed_once(texts, tenant_id, agent_ids)
            except ProviderFailure as failure:
                failures += 1
                if not failure.transient:
                    raise
                seconds = self._retries.pause_seconds(failures, failure.retry_after_seconds)
                if seconds is None:
                    raise
            await self._pause(seconds)

    async def _embed_once(self, texts: list[str], tenant_id: TenantId, agent_ids: Sequence[AgentId]) -> Rows:
        """One request, admitted, paid and checked. Raises CircuitOpen, BudgetExhausted, EmbeddingUnavailable."""
        if self._closed:
            raise EmbeddingUnavailable("the embedder is closed")
        try:
            self._breaker.admit()
        except CircuitOpen:
            self.figures.calls["circuit_open"] += 1
            raise
        asked_at = math.inf
        try:
            payment = await self._billing.reserve(tenant_id, self._price.used(max_tokens(texts)))
            asked_at = self._breaker.monotonic()
            rows = await self._request(texts, payment, agent_ids)
        except ProviderFailure as failure:
            self._count(failure.kind, is_healthy=failure.healthy)
            raise
        except BaseException as error:
            if isinstance(error, BudgetExhausted):
                self.figures.calls["budget_exhausted"] += 1
            # One that its callers cancel is held against the provider if it had taken too long.
            if self._breaker.monotonic() - asked_at < self._slow_seconds:
                self._breaker.abandoned()
            else:
                self._count("timeout", is_healthy=False)
            raise
        self._count("ok", is_healthy=True)
        return rows

    def _count(self, kind: str, *, is_healthy: bool) -> None:
        self.figures.calls[kind] += 1
        if is_healthy:
            self._breaker.succeeded()
        else:
            self._breaker.failed()

    async def _request(self, texts: list[str], payment: Payment, agent_ids: Sequence[AgentId]) -> Rows:
        """Raises ProviderFailure. The reserved amount stays spent if nobody knows what a request cost."""
        try:
            answer = await self._library.embed(self._target, texts)
        except ProviderFailure as failure:
            if failure.refused:
                await self._billing.refund(payment)
            raise
        # One that does not count may have used as many as there can be.
        tokens = answer.tokens if answer.tokens is not None else max_tokens(texts)
        await self._billing.charge(payment, self._price.used(tokens), shares_of(agent_ids, texts))
        return _unit_rows(answer, len(texts), self.dimensions)


def _unit_rows(answer: ProviderAnswer, count: int, dimensions: int) -> Rows:
    """The vectors scaled to length 1: shape (count, dimensions). Raises ProviderFailure."""
    if len(answer.vectors) != count:
        raise _malformed(f"{len(answer.vectors)} vectors for {count} texts")
    try:
        rows = np.array(answer.vectors, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise _malformed("vectors that are no lists of numbers of one length") from error
    if rows.shape != (count, dimensions):
        raise _malformed(f"vectors of shape {rows.shape[1:]}; {dimensions} dimensions expected")
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    if not np.isfinite(lengths).all():
        raise _malformed("vectors with values that are no finite numbers")
    return (rows / np.where(lengths > 0, lengths, 1)).astype(np.float32)


def _malformed(what: str) -> ProviderFailure:
    return ProviderFailure(f"the embedding provider answered with {what}", kind="malformed", transient=False)


def _known_dimensions(library: LiteLLMLibrary, model: str) -> int:
    known = library.dimensions(model)
    if known is None:
        raise EmbeddingError(
            f"litellm does not know how long the vectors of {model} are: set memory.embedding_dimensions"
        )
    return known


def _embedding_price(library: LiteLLMLibrary, model: str, settings: MemorySettings) -> float:
    """The configured one, else the one that the library knows. Raises EmbeddingError where a budget needs one."""
    if settings.litellm_price_per_million_tokens is not None:
        return settings.litellm_price_per_million_tokens
    known, _ = library.usd_per_million_tokens(model)
    if known is None and settings.embedding_budget_usd is not None:
        raise EmbeddingError(
            f"litellm does not know the price of {model}, which the budget needs: "
            "set memory.litellm_price_per_million_tokens"
        )
    return known or 0.0


def chat_price(library: LiteLLMLibrary, model: str, settings: ChatModelSettings) -> Price:
    """The configured prices, else those that the library knows, else a dollar for a million tokens. A configured price
    of requests is that of answers, too, unless that is configured as well."""
    known_input, known_output = library.usd_per_million_tokens(model)
    asked, answered = settings.usd_per_million_tokens, settings.usd_per_million_output_tokens
    price = next(each for each in (asked, known_input, UNKNOWN_USD_PER_MILLION_TOKENS) if each is not None)
    if answered is None and asked is None:
        answered = known_output
    return Price(price, answered)


# The price of a chat model where neither the settings nor the library know one.
UNKNOWN_USD_PER_MILLION_TOKENS = 1.0
BREAKER_FAILURES = 5
BREAKER_SECONDS = 30.0


class LiteLLMChat:
    """Asks one model for one operation. A request that fails is not repeated."""

    def __init__(
        self,
        settings: ChatModelSettings,
        max_answer_tokens: int,
        operation: Operation,
        budget: EmbeddingBudget | None = None,
        breaker: CircuitBreaker | None = None,
    ) -> None:
        """Imports the library, which takes seconds. Raises EmbeddingError where it is not installed."""
        self._library = LiteLLMLibrary()
        self._target = Target.of(settings)
        self._max_answer_tokens = max_answer_tokens
        self._breaker = breaker or CircuitBreaker(BREAKER_FAILURES, BREAKER_SECONDS)
        self.figures = ProviderFigures()
        self._price = chat_price(self._library, self._target.model, settings)
        self._billing = Billing(self.model_id, operation, budget, self.figures)

    @property
    def model_id(self) -> str:
        return f"litellm-{self._target.model}"

    async def complete(self, messages: list[dict[str, str]], scope: Scope, limits: Sequence[SpendLimit] = ()) -> str:
        """The answer, empty where the model gave none or was cut short; counted for or against the provider. The tenant
        of the space pays, and each of the limits has to pay for it, too; afterwards they say what it cost. Raises
        BudgetExhausted, EmbeddingUnavailable, TimeoutError."""
        self._breaker.admit()
        try:
            completion = await self._complete_paid(messages, scope, limits)
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

    async def _complete_paid(
        self, messages: list[dict[str, str]], scope: Scope, limits: Sequence[SpendLimit]
    ) -> Completion:
        """Sends a request that was paid for. If nobody knows what it cost, the reserved amount counts as spent."""
        contents = [message["content"] for message in messages]
        most = self._price.used(max_tokens(contents), self._max_answer_tokens)
        payment = await self._billing.reserve(scope.tenant_id, most, limits)
        try:
            async with asyncio.timeout(self._target.timeout_seconds):
                completion = await self._library.complete(self._target, messages, self._max_answer_tokens)
        except ProviderFailure as failure:
            if failure.refused:
                await self._billing.refund(payment)
            raise
        await self._billing.charge(payment, self._used(completion, most), {scope.agent_id: 1})
        return completion

    def _used(self, completion: Completion, most: Used) -> Used:
        """The amounts that the provider counted, and the most that there can be of those that it did not count."""
        asked, answered = completion.input_tokens, completion.output_tokens
        return self._price.used(
            most.input_tokens if asked is None else asked,
            most.output_tokens if answered is None else answered,
        )

    def _succeeded(self, kind: str) -> None:
        self.figures.calls[kind] += 1
        self._breaker.succeeded()

    def _failed(self, kind: str) -> None:
        self.figures.calls[kind] += 1
        self._breaker.failed()


def without_fence(answer: str) -> str:
    """An answer without a fence of Markdown, in which many models put JSON despite the prompt; its end may be cut."""
    text = answer.strip()
    if not text.startswith("```") or "\n" not in text:
        return text
    return text[text.index("\n") :].strip().removesuffix("```")
