"""The commands and the Python examples of the documents run as they stand, against a fresh server for each document.

The working directory has what a checkout has (`docs/`) and a project whose tests print a lot. A block that
is not run is in NOT_RUN with the reason.
"""

import json
import os
import re
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import pytest
import yaml

from tests.cases import each_case
from tests.cli.conftest import clean_environ, command, read_line, without_maintenance
from tests.documents.blocks import Block, blocks_of, inline_code_of, parses_as_json
from tests.patience import PATIENCE_SECONDS
from tests.ports import free_port
from tests.secret_samples import samples

ROOT = Path(__file__).parent.parent.parent
DOCUMENTS = (
    "README.md",
    *sorted(f"docs/{path.name}" for path in (ROOT / "docs").glob("*.md")),
    "clients/python/README.md",
)
SCRIPT_SECONDS = 600
# By document: how a block begins, and why it is not run.
NOT_RUN: dict[str, dict[str, str]] = {
    "README.md": {
        "make run ": "tests/cli/test_server_commands.py runs the demo; `make test` would run this test",
    },
    "clients/python/README.md": {"pip install": "tests/installation installs the client"},
    "docs/configuration.md": {"camillo models pull": "downloads a vocabulary"},
    "docs/embedding.md": {
        "camillo models pull ": "downloads a model",
        "camillo lifecycle reembed": "needs a second embedding model in the settings",
    },
    "docs/http.md": {"camillo serve": "there is a server already"},
    "docs/import.md": {"camillo import ": "tests/cli/test_import_forms.py imports such files"},
    "docs/mcp.md": {"$ camillo serve": "there is a server already"},
    "docs/mesh.md": {
        "pip install": "needs Envoy: tests/mesh runs it",
        "curl ": "needs Envoy: tests/mesh/test_web.py makes these calls",
        "helm ": "needs a cluster: tests/mesh/test_helm.py checks the chart",
        "kubectl ": "needs a cluster: tests/mesh/test_kubernetes.py checks the manifests",
    },
    "docs/openapi.md": {
        "pip install": "tests/rpc/gateway/test_openapi_served.py generates a client",
        "import os": "as above",
    },
    "docs/performance.md": {
        "pip install": "tests/installation installs the server",
        "camillo profile": "needs the right to trace a process: tests/cli/test_admin_commands.py does where it may",
    },
    "docs/slots.md": {"$ jq ": "needs jq"},
    "docs/postgres.md": {
        "export CAMILLO_DATABASE_URL": "needs a database elsewhere: tests/storage prepares one",
        "camillo migrate": "as above",
    },
}
PROJECT_TEST = """
import pytest

@pytest.mark.parametrize("n", range(403))
def test_total(n):
    pass

def test_discount():
    assert -270 == 27.0
"""
PROGRAMS = {
    # The documents' servers are at the ports that are the default; who watches without end has a second for it.
    "curl": """code=0; set -- "${@//localhost:7071/$HTTP}"; case "$*" in *-N*) set -- -m 1 "$@"; esac
PATH="${PATH#*:}" curl -sS --fail-with-body "$@" || code=$?
case "$*$code" in *-N*28) code=0; esac; [ $code = 0 ] || echo "curl $*" >> "$FAILED"; exit $code""",
    # A pipe or a substitution hides the exit code of what is in it: failures are also written to a file.
    "camillo": f'"{sys.executable}" -m camillo_server "$@" '
    '|| { code=$?; echo "camillo $*" >> "$FAILED"; exit $code; }',
    "python": f'exec "{sys.executable}" "$@"',
    "pytest": f'exec "{sys.executable}" -m pytest -p no:cacheprovider "$@" test_prices.py',
    "npm": "seq -f 'ok %g - a test' 2000; echo 'not ok 2001 - error: failed'",
}


def blocks_to_run(document: str) -> list[Block]:
    return [
        block
        for block in blocks_of(ROOT, document)
        if (block.is_shell or block.is_python) and not reason_against(block)
    ]


def reason_against(block: Block) -> str | None:
    """Why a block is not run."""
    for beginning, reason in NOT_RUN.get(block.document, {}).items():
        if block.text.startswith(beginning):
            return reason
    return None


