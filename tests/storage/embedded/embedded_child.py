"""A small program that owns an embedded Postgres until it is killed, and the means to run it from a test."""

import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from tests.patience import PATIENCE_SECONDS

PROGRAM = """
import signal, sys, threading
from pathlib import Path
from camillo_server.storage.embedded.server import EmbeddedPostgres

signal.signal(signal.SIGINT, lambda *_: print("interrupted", flush=True))
postgres = EmbeddedPostgres(Path(sys.argv[1]), durable=sys.argv[2] == "durable")
postgres.start()
print(postgres.server_url, flush=True)
print(postgres.superuser_url, flush=True)
while True:
    signal.pause()
"""


@dataclass(frozen=True, slots=True)
class Child:
    """A process with a started Postgres. `output` is what it prints after its two URLs."""

    process: subprocess.Popen[str]
    server_url: str
    superuser_url: str

    def next_line(self) -> str:
        return _line(self.process)


@contextmanager
def child_with_postgres(directory: Path, *, durable: bool = False) -> Iterator[Child]:
    """Enters once it serves; at the end both it and its Postgres are gone."""
    with spawned(directory, durable=durable) as process:
        child = Child(process, server_url=_line(process), superuser_url=_line(process))
        postmaster = postmaster_pid(directory)
        yield child
        process.kill()
        assert eventually(lambda: not is_running(postmaster))


@contextmanager
def spawned(directory: Path, *, durable: bool = False) -> Iterator[subprocess.Popen[str]]:
    """The program from its first instruction on; a process group of its own, like a shell's job."""
    process = subprocess.Popen(
        [sys.executable, "-c", PROGRAM, str(directory), "durable" if durable else "volatile"],
        stdout=subprocess.PIPE,
        text=True,
        start_new_session=True,
        env=os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
    )
    try:
        yield process
    finally:
        process.kill()
        process.communicate()


def postmaster_pid(directory: Path) -> int:
    return int((directory / "postgres" / "postmaster.pid").read_text().splitlines()[0])


def is_running(pid: int) -> bool:
    """Zombies do not count: nobody may have reaped the orphan yet."""
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except (FileNotFoundError, ProcessLookupError):
        return False
    return state != "Z"


def eventually(condition: Callable[[], bool], within_seconds: float = PATIENCE_SECONDS) -> bool:
    """Polls until the condition holds; False if it never did."""
    deadline = time.monotonic() + within_seconds
    never = threading.Event()
    while not condition():
        if time.monotonic() > deadline:
            return False
        never.wait(0.005)
    return True


def _line(process: subprocess.Popen[str]) -> str:
    assert process.stdout is not None
    line = process.stdout.readline()
    assert line, "the child ended early"
    return line.strip()
