"""A local cross-encoder, an ONNX model that reads a query and a text together; and the choice between it and a
provider."""

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import numpy as np

from camillo_server.kernel.ids import AgentId, TenantId
from camillo_server.kernel.off_loop import UNBOUNDED, off_loop
from camillo_server.kernel.scope import ANY_AGENT
from camillo_server.models.embedding.batching import Batching, Sharing, divide
from camillo_server.models.embedding.embedder import NOBODY, EmbeddingUnavailable
from camillo_server.models.embedding.model_spec import ModelSpec
from camillo_server.models.embedding.onnx_model import (
    MODEL_FILE,
    EmbeddingError,
    OnnxModel,
    ScoringHead,
    file_sha256,
)
from camillo_server.models.embedding.spend import EmbeddingBudget
from camillo_server.models.reranking.litellm import LiteLLMReranker
from camillo_server.models.reranking.text_reranking import (
    DEFAULT_WEIGHT,
    Column,
    RerankDefaults,
    Reranker,
    TextReranking,
)
from camillo_server.settings.sections import RerankingSettings

_LOGITS, _HIDDEN_STATE = "logits", "last_hidden_state"
_DEFAULT_MAX_TOKENS = 512
_MODEL_HASH_CHARACTERS = 12
# A batch is one job of the thread: what another caller waits for at most before its turn comes.
SHARING = Sharing(texts=16, characters=4_096, padded=True)


@dataclass(frozen=True, slots=True)
class Pair:
    """A query and a text that are read together; as long as both."""

    query: str
    text: str

    def __len__(self) -> int:
        return len(self.query) + len(self.text)


class CrossEncoder:
    """Runs the model of one directory in one thread of its own. A row has one number, 0 to 1. `weight` is what the
    model states, if it does."""

    dimensions = 1

    def __init__(self, model_dir: Path, threads: int = 1) -> None:
        """Loads the model and tries it; blocks for as long as that takes. Raises EmbeddingError.

        `threads` is how many cores one batch may use.
        """
        spec = ModelSpec.read(model_dir)
        self.weight, self._midpoint = spec.rerank_weight, spec.rerank_midpoint
        self._model = OnnxModel(model_dir, threads, spec.max_tokens or _DEFAULT_MAX_TOKENS)
        self._head = ScoringHead.read(model_dir)
        outputs = self._model.outputs
        wanted = _LOGITS if self._head is None else _HIDDEN_STATE
        self._output = wanted if wanted in outputs else outputs[0]
        digest = file_sha256(model_dir / MODEL_FILE)[:_MODEL_HASH_CHARACTERS]
        self.model_id = f"{model_dir.name}-{digest}"
        try:
            # Two, so that one text and one class are told apart.
            self._read_batch([Pair("query", "text"), Pair("query", "another text")])
        except EmbeddingUnavailable as error:
            raise EmbeddingError(error.reason) from error
        self._closed = False
        self._executor = ThreadPoolExecutor(1, thread_name_prefix="rerank-onnx")

    async def embed(
        self, texts: Sequence[Pair], tenant_id: TenantId = NOBODY, agent_ids: Sequence[AgentId] = ()
    ) -> Column:
        rows = np.zeros((len(texts), 1), dtype=np.float32)
        for indices in divide(texts, SHARING):
            if self._closed:
                raise EmbeddingUnavailable("the reranker is closed")
            batch = [texts[index] for index in indices]
            scores = await off_loop(UNBOUNDED, partial(self._read_batch, batch), self._executor)
            rows[indices, 0] = scores
        return rows

    async def close(self) -> None:
        self._closed = True
        await off_loop(UNBOUNDED, self._executor.shutdown)

    def _read_batch(self, pairs: Sequence[Pair]) -> Column:
        """One score for each pair: shape (len(pairs),)."""
        values = self._model.run([(pair.query, pair.text) for pair in pairs], self._output).values
        logits = values if self._head is None else self._head.logits(values)
        return scores_of(logits, len(pairs), self._midpoint)


