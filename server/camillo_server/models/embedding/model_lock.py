"""The digests of models' files that were downloaded before, so that a later download is the same or an error.

Trust on first use: if nobody knows the digest of a file, its first download decides.
"""

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from camillo_server.kernel.durable_files import write_file
from camillo_server.models.embedding.model_hub import HubError, HubFile
from camillo_server.models.embedding.onnx_model import file_sha256

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
