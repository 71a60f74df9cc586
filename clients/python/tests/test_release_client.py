"""A released client is kept as it was, in a zip that Python imports from."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import grpc
import pytest
from clients.python.tools.release_client import AlreadyReleased, packages_at, release, zipped

PACKAGES = Path(__file__).parent.parent / "src"
DEPENDENCIES = Path(grpc.__file__).parents[1]
PROJECT = '[project]\nversion = "7.1.0"\n'


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """One with a client of one module in its only commit."""
    root = tmp_path / "repository"
    write(root / "clients/python/pyproject.toml", PROJECT)
    write(root / "clients/python/src/camillo/v1/tea_pb2.py", "TINS = 2\n")
    write(root / "clients/python/src/camillo/v1/tea_pb2.pyi", "TINS: int\n")
    write(root / "clients/python/tests/test_tea.py", "")
    git(root, "init", "--quiet")
    commit(root)
    return root


def test_a_client_is_packed_alike_every_time(repository: Path, tmp_path: Path) -> None:
    first = release("HEAD", root=repository, target=tmp_path)
    assert first.name == "camillo-client-7.1.0.zip"
    packed = first.read_bytes()
    first.unlink()
    assert release("HEAD", root=repository, target=tmp_path).read_bytes() == packed


def test_only_what_runs_is_kept(repository: Path) -> None:
    assert packages_at("HEAD", repository) == {"camillo/v1/tea_pb2.py": b"TINS = 2\n"}


def test_what_was_released_is_not_replaced(repository: Path, tmp_path: Path) -> None:
    kept = release("HEAD", root=repository, target=tmp_path)
    packed = kept.read_bytes()
    write(repository / "clients/python/src/camillo/v1/tea_pb2.py", "TINS = 3\n")
    commit(repository)
    with pytest.raises(AlreadyReleased, match=r"7\.1\.0"):
        release("HEAD", root=repository, target=tmp_path)
    assert kept.read_bytes() == packed
    assert release("HEAD", "later", repository, tmp_path).name == "camillo-client-later.zip"


def test_the_client_of_now_runs_from_a_zip(tmp_path: Path) -> None:
    """The zip holds the client's data, too: the next release is kept in the same way."""
    path = tmp_path / "client.zip"
    path.write_bytes(zipped(dict(files_below(PACKAGES))))
    program = "import camillo_client as c; c.Camillo.connect('localhost:1').close(); print(c.__file__)"
    printed = subprocess.run(  # noqa: S603
        [sys.executable, "-S", "-P", "-c", program],
        env={"PYTHONPATH": os.pathsep.join([str(path), str(DEPENDENCIES)])},
        capture_output=True,
        text=True,
        check=True,
    ).stdout
    assert Path(printed.strip()).is_relative_to(path)


def files_below(folder: Path) -> Iterator[tuple[str, bytes]]:
    for path in folder.rglob("*"):
        if path.suffix in {".py", ".json"}:
            yield str(path.relative_to(folder)), path.read_bytes()


def write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, "utf-8")


def commit(root: Path) -> None:
    git(root, "add", "--all")
    somebody = ("-c", "user.name=somebody", "-c", "user.email=somebody@example.com")
    git(root, *somebody, "commit", "--quiet", "--message", "as it is now")


def git(root: Path, *arguments: str) -> None:
    subprocess.run(["git", "-C", str(root), *arguments], check=True)  # noqa: S603, S607