def scores_of(logits: Column, count: int, midpoint: float = 0.0) -> Column:
    """Scores from 0 to 1 of the logits of `count` pairs: one for each, of shape (count,) or (count, 1), or one for each
    of two classes, of which the second is the relevant one, (count, 2). `midpoint` is the logit that is a score of one
    half. Raises EmbeddingUnavailable."""
    logits = logits.astype(np.float32)
    if logits.shape == (count, 2):
        margin = logits[:, 1] - logits[:, 0]
    elif logits.shape in ((count, 1), (count,)):
        margin = logits.reshape(count)
    else:
        shape = list(logits.shape)
        raise EmbeddingUnavailable(f"the model is no cross-encoder: of {count} pairs it makes {shape} numbers")
    if np.isnan(margin).any():
        raise EmbeddingUnavailable("the model answered with values that are no numbers")
    # For two classes, the softmax is the logistic function of the difference. Beyond 60 it is 1 in float32.
    scores: Column = 1 / (1 + np.exp(-np.clip(margin - midpoint, -60, 60)))
    return scores


class LocalReranker:
    """A cross-encoder behind batches of all callers' pairs, of similar length, tenants in turns."""

    is_remote = False

    def __init__(self, encoder: CrossEncoder) -> None:
        self.model_id, self.weight = encoder.model_id, encoder.weight
        self._batching = Batching(encoder, SHARING)

    async def scores(
        self, query: str, texts: Sequence[str], tenant_id: TenantId = NOBODY, agent_id: AgentId = ANY_AGENT
    ) -> Column:
        rows = await self._batching.embed([Pair(query, text) for text in texts], tenant_id)
        return rows[:, 0]

    async def close(self) -> None:
        await self._batching.close()


# Beside `models`, in which every model is taken for an embedder.
DIRECTORY = "rerankers"


def choose_reranker(
    settings: RerankingSettings, data_dir: Path, budget: EmbeddingBudget | None = None
) -> Reranker | None:
    """The reranker that the settings name, loaded; None where they name none. Raises EmbeddingError."""
    match settings.provider:
        case "none":
            return None
        case "litellm":
            return LiteLLMReranker(settings, budget)
        case "onnx":
            return LocalReranker(_first_that_loads(settings, data_dir))


def open_reranking(
    settings: RerankingSettings,
    data_dir: Path,
    budget: EmbeddingBudget,
    on_outcome: Callable[[str], None],
) -> TextReranking | None:
    """The reranker with its budget of time and its cache; None where the settings name none. Raises EmbeddingError."""
    reranker = choose_reranker(settings, data_dir, budget)
    if reranker is None:
        return None
    # The operator's word, then that of the model.
    stated = [each for each in (settings.weight, reranker.weight) if each is not None]
    weight = stated[0] if stated else DEFAULT_WEIGHT
    defaults = RerankDefaults(settings.candidates, settings.budget_ms / 1000, weight)
    return TextReranking(reranker, defaults, settings.cache_entries, on_outcome)


def _first_that_loads(settings: RerankingSettings, data_dir: Path) -> CrossEncoder:
    """Raises the EmbeddingError of the first that does not."""
    failures: list[EmbeddingError] = []
    for model_dir in _model_dirs(settings.model, data_dir / DIRECTORY):
        try:
            return CrossEncoder(model_dir, settings.threads)
        except EmbeddingError as error:
            failures.append(error)
    missing = f"there is no reranker in {data_dir / DIRECTORY}: camillo models pull"
    raise failures[0] if failures else EmbeddingError(missing)


def _model_dirs(model: str | None, rerankers: Path) -> Iterator[Path]:
    """The directory of the named model alone; without a name, all that are found, ordered by name."""
    if model is None:
        yield from sorted(path.parent for path in rerankers.glob(f"*/{MODEL_FILE}"))
    elif "/" in model or "\\" in model:
        yield Path(model).expanduser()
    else:
        yield rerankers / model
