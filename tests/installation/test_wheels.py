"""The wheels of server and client in environments that have neither the repository nor a published package of ours.

The dependencies of the wheels come from the environment of the tests, so that nothing is downloaded.
"""

import hashlib
import json
import shutil
import subprocess
import sys
import sysconfig
import venv
from collections.abc import Iterator
from dataclasses import dataclass
from email.parser import Parser
from pathlib import Path
from zipfile import ZipFile

import pytest
from packaging.requirements import Requirement

from tests.cli.conftest import clean_environ, read_line
from tests.patience import PATIENCE_SECONDS

ROOT = Path(__file__).parent.parent.parent
# Paths that the build of both wheels reads.
SOURCES = ("LICENSE", "README.md", "clients/python", "clients/python-cli", "pyproject.toml", "server")
NO_SOURCE = shutil.ignore_patterns("__pycache__", "*.egg-info", "build", "dist", ".*_cache")
PIP = (sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check")
OFFLINE = ("--no-deps", "--no-index", "--no-build-isolation")
BUILD_SDIST = "from setuptools.build_meta import build_sdist; build_sdist('dist')"
USE_CLIENT = """
import sys
from camillo_client import Camillo

with Camillo.connect(agent_id="default") as camillo:
    camillo.remember("Ada prefers tea to coffee")
    print([hit.memory.content for hit in camillo.recall("tea").hits])
print(sys.modules["camillo_client"].__file__)
"""

SHOW_SOURCES = """
import camillo_server, camillo_client
print(*camillo_server.__path__, *camillo_client.__path__, sep="\\n")
"""


@dataclass(frozen=True, slots=True)
class Environment:
    """An environment of its own, in which only what was installed of Camillo can be imported."""

    folder: Path

    @classmethod
    def create(cls, folder: Path, *, dependencies: bool = True) -> "Environment":
        venv.create(folder, symlinks=True)
        made = cls(folder)
        if dependencies:
            # Its entries are not read for further .pth files: an editable install of the repository stays out.
            (made.packages / "dependencies.pth").write_text(sysconfig.get_path("purelib") + "\n")
        return made

    @property
    def packages(self) -> Path:
        version = f"python{sys.version_info.major}.{sys.version_info.minor}"
        return self.folder / "lib" / version / "site-packages"

    def install(self, *what: Path | str) -> None:
        run(*PIP, "--python", str(self.folder / "bin/python"), "install", *OFFLINE, *map(str, what))

    def run(self, program: str, *arguments: str, **environ: str) -> str:
        return run(str(self.folder / "bin" / program), *arguments, cwd=self.folder, environ=environ)


def run(*command: str, cwd: Path | None = None, environ: dict[str, str] | None = None, code: int = 0) -> str:
    """Output of a command, of one that fails its errors, run without variables that would lead it to the repository."""
    inherited = {name: value for name, value in clean_environ().items() if name != "PYTHONPATH"}
    done = subprocess.run(
        command,
        cwd=cwd,
        env=inherited | (environ or {}),
        capture_output=True,
        text=True,
        timeout=PATIENCE_SECONDS,
        check=False,
    )
    assert done.returncode == code, done.stderr
    return done.stderr if code else done.stdout


@pytest.fixture(scope="module")
def checkout(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of what both packages are built from, since building writes beside it."""
    folder = tmp_path_factory.mktemp("checkout")
    for name in SOURCES:
        source, target = ROOT / name, folder / name
        target.parent.mkdir(parents=True, exist_ok=True)
        if source.is_dir():
            shutil.copytree(source, target, ignore=NO_SOURCE)
        else:
            shutil.copy(source, target)
    return folder


@pytest.fixture(scope="module")
def wheels(checkout: Path) -> Path:
    """The folder with the wheels of server and client."""
    # A module that an earlier build left and that is gone since.
    stale = checkout / "build" / "lib" / "camillo_server" / "gone.py"
    stale.parent.mkdir(parents=True)
    stale.touch()
    target = checkout / "wheels"
    folders = [str(checkout / name) for name in (".", "clients/python", "clients/python-cli")]
    run(*PIP, "wheel", *OFFLINE, "--wheel-dir", str(target), *folders)
    return target


def wheel(folder: Path, name: str) -> Path:
    [found] = folder.glob(f"{name}-*.whl")
    return found


def contents(path: Path) -> set[str]:
    """The files of a wheel but those that describe it."""
    with ZipFile(path) as archive:
        return {name for name in archive.namelist() if ".dist-info/" not in name}


def requirements(path: Path) -> dict[str, Requirement]:
    """Requirements of a wheel without extras, by name."""
    with ZipFile(path) as archive:
        [metadata] = [name for name in archive.namelist() if name.endswith("/METADATA")]
        fields = Parser().parsestr(archive.read(metadata).decode())
    stated = [Requirement(text) for text in fields.get_all("Requires-Dist") or ()]
    return {each.name.lower(): each for each in stated if "extra" not in str(each.marker)}


def files_below(folder: Path) -> set[str]:
    return {
        path.relative_to(folder).as_posix()
        for path in folder.rglob("*")
        if path.is_file() and not {"__pycache__", "build"} & {*path.parts[len(folder.parts) :]}
    }


@pytest.fixture(scope="module")
def server(wheels: Path, tmp_path_factory: pytest.TempPathFactory) -> Environment:
    """An environment that has the server's wheel alone."""
    made = Environment.create(tmp_path_factory.mktemp("server"))
    made.install(wheel(wheels, "camillo_server"))
    return made


@pytest.fixture(scope="module")
def served(server: Environment, postgres_directory: Path, request: pytest.FixtureRequest) -> Iterator[dict[str, str]]:
    """The variables that lead a command to a server that was started from its wheel."""
    # Modules that use this fixture in one process have a server each, and none has what another stored.
    data_dir = str(postgres_directory / request.module.__name__.rpartition(".")[2])
    environ = {name: value for name, value in clean_environ().items() if name != "PYTHONPATH"}
    process = subprocess.Popen(
        [server.folder / "bin" / "camillo", "serve", "--json", "--port", "0"],
        cwd=server.folder,
        stdout=subprocess.PIPE,
        env=environ | {"CAMILLO_DATA_DIR": data_dir},
    )
    try:
        ready = json.loads(read_line(process))
        key = (Path(data_dir) / "root.key").read_text().strip()
        yield {"CAMILLO_ADDRESS": ready["address"], "CAMILLO_DATA_DIR": data_dir, "CAMILLO_KEY": key}
        process.terminate()
        assert process.wait(PATIENCE_SECONDS) == 0
    finally:
        process.kill()
        process.wait()


def test_the_servers_wheel_has_every_file_and_the_client(wheels: Path) -> None:
    packed = contents(wheel(wheels, "camillo_server"))
    expected = {f"camillo_server/{name}" for name in files_below(ROOT / "server/camillo_server")}
    for client in ("clients/python/src", "clients/python-cli/src"):
        bundled = {name for name in files_below(ROOT / client) if ".egg-info/" not in name}
        assert len(bundled) > 50
        expected |= {f"camillo_server/bundled/{name}" for name in bundled}
    assert packed == expected
    assert sum(name.endswith(".sql") for name in packed) > 20


def test_the_servers_wheel_needs_what_client_and_command_line_need_and_nothing_of_ours(wheels: Path) -> None:
    server = requirements(wheel(wheels, "camillo_server"))
    client = requirements(wheel(wheels, "camillo_client")) | requirements(wheel(wheels, "camillo_cli"))
    assert client.pop("camillo-client")
    assert len(client) >= 8
    assert {name: server[name].specifier for name in client} == {name: each.specifier for name, each in client.items()}
    assert not [name for name in (*server, *client) if name.startswith("camillo")]


def test_the_source_distribution_makes_the_same_wheel(checkout: Path, wheels: Path) -> None:
    run(sys.executable, "-c", BUILD_SDIST, cwd=checkout)
    [archive] = (checkout / "dist").glob("*.tar.gz")
    target = checkout / "again"
    run(*PIP, "wheel", *OFFLINE, "--wheel-dir", str(target), str(archive))
    built = contents(wheel(target, "camillo_server"))
    assert built == contents(wheel(wheels, "camillo_server"))


def test_an_editable_install_reads_server_and_client_where_they_are(checkout: Path, tmp_path: Path) -> None:
    edited = Environment.create(tmp_path)
    for folder in (".", "clients/python", "clients/python-cli"):
        edited.install("--editable", checkout / folder)
    assert edited.run("camillo", "--version").startswith("camillo ")
    printed = edited.run("python", "-c", SHOW_SOURCES).splitlines()
    assert printed == [
        str(checkout / "server" / "camillo_server"),
        str(checkout / "clients" / "python" / "src" / "camillo_client"),
    ]
    assert not (checkout / "server" / "camillo_server" / "bundled").exists()


def test_the_server_runs_from_its_wheel_alone(server: Environment, served: dict[str, str]) -> None:
    token = "ghp_" + hashlib.sha256(b"of nobody").hexdigest()[:36]
    server.run("camillo", "remember", f"We release on Tuesdays, the key is {token}", **served)
    recalled = server.run("camillo", "recall", "when do we release?", **served)
    assert "We release on Tuesdays" in recalled
    # The rules for secrets and the recipes are data files.
    assert token not in recalled
    bundle = server.run("camillo", "bundle", "when do we release?", **served)
    assert "retrieved_evidence\t1\t" in bundle
    found = server.run("python", "-c", "import camillo_server, camillo.v1; print(*camillo.v1.__path__)")
    assert found.startswith(str(server.packages / "camillo_server" / "bundled"))


def test_the_client_runs_from_its_wheel_alone(wheels: Path, served: dict[str, str], tmp_path: Path) -> None:
    client = Environment.create(tmp_path)
    client.install(wheel(wheels, "camillo_client"))
    printed = client.run("python", "-c", USE_CLIENT, **served)
    assert "Ada prefers tea to coffee" in printed
    assert str(client.packages / "camillo_client") in printed
    assert not (client.packages / "camillo_server").exists()


def test_server_and_client_of_a_checkout_share_an_environment_and_no_file(
    checkout: Path, served: dict[str, str], tmp_path: Path
) -> None:
    both = Environment.create(tmp_path)
    both.install(checkout, checkout / "clients" / "python")
    assert "tea" in both.run("python", "-c", USE_CLIENT, **served)
    run(*PIP, "--python", str(both.folder / "bin/python"), "uninstall", "--yes", "camillo-client")
    # Uninstalling one of them removes nothing that the other needs.
    assert "tea" in both.run("camillo", "recall", "tea", **served)
