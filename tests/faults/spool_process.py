"""A process that has a spool, to be killed."""

import asyncio
import json
import os
import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from tests.faults.server_process import python_process

PROGRAM = """
import asyncio, sys
from tests.faults.spool_child import main

asyncio.run(main(*sys.argv[1:]))
"""


class SpoolProcess:
    """A started one. Each line that it prints is a JSON value."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self._process = process

    async def line(self) -> Any:
        assert self._process.stdout is not None
        return json.loads(await asyncio.to_thread(self._process.stdout.readline))

    async def lines(self, count: int) -> list[Any]:
        """Reads so many lines, or up to the line that says that these are all."""
        found: list[Any] = []
        while len(found) < count and "all" not in found[-1:]:
            found.append(await self.line())
        return found

    def stop(self) -> None:
        """SIGSTOP: it lives, and does nothing."""
        self._process.send_signal(signal.SIGSTOP)
        os.waitid(os.P_PID, self._process.pid, os.WSTOPPED | os.WNOWAIT)

    async def kill(self) -> list[Any]:
        """SIGKILL; what it had printed before."""
        self._process.kill()
        assert self._process.stdout is not None
        rest = await asyncio.to_thread(self._process.stdout.read)
        return [json.loads(line) for line in rest.splitlines(keepends=True) if line.endswith("\n")]


@contextmanager
def spool_process(directory: Path, does: str, *arguments: str) -> Iterator[SpoolProcess]:
    """`does` is the name of a function of `spool_child`."""
    with python_process("-c", PROGRAM, str(directory), does, *arguments) as process:
        yield SpoolProcess(process)
