"""models pull, list: local embedding models and token vocabularies."""

from __future__ import annotations

import os
import re
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from typer import Argument, Option

from camillo_server.cli.failures import CliError, ExitCode, one_line
from camillo_server.cli.options import AsJson
from camillo_server.cli.output import download_bars, print_value
from camillo_server.cli.server import load
from camillo_server.cli.tables import Column, print_list
from camillo_server.text.exact_tokens import DEFAULT_SOURCE, VOCABULARIES

if TYPE_CHECKING:
    from camillo_server.embedding.model_hub import HubFile
    from camillo_server.text.exact_tokens import Vocabulary

DEFAULT_ENDPOINT = "https://huggingface.co"
NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")
REPOSITORY = re.compile(rf"{NAME.pattern}/({NAME.pattern})")
SHA256 = re.compile(r"[0-9a-f]{64}")
MIB = 1024 * 1024


@dataclass(frozen=True, slots=True)
class ModelOptions:
    """Where models are kept, and how results are printed."""

    config: Annotated[Path | None, Option(help="YAML file with settings. Also CAMILLO_CONFIG.")] = (
        None
    )
    data_dir: Annotated[
        Path | None, Option(help="Directory for all data. Also CAMILLO_DATA_DIR.")
    ] = None
    as_json: AsJson = False

    def models(self) -> Path:
        """The directory with a subdirectory for each model. Raises CliError."""
        overrides = {"data_dir": self.data_dir and str(self.data_dir)}
        return load(self.config, os.environ, overrides).data_dir / "models"


@dataclass(frozen=True, slots=True)
class LocalModel:
    """A model directory or a vocabulary on this machine; `problem` is why it does not load, or empty."""

    name: str
    dimensions: int | None
    size_bytes: int
    model_id: str
    problem: str


def pull(
    options: ModelOptions,
    model: Annotated[
        str,
        Argument(help="A known model or vocabulary, or a repository on the hub: owner/model."),
    ] = "all-minilm-l6-v2",
    endpoint: Annotated[
        str, Option(metavar="URL", envvar="HF_ENDPOINT", help="The model hub.")
    ] = DEFAULT_ENDPOINT,
    revision: Annotated[str, Option(help="Branch, tag or commit of a repository.")] = "main",
    file: Annotated[str, Option(help="The ONNX file in a repository.")] = "onnx/model.onnx",
    sha256: Annotated[
        list[str] | None,
        Option(
            metavar="[FILE=]SHA256",
            help="Expected SHA-256 of model.onnx, or of tokenizer.json= or config.json=; may be repeated.",
        ),
    ] = None,
    vocabulary_source: Annotated[
        str, Option(metavar="URL", help="Where vocabularies are downloaded from.")
    ] = DEFAULT_SOURCE,
) -> None:
    """Download a local embedding model, or a vocabulary for counting tokens, and check its SHA-256.

    A download that was interrupted continues where it stopped.

    Example: camillo models pull

    Example: camillo models pull cl100k_base
    """
    if vocabulary := VOCABULARIES.get(model):
        _pull_vocabulary(options, vocabulary, vocabulary_source, sha256)
        return
    name, files = _model_files(model, revision, file, _sums(sha256 or []))
    directory = _download(name, files, endpoint, options.models())
    _print_pulled(options, examine(directory), directory)


def download_known(name: str, endpoint: str, models: Path) -> Path:
    """Downloads a model of the catalogue, and returns its directory. Raises CliError."""
    from camillo_server.embedding.model_hub import CATALOGUE

    return _download(name, CATALOGUE[name], endpoint, models)


def _download(name: str, files: tuple[HubFile, ...], endpoint: str, models: Path) -> Path:
    from camillo_server.embedding.model_hub import HubError
    from camillo_server.embedding.model_hub import pull as pull_files

    try:
        with download_bars() as report:
            return pull_files(endpoint, files, models, name, report)
    except HubError as error:
        raise CliError(one_line(str(error))) from error


def _print_pulled(options: ModelOptions, pulled: LocalModel, directory: Path) -> None:
    dimensions = f"{pulled.dimensions} dimensions, " if pulled.dimensions else ""
    problem = f"; it does not load: {pulled.problem}" if pulled.problem else ""
    text = f"{pulled.name}: {dimensions}{_size(pulled)}, in {directory}{problem}"
    print_value(asdict(pulled) | {"directory": str(directory)}, text, as_json=options.as_json)


