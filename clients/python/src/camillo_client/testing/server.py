"""A server of this environment for tests, in a process of its own, with an empty database and a clock that stands."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Protocol
from uuid import uuid4

from camillo_client._async.client import AsyncCamillo
from camillo_client._sync.client import Camillo
from camillo_client.local_key import ROOT_KEY_FILE
from camillo_client.testing.model import ScriptedModel

START = datetime(2030, 1, 1, tzinfo=UTC)
STOP_SECONDS = 60.0
TIMEOUT_SECONDS = 60.0
MEMORY = Path("/dev/shm")  # noqa: S108
ROOM_BYTES = 2 << 30
# Nothing that happens by itself at some hour; an embedder that needs no download and says the same always.
SETTINGS: Mapping[str, Mapping[str, Any]] = {
    "server": {"port": 0, "http_port": 0},
    "memory": {"embedding_model": "lexical"},
    "lifecycle": {"cron": None, "vacuum_cron": None},
    "telemetry": {"log_level": "warning", "log_format": "text"},
}


class ServerDidNotStart(Exception):
    """The server for tests did not start; what it has said is in the message."""


class Clock(Protocol):
    """The server's clock. It stands still until it is moved."""

    @property
    def now(self) -> datetime:
        """The time that it shows, in UTC."""

    def move(self, **span: float) -> datetime:
        """Moves it by a `timedelta`, such as `days=30`, for all that the server is asked to do next; returns the
        time."""

    def set(self, moment: datetime) -> datetime:
        """Sets it to a moment, which has a time zone; also back."""


class _ProcessClock:
    """The clock of a process, which reads times from its input and says each that it has taken."""

    def __init__(self, process: subprocess.Popen[bytes]) -> None:
        self._process = process
        self.now = START

    def move(self, **span: float) -> datetime:
        return self.set(self.now + timedelta(**span))

    def set(self, moment: datetime) -> datetime:
        if moment.tzinfo is None:
            raise ValueError("the moment needs a time zone")
        assert self._process.stdin is not None  # noqa: S101
        self._process.stdin.write(f"{moment.isoformat()}\n".encode())
        self._process.stdin.flush()
        self.now = datetime.fromisoformat(_line(self._process)["now"])
        return self.now


class ServerProcess:
    """A server that runs: its address, its data directory, and its clock."""

    def __init__(self, process: subprocess.Popen[bytes], address: str, data_dir: Path) -> None:
        self.address = address
        self.data_dir = data_dir
        self.clock: Clock = _ProcessClock(process)

    def new_tenant(self, model: ScriptedModel) -> ServerForTests:
        """The server as one test sees it: a tenant of its own, with a key for all its agents, and the clock where it
        always starts."""
        self.clock.set(START)
        tenant_id = f"test-{uuid4().hex}"
        # Whoever runs the tests may have a key of another server in CAMILLO_KEY.
        key = (self.data_dir / ROOT_KEY_FILE).read_text("ascii").strip()
        with Camillo.connect(self.address, key=key, timeout_seconds=TIMEOUT_SECONDS) as root:
            root.admin.create_tenant(tenant_id)
            created = root.admin.create_key("tenant_admin", any_agent=True, tenant_id=tenant_id)
        return ServerForTests(self.address, created.secret, tenant_id, self.clock, model)


class ServerForTests:
    """A server with an empty tenant, the key of an administrator of it, a clock and a model."""

    def __init__(self, address: str, key: str, tenant_id: str, clock: Clock, model: ScriptedModel) -> None:
        self.address = address
        self.key = key
        self.tenant_id = tenant_id
        self.clock = clock
        self.model = model

    def connect(self, **options: Any) -> Camillo:
        """A client of the tenant; options as those of `Camillo.connect`. Close it, or enter it."""
        return Camillo.connect(self.address, **{"key": self.key, "timeout_seconds": TIMEOUT_SECONDS, **options})

    def connect_async(self, **options: Any) -> AsyncCamillo:
        """A client for asyncio; otherwise as `connect`."""
        return AsyncCamillo.connect(self.address, **{"key": self.key, "timeout_seconds": TIMEOUT_SECONDS, **options})


@contextmanager
def server_for_tests(
    settings: Mapping[str, Mapping[str, Any]] | None = None, *, clock_stands: bool = True
) -> Iterator[ServerProcess]:
    """Starts a server, and ends it with the block, or with this program. `settings`: sections and their values, beside
    those of `SETTINGS`. Unless its clock stands, it has the machine's, which cannot be moved. Raises
    ServerDidNotStart."""
    # Not below pytest's directories, which are closed to the user that runs Postgres for root; and its path is short
    # enough for a socket.
    directory = Path(tempfile.mkdtemp(prefix="camillo-test-", dir=_memory()))
    changed = settings or {}
    sections = {name: {**SETTINGS.get(name, {}), **changed.get(name, {})} for name in {**SETTINGS, **changed}}
    config = directory / "camillo.yaml"
    # JSON is YAML.
    config.write_text(json.dumps(sections), "utf-8")
    environ = {name: value for name, value in os.environ.items() if not name.startswith("CAMILLO_")}
    clock = "--clock-from-input" if clock_stands else "--ends-with-parent"
    words = ["serve", "--json", clock, f"--config={config}", f"--data-dir={directory / 'data'}"]
    log = directory / "server.log"
    try:
        with (
            log.open("wb") as written,
            subprocess.Popen(  # noqa: S603 (our own program)
                [sys.executable, "-m", "camillo_server", *words],
                env=environ,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=written,
                # Ctrl-C is for the tests, which then end it.
                start_new_session=True,
            ) as process,
        ):
            try:
                address = _line(process).get("address", "")
                if not address:
                    raise ServerDidNotStart(log.read_text("utf-8", "replace").strip()[-2000:])
                running = ServerProcess(process, address, directory / "data")
                if clock_stands:
                    running.clock.set(START)
                yield running
            finally:
                _end(process)
    finally:
        shutil.rmtree(directory, ignore_errors=True)


def _line(process: subprocess.Popen[bytes]) -> Any:
    """The next line that the server says; an empty object where it has ended."""
    assert process.stdout is not None  # noqa: S101
    return json.loads(process.stdout.readline() or b"{}")


def _end(process: subprocess.Popen[bytes]) -> None:
    """Tells it to stop. One whose clock stands stops by itself at the end of its input, too, when this program is
    killed."""
    process.terminate()
    try:
        process.wait(STOP_SECONDS)
    except subprocess.TimeoutExpired:
        process.kill()


def _memory() -> Path | None:
    """The directory whose files are in memory, where it has room."""
    is_roomy = MEMORY.is_dir() and os.access(MEMORY, os.W_OK) and shutil.disk_usage(MEMORY).free > ROOM_BYTES
    return MEMORY if is_roomy else None
