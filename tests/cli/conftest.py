"""The commands against a real server, which runs as a process of its own.

A process for each command would cost most of the time in starting Python: they run in this one, with their own
standard streams and environment. `start` and `run_process` are for what only a process shows.
"""

import io
import itertools
import json
import os
import select
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest
from camillo_cli import program

from tests import caches
from tests.patience import PATIENCE_SECONDS

HERE = Path(__file__).parent

agent_numbers = itertools.count(1)


@dataclass(frozen=True, slots=True)
class Finished:
    """Exit status and output of a command."""

    returncode: int
    stdout: str
    stderr: str


@dataclass(frozen=True, slots=True)
class Camillo:
    """Runs commands against one server, as one agent."""

    address: str
    data_dir: Path
    agent: str

    @property
    def environ(self) -> dict[str, str]:
        return clean_environ() | {
            "CAMILLO_ADDRESS": self.address,
            "CAMILLO_DATA_DIR": str(self.data_dir),
            "CAMILLO_AGENT": self.agent,
        }

    def run(self, *arguments: str, stdin: str | bytes = "") -> Finished:
        """The finished command, whatever became of it."""
        content = stdin.encode() if isinstance(stdin, str) else stdin
        return run_here(*arguments, environ=self.environ, stdin=content)

    def __call__(self, *arguments: str, stdin: str | bytes = "") -> str:
        """Runs a command that must succeed, and returns its output."""
        done = self.run(*arguments, stdin=stdin)
        assert done.returncode == 0, done.stderr
        return done.stdout

    def json(self, *arguments: str, stdin: str = "") -> Any:
        """The one object that a command prints with --json."""
        return json.loads(self(*arguments, "--json", stdin=stdin))

    def lines(self, *arguments: str) -> list[Any]:
        """The objects that a command prints with --json, a line each."""
        return [json.loads(line) for line in self(*arguments, "--json").splitlines()]

    def rows(self, *arguments: str) -> list[list[str]]:
        """The cells of the table that a command prints off a terminal, without the line of headings."""
        return cells(self(*arguments))

    def refused(self, *arguments: str, stdin: str | bytes = "") -> tuple[int, str]:
        """The exit code and the one line of a command that fails and prints nothing else."""
        done = self.run(*arguments, stdin=stdin)
        assert done.returncode != 0, done.stdout
        assert done.stdout == ""
        assert done.stderr.count("\n") == 1, done.stderr
        return done.returncode, done.stderr.removeprefix("camillo: ").rstrip("\n")

    def as_agent(self, agent: str) -> "Camillo":
        return replace(self, agent=agent)


def cells(table: str) -> list[list[str]]:
    """The cells of a table of tab-separated lines, without the line of headings."""
    return [line.split("\t") for line in table.splitlines()[1:]]


def text_stream(content: bytes = b"") -> io.TextIOWrapper:
    return io.TextIOWrapper(io.BytesIO(content), encoding="utf-8")


def content_of(stream: io.TextIOWrapper) -> str:
    stream.flush()
    buffer = stream.buffer
    assert isinstance(buffer, io.BytesIO)
    return buffer.getvalue().decode()


def run_here(*arguments: str, environ: Mapping[str, str] | None = None, stdin: bytes = b"") -> Finished:
    """The finished command, run in this process; without an environment given it knows no server."""
    streams = {"stdin": text_stream(stdin), "stdout": text_stream(), "stderr": text_stream()}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, "environ", dict(environ or clean_environ()))
        for name, stream in streams.items():
            patch.setattr(sys, name, stream)
        handlers = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)}
        code = program.run(list(arguments))
    for number, handler in handlers.items():
        # Else processes that later tests start would ignore what the command ignored.
        if signal.getsignal(number) is not handler:
            signal.signal(number, handler)
    return Finished(code, content_of(streams["stdout"]), content_of(streams["stderr"]))


def run_process(*arguments: str, environ: Mapping[str, str] | None = None, stdin: bytes = b"") -> Finished:
    """The finished command, run as a process; without an environment given it knows no server."""
    done = subprocess.run(
        command(*arguments),
        input=stdin,
        capture_output=True,
        env=environ or clean_environ(),
        timeout=PATIENCE_SECONDS,
        check=False,
    )
    return Finished(done.returncode, done.stdout.decode(), done.stderr.decode())


def command(*arguments: str) -> list[str]:
    return [sys.executable, "-m", "camillo_server", *arguments]


def clean_environ() -> dict[str, str]:
    """The environment of the tests without variables that change how a command behaves."""
    dropped = ("CAMILLO_", "NO_COLOR", "FORCE_COLOR", "COLUMNS")
    kept = {name: value for name, value in os.environ.items() if not name.startswith(dropped)}
    return kept | caches.ENVIRON


def without_maintenance(directory: Path) -> dict[str, str]:
    """Else what a test sees would depend on the minute in which it runs. Only a file can say so."""
    config = directory / "without-maintenance.yaml"
    config.write_text("lifecycle: {cron: null}\n")
    return {"CAMILLO_CONFIG": str(config)}


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """One worker runs all of these, so that one server does. Before xdist reads the groups, also where only this folder
    runs."""
    for item in items:
        if item.path.is_relative_to(HERE):
            item.add_marker(pytest.mark.xdist_group("cli"))


@pytest.fixture(scope="session")
def server(postgres_directory: Path) -> Iterator[Camillo]:
    """A server with an embedded Postgres, which ends in good order afterwards."""
    data_dir = postgres_directory / "cli"
    process = subprocess.Popen(
        command("serve", "--json", "--port", "0", "--data-dir", str(data_dir)),
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env=clean_environ() | without_maintenance(postgres_directory),
    )
    try:
        ready = json.loads(read_line(process))
        yield Camillo(ready["address"], data_dir, "default")
        process.send_signal(signal.SIGINT)
        assert process.wait(PATIENCE_SECONDS) == 0
    finally:
        process.kill()
        process.wait()


@pytest.fixture
def camillo(server: Camillo) -> Camillo:
    """Commands as an agent that no other test knows."""
    return server.as_agent(f"agent-{next(agent_numbers)}")


@pytest.fixture
def start(camillo: Camillo) -> Iterator[Callable[..., subprocess.Popen[bytes]]]:
    """Starts a command and leaves it running; ended after the test if it has not ended before."""
    running: list[subprocess.Popen[bytes]] = []

    def run(*arguments: str, **options: Any) -> subprocess.Popen[bytes]:
        process = subprocess.Popen(
            command(*arguments), stdout=subprocess.PIPE, stderr=subprocess.PIPE, **{"env": camillo.environ, **options}
        )
        running.append(process)
        return process

    yield run
    for process in running:
        # In good order first: a command may have a server to end.
        process.terminate()
        try:
            process.wait(PATIENCE_SECONDS)
        except subprocess.TimeoutExpired:
            process.kill()
        process.communicate()


def read_line(process: subprocess.Popen[bytes]) -> str:
    """The next line that the process prints; fails where it ends or takes too long."""
    assert process.stdout is not None
    deadline = time.monotonic() + PATIENCE_SECONDS
    line = b""
    while not line.endswith(b"\n"):
        left = max(0.0, deadline - time.monotonic())
        assert select.select([process.stdout], [], [], left)[0], "nothing was printed in time"
        byte = os.read(process.stdout.fileno(), 1)
        assert byte, "the process ended"
        line += byte
    return line.decode()
