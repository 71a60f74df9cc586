"""A contender's process as the measuring process sees it: a line of JSON in, a line of JSON out."""

import json
import os
import select
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import asdict
from pathlib import Path
from typing import Any

from bench.measure.servers import ROOT
from bench.peers import environment
from bench.peers.contenders import Contender
from bench.peers.store import Circumstances

ANSWER_SECONDS = 240.0
STOP_SECONDS = 20.0
# Nobody is told of the run, and loopback is reached without a proxy.
QUIET = {
    "MEM0_TELEMETRY": "False",
    "ANONYMIZED_TELEMETRY": "False",
    "LANGSMITH_TRACING": "false",
    "NO_PROXY": "127.0.0.1,localhost",
}


class ContenderFailed(Exception):
    """A contender could not be started, or gave no answer; says why."""


class ContenderProcess:
    """Asked one thing at a time."""

    def __init__(self, process: "subprocess.Popen[str]", log: Path) -> None:
        self._process = process
        self._log = log
        self._has_been_ended = False

    def tell(self, command: dict[str, Any]) -> None:
        """Raises ContenderFailed if it has ended."""
        assert self._process.stdin is not None
        try:
            print(json.dumps(command), file=self._process.stdin, flush=True)
        except BrokenPipeError:
            raise ContenderFailed(self._last_words()) from None

    def hear(self, timeout_seconds: float = ANSWER_SECONDS) -> dict[str, Any]:
        """The answer to what it was told last. Raises ContenderFailed for none."""
        assert self._process.stdout is not None
        # One line answers one command, so nothing waits in the buffer that select does not see.
        readable, _, _ = select.select([self._process.stdout], [], [], timeout_seconds)
        if not readable:
            raise ContenderFailed(f"no answer within {timeout_seconds:g} s")
        line = self._process.stdout.readline()
        if not line:
            raise ContenderFailed(self._last_words())
        answer: dict[str, Any] = json.loads(line)
        return answer

    def stop(self) -> None:
        """Its input ends, so it closes its store and ends; after a while it is ended."""
        assert self._process.stdin is not None
        with suppress(BrokenPipeError):
            self._process.stdin.close()
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(STOP_SECONDS)
        self.kill()

    def kill(self) -> None:
        """Ends it at once, with all that it started; harmless if it has ended."""
        if self._has_been_ended:
            return  # the number of its group may be another's by now
        self._has_been_ended = True
        with suppress(ProcessLookupError):
            os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()

    def _last_words(self) -> str:
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(STOP_SECONDS)
        said = self._log.read_text("utf-8", "replace").strip().splitlines()
        return said[-1] if said else f"ended with {self._process.returncode}"


@contextmanager
def running(contender: Contender, given: Circumstances) -> Iterator[ContenderProcess]:
    """Started, and told where it works; `hear` then tells the versions of its packages."""
    interpreter = Path(sys.executable) if contender.is_ours else environment.PYTHON
    if not interpreter.exists():
        raise ContenderFailed(f"not installed: {environment.INSTALL_COMMAND}")
    directory = given.own_directory
    directory.mkdir()
    # What peers leave in the home directory goes with the run.
    home = {"HOME": given.directory, "MEM0_DIR": given.directory}
    log = directory.with_suffix(".log")
    with (
        log.open("w") as log_file,
        subprocess.Popen(
            [interpreter, "-m", "bench.peers.answering", contender.module],
            cwd=ROOT,
            env={**os.environ, **QUIET, **home},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=log_file,
            text=True,
            start_new_session=True,  # so that it can be ended together with a server that it started
        ) as process,
    ):
        asked = ContenderProcess(process, log)
        try:
            asked.tell(asdict(given))
            yield asked
        except BaseException:
            asked.kill()  # not waited for by someone who wants to stop
            raise
        finally:
            asked.stop()
