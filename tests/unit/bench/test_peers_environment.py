"""Packages that are installed for the peers, and that the server does without."""

import ast
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

from bench.measure.servers import ROOT
from bench.peers import environment
from bench.peers.contenders import CONTENDERS, PEERS
from tests.python_sources import parsed

PEER_PACKAGES = {"chromadb", "langgraph", "mem0", "qdrant_client"}


def imported(directory: Path) -> set[str]:
    """The first parts of the names of all modules that the code in a directory imports."""
    return {name.split(".")[0] for path in directory.rglob("*.py") for name in names(path)}


def names(path: Path) -> Iterator[str]:
    for node in ast.walk(parsed(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module


def test_the_extra_alone_is_read(tmp_path: Path) -> None:
    pyproject = tmp_path / "pyproject.toml"
    pyproject.write_text(
        '[project]\ndependencies = ["a"]\n[project.optional-dependencies]\npeers = ["b>=1", "c"]\ndev = ["d"]\n'
    )
    assert environment.requirements(pyproject) == ["b>=1", "c"]


def test_the_extra_names_every_peer() -> None:
    wanted = " ".join(environment.requirements())
    for package in ("chromadb", "langgraph-checkpoint-postgres", "mem0ai", "qdrant-client"):
        assert package in wanted


def test_the_server_needs_and_imports_no_peer() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    needed = " ".join(project["dependencies"])
    assert "grpcio" in needed
    assert not any(package in needed for package in (*PEER_PACKAGES, "mem0ai", "qdrant-client"))
    server = imported(ROOT / "server")
    assert "psycopg" in server
    assert not PEER_PACKAGES & server
    assert imported(ROOT / "bench" / "peers") >= PEER_PACKAGES


@pytest.mark.parametrize("name", PEERS)
def test_a_peer_imports_nothing_of_ours_but_the_benchmark(name: str) -> None:
    path = ROOT / f"{CONTENDERS[name].module.replace('.', '/')}.py"
    found = set(names(path))
    assert "bench.peers.store" in found
    assert not any(each.startswith("camillo") for each in found)
    assert {each for each in found if each.startswith("bench")} <= {"bench.peers.material", "bench.peers.store"}


def test_what_cannot_be_installed_is_told_with_the_cause(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(environment, "DIRECTORY", tmp_path / "venv")
    monkeypatch.setattr(environment, "PYTHON", tmp_path / "venv" / "bin" / "python")
    missing = f"nothing @ {(tmp_path / 'nothing.whl').as_uri()}"
    monkeypatch.setattr(environment, "requirements", lambda: [missing])
    causes = environment.install()
    assert list(causes) == [missing]
    assert causes[missing]
    monkeypatch.setattr(environment, "requirements", list)
    assert environment.install() == {}
