"""`camillo mcp` as a client starts it: how soon it answers."""

import fcntl
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from typing import Any

from bench.measure.timing import Figure, Figures

CAMILLO = Path(sys.executable).with_name("camillo")
CROWD = 6
HANDSHAKE = {
    "protocolVersion": "2025-06-18",
    "capabilities": {},
    "clientInfo": {"name": "bench", "version": "1"},
}


def warm_starts(runs: int, address: str, secret: str) -> Figures:
    """Milliseconds from the start of a process until it has answered, while a server runs."""
    environ = {**_environ(), "CAMILLO_ADDRESS": address, "CAMILLO_KEY": secret}
    taken = [_taken(environ) for _ in range(runs)]
    return {
        "mcp_start_warm_ms": Figure(tuple(listed for listed, _ in taken)),
        "mcp_first_recall_warm_ms": Figure(tuple(recalled for _, recalled in taken)),
    }


def crowd_starts(runs: int, address: str, secret: str) -> Figures:
    """Milliseconds until the last of six clients that start at once has its first recall, while a server runs."""
    environ = {**_environ(), "CAMILLO_ADDRESS": address, "CAMILLO_KEY": secret}
    slowest = list[float]()
    for _ in range(runs):
        with ThreadPoolExecutor(CROWD) as pool:
            recalled = pool.map(lambda _: _taken(environ)[1], range(CROWD))
            slowest.append(max(recalled))
    return {"mcp_first_recall_of_six_ms": Figure(tuple(slowest))}


def cold_starts(directories: list[Path]) -> Figures:
    """Milliseconds of the same where no server runs, each with a data directory that does not exist yet. The lists are
    answered before the database is there, so the first recall, which waits for it, is measured, too."""
    taken = list[tuple[float, float]]()
    for each in directories:
        taken.append(_taken({**_environ(), "CAMILLO_DATA_DIR": str(each)}))
        end_local_server(each)
    return {
        "mcp_start_cold_ms": Figure(tuple(listed for listed, _ in taken)),
        "mcp_first_recall_cold_ms": Figure(tuple(recalled for _, recalled in taken)),
    }


def end_local_server(directory: Path) -> None:
    """Ends the server that has a data directory, and waits until it has ended."""
    with suppress(ProcessLookupError):
        os.kill(int((directory / "lock").read_text()), signal.SIGTERM)
    with (directory / "lock").open("rb") as lock:
        fcntl.flock(lock, fcntl.LOCK_SH)


def _environ() -> dict[str, str]:
    return {name: value for name, value in os.environ.items() if not name.startswith("CAMILLO_")}


def _taken(environ: Mapping[str, str]) -> tuple[float, float]:
    """Milliseconds until `tools/list` is answered, and until the first recall is."""
    started = time.perf_counter()
    with subprocess.Popen(
        [CAMILLO, "mcp"],
        env=environ,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    ) as process:
        asked = _Conversation(process)
        asked.ask("initialize", HANDSHAKE)
        asked.tell("notifications/initialized")
        assert asked.ask("tools/list", {})["tools"]
        listed = time.perf_counter() - started
        answer = asked.ask("tools/call", {"name": "recall", "arguments": {"query": "tea"}})
        assert not answer.get("isError"), answer
        recalled = time.perf_counter() - started
        assert process.stdin is not None
        process.stdin.close()
        process.wait(60)
    return listed * 1000, recalled * 1000


class _Conversation:
    def __init__(self, process: "subprocess.Popen[str]") -> None:
        self._process = process
        self._number = 0

    def ask(self, method: str, params: Mapping[str, Any]) -> Any:
        self._number += 1
        self._send({"id": self._number, "method": method, "params": params})
        assert self._process.stdout is not None
        answer = json.loads(self._process.stdout.readline())
        assert answer["id"] == self._number, answer
        return answer["result"]

    def tell(self, method: str) -> None:
        self._send({"method": method})

    def _send(self, message: Mapping[str, Any]) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps({"jsonrpc": "2.0", **message}) + "\n")
        self._process.stdin.flush()
