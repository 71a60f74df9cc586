"""The head of a cross-encoder whose ONNX file is its encoder alone: a few layers, whose weights lie beside it in the format of
safetensors. They are those of Sentence Transformers: a dense layer with GELU, a normalization, and a dense layer to one score."""

import json
import math
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from camillo_server.models.embedding.embedder import EmbeddingUnavailable
from camillo_server.models.embedding.onnx_model import EmbeddingError

HEAD_FILES = ("head_dense.safetensors", "head_norm.safetensors", "head_score.safetensors")
# A number of 8 bytes says how long the description of the tensors is that stands before them.
_LENGTH_BYTES = 8
_EPSILON = 1e-5
Tensor = NDArray[np.float32]
# The exact function, which numpy lacks, as the models were trained with it.
_erf = np.vectorize(math.erf, otypes=[np.float32])


@dataclass(frozen=True, slots=True)
class ScoringHead:
    """The weights of the layers, by rows of outputs."""

    dense: Tensor
    norm: tuple[Tensor, Tensor]
    score: tuple[Tensor, Tensor]

    @classmethod
    def read(cls, model_dir: Path) -> Self | None:
        """The head of a model; None if it has no such files. Raises EmbeddingError for a part of them, or others."""
        if not any((model_dir / name).exists() for name in HEAD_FILES):
            return None
        dense, norm, score = (_Weights(name, _tensors(model_dir / name)) for name in HEAD_FILES)
        width = len(dense.tensors.get("linear.weight", ()))
        return cls(
            dense.tensor("linear.weight", (width, width)),
            (norm.tensor("norm.weight", (width,)), norm.tensor("norm.bias", (width,))),
            (score.tensor("linear.weight", (1, width)), score.tensor("linear.bias", (1,))),
        )

    def logits(self, hidden: Tensor) -> Tensor:
        """One number for each text, shape (texts, 1), of the hidden state of its first token; `hidden` has the shape (texts, tokens,
        width). Raises EmbeddingUnavailable."""
        if hidden.ndim != 3 or hidden.shape[-1] != len(self.dense):
            raise EmbeddingUnavailable(f"the model is no encoder for its head: it makes {list(hidden.shape)} numbers")
        rows = hidden[:, 0] @ self.dense.T
        rows = rows * (1 + _erf(rows / math.sqrt(2))) / 2
        rows = rows - rows.mean(axis=1, keepdims=True)
        rows = rows / np.sqrt((rows**2).mean(axis=1, keepdims=True) + _EPSILON)
        scale, shift = self.norm
        weight, bias = self.score
        found: Tensor = (rows * scale + shift) @ weight.T + bias
        return found


class _Weights(NamedTuple):
    """The tensors of a file."""

    name: str
    tensors: dict[str, Tensor]

    def tensor(self, name: str, shape: tuple[int, ...]) -> Tensor:
        found = self.tensors.get(name)
        if found is None or found.shape != shape or not found.size:
            raise EmbeddingError(f"{self.name} has no tensor {name} of the shape {list(shape)}")
        return found


def _tensors(path: Path) -> dict[str, Tensor]:
    """All tensors of a file. Raises EmbeddingError."""
    try:
        content = path.read_bytes()
        end = _LENGTH_BYTES + int.from_bytes(content[:_LENGTH_BYTES], "little")
        described = json.loads(content[_LENGTH_BYTES:end])
        described.pop("__metadata__", None)
        return {name: _read(each, content[end:]) for name, each in described.items()}
    except (OSError, ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
        raise EmbeddingError(f"{path.name} cannot be read: {error!r}") from error


def _read(described: dict[str, Any], data: bytes) -> Tensor:
    """Raises ValueError, TypeError, KeyError."""
    if described["dtype"] != "F32":
        raise ValueError(f"tensors of the type {described['dtype']}")
    begin, end = described["data_offsets"]
    found: Tensor = np.frombuffer(data[begin:end], "<f4").astype(np.float32)
    return found.reshape(described["shape"])
