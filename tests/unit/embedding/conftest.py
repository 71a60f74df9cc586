"""A model small enough to be written by hand, byte by byte, in the format of ONNX; and a remote provider."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from camillo_server.models.embedding.circuit_breaker import CircuitBreaker
from camillo_server.models.embedding.litellm import LiteLLMEmbedder
from camillo_server.settings.settings import MemorySettings
from pydantic import SecretStr
from tokenizers import Tokenizer
from tokenizers.models import WordLevel
from tokenizers.pre_tokenizers import Whitespace

from tests.embeddings_server import DIMENSIONS, EmbeddingsServer, embeddings_server
from tests.unit.embedding.remote import Make, Pauses

UNKNOWN = "[UNK]"
VOCABULARY = {"[PAD]": 0, UNKNOWN: 1, "tea": 2, "coffee": 3, "milk": 4}
# One row per word; what is padded in must not count, so the padding's row is loud.
WORD_VECTORS = np.array([[9, 9, 9], [0, 0, 1], [1, 0, 0], [0, 1, 0], [3, 4, 0]], dtype=np.float32)

_FLOAT, _INT64 = 1, 7


def _varint(number: int) -> bytes:
    low, rest = number & 0x7F, number >> 7
    return bytes([low | 0x80]) + _varint(rest) if rest else bytes([low])


def _field(number: int, value: int | str | bytes) -> bytes:
    """One field of a protobuf message: a varint, or anything with a length."""
    if isinstance(value, int):
        return _varint(number << 3) + _varint(value)
    content = value.encode() if isinstance(value, str) else value
    return _varint(number << 3 | 2) + _varint(len(content)) + content


def _value_info(name: str, element_type: int, axes: list[str]) -> bytes:
    shape = b"".join(_field(1, _field(2, axis)) for axis in axes)
    tensor_type = _field(1, element_type) + _field(2, shape)
    return _field(1, name) + _field(2, _field(1, tensor_type))


def word_vector_model(inputs: tuple[str, ...]) -> bytes:
    """An ONNX model whose hidden state is the vector of each word: Gather(WORD_VECTORS, input_ids)."""
    dims = b"".join(_field(1, size) for size in WORD_VECTORS.shape)
    table = dims + _field(2, _FLOAT) + _field(8, "table") + _field(9, WORD_VECTORS.tobytes())
    node = _field(1, "table") + _field(1, "input_ids") + _field(2, "last_hidden_state")
    declared = b"".join(_field(11, _value_info(n, _INT64, ["texts", "tokens"])) for n in inputs)
    output = _value_info("last_hidden_state", _FLOAT, ["texts", "tokens", "n"])
    graph = _field(1, node + _field(4, "Gather")) + _field(2, "g") + _field(5, table)
    opset = _field(1, "") + _field(2, 17)
    return _field(1, 8) + _field(7, graph + declared + _field(12, output)) + _field(8, opset)


def write_tiny_model(model_dir: Path, inputs: tuple[str, ...] = ("input_ids",)) -> Path:
    """A complete model directory of three dimensions that reads four tokens at most."""
    model_dir.mkdir(parents=True)
    tokenizer = Tokenizer(WordLevel(VOCABULARY, unk_token=UNKNOWN))
    tokenizer.pre_tokenizer = Whitespace()
    tokenizer.save(str(model_dir / "tokenizer.json"))
    (model_dir / "model.onnx").write_bytes(word_vector_model(inputs))
    (model_dir / "config.json").write_text('{"max_position_embeddings": 4, "pad_token_id": 0}')
    return model_dir


@pytest.fixture
def tiny_model_dir(tmp_path: Path) -> Path:
    return write_tiny_model(tmp_path / "models" / "tiny")


@pytest.fixture
def provider() -> Iterator[EmbeddingsServer]:
    with embeddings_server() as server:
        yield server


@pytest.fixture
def pauses() -> Pauses:
    return Pauses()


@pytest.fixture
def make(provider: EmbeddingsServer, pauses: Pauses) -> Make:
    settings = MemorySettings(
        litellm_model="openai/test",
        litellm_api_base=provider.url,
        litellm_api_key=SecretStr("sk-test"),
        embedding_dimensions=DIMENSIONS,
        litellm_price_per_million_tokens=1.0,
        litellm_breaker_failures=100,
    )

    def made(budget: Any = None, breaker: CircuitBreaker | None = None, **changed: Any) -> LiteLLMEmbedder:
        chosen = settings.model_copy(update=changed)
        return LiteLLMEmbedder(chosen, budget, breaker=breaker, pause=pauses)

    return made
