"""Server processes: started for one measurement, watched from outside, stopped and waited for."""

import asyncio
import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, asynccontextmanager, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from secrets import token_urlsafe
from typing import IO

from camillo_server.doors.identity.key_cache import PREFIX
from camillo_server.settings.settings import MemorySettings

from bench.app_server import SECRET_VARIABLE

ROOT = Path(__file__).resolve().parent.parent.parent
STOP_SECONDS = 30.0
NO_SETTINGS: Mapping[str, object] = {}
PROGRAM = ("bench.app_server",)
CLOCK_TICKS = os.sysconf("SC_CLK_TCK")


@dataclass(frozen=True, slots=True)
class Embedding:
    """The embedder of a server; without dimensions, the provider's default."""

    provider: str
    dimensions: int | None = None
    model: Path | None = None

    def settings(self) -> MemorySettings:
        """The section of the server's settings that says so."""
        return MemorySettings.model_validate(
            {
                "embedding_model": self.provider,
                "embedding_dimensions": self.dimensions,
                "model_dir": self.model,
            }
        )

    def flags(self) -> list[str]:
        """The command line that tells the server so."""
        flags = ["--embedding", self.provider]
        if self.dimensions:
            flags += ["--dimensions", str(self.dimensions)]
        return [*flags, "--model", str(self.model)] if self.model else flags


def embedding_by(model: Path | None, dimensions: int | None = None) -> Embedding:
    """The local ONNX model of this directory, else the lexical embedder with so many dimensions."""
    return Embedding("onnx", model=model) if model else Embedding("lexical", dimensions)


# For workloads that bring their own vectors: the server's model has the same length, so they count as its own.
DIMENSIONS = 384
VECTORS_GIVEN = Embedding("random", DIMENSIONS)


class ServerProcess:
    """A process that has said that it serves."""

    def __init__(self, process: "subprocess.Popen[str]", ready: Mapping[str, object]) -> None:
        self._process = process
        self.ready = ready

    @property
    def pid(self) -> int:
        return self._process.pid

    @property
    def port(self) -> int:
        port = self.ready["port"]
        assert isinstance(port, int)
        return port

    def memory_mb(self) -> float:
        """Megabytes that the server holds in memory, without its Postgres."""
        return memory_mb(self.pid)

    def cpu_seconds(self) -> float:
        """Seconds that the server has computed so far, without its Postgres."""
        return _computed_seconds(self.pid)

    def cpu_seconds_by_thread(self) -> dict[int, float]:
        """Seconds that each thread has computed, by its number, to a hundredth of a second."""
        found = {}
        for task in Path(f"/proc/{self.pid}/task").iterdir():
            # A thread may have ended meanwhile.
            with suppress(FileNotFoundError, ProcessLookupError):
                found[int(task.name)] = _computed_seconds(f"{self.pid}/task/{task.name}")
        return found

    def cpu_seconds_with_workers(self) -> float:
        """Seconds that the server and the processes it started have computed; for servers that started no Postgres."""
        children = Path(f"/proc/{self.pid}/task/{self.pid}/children").read_text().split()
        return sum(map(_computed_seconds, [self.pid, *map(int, children)]))

    def kill(self) -> None:
        """SIGKILL: nothing is flushed, nothing is said."""
        self._process.kill()
        self._process.wait()

    def stop(self) -> None:
        """Asks it to end and waits; after a while it is ended."""
        self._process.terminate()
        try:
            self._process.wait(STOP_SECONDS)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()


@dataclass(frozen=True, slots=True)
class AppServer:
    """The real server, and the root key that it knows."""

    process: ServerProcess
    secret: str

    @property
    def port(self) -> int:
        return self.process.port

    def url(self, role: str) -> str:
        """URL of the server's Postgres for the role `server` or `superuser`."""
        return str(self.process.ready[f"{role}_url"])


@contextmanager
def bare_echo_server() -> Iterator[ServerProcess]:
    """grpc.aio and nothing else."""
    with bench_server("bench.measure.echo_server") as process:
        yield process


@contextmanager
def bench_server(module: str, *arguments: str) -> Iterator[ServerProcess]:
    """A server that belongs to a benchmark."""
    with _running([sys.executable, "-m", module, *arguments], ROOT) as process:
        yield process


def new_secret() -> str:
    """An API key that no installation has signed."""
    return PREFIX + token_urlsafe(32)


@contextmanager
def app_server(
    embedding: Embedding,
    data_dir: Path,
    secret: str | None = None,
    port: int = 0,
    settings: Mapping[str, object] = NO_SETTINGS,
    tree: Path = ROOT,
    program: Sequence[str] = PROGRAM,
) -> Iterator[AppServer]:
    """The real server of this checkout on a data directory that lasts as long as its caller wants; without a port, any
    free one. `program` is a module with its first arguments, which takes the flags of PROGRAM behind them."""
    secret = secret or new_secret()
    command = [*_command(embedding, data_dir, settings, program), "--port", str(port)]
    with _running(command, tree, {SECRET_VARIABLE: secret}) as process:
        yield AppServer(process, secret)


