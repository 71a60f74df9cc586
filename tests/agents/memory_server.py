"""A server that coding agents use, which may go and come back on the same ports, and what is recorded in it."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx

from tests.cli.conftest import clean_environ, command, read_line, without_maintenance
from tests.patience import FACTOR, PATIENCE_SECONDS
from tests.ports import free_port

POLL_SECONDS = 0.1


@dataclass
class MemoryServer:
    """`camillo serve` with an embedded Postgres."""

    directory: Path
    port: int = field(default_factory=free_port)
    http_port: int = field(default_factory=free_port)
    _process: subprocess.Popen[bytes] | None = None

    @property
    def data_dir(self) -> Path:
        return self.directory / "data"

    def start(self) -> None:
        """Returns once it answers."""
        words = ["serve", "--json", "--port", str(self.port), "--http-port", str(self.http_port)]
        self._process = subprocess.Popen(
            command(*words, "--data-dir", str(self.data_dir)),
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=clean_environ() | without_maintenance(self.directory),
        )
        read_line(self._process)

    def stop(self) -> None:
        """Stops the server in good order, by SIGTERM."""
        if self._process is not None:
            self._process.send_signal(signal.SIGTERM)
            self._process.wait(PATIENCE_SECONDS)
            self._process = None

    def environ(self, agent: str) -> dict[str, str]:
        """Environment variables by which a client's hooks and tools find the server."""
        return {
            "CAMILLO_ADDRESS": f"127.0.0.1:{self.port}",
            "CAMILLO_HTTP_ADDRESS": f"127.0.0.1:{self.http_port}",
            "CAMILLO_DATA_DIR": str(self.data_dir),
            "CAMILLO_AGENT": agent,
            "CAMILLO_HOOK_DEADLINE_MS": str(round(1500 * FACTOR)),
        }

    def get(self, path: str, agent: str, **params: Any) -> dict[str, Any]:
        """An answer by HTTP."""
        key = (self.data_dir / "root.key").read_text().strip()
        headers = {"authorization": f"Bearer {key}", "camillo-default-agent": agent}
        url = f"http://127.0.0.1:{self.http_port}{path}"
        answer = httpx.get(url, headers=headers, params=params, timeout=PATIENCE_SECONDS)
        assert answer.status_code == 200, answer.text
        found: dict[str, Any] = answer.json()
        return found

    def events(self, agent: str) -> list[dict[str, Any]]:
        """The stated part of each recorded event, oldest first."""
        answer = self.get("/v1/events", agent, page_size=1000)
        return [event["stated"] for event in answer.get("events", [])]

    def memories(self, agent: str) -> list[str]:
        """The contents of an agent's memories."""
        answer = self.get("/v1/memories", agent, page_size=1000)
        return [memory["content"] for memory in answer.get("memories", [])]


def wait_until(holds: Callable[[], object], reason: Callable[[], object]) -> None:
    """Waits for what another process does behind the client; fails with the reason where it never comes."""
    deadline = time.monotonic() + PATIENCE_SECONDS
    while not holds():
        assert time.monotonic() < deadline, json.dumps(reason(), indent=1, ensure_ascii=False)
        time.sleep(POLL_SECONDS)


def venv_path() -> str:
    """The path of commands with the `camillo` of this environment on it."""
    return os.pathsep.join((str(Path(sys.executable).parent), os.environ["PATH"]))
