"""Servers in processes of their own that come back where they were."""

import asyncio
import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any
from urllib.request import urlopen

from tests.faults.server_process import PROGRAM
from tests.ports import free_port

DRAIN_SECONDS = 5.0
# Envoy asks for health once a second.
LEAVE_SECONDS = 2.0
# Each call that the server has answered, by method and code.
ANSWERED = re.compile(r"^camillo_request_duration\w*_count\{[^}]*\} (\S+)$", re.MULTILINE)


class Replica:
    """One server of a fleet, at the same port whenever it runs."""

    def __init__(
        self, port: int, data_dir: Path, database_url: str, leave_seconds: float, changed: Mapping[str, dict[str, Any]]
    ) -> None:
        self.address = f"127.0.0.1:{port}"
        self.leave_seconds = leave_seconds
        self._metrics_port = free_port()
        self._settings: dict[str, Any] = {
            "data_dir": str(data_dir),
            "server": {"port": port, "http_port": 0, "leave_seconds": leave_seconds, "drain_seconds": DRAIN_SECONDS},
            "database": {"pool_min": 1, "url": database_url, "migrate_at_start": False},
            "memory": {"embedding_model": "random", "embedding_dimensions": 8},
            "telemetry": {"log_level": "error", "prometheus_port": self._metrics_port},
            "lifecycle": {"cron": None},
        }
        for name, section in changed.items():
            self._settings[name] = {**self._settings.get(name, {}), **section}
        self._process: subprocess.Popen[str] | None = None
        self.serves = False
        self._is_frozen = False

    async def start(self) -> None:
        """Serves when it returns."""
        self._process = subprocess.Popen(
            [sys.executable, "-c", PROGRAM, json.dumps(self._settings)],
            stdout=subprocess.PIPE,
            text=True,
            start_new_session=True,
            env=os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
        )
        assert self._process.stdout is not None
        self.serves = bool(await asyncio.to_thread(self._process.stdout.readline))
        assert self.serves, "the server did not start"

    async def stop(self) -> int:
        """Stops the server as an orchestrator does, by SIGTERM, and returns the exit code after the drain."""
        return await self._ended_by(signal.SIGTERM)

    async def kill(self) -> None:
        """Kills the server without notice to anyone. Safe if it does not run."""
        if self._process is not None:
            await self._ended_by(signal.SIGKILL)

    async def restore(self) -> None:
        """Makes the server serve, whatever was done to it."""
        if self._is_frozen and self._process is not None:
            self._process.send_signal(signal.SIGCONT)
            self._is_frozen = False
        elif not self.serves:
            await self.kill()
            await self.start()

    def freeze(self) -> None:
        """Stops the process without ending it: it is there, and answers nobody."""
        assert self._process is not None
        self._process.send_signal(signal.SIGSTOP)
        self._is_frozen = True

    async def answered(self) -> int:
        """How many calls it has answered since it was started."""
        return await asyncio.to_thread(self._answered)

    def _answered(self) -> int:
        with urlopen(f"http://127.0.0.1:{self._metrics_port}/metrics", timeout=10) as response:
            text: str = response.read().decode()
        return sum(int(float(count)) for count in ANSWERED.findall(text))

    async def _ended_by(self, number: signal.Signals) -> int:
        process, self._process = self._process, None
        self.serves = self._is_frozen = False
        assert process is not None
        process.send_signal(number)
        await asyncio.to_thread(process.communicate)
        return process.returncode


async def answered(replicas: list[Replica]) -> list[int]:
    """How many calls each has answered."""
    return [await replica.answered() for replica in replicas]
