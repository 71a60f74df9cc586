"""Runs a server in a process of its own, for as long as a command needs it."""

from __future__ import annotations

import json
import os
import select
import signal
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from types import FrameType, TracebackType
from typing import Any, Self

from camillo_server.cli.failures import CliError

START_TIMEOUT_SECONDS = 120.0
KILL_GRACE_SECONDS = 20.0
POLL_SECONDS = 0.1
SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


class ChildServer:
    """`camillo serve` as a child process. Leaving the block shuts it down gracefully."""

    def __init__(
        self, arguments: Sequence[str], environ: Mapping[str, str], stop_seconds: float
    ) -> None:
        self._stop_seconds = stop_seconds + KILL_GRACE_SECONDS
        self._interrupted = False
        # In a process group of its own: Ctrl-C reaches only this process, which then signals the child once.
        self._process = subprocess.Popen(  # noqa: S603 (our own program)
            [
                sys.executable,
                "-m",
                "camillo_server",
                "serve",
                "--json",
                "--ends-with-parent",
                *arguments,
            ],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            env=dict(environ),
            process_group=0,
        )

    def __enter__(self) -> Self:
        for name in SIGNALS:
            signal.signal(name, self._interrupt)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        # A second Ctrl-C must not leave the child behind.
        for name in SIGNALS:
            signal.signal(name, signal.SIG_IGN)
        if self._process.poll() is None:
            self._process.terminate()
            try:
                self._process.wait(self._stop_seconds)
            except subprocess.TimeoutExpired:
                self._process.kill()
                self._process.wait()

    def wait_until_ready(self) -> dict[str, Any]:
        """The line that the server prints once it serves. Raises CliError; the server has then printed the reason itself."""
        output = self._process.stdout
        assert output is not None  # noqa: S101 (a pipe was asked for)
        deadline = time.monotonic() + START_TIMEOUT_SECONDS
        line = b""
        while not line.endswith(b"\n"):
            left = deadline - time.monotonic()
            if left <= 0 or not select.select([output], [], [], left)[0]:
                raise CliError(f"the server was not ready after {START_TIMEOUT_SECONDS:g} s")
            part = os.read(output.fileno(), 4096)
            if not part:
                raise CliError("the server did not start: its reason is above")
            line += part
        ready: dict[str, Any] = json.loads(line)
        return ready

    def wait(self) -> int:
        """Waits until the server ends by itself, and returns its exit code. Raises KeyboardInterrupt after a signal."""
        while (exit_code := self._process.poll()) is None:
            # Not in one endless system call: a signal that comes just before it would never be handled.
            time.sleep(POLL_SECONDS)
        if self._interrupted:
            raise KeyboardInterrupt
        return exit_code

    def _interrupt(self, number: int, frame: FrameType | None) -> None:
        # If the signal arrives in a callback of a library, the exception is lost: then the wait ends with the server.
        self._interrupted = True
        self._process.terminate()
        raise KeyboardInterrupt