@contextmanager
def replica(
    app: AppServer,
    embedding: Embedding,
    data_dir: Path,
    settings: Mapping[str, object] = NO_SETTINGS,
    tree: Path = ROOT,
    workers: int = 0,
    port: int = 0,
    program: Sequence[str] = PROGRAM,
) -> Iterator[AppServer]:
    """Another server on the database of this one, with the same root key; it has answered nothing yet. With workers, so
    many processes on one port; without a port, any free one; `program` as for `app_server`."""
    with server_on(
        app.url("server"), app.secret, embedding, data_dir, settings, tree, workers, port, program
    ) as server:
        yield server


@contextmanager
def server_on(
    database_url: str,
    secret: str,
    embedding: Embedding,
    data_dir: Path,
    settings: Mapping[str, object] = NO_SETTINGS,
    tree: Path = ROOT,
    workers: int = 0,
    port: int = 0,
    program: Sequence[str] = PROGRAM,
    log: Path | None = None,
) -> Iterator[AppServer]:
    """A server on a migrated database that knows this root key; else as `replica`. Its log goes to standard error, or
    into a file."""
    command = _command(embedding, data_dir, settings, program)
    command += ["--database-url", database_url, "--port", str(port)]
    command += ["--workers", str(workers)] if workers else []
    with ExitStack() as stack:
        written = None if log is None else stack.enter_context(log.open("w"))
        process = stack.enter_context(_running(command, tree, log=written))
        yield AppServer(process, secret)


@contextmanager
def temporary_directory() -> Iterator[Path]:
    """A directory that the user that runs Postgres may pass through, with a path short enough for a socket."""
    directory = Path(tempfile.mkdtemp(prefix="camillo-bench-"))
    directory.chmod(0o755)
    try:
        yield directory
    finally:
        shutil.rmtree(directory, ignore_errors=True)


def environment_with_bytecode() -> dict[str, str]:
    """The variables of this process, but for the one by which each start would compile all modules again."""
    return {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}


@contextmanager
def _running(
    command: Sequence[str],
    tree: Path,
    more_environment: Mapping[str, str] | None = None,
    log: IO[str] | None = None,
) -> Iterator[ServerProcess]:
    # The environment's packages, but this checkout's server, stubs and bench/.
    code = [tree / "server", tree / "clients" / "python" / "src", tree]
    environment = {
        **environment_with_bytecode(),
        "PYTHONPATH": os.pathsep.join(map(str, code)),
        **(more_environment or {}),
    }
    with subprocess.Popen(command, cwd=tree, env=environment, stdout=subprocess.PIPE, stderr=log, text=True) as process:
        assert process.stdout is not None
        line = process.stdout.readline()
        if not line:
            raise RuntimeError(f"{command[2]} ended with {process.wait()} before it served")
        server = ServerProcess(process, json.loads(line))
        try:
            yield server
        finally:
            server.stop()


def _command(
    embedding: Embedding,
    data_dir: Path,
    settings: Mapping[str, object],
    program: Sequence[str] = PROGRAM,
) -> list[str]:
    assignments = [f"--set={name}={value}" for name, value in settings.items()]
    start = [sys.executable, "-m", *program, "--data-dir", str(data_dir)]
    return [*start, *embedding.flags(), *assignments]


def backend_seconds(pid: int) -> float:
    """Seconds that a process of one thread, such as a backend of Postgres, has computed so far, to a microsecond."""
    return int(Path(f"/proc/{pid}/schedstat").read_text().split()[0]) / 1e9


def _computed_seconds(pid: int | str) -> float:
    """Seconds that a process has computed so far, to a hundredth of a second."""
    # Fields behind the command, which stands in brackets and may contain blanks.
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / CLOCK_TICKS


SAMPLE_SECONDS = 0.02


def memory_mb(pid: int) -> float:
    """Resident, in MB."""
    for line in Path(f"/proc/{pid}/status").read_text().splitlines():
        if line.startswith("VmRSS:"):
            return int(line.split()[1]) / 1024
    raise LookupError("VmRSS")


def own_memory_mb() -> float:
    """Megabytes that this process holds in memory."""
    return memory_mb(os.getpid())


class MemorySamples(list[float]):
    """Samples in MB, in order."""

    @property
    def growth_mb(self) -> float:
        """Growth from the first sample to the highest."""
        return max(self) - self[0]

    @property
    def settled_growth_mb(self) -> float:
        """Growth from the end of the first tenth to the highest point after it."""
        settled = self[len(self) // 10 :]
        return max(settled) - settled[0]


@asynccontextmanager
async def watched_memory(memory_mb: Callable[[], float]) -> AsyncIterator[MemorySamples]:
    """Samples for as long as the block runs, complete when it has ended."""
    samples = MemorySamples([memory_mb()])

    async def watch() -> None:
        while True:
            samples.append(memory_mb())
            await asyncio.sleep(SAMPLE_SECONDS)

    watching = asyncio.create_task(watch())
    try:
        yield samples
    finally:
        watching.cancel()
        await asyncio.gather(watching, return_exceptions=True)
        samples.append(memory_mb())
