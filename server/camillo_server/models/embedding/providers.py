"""The embedding providers of one process: chosen by the settings, and loaded."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from camillo_server.models.embedding.batching import Batching, Sharing
from camillo_server.models.embedding.embedder import Embedder
from camillo_server.models.embedding.lexical import (
    DEFAULT_DIMENSIONS,
    DEFAULT_RANDOM_DIMENSIONS,
    LexicalEmbedder,
    RandomEmbedder,
)
from camillo_server.models.embedding.litellm import LiteLLMEmbedder
from camillo_server.models.embedding.onnx import SHARING, OnnxEmbedder
from camillo_server.models.embedding.onnx_model import MODEL_FILE, EmbeddingError
from camillo_server.models.embedding.prefixes import NO_PREFIXES, Prefixes
from camillo_server.models.embedding.spend import EmbeddingBudget
from camillo_server.models.embedding.text_embedding import TextEmbedding
from camillo_server.settings.settings import MemorySettings


@dataclass(frozen=True, slots=True)
class EmbedderChoice:
    """An embedder and, in one line for the log, why it was taken.

    `sharing` is how the texts of its callers go together; without it, batches gain nothing.
    """

    embedder: Embedder
    reason: str
    sharing: Sharing | None = None

    @property
    def prefixes(self) -> Prefixes:
        """The prefixes that the model wants before texts."""
        return prefixes_of(self.embedder)

    @property
    def is_immediate(self) -> bool:
        """Whether a vector is computed on the event loop, so that nothing is waited for."""
        return isinstance(self.embedder, LexicalEmbedder)

    def for_all_callers(self) -> Embedder:
        """The embedder as a server uses it: the calls of all callers gathered into batches."""
        return Batching(self.embedder, self.sharing) if self.sharing else self.embedder


def prefixes_of(embedder: Embedder) -> Prefixes:
    """The prefixes that a model wants before texts, which its caller puts there."""
    return embedder.prefixes if isinstance(embedder, OnnxEmbedder | LiteLLMEmbedder) else NO_PREFIXES


def choose_embedder(
    settings: MemorySettings, data_dir: Path | None = None, budget: EmbeddingBudget | None = None
) -> EmbedderChoice:
    """The embedder that the settings name, loaded; one that costs money is kept within the budget.

    Without `model_dir`, models are looked for in `models` under `data_dir`. With auto, a local model if one loads, else
    lexical. Any other provider that cannot be had raises EmbeddingError: who names one does not want another.
    """
    match settings.embedding_model:
        case "auto":
            try:
                return _onnx(settings, data_dir)
            except EmbeddingError as error:
                return _lexical(settings, f"lexical, because {error.reason}")
        case "onnx":
            return _onnx(settings, data_dir)
        case "lexical":
            return _lexical(settings, "lexical, as configured")
        case "random":
            dimensions = settings.embedding_dimensions or DEFAULT_RANDOM_DIMENSIONS
            return EmbedderChoice(RandomEmbedder(dimensions), "random, as configured: for tests only")
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


def _onnx(settings: MemorySettings, data_dir: Path | None) -> EmbedderChoice:
    """The first model that loads. Raises the EmbeddingError of the first that does not."""
    failures: list[EmbeddingError] = []
    for model_dir in _model_dirs(settings.model_dir, data_dir):
        try:
            embedder = OnnxEmbedder(model_dir, settings.embedding_threads, settings.embedding_dimensions)
        except EmbeddingError as error:
            failures.append(error)
        else:
            reason = f"onnx, because the model {model_dir.name} is there"
            return EmbedderChoice(embedder, reason, SHARING)
    raise failures[0] if failures else EmbeddingError("no model directory is given or found")


def _lexical(settings: MemorySettings, reason: str) -> EmbedderChoice:
    dimensions = settings.embedding_dimensions or DEFAULT_DIMENSIONS
    return EmbedderChoice(LexicalEmbedder(dimensions), reason)


def _model_dirs(given: Path | None, data_dir: Path | None) -> Iterator[Path]:
    """The directory given, and then no other; else those found, by name."""
    if given is not None:
        yield given
    elif data_dir is not None:
        # A pattern that matches nothing, or a directory that may not be read, yields nothing.
        yield from sorted(path.parent for path in data_dir.glob(f"models/*/{MODEL_FILE}"))


@dataclass(frozen=True, slots=True)
class Providers:
    """The provider that serves and why it was chosen, and the one that is to serve next."""

    choice: EmbedderChoice
    serving: TextEmbedding
    next: TextEmbedding | None

    @property
    def at_once(self) -> TextEmbedding | None:
        """The serving embedding, if a vector takes it less than a job that embeds later: it waits for nothing."""
        return self.serving if self.choice.is_immediate else None

    async def close(self) -> None:
        await self.serving.close()
        if self.next is not None:
            await self.next.close()


def open_providers(
    settings: MemorySettings,
    data_dir: Path,
    spend: EmbeddingBudget,
    on_failure: Callable[[str], None],
) -> Providers:
    """The providers that the settings name, loaded. Raises EmbeddingError."""
    choice = choose_embedder(settings, data_dir, spend)
    serving = TextEmbedding(
        choice.for_all_callers(),
        settings.embed_timeout_seconds,
        on_failure,
        settings.embedding_cache_size,
        is_immediate=choice.is_immediate,
        prefixes=choice.prefixes,
    )
    following = settings.of_next_model()
    if following is None:
        return Providers(choice, serving, None)
    next_choice = choose_embedder(following, data_dir, spend)
    return Providers(
        choice,
        serving,
        TextEmbedding(
            next_choice.for_all_callers(),
            settings.embed_timeout_seconds,
            on_failure,
            prefixes=next_choice.prefixes,
        ),
    )
