"""Keeps the client as it was at a commit, in a zip that Python imports from.

`python clients/python/tools/release_client.py COMMIT [NAME]` writes
`tests/compatibility/released/camillo-client-NAME.zip`; the name is the version that the client had, unless another one
is given. The same commit gives the same bytes, by the same zlib."""

from __future__ import annotations

import io
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from collections.abc import Mapping
from pathlib import Path, PurePosixPath

ROOT = Path(__file__).parents[3]
RELEASED = ROOT / "tests" / "compatibility" / "released"
PROJECT = "clients/python/pyproject.toml"
PACKAGES = "clients/python/src"
# The earliest that a zip can say.
NO_TIME = (1980, 1, 1, 0, 0, 0)
PLAIN_FILE, FOLDER = 0o100644 << 16, 0o040755 << 16


class AlreadyReleased(Exception):
    """Another client is kept under this name: what was released never changes."""


def release(commit: str, name: str = "", root: Path = ROOT, target: Path = RELEASED) -> Path:
    """The file that keeps the client of a commit; AlreadyReleased if the name is taken by another."""
    path = target / f"camillo-client-{name or version_at(commit, root)}.zip"
    released = zipped(packages_at(commit, root))
    if path.exists() and contents(path.read_bytes()) != contents(released):
        raise AlreadyReleased(f"{path.name} is there, and says something else")
    path.write_bytes(released)
    return path


def version_at(commit: str, root: Path) -> str:
    """The version that the client had."""
    told = tomllib.loads(_git(root, "show", f"{commit}:{PROJECT}").decode())
    version: str = told["project"]["version"]
    return version


def packages_at(commit: str, root: Path) -> dict[str, bytes]:
    """The files of the client's packages by their paths, without the stubs for type checkers."""
    files: dict[str, bytes] = {}
    with tarfile.open(fileobj=io.BytesIO(_git(root, "archive", commit, PACKAGES))) as archive:
        for member in archive:
            file = archive.extractfile(member)
            if file is not None and not member.name.endswith(".pyi"):
                files[member.name.removeprefix(f"{PACKAGES}/")] = file.read()
    return files


def zipped(files: Mapping[str, bytes]) -> bytes:
    """A zip of these files, which says nothing of when and where it was made."""
    written = io.BytesIO()
    with zipfile.ZipFile(written, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        # `camillo` is a namespace, and of those Python finds in a zip only what has an entry of its own.
        for folder in sorted({f"{parent}/" for name in files for parent in _parents(name)}):
            archive.writestr(_entry(folder, FOLDER), b"")
        for name in sorted(files):
            archive.writestr(_entry(name, PLAIN_FILE), files[name])
    return written.getvalue()


def contents(archive: bytes) -> dict[str, bytes]:
    """The contents of a zip, however it was packed."""
    with zipfile.ZipFile(io.BytesIO(archive)) as opened:
        return {name: opened.read(name) for name in opened.namelist()}


def _parents(name: str) -> list[str]:
    return [str(parent) for parent in PurePosixPath(name).parents if parent.name]


def _entry(name: str, attributes: int) -> zipfile.ZipInfo:
    entry = zipfile.ZipInfo(name, NO_TIME)
    # As of Unix on any system.
    entry.create_system, entry.external_attr = 3, attributes
    entry.compress_type = zipfile.ZIP_DEFLATED
    return entry


def _git(root: Path, *arguments: str) -> bytes:
    command = ["git", "-C", str(root), *arguments]
    return subprocess.run(command, capture_output=True, check=True).stdout  # noqa: S603


def main() -> int:
    if not 2 <= len(sys.argv) <= 3:
        print(__doc__, file=sys.stderr)
        return 2
    commit, name = sys.argv[1], "".join(sys.argv[2:])
    try:
        path = release(commit, name)
    except AlreadyReleased as taken:
        print(taken, file=sys.stderr)
        return 1
    except subprocess.CalledProcessError as failed:
        print(failed.stderr.decode(errors="replace").strip(), file=sys.stderr)
        return 1
    print(f"{path.relative_to(ROOT)}: {path.stat().st_size:,} bytes")
    return 0


if __name__ == "__main__":
    sys.exit(main())
