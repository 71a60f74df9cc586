"""The library litellm, kept quiet: one request, and what its errors mean.

It takes seconds to import, asks the network for prices, reads `.env` files and repeats requests by itself, unless
told otherwise before or right after its import.
"""

import importlib
import os
import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Self, cast

from camillo_server.models.embedding.embedder import EmbeddingUnavailable
from camillo_server.models.embedding.onnx_model import EmbeddingError
from camillo_server.settings.lifecycle import ChatModelSettings
from camillo_server.settings.settings import MemorySettings

# Read by the library when it is imported.
ENVIRONMENT = {
    "LITELLM_LOCAL_MODEL_COST_MAP": "True",
    "LITELLM_MODE": "PRODUCTION",
    "LITELLM_LOG": "ERROR",
}
MILLION = 1_000_000
REFUSED_FOR_ITS_CONTENT = frozenset({400, 413, 422})
TOO_MANY_REQUESTS = 429
REQUEST_TIMEOUT = 408


class ProviderFailure(EmbeddingUnavailable):
    """One request that failed.

    `transient`: the same may succeed later. `refused`: the provider answered with an error, and charges nothing.
    `healthy`: nothing is wrong with the provider, but with what it was asked.
    """

    def __init__(
        self,
        reason: str,
        *,
        kind: str,
        transient: bool,
        refused: bool = False,
        healthy: bool = False,
        retry_after_seconds: float | None = None,
    ) -> None:
        super().__init__(reason)
        self.kind = kind
        self.transient = transient
        self.refused = refused
        self.healthy = healthy
        self.retry_after_seconds = retry_after_seconds


@dataclass(frozen=True, slots=True)
class Target:
    """A model and its address. Without a key the library takes the provider's own variable."""

    model: str
    api_base: str | None = None
    api_key: str | None = None
    # Asked for where the model can shorten its vectors.
    dimensions: int | None = None
    timeout_seconds: float = 10.0

    @classmethod
    def of(cls, settings: MemorySettings | ChatModelSettings, dimensions: int | None = None) -> Self:
        """The model that the settings name. Raises EmbeddingError where they name none."""
        if settings.litellm_model is None:
            raise EmbeddingError("litellm needs the name of a model")
        key = settings.litellm_api_key
        return cls(
            settings.litellm_model,
            settings.litellm_api_base,
            key.get_secret_value() if key else None,
            dimensions,
            settings.litellm_timeout_seconds,
        )


@dataclass(frozen=True, slots=True)
class ProviderAnswer:
    """Vectors in the order of the texts, as the provider gave them, and how many tokens it counted, if it did."""

    vectors: list[Any]
    tokens: int | None


@dataclass(frozen=True, slots=True)
class Completion:
    """A text, empty where the model gave none or was cut short, and how many tokens the provider counted in the request
    and in the answer, if it did."""

    text: str
    input_tokens: int | None
    output_tokens: int | None


class LiteLLMLibrary:
    """The imported library. Making one blocks for seconds. Raises EmbeddingError where it is not installed."""

    def __init__(self) -> None:
        for name, value in ENVIRONMENT.items():
            os.environ.setdefault(name, value)
        # Its own definitions cause the warning, as late as at the first request.
        warnings.filterwarnings("ignore", "Item .* using the `ReadOnly` qualifier", UserWarning)
        try:
            self._litellm = cast("Any", importlib.import_module("litellm"))
            self._errors = cast("Any", importlib.import_module("openai")).OpenAIError
            # The first request would import it, on the event loop.
            importlib.import_module("openai.resources")
        except ImportError as error:
            raise EmbeddingError(
                f"litellm cannot be imported ({error}): pip install 'camillo-server[litellm]'"
            ) from error
        self._litellm.telemetry = False
        self._litellm.suppress_debug_info = True
        # 0 for each call is taken for "not given" by the library, which then repeats twice.
        self._litellm.DEFAULT_MAX_RETRIES = 0

    def usd_per_million_tokens(self, model: str) -> tuple[float | None, float | None]:
        """The prices of requests and answers, as far as the library knows them."""
        info = self._model_info(model)
        costs = [info.get(name) for name in ("input_cost_per_token", "output_cost_per_token")]
        asked, answered = (None if cost is None else float(cost) * MILLION for cost in costs)
        return asked, answered

    def usd_per_query(self, model: str) -> float | None:
        """The price of one request to a reranker, as far as the library knows it."""
        cost = self._model_info(model).get("input_cost_per_query")
        return None if cost is None else float(cost)

    def dimensions(self, model: str) -> int | None:
        """The length of the model's vectors, as far as the library knows it."""
        size = self._model_info(model).get("output_vector_size")
        return None if size is None else int(size)

    def _model_info(self, model: str) -> dict[str, Any]:
        known: dict[str, dict[str, Any]] = self._litellm.model_cost
        # Models of OpenAI stand there without their provider's name.
        return known.get(model) or known.get(model.partition("/")[2]) or {}

    async def embed(self, target: Target, texts: Sequence[str]) -> ProviderAnswer:
        """One request, not repeated. Raises ProviderFailure."""
        size = {} if target.dimensions is None else {"dimensions": target.dimensions}
        try:
            response = await self._litellm.aembedding(
                input=list(texts), encoding_format="float", **size, **_arguments(target)
            )
        except self._errors as error:
            raise _failure(error) from error
        return _answer(response)

    async def rerank(self, target: Target, query: str, texts: Sequence[str]) -> Mapping[int, float]:
        """One request, not repeated: the score of each text by its index, as the provider gave it. Raises
        ProviderFailure."""
        arguments = {"query": query, "documents": list(texts), "top_n": len(texts)}
        try:
            response = await self._litellm.arerank(return_documents=False, **arguments, **_arguments(target))
        except self._errors as error:
            raise _failure(error) from error
        return {int(each["index"]): each["relevance_score"] for each in response.results or []}

    async def complete(self, target: Target, messages: list[dict[str, str]], max_tokens: int) -> Completion:
        """One request for an answer of at most so many tokens, not repeated. Raises ProviderFailure."""
        try:
            response = await self._litellm.acompletion(
                messages=messages, max_tokens=max_tokens, temperature=0, **_arguments(target)
            )
        except self._errors as error:
            raise _failure(error) from error
        return _completion(response)


