"""Chooses the embedding provider of a server."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from camillo_server.embedding import lexical, random
from camillo_server.embedding.batching import Batching, Sharing
from camillo_server.embedding.embedder import Embedder, EmbeddingBudget
from camillo_server.embedding.lexical import LexicalEmbedder
from camillo_server.embedding.litellm import LiteLLMEmbedder
from camillo_server.embedding.onnx import MODEL_FILE, SHARING, EmbeddingError, OnnxEmbedder
from camillo_server.embedding.random import RandomEmbedder
from camillo_server.settings import MemorySettings


@dataclass(frozen=True, slots=True)
class EmbedderChoice:
    """An embedder and, in one line for the log, why it was taken.

    `sharing` is how its callers' texts go together; without it nothing is gained by that.
    """

    embedder: Embedder
    reason: str
    sharing: Sharing | None = None

    def for_all_callers(self) -> Embedder:
        """The embedder as a server uses it: the calls of all callers gathered into batches."""
        return Batching(self.embedder, self.sharing) if self.sharing else self.embedder


def choose_embedder(
    settings: MemorySettings, data_dir: Path | None = None, budget: EmbeddingBudget | None = None
) -> EmbedderChoice:
    """The embedder that the settings name, loaded; one that costs money is kept within the budget.

    Without `model_dir`, models are looked for in `models` under `data_dir`. With auto, a local model if one loads, else lexical. Any other provider that cannot be had raises
    EmbeddingError: who names one does not want another.
    """
    match settings.embedding_model:
        case "auto":
            return _onnx_or_lexical(settings, data_dir)
        case "onnx":
            return _onnx(settings, data_dir)
        case "lexical":
            return _lexical(settings, "lexical, as configured")
        case "random":
            dimensions = settings.embedding_dimensions or random.DEFAULT_DIMENSIONS
            return EmbedderChoice(
                RandomEmbedder(dimensions), "random, as configured: for tests only"
            )
        case "litellm":
            return _litellm(settings, budget)


def _litellm(settings: MemorySettings, budget: EmbeddingBudget | None) -> EmbedderChoice:
    sharing = Sharing(
        settings.litellm_batch_texts,
        settings.litellm_batch_characters,
        settings.litellm_concurrency,
        per_tenant=True,
    )
    return EmbedderChoice(LiteLLMEmbedder(settings, budget), "litellm, as configured", sharing)


def _onnx_or_lexical(settings: MemorySettings, data_dir: Path | None) -> EmbedderChoice:
    try:
        return _onnx(settings, data_dir)
    except EmbeddingError as error:
        return _lexical(settings, f"lexical, because {error.reason}")


def _onnx(settings: MemorySettings, data_dir: Path | None) -> EmbedderChoice:
    """The first model that loads. Raises the EmbeddingError of the first that does not."""
    failures: list[EmbeddingError] = []
    for model_dir in _model_dirs(settings.model_dir, data_dir):
        try:
            embedder = OnnxEmbedder(model_dir, settings.embedding_threads)
        except EmbeddingError as error:
            failures.append(error)
        else:
            reason = f"onnx, because the model {model_dir.name} is there"
            return EmbedderChoice(embedder, reason, SHARING)
    raise failures[0] if failures else EmbeddingError("no model directory is given or found")


def _lexical(settings: MemorySettings, reason: str) -> EmbedderChoice:
    dimensions = settings.embedding_dimensions or lexical.DEFAULT_DIMENSIONS
    return EmbedderChoice(LexicalEmbedder(dimensions), reason)


def _model_dirs(given: Path | None, data_dir: Path | None) -> Iterator[Path]:
    """The directory given, and then no other; else those found, by name."""
    if given is not None:
        yield given
    elif data_dir is not None:
        # A pattern that matches nothing, or a directory that may not be read, yields nothing.
        yield from sorted(path.parent for path in data_dir.glob(f"models/*/{MODEL_FILE}"))
