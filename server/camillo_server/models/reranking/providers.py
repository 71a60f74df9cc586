"""The reranker of one process: chosen by the settings, and loaded."""

from collections.abc import Callable, Iterator
from pathlib import Path

from camillo_server.models.embedding.onnx_model import MODEL_FILE, EmbeddingError
from camillo_server.models.embedding.spend import EmbeddingBudget
from camillo_server.models.reranking.cross_encoder import CrossEncoder, LocalReranker
from camillo_server.models.reranking.litellm import LiteLLMReranker
from camillo_server.models.reranking.text_reranking import (
    DEFAULT_WEIGHT,
    RerankDefaults,
    Reranker,
    TextReranking,
)
from camillo_server.settings.reranking import RerankingSettings

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