def _arguments(target: Target) -> dict[str, Any]:
    """Arguments of every request: the library itself does not repeat it."""
    return {
        "model": target.model,
        "api_base": target.api_base,
        "api_key": target.api_key,
        "timeout": target.timeout_seconds,
        # Providers that take no `dimensions`, `encoding_format` or `temperature` are asked without.
        "drop_params": True,
        "num_retries": 0,
        "max_retries": 0,
    }


def _answer(response: Any) -> ProviderAnswer:
    rows = sorted(response.data or [], key=lambda row: row.get("index") or 0)
    return ProviderAnswer([row.get("embedding") for row in rows], _tokens(response))


def _completion(response: Any) -> Completion:
    choice = next(iter(response.choices or []), None)
    text = getattr(getattr(choice, "message", None), "content", None)
    is_whole = getattr(choice, "finish_reason", None) == "stop"
    return Completion(text if isinstance(text, str) and is_whole else "", *_tokens_of_both(response))


def _tokens(response: Any) -> int | None:
    return getattr(getattr(response, "usage", None), "total_tokens", None) or None


def _tokens_of_both(response: Any) -> tuple[int | None, int | None]:
    """The tokens of a request and its answer. Some providers count what a model thinks in the sum alone: it is paid as
    part of the answer."""
    usage, total = getattr(response, "usage", None), _tokens(response)
    asked = getattr(usage, "prompt_tokens", None) or None
    answered = getattr(usage, "completion_tokens", None)
    if total is None or asked is None:
        return asked, answered if asked else None
    return asked, max(answered or 0, total - asked)


def _failure(error: Any) -> ProviderFailure:
    """The failure by its status, which the library invents if it had none; only an answer has headers."""
    status = int(getattr(error, "status_code", None) or 500)
    headers = getattr(error, "litellm_response_headers", None)
    return ProviderFailure(
        # Its own words may quote the request.
        f"the provider failed: {type(error).__name__} ({status})",
        kind=_kind(status, answered=headers is not None),
        transient=status in (REQUEST_TIMEOUT, TOO_MANY_REQUESTS) or status >= 500,
        # The library gives 408 and 500 to what was not answered.
        refused=headers is not None or (status < 500 and status != REQUEST_TIMEOUT),
        healthy=status in REFUSED_FOR_ITS_CONTENT,
        retry_after_seconds=_seconds((headers or {}).get("retry-after")),
    )


def _kind(status: int, *, answered: bool) -> str:
    if status in (REQUEST_TIMEOUT, TOO_MANY_REQUESTS):
        return "timeout" if status == REQUEST_TIMEOUT else "rate_limited"
    if status < 500:
        return "refused"
    return "server_error" if answered else "connection"


def _seconds(retry_after: str | None) -> float | None:
    """The header in seconds; its other form, a date, is passed over, as it depends on the clocks of both sides."""
    try:
        return max(0.0, float(retry_after)) if retry_after else None
    except ValueError:
        return None
