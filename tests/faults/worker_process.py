"""A worker in a process of its own, to be killed: `camillo worker` without the command line."""

import asyncio
import json
import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from tests.faults.server_process import python_process

PROGRAM = """
import json, sys
from camillo_server.settings.settings import Settings
from camillo_server.assembly.processes.work import work

settings = Settings.model_validate(json.loads(sys.argv[1]))
sys.exit(work(settings, lambda working: print(working.model_id, flush=True)))
"""


class WorkerProcess:
    """A started process."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self._process = process

    async def ready(self) -> str:
        """The model by which it embeds, once it works."""
        assert self._process.stdout is not None
        line = await asyncio.to_thread(self._process.stdout.readline)
        assert line, "the worker ended before it was ready"
        return line.strip()

    def stand_still(self) -> None:
        """SIGSTOP: it does nothing, and its connections stay open."""
        self._process.send_signal(signal.SIGSTOP)

    def go_on(self) -> None:
        """SIGCONT."""
        self._process.send_signal(signal.SIGCONT)

    async def kill(self) -> None:
        """SIGKILL: nothing is given back, nothing is said."""
        self._process.kill()
        await asyncio.to_thread(self._process.wait)

    async def terminate(self) -> int:
        """SIGTERM; the exit code after it has given back what was under way."""
        self._process.terminate()
        return await asyncio.to_thread(self._process.wait)


@contextmanager
def worker_process(data_dir: Path, database_url: str, **sections: dict[str, Any]) -> Iterator[WorkerProcess]:
    """Starts a worker on this database; `sections` override settings of a small one."""
    settings: dict[str, Any] = {
        "data_dir": str(data_dir),
        "database": {"pool_min": 1, "url": database_url, "migrate_at_start": False},
        "memory": {"embedding_model": "random", "embedding_dimensions": 8},
        "telemetry": {"log_level": "error"},
        # Settings of servers that leave this work to the worker.
        "jobs": {"enabled": False},
        "lifecycle": {"cron": None},
    }
    for name, values in sections.items():
        settings[name] = {**settings.get(name, {}), **values}
    with python_process("-c", PROGRAM, json.dumps(settings)) as process:
        yield WorkerProcess(process)
