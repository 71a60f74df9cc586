"""Files of a model hub: downloaded, resumed where a download broke off, checked, and put in place all at once; and
their digests, so that a later download is the same or an error."""

import http.client
import json
import shutil
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from camillo_server.kernel.system import write_file
from camillo_server.models.embedding.model_spec import DEFAULT_SPEC, ModelSpec
from camillo_server.models.embedding.onnx import OnnxEmbedder
from camillo_server.models.embedding.onnx_model import (
    CONFIG_FILE,
    MODEL_FILE,
    TOKENIZER_FILE,
    EmbeddingError,
    file_sha256,
)

DEFAULT_MODEL = "all-minilm-l6-v2"
# Two levels below `models`, where no server looks for a model.
DOWNLOADS = ".downloads"
CHUNK_BYTES = 256 * 1024
TIMEOUT_SECONDS = 30.0
HTTP_PARTIAL, HTTP_RANGE_REFUSED = 206, 416


@dataclass(frozen=True, slots=True)
class HubFile:
    """A file of a hub, and the name it gets here. Without a SHA-256 whatever comes is taken."""

    name: str
    repository: str
    path: str
    revision: str = "main"
    sha256: str | None = None


def hub_files(repository: str, revision: str, model_path: str, sha256: Mapping[str, str]) -> tuple[HubFile, ...]:
    """The files of a model that is not in the catalogue; `sha256` by the names they get here."""
    paths = {CONFIG_FILE: CONFIG_FILE, TOKENIZER_FILE: TOKENIZER_FILE, MODEL_FILE: model_path}
    return tuple(HubFile(name, repository, path, revision, sha256.get(name)) for name, path in paths.items())


class HubError(Exception):
    """A model that could not be had, in one line that says why."""


class OtherContent(HubError):
    """A file that was downloaded has not the digest that it should have."""


# Receives the name of a file, the bytes that are there, and the bytes in all where they are known.
Progress = Callable[[str, int, int | None], None]


@dataclass(frozen=True, slots=True)
class WebFile:
    """A file of the web, and the name it gets here. Without a SHA-256 whatever comes is taken.

    Raises HubError for what is no web address.
    """

    name: str
    url: str
    sha256: str | None = None

    def __post_init__(self) -> None:
        if urllib.parse.urlsplit(self.url).scheme not in ("http", "https"):
            raise HubError(f"the address {self.url} must start with https:// or http://")


@dataclass(frozen=True, slots=True)
class _Partial:
    """A file that is downloaded in part, and the ETag of the version that the part belongs to."""

    path: Path

    @property
    def tag_path(self) -> Path:
        return self.path.with_name(f"{self.path.name}.etag")

    @property
    def size(self) -> int:
        return self.path.stat().st_size if self.path.is_file() else 0

    def tag(self) -> str:
        return self.tag_path.read_text("utf-8") if self.tag_path.is_file() else ""

    def forget(self) -> None:
        self.path.unlink(missing_ok=True)
        self.tag_path.unlink(missing_ok=True)


def pull(
    endpoint: str,
    files: Sequence[HubFile],
    models: Path,
    name: str,
    report: Progress,
    *,
    spec: ModelSpec = DEFAULT_SPEC,
    load: Callable[[Path], object] = OnnxEmbedder,
) -> Path:
    """Downloads a model into `models/name`, which appears when everything is there, right and loads as it should.

    Files downloaded before a failure are kept for the next attempt, unless they are wrong. Raises HubError.
    """
    staging = models / DOWNLOADS / name
    staging.mkdir(parents=True, exist_ok=True)
    for file in files:
        address = hub_url(endpoint, file)
        fetch(WebFile(file.name, address, file.sha256), staging / file.name, report)
    return install(staging, models / name, spec, load)


def install(staging: Path, target: Path, spec: ModelSpec, load: Callable[[Path], object]) -> Path:
    """Puts files that are whole and right in place as a model, if it loads; else removes them. Raises HubError."""
    spec.write(staging)
    try:
        load(staging)
    except EmbeddingError as error:
        shutil.rmtree(staging)
        raise HubError(f"{target.name} was downloaded but does not load: {error.reason}") from error
    return _put_in_place(staging, target)


def pull_file(file: WebFile, directory: Path, report: Progress) -> Path:
    """Downloads one file into the directory, where it appears when it is whole and right. Raises HubError."""
    target, staging = directory / file.name, directory / DOWNLOADS / file.name
    if _is_right(file, target, report):
        return target
    staging.mkdir(parents=True, exist_ok=True)
    fetch(file, staging / file.name, report)
    (staging / file.name).replace(target)
    shutil.rmtree(staging, ignore_errors=True)
    return target


def fetch(file: WebFile, target: Path, report: Progress) -> None:
    """One file, unless it is there and right. Raises HubError."""
    if _is_right(file, target, report):
        return
    partial = _Partial(target.with_name(f"{target.name}.partial"))
    if file.sha256 is None and not partial.tag():
        # Without digest and tag nothing shows whether the rest belongs to the same version.
        partial.forget()
    _download(file, partial, report)
    found = file_sha256(partial.path)
    if file.sha256 is not None and found != file.sha256:
        partial.forget()
        raise OtherContent(f"{file.name} has the SHA-256 {found} instead of {file.sha256}: it was deleted")
    partial.path.replace(target)
    partial.forget()


def _is_right(file: WebFile, target: Path, report: Progress) -> bool:
    """Whether the file is there with the right digest; if so, it is reported as complete."""
    if not target.is_file() or file.sha256 is None or file_sha256(target) != file.sha256:
        return False
    report(file.name, target.stat().st_size, target.stat().st_size)
    return True