def documents_that_run() -> list[str]:
    return [document for document in DOCUMENTS if blocks_to_run(document)]


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A directory like that of a reader of the documents, and `bin` with the programs that they call."""
    shutil.copytree(ROOT / "docs", tmp_path / "docs")
    (tmp_path / "test_prices.py").write_text(PROJECT_TEST)
    (tmp_path / "failed.txt").touch()
    (tmp_path / "build.log").write_text("error: a build failed\n" * 100)
    (tmp_path / "payroll.log").write_text("paid\n" * 2_000)
    (tmp_path / ".venv" / "bin").mkdir(parents=True)
    (tmp_path / ".venv" / "bin" / "activate").touch()
    (tmp_path / "bin").mkdir()
    for name, line in PROGRAMS.items():
        (tmp_path / "bin" / name).write_text(f"#!/bin/bash\n{line}\n")
        (tmp_path / "bin" / name).chmod(0o755)
    return tmp_path


@contextmanager
def serving(data_directory: Path, config: Path) -> Iterator[dict[str, str]]:
    """A server on a data directory, and what it says when it is ready; it ends in good order."""
    process = subprocess.Popen(
        command("serve", "--json", "--port=0", f"--http-port={free_port()}", f"--data-dir={data_directory}"),
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env=clean_environ() | without_maintenance(config),
    )
    try:
        yield json.loads(read_line(process))
        process.send_signal(signal.SIGINT)
        assert process.wait(PATIENCE_SECONDS) == 0
    finally:
        process.kill()
        process.wait()


@pytest.fixture(scope="module")
def new_data(postgres_directory: Path) -> Iterator[Path]:
    """The data directory that a first start leaves; to make one for each document takes longer than its commands."""
    directory = postgres_directory / "new"
    with serving(directory, postgres_directory):
        pass
    yield directory
    shutil.rmtree(directory)


@pytest.fixture
def served(new_data: Path, data_directory: Path, project: Path) -> Iterator[dict[str, str]]:
    """The environment of a shell beside a fresh server, in which the documents' programs are found."""
    # Unlike shutil, it keeps the owner: as root, Postgres runs as another user.
    subprocess.run(["cp", "-a", new_data, data_directory], check=True)
    environ = clean_environ()
    with serving(data_directory, project) as ready:
        yield environ | {
            "CAMILLO_ADDRESS": ready["address"],
            "HTTP": ready["url"].removeprefix("http://"),
            # A home of its own, so that `camillo install` does not configure clients of whoever runs the tests.
            "HOME": str(project),
            "CAMILLO_DATA_DIR": str(data_directory),
            "CAMILLO_KEY": (data_directory / "root.key").read_text().strip(),
            "FAILED": str(project / "failed.txt"),
            "DEPLOY_KEY": samples(1)["github-pat"],
            "PATH": f"{project / 'bin'}{os.pathsep}{environ['PATH']}",
        }


@pytest.mark.timeout(SCRIPT_SECONDS + 60)
@pytest.mark.parametrize("document", documents_that_run())
def test_commands_and_examples_run(document: str, project: Path, served: dict[str, str]) -> None:
    done = run_blocks(blocks_to_run(document), project, served)
    shown = done.stderr[-3000:] + done.stdout[-1000:]
    assert done.returncode == 0, shown
    assert (project / "failed.txt").read_text() == "", shown


def test_what_cannot_run_is_noticed(project: Path, served: dict[str, str]) -> None:
    assert run_blocks([shell("$ camillo rememberr tea")], project, served).returncode != 0
    piped = shell('$ camillo remember "tea" --kind none | cat', '$ camillo remember "tea"')
    assert run_blocks([piped], project, served).returncode == 0
    failed = (project / "failed.txt").read_text().splitlines()
    assert failed == ["camillo rememberr tea", "camillo remember tea --kind none"]
    shows_a_failure = shell('$ camillo remember "tea"', "camillo: it is refused")
    assert run_blocks([shows_a_failure], project, served).returncode != 0
    raises = Block("none.md", 1, "python", "raise ValueError('no example')\n")
    assert run_blocks([raises], project, served).returncode != 0


def shell(*lines: str) -> Block:
    return Block("none.md", 1, "console", "\n".join(lines))


def run_blocks(blocks: Sequence[Block], project: Path, environ: dict[str, str]) -> subprocess.CompletedProcess[str]:
    """The finished shell that ran the blocks one after the other."""
    script = "".join(block.script() for block in blocks)
    return subprocess.run(
        ["bash", "-eu", "-c", script],
        cwd=project,
        env=environ,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        timeout=SCRIPT_SECONDS,
        check=False,
    )


@each_case("document", DOCUMENTS)
def test_a_file_is_shown_as_it_is(document: str) -> None:
    for block in blocks_of(ROOT, document):
        for path, printed in re.findall(r"^\$ cat (\S+)\n((?:(?!\$ ).*\n)*)", block.text, re.M):
            assert printed == (ROOT / path).read_text("utf-8"), block.where


@pytest.mark.parametrize("document", DOCUMENTS)
def test_files_of_commands_in_a_line_are_there(document: str, project: Path) -> None:
    made = {name for block in blocks_of(ROOT, document) for name in re.findall(r"> (\S+)", block.text)}
    for command_line in inline_code_of(ROOT, document):
        if command_line.startswith("camillo "):
            for name in re.findall(r"[\w./-]+\.(?:jsonl?|log|md|txt|ya?ml)\b", command_line):
                assert name in made or (project / name).exists(), command_line


@each_case("document", DOCUMENTS)
def test_tests_that_are_named_are_there(document: str) -> None:
    for line in inline_code_of(ROOT, document):
        if named := re.fullmatch(r"(\S+\.py)::(test_\w+)", line):
            path, test = named.groups()
            assert f"def {test}(" in (ROOT / path).read_text(), line


def test_every_reason_belongs_to_a_block() -> None:
    unused = [
        (document, beginning)
        for document, reasons in NOT_RUN.items()
        for beginning in reasons
        if not any(block.text.startswith(beginning) for block in blocks_of(ROOT, document))
    ]
    assert not unused


@each_case("document", DOCUMENTS)
def test_json_and_yaml_can_be_read(document: str) -> None:
    for block in blocks_of(ROOT, document):
        if block.language == "json":
            assert parses_as_json(block.text), block.where
        elif block.language == "yaml":
            assert yaml.safe_load(block.text), block.where
