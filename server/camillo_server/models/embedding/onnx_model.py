"""A text model of one directory, run by ONNX Runtime: its files, its tokenizer, and how texts become its inputs."""

import hashlib
import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from camillo_server.kernel.system import OperatorError
from camillo_server.models.embedding.embedder import EmbeddingUnavailable, encodable

if TYPE_CHECKING:
    from tokenizers import Encoding, Tokenizer


MODEL_FILE, TOKENIZER_FILE, CONFIG_FILE = "model.onnx", "tokenizer.json", "config.json"

_INPUTS = ("input_ids", "attention_mask", "token_type_ids", "position_ids")
# No tokenizer makes longer tokens on average; what lies behind would be truncated anyway.
_CHARACTERS_PER_TOKEN = 16
_INTEGERS: Mapping[str, Any] = {"tensor(int64)": np.int64, "tensor(int32)": np.int32}


class EmbeddingError(OperatorError, EmbeddingUnavailable):
    """A provider that cannot be set up: files missing or broken, a library absent."""


class ModelOutput(NamedTuple):
    """The output of a model for a batch: the values, float32, whose first axis is the texts; the attention mask, shape
    (texts, longest text); and whether each text has a token of its own."""

    values: NDArray[np.float32]
    mask: NDArray[np.int64]
    has_token: NDArray[np.bool_]


class OnnxModel:
    """Reads texts, or pairs of texts, in batches. It blocks while it works, and one thread at a time uses it."""

    def __init__(self, model_dir: Path, threads: int, default_max_tokens: int) -> None:
        """Loads the files; `threads` is how many cores one batch may use. Raises EmbeddingError."""
        self.config = _read_config(model_dir)
        self.max_tokens = _max_tokens(self.config, default_max_tokens)
        self._pad_id = int(self.config.get("pad_token_id") or 0)
        self._tokenizer = _load_tokenizer(model_dir, self.max_tokens)
        self._session = _load_session(model_dir, threads)
        self._inputs = _declared_inputs(self._session)
        self.outputs = [str(declared.name) for declared in self._session.get_outputs()]

    def run(self, texts: Sequence[str | tuple[str, str]], output: str) -> ModelOutput:
        """One output for these texts or pairs. Raises EmbeddingUnavailable."""
        try:
            # One by one: encode_batch would start threads on every core.
            encodings = [self._encode(text) for text in texts]
            arrays = _padded(encodings, self._pad_id)
            inputs = {name: arrays[name].astype(kind) for name, kind in self._inputs.items()}
            (values,) = self._session.run([output], inputs)
        # The errors of both libraries have no base class but Exception.
        except Exception as error:
            raise EmbeddingUnavailable(f"the model failed: {_first_line(error)}") from error
        has_token = np.array([0 in encoding.special_tokens_mask for encoding in encodings])
        return ModelOutput(np.asarray(values, dtype=np.float32), arrays["attention_mask"], has_token)

    def _encode(self, text: str | tuple[str, str]) -> "Encoding":
        limit = self.max_tokens * _CHARACTERS_PER_TOKEN
        if isinstance(text, str):
            return self._tokenizer.encode(encodable(text[:limit]))
        first, second = text
        return self._tokenizer.encode(encodable(first[:limit]), encodable(second[:limit]))


def _padded(encodings: Sequence["Encoding"], pad_id: int) -> dict[str, NDArray[np.int64]]:
    """The known inputs, each of shape (texts, longest text)."""
    shape = (len(encodings), max(1, *(len(encoding.ids) for encoding in encodings)))
    ids = np.full(shape, pad_id, dtype=np.int64)
    mask = np.zeros(shape, dtype=np.int64)
    types = np.zeros(shape, dtype=np.int64)
    for row, encoding in enumerate(encodings):
        length = len(encoding.ids)
        ids[row, :length] = encoding.ids
        mask[row, :length] = encoding.attention_mask
        types[row, :length] = encoding.type_ids
    positions = np.broadcast_to(np.arange(shape[1]), shape)
    return dict(zip(_INPUTS, (ids, mask, types, positions), strict=True))


def _read_config(model_dir: Path) -> dict[str, Any]:
    for name in (MODEL_FILE, TOKENIZER_FILE, CONFIG_FILE):
        if not (model_dir / name).is_file():
            raise EmbeddingError(f"the model directory {model_dir.name} has no file {name}")
    return read_json_object(model_dir / CONFIG_FILE)


def read_json_object(path: Path) -> dict[str, Any]:
    """The JSON object in a file of a model. Raises EmbeddingError."""
    try:
        content = json.loads(path.read_bytes())
    except (OSError, ValueError) as error:
        raise EmbeddingError(f"{path.name} cannot be read: {_first_line(error)}") from error
    if not isinstance(content, dict):
        raise EmbeddingError(f"{path.name} is not a JSON object")
    return content


def _max_tokens(config: dict[str, Any], default: int) -> int:
    """The length the model was trained for, or, where the configuration is silent, one that is safe.

    `max_position_embeddings` is only what the model can hold: quality falls before it is reached.
    """
    trained, positions = config.get("max_seq_length"), config.get("max_position_embeddings")
    stated = positions if trained is None else trained
    if stated is None:
        return default
    if not isinstance(stated, int) or stated < 1:
        raise EmbeddingError(f"{CONFIG_FILE} states no usable length")
    return min(default, stated) if trained is None else stated


def _load_tokenizer(model_dir: Path, max_tokens: int) -> "Tokenizer":
    try:
        from tokenizers import Tokenizer

        tokenizer = Tokenizer.from_file(str(model_dir / TOKENIZER_FILE))
    # tokenizers raises Exception itself.
    except Exception as error:
        raise EmbeddingError(f"{TOKENIZER_FILE} cannot be loaded: {_first_line(error)}") from error
    tokenizer.no_padding()
    tokenizer.enable_truncation(max_tokens)
    return tokenizer


def _load_session(model_dir: Path, threads: int) -> Any:
    try:
        # Here, as its import takes longer than the rest of a start together.
        import onnxruntime

        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = threads
        options.inter_op_num_threads = 1
        # Threads that wait for the next call must not burn a core meanwhile.
        options.add_session_config_entry("session.intra_op.allow_spinning", "0")
        options.log_severity_level = 4
        return onnxruntime.InferenceSession(str(model_dir / MODEL_FILE), options, providers=["CPUExecutionProvider"])
    # onnxruntime's errors have no base class but Exception.
    except Exception as error:
        raise EmbeddingError(f"{MODEL_FILE} cannot be loaded: {_first_line(error)}") from error


def _declared_inputs(session: Any) -> dict[str, Any]:
    """The inputs of the model, and the type of integers that each takes."""
    declared = {str(each.name): _INTEGERS.get(each.type) for each in session.get_inputs()}
    unknown = sorted(name for name in declared if name not in _INPUTS)
    if unknown or "input_ids" not in declared:
        raise EmbeddingError(f"{MODEL_FILE} is no text model; unknown inputs: {unknown}")
    if odd := sorted(name for name, kind in declared.items() if kind is None):
        raise EmbeddingError(f"{MODEL_FILE} is no text model; inputs that are no integers: {odd}")
    return declared


def file_sha256(path: Path) -> str:
    """The digest in hexadecimal digits."""
    with path.open("rb") as content:
        return hashlib.file_digest(content, "sha256").hexdigest()


def _first_line(error: Exception) -> str:
    return str(error).partition("\n")[0] or type(error).__name__


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
        """One number for each text, shape (texts, 1), of the hidden state of its first token; `hidden` has the shape
        (texts, tokens, width). Raises EmbeddingUnavailable."""
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