def hub_url(endpoint: str, file: HubFile) -> str:
    """The address of the file on a hub."""
    quote = urllib.parse.quote
    where = f"{quote(file.repository)}/resolve/{quote(file.revision, safe='')}/{quote(file.path)}"
    return f"{endpoint.rstrip('/')}/{where}"


def _download(file: WebFile, partial: _Partial, report: Progress) -> None:
    """The rest of the file, or all of it where the hub does not go on from the middle."""
    url, had = file.url, partial.size
    request = urllib.request.Request(url)  # noqa: S310 (the scheme is checked)
    if had:
        request.add_header("Range", f"bytes={had}-")
        if partial.tag():
            request.add_header("If-Range", partial.tag())
    try:
        with urllib.request.urlopen(request, timeout=TIMEOUT_SECONDS) as response:  # noqa: S310
            _store(response, file, partial, had if response.status == HTTP_PARTIAL else 0, report)
    except urllib.error.HTTPError as error:
        error.close()
        if error.code == HTTP_RANGE_REFUSED and had:
            # The partial file is as long as the file or longer: its digest tells whether it is right.
            if file.sha256 is not None and file_sha256(partial.path) == file.sha256:
                return
            partial.forget()
            _download(file, partial, report)
            return
        raise HubError(f"{url}: {_meaning(error.code)}") from error
    except (OSError, http.client.HTTPException) as error:
        reason = getattr(error, "reason", None) or error
        kept = f"{partial.size:,} bytes are kept: " if partial.size else ""
        raise HubError(f"{url}: {reason} ({kept}run it again)") from error


def _store(response: Any, file: WebFile, partial: _Partial, had: int, report: Progress) -> None:
    length = response.headers.get("content-length")
    total = had + int(length) if length is not None else None
    tag = response.headers.get("etag") or ""
    # A weak tag does not promise the same bytes.
    partial.tag_path.write_text("" if tag.startswith("W/") else tag, "utf-8")
    done = had
    with partial.path.open("ab" if had else "wb") as content:
        report(file.name, done, total)
        while chunk := response.read(CHUNK_BYTES):
            content.write(chunk)
            done += len(chunk)
            report(file.name, done, total)
    if total is not None and done < total:
        raise HubError(f"{file.name} broke off after {done:,} of {total:,} bytes: run it again")


def _meaning(code: int) -> str:
    reason = http.client.responses.get(code, "an unknown status")
    if code in (401, 403, 404):
        return f"{code} {reason}: is the name right, and the model open to all?"
    return f"{code} {reason}"


def _put_in_place(staging: Path, target: Path) -> Path:
    """Renames the directory, so that no server sees half a model; one of the same name is replaced."""
    replaced = staging.with_name(f"{staging.name}.replaced")
    # Left behind where an earlier pull was killed here; a directory that is not empty takes no other's place.
    shutil.rmtree(replaced, ignore_errors=True)
    if target.exists():
        target.rename(replaced)
    staging.rename(target)
    shutil.rmtree(replaced, ignore_errors=True)
    return target


LOCK_FILE = "models.lock.json"


class ModelLock:
    """The digests by model (`models/<name>`, `rerankers/<name>`) and file, in one file of the data directory."""

    def __init__(self, data_dir: Path) -> None:
        """Raises HubError where the file cannot be read."""
        self._path = data_dir / LOCK_FILE
        self._locked = _read(self._path)

    def pinned(self, model: str, files: Sequence[HubFile]) -> tuple[HubFile, ...]:
        """The files with their recorded digests, where none is known otherwise and they come from the same place."""
        return tuple(self._pinned(model, file) for file in files)

    def _pinned(self, model: str, file: HubFile) -> HubFile:
        entry = self._locked.get(model, {}).get(file.name)
        if file.sha256 is not None or entry is None or _origin(entry) != _origin_of(file):
            return file
        return replace(file, sha256=str(entry.get("sha256")))

    def record(self, model: str, files: Sequence[HubFile], directory: Path) -> None:
        """Keeps the digests of these files as they are in the directory of the model."""
        self._locked[model] = {
            file.name: {
                "repository": file.repository,
                "revision": file.revision,
                "path": file.path,
                "sha256": file_sha256(directory / file.name),
            }
            for file in files
        }
        content = json.dumps(self._locked, indent=2, sort_keys=True, ensure_ascii=False)
        write_file(self._path, f"{content}\n".encode())

    def changed(self, model: str, directory: Path) -> list[str]:
        """The files of a model that are not what was downloaded."""
        return sorted(
            name
            for name, entry in self._locked.get(model, {}).items()
            if not (directory / name).is_file() or file_sha256(directory / name) != entry.get("sha256")
        )


def _origin(entry: dict[str, str]) -> tuple[str | None, ...]:
    return entry.get("repository"), entry.get("revision"), entry.get("path")


def _origin_of(file: HubFile) -> tuple[str | None, ...]:
    return file.repository, file.revision, file.path


def _read(path: Path) -> dict[str, dict[str, dict[str, str]]]:
    if not path.is_file():
        return {}
    try:
        content: Any = json.loads(path.read_bytes())
    except (OSError, ValueError) as error:
        raise HubError(f"{path} cannot be read: {error}") from error
    is_right = isinstance(content, dict) and all(
        isinstance(files, dict) and all(isinstance(entry, dict) for entry in files.values())
        for files in content.values()
    )
    if not is_right:
        raise HubError(f"{path} is no lock file of models: move it away to begin a new one")
    return dict(content)
