"""Which provider of vectors a server uses, and why."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from camillo_server.domain.embedder import Embedder
from camillo_server.embedding import lexical, random
from camillo_server.embedding.lexical import LexicalEmbedder
from camillo_server.embedding.onnx import MODEL_FILE, EmbeddingError, OnnxEmbedder
from camillo_server.embedding.random import RandomEmbedder


@dataclass(frozen=True, slots=True)
class EmbeddingSettings:
    """What an operator says about vectors.

    `provider` is auto, onnx, lexical or random. Without `model_dir`, models are looked for in `models`
    under `data_dir`. `dimensions` is for lexical and random; a model has its own.
    """

    provider: str = "auto"
    model_dir: Path | None = None
    dimensions: int | None = None
    threads: int = 1
    data_dir: Path | None = None

    def __post_init__(self) -> None:
        if self.dimensions is not None and self.dimensions < 1:
            raise ValueError("dimensions must be at least 1")
        if self.threads < 1:
            raise ValueError("threads must be at least 1")


@dataclass(frozen=True, slots=True)
class EmbedderChoice:
    """An embedder and, in one line for the log, why it was taken."""

    embedder: Embedder
    reason: str


def choose_embedder(settings: EmbeddingSettings) -> EmbedderChoice:
    """The embedder that the settings name, loaded.

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
    raise EmbeddingError(f"unknown provider {settings.provider!r}; auto, onnx, lexical or random")


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
            return EmbedderChoice(embedder, f"onnx, because the model {model_dir.name} is there")
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
