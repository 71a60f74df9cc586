"""Sentence vectors of a local ONNX model: pooled over the tokens as the model wants it, unit length."""

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import cast

import numpy as np
from numpy.typing import NDArray

from camillo_server.kernel.ids import AgentId, TenantId
from camillo_server.kernel.off_loop import UNBOUNDED, off_loop
from camillo_server.models.embedding.batching import Sharing, divide
from camillo_server.models.embedding.embedder import NOBODY, EmbeddingUnavailable
from camillo_server.models.embedding.model_spec import ModelSpec, Pooling
from camillo_server.models.embedding.onnx_model import (
    MODEL_FILE,
    EmbeddingError,
    ModelOutput,
    OnnxModel,
    file_sha256,
)
from camillo_server.models.embedding.prefixes import Prefixes

_HIDDEN_STATE, _SENTENCE_EMBEDDING = "last_hidden_state", "sentence_embedding"
_DEFAULT_MAX_TOKENS = 256
_MODEL_HASH_CHARACTERS = 12

# A batch is one job of the pool. Larger ones gain no throughput on a CPU, and a query that arrives
# while texts are imported waits for one: with MiniLM on one core, about 20 ms at this size.
# One batch at a time, since there is one thread.
SHARING = Sharing(texts=16, characters=1_024, padded=True)


class OnnxEmbedder:
    """Runs the model of one directory in one thread of its own, so the event loop never waits for it.

    A call has at most one batch in that thread at a time, so calls take turns batch by batch.
    """

    def __init__(self, model_dir: Path, threads: int = 1, dimensions: int | None = None) -> None:
        """Loads the model and tries it; blocks for as long as that takes. Raises EmbeddingError.

        `threads` is how many cores one batch may use. `dimensions`: its vectors are cut to this length, where the model
        allows that one.
        """
        self._spec = spec = ModelSpec.read(model_dir)
        self._model = OnnxModel(model_dir, threads, spec.max_tokens or _DEFAULT_MAX_TOKENS)
        self._output, self._pooling = _output(self._model.outputs, spec.pooling)
        self._cut = dimensions if dimensions in spec.dimensions else None
        try:
            self.dimensions = int(self._embed_batch(["text"]).shape[1])
        except EmbeddingUnavailable as error:
            raise EmbeddingError(error.reason) from error
        digest = spec.digest(file_sha256(model_dir / MODEL_FILE))[:_MODEL_HASH_CHARACTERS]
        cut = f"-{self._cut}" if self._cut else ""
        self.model_id = f"{model_dir.name}-{digest}{cut}"
        self._closed = False
        self._executor = ThreadPoolExecutor(1, thread_name_prefix="embed-onnx")

    @property
    def prefixes(self) -> Prefixes:
        """The prefixes that the model wants before a query and before a stored text."""
        return Prefixes(self._spec.query_prefix, self._spec.document_prefix)

    async def embed(
        self, texts: Sequence[str], tenant_id: TenantId = NOBODY, agent_ids: Sequence[AgentId] = ()
    ) -> NDArray[np.float32]:
        rows = np.zeros((len(texts), self.dimensions), dtype=np.float32)
        for indices in divide(texts, SHARING):
            if self._closed:
                raise EmbeddingUnavailable("the embedder is closed")
            batch = [texts[index] for index in indices]
            rows[indices] = await off_loop(UNBOUNDED, partial(self._embed_batch, batch), self._executor)
        return rows

    async def close(self) -> None:
        self._closed = True
        await off_loop(UNBOUNDED, self._executor.shutdown)

    def _embed_batch(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Unit rows, or zeros for texts without a token: shape (len(texts), dimensions)."""
        output = self._model.run(texts, self._output)
        axes = 2 if self._pooling is Pooling.MODEL else 3
        if output.values.ndim != axes:
            found = output.values.ndim
            raise EmbeddingUnavailable(f"{self._output} has {found} axes; must have {axes}")
        rows = _pooled(output, self._pooling) * output.has_token[:, None]
        return _unit_rows(rows[:, : self._cut])


def _output(outputs: Sequence[str], pooling: Pooling) -> tuple[str, Pooling]:
    """The output that is read, and how it is pooled; a model that has but vectors of whole texts pools by itself."""
    if pooling is Pooling.MODEL:
        return _SENTENCE_EMBEDDING if _SENTENCE_EMBEDDING in outputs else outputs[0], pooling
    if _HIDDEN_STATE in outputs:
        return _HIDDEN_STATE, pooling
    return outputs[0], Pooling.MODEL if outputs[0] == _SENTENCE_EMBEDDING else pooling


def _pooled(output: ModelOutput, pooling: Pooling) -> NDArray[np.float32]:
    """One row for each text, of any length: (texts, positions, n) to (texts, n)."""
    values, mask = output.values, output.mask
    match pooling:
        case Pooling.MODEL:
            return values
        case Pooling.CLS:
            return values[:, 0]
        case Pooling.LAST:
            last = np.maximum(mask.sum(axis=1) - 1, 0)
            return cast("NDArray[np.float32]", values[np.arange(len(values)), last])
        case Pooling.MEAN:
            # The sum points where the mean does, and the length is divided away.
            return cast("NDArray[np.float32]", np.einsum("tpn,tp->tn", values, mask.astype("f4")))


def _unit_rows(rows: NDArray[np.float32]) -> NDArray[np.float32]:
    lengths = np.linalg.norm(rows, axis=1, keepdims=True)
    return cast("NDArray[np.float32]", rows / np.where(lengths > 0, lengths, 1))