def _pull_vocabulary(
    options: ModelOptions, vocabulary: Vocabulary, source: str, sha256: list[str] | None
) -> None:
    from camillo_server.embedding.model_hub import HubError, WebFile, pull_file

    if sha256:
        raise _sum_is_known(vocabulary.name)
    url = f"{source.rstrip('/')}/{vocabulary.file_name}"
    try:
        file = WebFile(vocabulary.file_name, url, vocabulary.sha256)
        with download_bars() as report:
            path = pull_file(file, options.models(), report)
    except HubError as error:
        raise CliError(one_line(str(error))) from error
    _print_pulled(options, examine_vocabulary(vocabulary, path), path.parent)


def list_models(options: ModelOptions) -> None:
    """List the local models and vocabularies, and whether they can be loaded.

    Example: camillo models list
    """
    models = options.models()
    directories = sorted(path for path in models.glob("*/") if not path.name.startswith("."))
    local = [examine(directory) for directory in directories]
    local += [
        examine_vocabulary(vocabulary, file)
        for vocabulary in VOCABULARIES.values()
        if (file := models / vocabulary.file_name).is_file()
    ]
    print_list(options, local, COLUMNS, empty=f"no models in {models}")


def examine(directory: Path) -> LocalModel:
    """Loads the model in a directory."""
    from camillo_server.embedding.onnx import OnnxEmbedder
    from camillo_server.embedding.onnx_model import EmbeddingError

    size = sum(path.stat().st_size for path in directory.iterdir() if path.is_file())
    try:
        embedder = OnnxEmbedder(directory)
    except EmbeddingError as error:
        return LocalModel(directory.name, None, size, "", error.reason)
    return LocalModel(directory.name, embedder.dimensions, size, embedder.model_id, "")


def examine_vocabulary(vocabulary: Vocabulary, file: Path) -> LocalModel:
    """Loads the vocabulary in a file."""
    from camillo_server.text.exact_tokens import ExactCounter, TokenizerError

    problem = ""
    try:
        ExactCounter(vocabulary, file)
    except TokenizerError as error:
        problem = error.reason
    return LocalModel(vocabulary.name, None, file.stat().st_size, "", problem)


def _model_files(
    model: str, revision: str, file: str, sums: dict[str, str]
) -> tuple[str, tuple[HubFile, ...]]:
    """The name of the model's directory, and its files. Raises CliError."""
    from camillo_server.embedding.model_hub import CATALOGUE, hub_files

    if model in CATALOGUE:
        if sums:
            raise _sum_is_known(model)
        return model, CATALOGUE[model]
    repository = REPOSITORY.fullmatch(model)
    if repository is None:
        known = ", ".join([*CATALOGUE, *VOCABULARIES])
        raise CliError(
            f"{model} is neither a known model ({known}) nor a repository such as owner/model",
            ExitCode.USAGE,
        )
    return repository[1].lower(), hub_files(model, revision, file, sums)


def _sum_is_known(name: str) -> CliError:
    return CliError(f"the SHA-256 of {name} is known: leave out --sha256", ExitCode.USAGE)


def _sums(options: list[str]) -> dict[str, str]:
    """The checksums by the name of the file. Raises CliError."""
    sums = {}
    for option in options:
        name, _, digest = option.rpartition("=")
        file = name or "model.onnx"
        if file not in ("model.onnx", "tokenizer.json", "config.json"):
            raise CliError(f"--sha256: {file} is no file of a model", ExitCode.USAGE)
        if not SHA256.fullmatch(digest.lower()):
            raise CliError("--sha256: must be 64 hexadecimal digits", ExitCode.USAGE)
        sums[file] = digest.lower()
    return sums


def _size(model: LocalModel) -> str:
    return f"{model.size_bytes / MIB:,.1f} MiB"


COLUMNS = (
    Column("name", lambda model: model.name, style="bold"),
    Column("dimensions", lambda model: str(model.dimensions or "-"), right=True),
    Column("size", _size, right=True),
    Column("loads", lambda model: model.problem or "yes"),
)
