"""models list, catalogue: what is on this machine, and what can be pulled by name."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from camillo_cli.failures import CliError, one_line
from camillo_cli.options import AsJson
from camillo_cli.tables import Column, print_list
from typer import Option

from camillo_server.cli.server import load
from camillo_server.lib.text.exact_tokens import VOCABULARIES

if TYPE_CHECKING:
    from camillo_server.lib.text.exact_tokens import Vocabulary
    from camillo_server.models.embedding.model_catalogue import KnownModel, ModelUse
    from camillo_server.models.embedding.model_hub import ModelLock

MIB = 1024 * 1024
VOCABULARY = "vocabulary"


@dataclass(frozen=True, slots=True)
class ModelOptions:
    """Where models are kept, and how results are printed."""

    config: Annotated[Path | None, Option(help="YAML file with settings. Also CAMILLO_CONFIG.")] = None
    data_dir: Annotated[Path | None, Option(help="Directory for all data. Also CAMILLO_DATA_DIR.")] = None
    as_json: AsJson = False

    def directory(self) -> Path:
        """The data directory: `models` and `rerankers` have a subdirectory for each model. Raises CliError."""
        overrides = {"data_dir": self.data_dir and str(self.data_dir)}
        return load(self.config, os.environ, overrides).data_dir


@dataclass(frozen=True, slots=True)
class LocalModel:
    """A model directory or a vocabulary on this machine; `problem` is why it does not load, or empty."""

    name: str
    use: str
    dimensions: int | None
    size_bytes: int
    model_id: str
    problem: str

    @property
    def size(self) -> str:
        return f"{self.size_bytes / MIB:,.1f} MiB"


@dataclass(frozen=True, slots=True)
class CatalogueEntry:
    """A model that can be pulled by name, as it is listed."""

    name: str
    use: str
    repository: str
    licence: str
    megabytes: int
    languages: str
    dimensions: int | None
    shorter_dimensions: tuple[int, ...]
    pooling: str
    query_prefix: str
    document_prefix: str
    pinned: bool


def list_models(options: ModelOptions) -> None:
    """List the local models and vocabularies, whether they can be loaded, and whether they are what was downloaded.

    Example: camillo models list
    """
    from camillo_server.models.embedding.model_catalogue import ModelUse

    data_dir = options.directory()
    lock = read_lock(data_dir)
    local = [
        examine(directory, use, lock)
        for use in ModelUse
        for directory in sorted((data_dir / use).glob("*/"))
        if not directory.name.startswith(".")
    ]
    models = data_dir / ModelUse.EMBEDDER
    local += [
        examine_vocabulary(vocabulary, file)
        for vocabulary in VOCABULARIES.values()
        if (file := models / vocabulary.file_name).is_file()
    ]
    print_list(options, local, COLUMNS, empty=f"no models in {models}")


def catalogue(options: ModelOptions) -> None:
    """List the models that can be pulled by name, with their licences.

    Example: camillo models catalogue
    """
    from camillo_server.models.embedding.model_catalogue import CATALOGUE

    print_list(options, [_described(model) for model in CATALOGUE.values()], KNOWN, empty="none")


def _described(model: KnownModel) -> CatalogueEntry:
    spec = model.spec
    return CatalogueEntry(
        name=model.name,
        use=model.use.name.lower(),
        repository=model.origin,
        licence=model.licence,
        megabytes=model.megabytes,
        languages=model.languages,
        dimensions=model.dimensions,
        shorter_dimensions=spec.dimensions,
        pooling=spec.pooling.value if model.dimensions else "",
        query_prefix=spec.query_prefix,
        document_prefix=spec.document_prefix,
        pinned=model.is_pinned,
    )


def read_lock(data_dir: Path) -> ModelLock:
    """Raises CliError."""
    from camillo_server.models.embedding.model_hub import HubError, ModelLock

    try:
        return ModelLock(data_dir)
    except HubError as error:
        raise CliError(one_line(str(error))) from error


def examine(directory: Path, use: ModelUse, lock: ModelLock) -> LocalModel:
    """Loads the model in a directory, and compares it with what was downloaded."""
    from camillo_server.models.embedding.model_catalogue import ModelUse
    from camillo_server.models.embedding.onnx import OnnxEmbedder
    from camillo_server.models.embedding.onnx_model import EmbeddingError
    from camillo_server.models.reranking.cross_encoder import CrossEncoder

    size = sum(path.stat().st_size for path in directory.iterdir() if path.is_file())
    use_name, name = use.name.lower(), directory.name
    if changed := lock.changed(f"{use}/{name}", directory):
        problem = f"not what was downloaded: {', '.join(changed)}"
        return LocalModel(name, use_name, None, size, "", problem)
    try:
        if use is ModelUse.RERANKER:
            return LocalModel(name, use_name, None, size, CrossEncoder(directory).model_id, "")
        embedder = OnnxEmbedder(directory)
    except EmbeddingError as error:
        return LocalModel(name, use_name, None, size, "", error.reason)
    return LocalModel(name, use_name, embedder.dimensions, size, embedder.model_id, "")


def examine_vocabulary(vocabulary: Vocabulary, file: Path) -> LocalModel:
    """Loads the vocabulary in a file."""
    from camillo_server.lib.text.exact_tokens import ExactCounter, TokenizerError

    problem = ""
    try:
        ExactCounter(vocabulary, file)
    except TokenizerError as error:
        problem = error.reason
    return LocalModel(vocabulary.name, VOCABULARY, None, file.stat().st_size, "", problem)


def _name(model: LocalModel) -> str:
    return f"rerankers/{model.name}" if model.use == "reranker" else model.name


COLUMNS = (
    Column("name", _name, style="bold"),
    Column("dimensions", lambda model: str(model.dimensions or "-"), right=True),
    Column("size", lambda model: model.size, right=True),
    Column("loads", lambda model: model.problem or "yes"),
)
KNOWN = (
    Column("name", lambda known: known.name, style="bold"),
    Column("use", lambda known: known.use),
    Column("dimensions", lambda known: str(known.dimensions or "-"), right=True),
    Column("size", lambda known: f"{known.megabytes} MB", right=True),
    Column("languages", lambda known: known.languages),
    Column("licence", lambda known: known.licence),
    Column("digests", lambda known: "pinned" if known.pinned else "of the first download"),
)
