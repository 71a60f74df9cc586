"""The command line beside the Python client, in an environment that has what the two require and nothing else."""

import json
import subprocess
from collections.abc import Iterator
from importlib.metadata import distribution
from pathlib import Path

import pytest
from packaging.requirements import Requirement

from tests.installation.test_wheels import (  # noqa: F401 -- fixtures
    Environment,
    checkout,
    requirements,
    run,
    served,
    server,
    wheel,
    wheels,
)

OF_THE_SERVER = (
    "alembic",
    "camillo_server",
    "faiss",
    "hyperscan",
    "mcp",
    "numpy",
    "onnxruntime",
    "psycopg",
    "tokenizers",
)
SHOW_FOUND = f"""
from importlib.util import find_spec
print(*[name for name in {OF_THE_SERVER} if find_spec(name)])
"""
LOG = [
    {"role": "user", "content": "When do we release?", "timestamp": "2026-01-31T12:00:00Z"},
    {"role": "assistant", "content": "We release on Tuesdays", "timestamp": "2026-01-31T12:00:05Z"},
]


def required(stated: Iterator[Requirement], found: set[str]) -> set[str]:
    """The names of required distributions, and of those that these require."""
    for each in stated:
        name = each.name.lower()
        if name not in found and (each.marker is None or each.marker.evaluate({"extra": ""})):
            found.add(name)
            required(map(Requirement, distribution(name).requires or ()), found)
    return found


@pytest.fixture(scope="module")
def client(wheels: Path, tmp_path_factory: pytest.TempPathFactory) -> Environment:  # noqa: F811
    """An environment with the wheels of client and command line, and of the tests' environment what these require."""
    made = Environment.create(tmp_path_factory.mktemp("client"), dependencies=False)
    packages = [wheel(wheels, name) for name in ("camillo_client", "camillo_cli")]
    made.install(*packages)
    stated = (each for path in packages for name, each in requirements(path).items() if name != "camillo-client")
    for name in required(stated, set()):
        files = distribution(name).files or ()
        for top in {path.parts[0] for path in files} - {"..", "__pycache__"}:
            link = made.packages / top
            if not link.exists():
                link.symlink_to(str(distribution(name).locate_file(top)))
    return made


def failure(environment: Environment, *arguments: str, code: int = 1) -> str:
    """The line with which a command fails."""
    return run(str(environment.folder / "bin" / "camillo"), *arguments, cwd=environment.folder, code=code)


def test_nothing_of_the_server_is_there(client: Environment, server: Environment) -> None:  # noqa: F811
    assert server.run("python", "-c", SHOW_FOUND).split() == list(OF_THE_SERVER)
    assert client.run("python", "-c", SHOW_FOUND).split() == []


def test_commands_reach_a_server_elsewhere(client: Environment, served: dict[str, str], tmp_path: Path) -> None:  # noqa: F811
    assert client.run("camillo", "--version").startswith("camillo ")
    client.run("camillo", "remember", "We release on Tuesdays", **served)
    assert "We release on Tuesdays" in client.run("camillo", "recall", "when do we release?", **served)
    assert "retrieved_evidence\t1\t" in client.run("camillo", "bundle", "when do we release?", **served)
    log = tmp_path / "log.jsonl"
    log.write_text("".join(json.dumps(line) + "\n" for line in LOG))
    for recorded in (2, 0):
        assert json.loads(client.run("camillo", "ingest", str(log), "--json", **served))["events"] == recorded
    folder = tmp_path / "notes"
    folder.mkdir()
    (folder / "tea.md").write_text("# Tea\n\nAda prefers green tea.\n")
    client.run("camillo", "import", str(folder), **served)
    assert "green tea" in client.run("camillo", "recall", "which tea?", **served)
    assert "usage" not in client.run("camillo", "install", "claude-code", "--dry-run", HOME=str(tmp_path)).lower()


def test_a_hook_answers(client: Environment) -> None:
    program = client.folder / "bin" / "camillo"
    done = subprocess.run(
        [program, "hook", "prompt", "--client", "claude-code"],
        input='{"prompt": "tea"}',
        capture_output=True,
        text=True,
        cwd=client.folder,
        env={"HOME": str(client.folder), "CAMILLO_ADDRESS": "127.0.0.1:1"},
        check=True,
    )
    assert "Traceback" not in done.stderr


def test_a_command_of_the_server_says_what_to_install(client: Environment) -> None:
    for words, named in (
        (["serve"], "serve"),
        (["models", "list"], "models"),
        (["keys", "bootstrap"], "keys bootstrap"),
    ):
        line = f"camillo: '{named}' needs the server, which is not installed here: pip install camillo-server\n"
        assert failure(client, *words) == line
    shown = client.run("camillo", "--help")
    assert " recall " in shown
    assert " serve " not in shown
    assert failure(client, "sevre", code=2).startswith("camillo: no such command 'sevre'")
