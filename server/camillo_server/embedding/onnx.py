"""Sentence vectors of a local ONNX model: mean over the tokens, unit length."""

import hashlib
import json
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import numpy as np
from numpy.typing import NDArray

from camillo_server.embedding.batching import Sharing, divide
from camillo_server.embedding.embedder import NOBODY, EmbeddingUnavailable, encodable
from camillo_server.kernel.ids import TenantId
from camillo_server.kernel.off_loop import UNBOUNDED, off_loop
from camillo_server.kernel.operator_error import OperatorError

if TYPE_CHECKING:
    from tokenizers import Encoding, Tokenizer

MODEL_FILE, TOKENIZER_FILE, CONFIG_FILE = "model.onnx", "tokenizer.json", "config.json"

_KNOWN_INPUTS = frozenset({"input_ids", "attention_mask", "token_type_ids"})
_HIDDEN_STATE = "last_hidden_state"
_DEFAULT_MAX_TOKENS = 256
_MODEL_HASH_CHARACTERS = 12

# A batch is one job of the pool. Larger ones gain no throughput on a CPU, and a query that arrives
# while texts are imported waits for one: with MiniLM on one core, about 20 ms at this size.
# One batch at a time, since there is one thread.
SHARING = Sharing(texts=16, characters=1_024, padded=True)
# No tokenizer makes longer tokens on average; what lies behind would be truncated anyway.
_CHARACTERS_PER_TOKEN = 16


class EmbeddingError(OperatorError, EmbeddingUnavailable):
    """A provider that cannot be set up: files missing or broken, a library absent."""


class OnnxEmbedder:
    """Runs the model of one directory in one thread of its own, so the event loop never waits for it.

    A call has at most one batch in that thread at a time, so calls take turns batch by batch.
    """

    def __init__(self, model_dir: Path, threads: int = 1) -> None:
        """Loads the model and tries it; blocks for as long as that takes. Raises EmbeddingError.

        `threads` is how many cores one batch may use.
        """
        config = _read_config(model_dir)
        self._max_tokens = _max_tokens(config)
        self._pad_id = int(config.get("pad_token_id") or 0)
        self._tokenizer = _load_tokenizer(model_dir, self._max_tokens)
        self._session = _load_session(model_dir, threads)
        self._inputs = _declared_inputs(self._session)
        outputs = [str(declared.name) for declared in self._session.get_outputs()]
        self._output = _HIDDEN_STATE if _HIDDEN_STATE in outputs else outputs[0]
        digest = file_sha256(model_dir / MODEL_FILE)[:_MODEL_HASH_CHARACTERS]
        self.model_id = f"{model_dir.name}-{digest}"
        try:
            self.dimensions = int(self._embed_batch(["text"]).shape[1])
        except EmbeddingUnavailable as error:
            raise EmbeddingError(error.reason) from error
        self._closed = False
        self._executor = ThreadPoolExecutor(1, thread_name_prefix="embed-onnx")

    async def embed(
        self, texts: Sequence[str], tenant_id: TenantId = NOBODY
    ) -> NDArray[np.float32]:
        rows = np.zeros((len(texts), self.dimensions), dtype=np.float32)
        for indices in divide(texts, SHARING):
            if self._closed:
                raise EmbeddingUnavailable("the embedder is closed")
            batch = [texts[index] for index in indices]
            rows[indices] = await off_loop(
                UNBOUNDED, partial(self._embed_batch, batch), self._executor
            )
        return rows

    async def close(self) -> None:
        self._closed = True
        await off_loop(UNBOUNDED, self._executor.shutdown)

    def _embed_batch(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """Unit rows, or zeros for texts without a token: shape (len(texts), dimensions)."""
        limit = self._max_tokens * _CHARACTERS_PER_TOKEN
        try:
            # One by one: encode_batch would start threads on every core.
            encodings = [self._tokenizer.encode(encodable(text[:limit])) for text in texts]
            arrays = _padded(encodings, self._pad_id)
            outputs = self._session.run([self._output], {k: arrays[k] for k in self._inputs})
        # The errors of both libraries have no base class but Exception.
        except Exception as error:
            raise EmbeddingUnavailable(f"the model failed: {_first_line(error)}") from error
        hidden = np.asarray(outputs[0], dtype=np.float32)
        if hidden.ndim != 3:
            raise EmbeddingUnavailable(f"{self._output} has {hidden.ndim} axes; must have 3")
        has_token = np.array([0 in encoding.special_tokens_mask for encoding in encodings])
        return _unit_means(hidden, arrays["attention_mask"] * has_token[:, None])


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
    return {"input_ids": ids, "attention_mask": mask, "token_type_ids": types}


def _unit_means(hidden: NDArray[np.float32], mask: NDArray[np.int64]) -> NDArray[np.float32]:
    """Means over the unmasked positions, scaled to length 1: (texts, positions, n) to (texts, n)."""
    # The sum points where the mean does, and the length is divided away.
    sums = np.einsum("tpn,tp->tn", hidden, mask.astype(np.float32))
    lengths = np.linalg.norm(sums, axis=1, keepdims=True)
    return cast("NDArray[np.float32]", sums / np.where(lengths > 0, lengths, 1))


def _read_config(model_dir: Path) -> dict[str, Any]:
    for name in (MODEL_FILE, TOKENIZER_FILE, CONFIG_FILE):
        if not (model_dir / name).is_file():
            raise EmbeddingError(f"the model directory {model_dir.name} has no file {name}")
    try:
        config = json.loads((model_dir / CONFIG_FILE).read_bytes())
    except (OSError, ValueError) as error:
        raise EmbeddingError(f"{CONFIG_FILE} cannot be read: {_first_line(error)}") from error
    if not isinstance(config, dict):
        raise EmbeddingError(f"{CONFIG_FILE} is not a JSON object")
    return config


def _max_tokens(config: dict[str, Any]) -> int:
    """The length the model was trained for, or, where the configuration is silent, one that is safe.

    `max_position_embeddings` is only what the model can hold: quality falls before it is reached.
    """
    length = config.get("max_seq_length")
    if length is None:
        length = min(
            _DEFAULT_MAX_TOKENS, config.get("max_position_embeddings", _DEFAULT_MAX_TOKENS)
        )
    if not isinstance(length, int) or length < 1:
        raise EmbeddingError(f"{CONFIG_FILE} states no usable length")
    return length


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
        return onnxruntime.InferenceSession(
            str(model_dir / MODEL_FILE), options, providers=["CPUExecutionProvider"]
        )
    # onnxruntime's errors have no base class but Exception.
    except Exception as error:
        raise EmbeddingError(f"{MODEL_FILE} cannot be loaded: {_first_line(error)}") from error


def _declared_inputs(session: Any) -> list[str]:
    names = [declared.name for declared in session.get_inputs()]
    unknown = sorted(set(names) - _KNOWN_INPUTS)
    if unknown or "input_ids" not in names:
        raise EmbeddingError(f"{MODEL_FILE} is no text model; unknown inputs: {unknown}")
    return names


def file_sha256(path: Path) -> str:
    """In hexadecimal digits."""
    with path.open("rb") as content:
        return hashlib.file_digest(content, "sha256").hexdigest()


def _first_line(error: Exception) -> str:
    return str(error).partition("\n")[0] or type(error).__name__
