"""The processes of contenders: a line of JSON in, a line of JSON out. One that fails is left out from then on, with the
cause."""

import json
import os
import select
import signal
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from bench.measure.servers import ROOT
from bench.peers import environment
from bench.peers.contenders import CONTENDERS, Contender
from bench.peers.store import Circumstances

Answer = dict[str, Any]

ANSWER_SECONDS = 240.0
STOP_SECONDS = 20.0
# No telemetry, and no proxy for loopback.
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

    def send(self, command: dict[str, Any]) -> None:
        """Raises ContenderFailed if it has ended."""
        assert self._process.stdin is not None
        try:
            print(json.dumps(command), file=self._process.stdin, flush=True)
        except BrokenPipeError:
            raise ContenderFailed(self._last_words()) from None

    def receive(self, timeout_seconds: float = ANSWER_SECONDS) -> dict[str, Any]:
        """The answer to what it was sent last. Raises ContenderFailed for none."""
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
        """Ends the process's input, so that it closes its store and ends; kills it after a while."""
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
        lines = self._log.read_text("utf-8", "replace").strip().splitlines()
        return lines[-1] if lines else f"ended with {self._process.returncode}"


@contextmanager
def running(contender: Contender, given: Circumstances) -> Iterator[ContenderProcess]:
    """Started, and told where it works; it answers with the versions of its packages."""
    interpreter = Path(sys.executable) if contender.is_ours else environment.PYTHON
    if not interpreter.exists():
        raise ContenderFailed(f"not installed: {environment.INSTALL_COMMAND}")
    directory = given.own_directory
    directory.mkdir(exist_ok=not given.is_first)
    # Files that peers leave in the home directory go with the run.
    home = {"HOME": given.directory, "MEM0_DIR": given.directory}
    log = directory.with_suffix(f".{given.number}.log")
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
            asked.send(asdict(given))
            yield asked
        except BaseException:
            asked.kill()  # not waited for by someone who wants to stop
            raise
        finally:
            asked.stop()


class Field:
    """The contenders by name, in the order given, with their processes: the first of each is asked where one is
    enough."""

    def __init__(self) -> None:
        self.versions: dict[str, str] = {}
        self.unavailable: dict[str, str] = {}
        self._processes: dict[str, list[ContenderProcess]] = {}

    @property
    def names(self) -> list[str]:
        """Names of the contenders that can still be asked."""
        return list(self._processes)

    def add(self, name: str, process: ContenderProcess) -> None:
        """One more process, which answers with the versions of its packages first."""
        self._processes.setdefault(name, []).append(process)

    def leave_out(self, name: str, cause: ContenderFailed) -> None:
        self.unavailable[name] = str(cause)
        for process in self._processes.pop(name, []):
            process.kill()  # one that does not answer may still be busy, and slow the others

    def ask(self, name: str, **command: Any) -> Answer | None:
        """Asks one process of a contender; None if it fails, or has failed before."""
        answers = self._ask(name, self._processes.get(name, [])[:1], command)
        return answers[0] if answers else None

    def ask_callers(self, name: str, count: int, seconds: float) -> list[Answer]:
        """Divides so many callers among all processes of a contender; empty if it fails, or has failed before."""
        processes = self._processes.get(name, [])
        command = {"do": "callers", "count": count // max(len(processes), 1), "seconds": seconds}
        return self._ask(name, processes, command)

    def ask_all_at_once(self, **command: Any) -> None:
        """Asks all contenders at once, for what is not measured."""
        for name in self.names:
            try:
                self._processes[name][0].send(command)
            except ContenderFailed as cause:
                self.leave_out(name, cause)
        for name in self.names:
            self._receive(name, self._processes[name][:1])

    def receive_versions(self) -> None:
        """Receives the versions that the processes added last send when their stores are open."""
        for name in self.names:
            for answer in self._receive(name, self._processes[name][-1:]):
                self.versions |= answer["versions"]

    def _ask(self, name: str, processes: Sequence[ContenderProcess], command: dict[str, Any]) -> list[Answer]:
        try:
            for process in processes:
                process.send(command)
        except ContenderFailed as cause:
            self.leave_out(name, cause)
            return []
        return self._receive(name, processes)

    def _receive(self, name: str, processes: Sequence[ContenderProcess]) -> list[Answer]:
        try:
            return [process.receive() for process in processes]
        except ContenderFailed as cause:
            self.leave_out(name, cause)
            return []


@contextmanager
def open_field(given: dict[str, Circumstances], processes: int = 1) -> Iterator[Field]:
    """Contenders with their stores open, for as long as the caller wants."""
    field = Field()
    with ExitStack() as stack:
        for number in range(processes):
            for name in given if number == 0 else field.names:
                try:
                    if number and not CONTENDERS[name].has_processes:
                        raise ContenderFailed("its store is of one process")
                    circumstances = replace(given[name], number=number)
                    process = stack.enter_context(running(CONTENDERS[name], circumstances))
                except ContenderFailed as cause:
                    field.leave_out(name, cause)
                else:
                    field.add(name, process)
            field.receive_versions()
        yield field
