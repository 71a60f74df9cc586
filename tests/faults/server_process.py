"""A server in a process of its own, to be killed: `camillo serve` without the command line, at a given port."""

import asyncio
import json
import os
import re
import resource
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

PROGRAM = """
import json, sys
from camillo_server.assembly.processes.serve import serve
from camillo_server.settings.settings import Settings

settings = Settings.model_validate(json.loads(sys.argv[1]))
sys.exit(serve(settings, lambda ready: print(ready.address, flush=True)))
"""


class ServerProcess:
    """A started process; its address once it serves."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self._process = process
        self.address = ""

    async def ready(self) -> str:
        """The address, when the server answers there."""
        assert self._process.stdout is not None
        line = await asyncio.to_thread(self._process.stdout.readline)
        assert line, "the server ended before it was ready"
        self.address = line.strip()
        return self.address

    def workers(self) -> set[int]:
        """The pids of its worker processes."""
        children = Path(f"/proc/{self._process.pid}/task").glob("*/children")
        pids = {int(pid) for path in children for pid in path.read_text().split()}
        return {pid for pid in pids if b"spawn_main" in _command_line(pid)}

    def memory(self, kind: str) -> int:
        """Bytes of the process: VmRSS now, VmHWM at most since `forget_peak`."""
        status = Path(f"/proc/{self._process.pid}/status").read_text()
        found = re.search(rf"^{kind}:\s+(\d+) kB", status, re.MULTILINE)
        assert found is not None
        return int(found[1]) * 1024

    def forget_peak(self) -> None:
        Path(f"/proc/{self._process.pid}/clear_refs").write_text("5")

    def limit_files(self, most: int) -> int:
        """Lets it open no file beyond so many, which it may have already; how many it could before."""
        soft, hard = resource.prlimit(self._process.pid, resource.RLIMIT_NOFILE)
        resource.prlimit(self._process.pid, resource.RLIMIT_NOFILE, (most, hard))
        return soft

    def stand_still(self) -> None:
        """SIGSTOP: it does nothing, and its connections stay open."""
        self._process.send_signal(signal.SIGSTOP)

    def go_on(self) -> None:
        """SIGCONT."""
        self._process.send_signal(signal.SIGCONT)

    async def kill(self) -> None:
        """SIGKILL: nothing is flushed, nothing is said."""
        self._process.kill()
        await asyncio.to_thread(self._process.wait)

    def tell_to_stop(self) -> None:
        """SIGTERM."""
        self._process.terminate()

    async def ended(self) -> int:
        """The exit code, once it has one."""
        return await asyncio.to_thread(self._process.wait)

    async def terminate(self) -> int:
        """SIGTERM; the exit code after the drain."""
        self.tell_to_stop()
        return await self.ended()


def _command_line(pid: int) -> bytes:
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes()
    except FileNotFoundError:
        return b""


@contextmanager
def python_process(*arguments: str) -> Iterator[subprocess.Popen[str]]:
    """Another Python that imports what this one does; killed at the end."""
    process = subprocess.Popen(
        [sys.executable, *arguments],
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


@contextmanager
def server_process(
    data_dir: Path,
    port: int = 0,
    database_url: str | None = None,
    workers: int = 1,
    leave_seconds: float = 0.0,
    **sections: dict[str, Any],
) -> Iterator[ServerProcess]:
    """Starts a server on a database, or on the embedded one in its data directory; `sections` change settings of a
    small server."""
    server = {"port": port, "http_port": 0, "workers": workers}
    times = {"leave_seconds": leave_seconds, "drain_seconds": 2.0}
    settings: dict[str, Any] = {
        "data_dir": str(data_dir),
        "server": {**server, **times},
        "database": {"pool_min": 1, "url": database_url, "migrate_at_start": not database_url},
        "memory": {"embedding_model": "random", "embedding_dimensions": 8},
        "telemetry": {"log_level": "error"},
        "lifecycle": {"cron": None},
    }
    for name, values in sections.items():
        settings[name] = {**settings.get(name, {}), **values}
    with python_process("-c", PROGRAM, json.dumps(settings)) as process:
        yield ServerProcess(process)
