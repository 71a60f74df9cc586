"""Which provider of vectors a server uses, and why."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from camillo_server.domain.embedder import Embedder
from camillo_server.domain.embedding_budget import EmbeddingBudget
from camillo_server.embedding import lexical, random
from camillo_server.embedding.batching import Batching, Sharing
from camillo_server.embedding.lexical import LexicalEmbedder
from camillo_server.embedding.litellm import LiteLLMEmbedder, LiteLLMSettings
from camillo_server.embedding.onnx import MODEL_FILE, SHARING, EmbeddingError, OnnxEmbedder
from camillo_server.embedding.random import RandomEmbedder


@dataclass(frozen=True, slots=True)
class EmbeddingSettings:
    """What an operator says about vectors.

    `provider` is auto, onnx, lexical, random or litellm, which needs `litellm`. Without `model_dir`, models are looked for in `models`
    under `data_dir`. `dimensions` is for lexical and random; a model has its own.
    """

    provider: str = "auto"
    model_dir: Path | None = None
    dimensions: int | None = None
    threads: int = 1
    data_dir: Path | None = None
    litellm: LiteLLMSettings | None = None

    def __post_init__(self) -> None:
        if self.dimensions is not None and self.dimensions < 1:
            raise ValueError("dimensions must be at least 1")
        if self.threads < 1:
            raise ValueError("threads must be at least 1")


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
    settings: EmbeddingSettings, budget: EmbeddingBudget | None = None
) -> EmbedderChoice:
    """The embedder that the settings name, loaded; one that costs money is kept within the budget.

    With auto, a local model if one loads, else lexical. Any other provider that cannot be had raises
    EmbeddingError: who names one does not want another.
    """
    match settings.provider:
        case "auto":
            return _onnx_or_lexical(settings)
        case "onnx":
            return _onnx(settings)
        case "lexical":
            return _lexical(settings, "lexical, as configured")
        case "random":
            dimensions = settings.dimensions or random.DEFAULT_DIMENSIONS
            return EmbedderChoice(
                RandomEmbedder(dimensions), "random, as configured: for tests only"
            )
        case "litellm":
            return _litellm(settings.litellm, budget)
    raise EmbeddingError(
        f"unknown provider {settings.provider!r}; auto, onnx, lexical, random or litellm"
    )


def _litellm(settings: LiteLLMSettings | None, budget: EmbeddingBudget | None) -> EmbedderChoice:
    if settings is None:
        raise EmbeddingError("litellm needs the name of a model")
    embedder = LiteLLMEmbedder(settings, budget)
    return EmbedderChoice(embedder, "litellm, as configured", settings.sharing)


def _onnx_or_lexical(settings: EmbeddingSettings) -> EmbedderChoice:
    try:
        return _onnx(settings)
    except EmbeddingError as error:
        return _lexical(settings, f"lexical, because {error.reason}")


def _onnx(settings: EmbeddingSettings) -> EmbedderChoice:
    """The first model that loads. Raises the EmbeddingError of the first that does not."""
    failures: list[EmbeddingError] = []
    for model_dir in _model_dirs(settings):
        try:
            embedder = OnnxEmbedder(model_dir, settings.threads)
        except EmbeddingError as error:
            failures.append(error)
        else:
            reason = f"onnx, because the model {model_dir.name} is there"
            return EmbedderChoice(embedder, reason, SHARING)
    raise failures[0] if failures else EmbeddingError("no model directory is given or found")


def _lexical(settings: EmbeddingSettings, reason: str) -> EmbedderChoice:
    dimensions = settings.dimensions or lexical.DEFAULT_DIMENSIONS
    return EmbedderChoice(LexicalEmbedder(dimensions), reason)


def _model_dirs(settings: EmbeddingSettings) -> Iterator[Path]:
    """The directory given, and then no other; else those found, by name."""
    if settings.model_dir is not None:
        yield settings.model_dir
    elif settings.data_dir is not None:
        # A pattern that matches nothing, or a directory that may not be read, yields nothing.
        yield from sorted(path.parent for path in settings.data_dir.glob(f"models/*/{MODEL_FILE}"))
