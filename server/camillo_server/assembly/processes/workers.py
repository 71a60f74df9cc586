"""Several processes on one port: started, watched, started again when one dies, drained together."""

import asyncio
import logging
import multiprocessing
import signal
import socket
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from multiprocessing.connection import Connection, wait
from types import FrameType

from camillo_server.assembly.processes.interpreter import STOP_SIGNALS, end_with_parent, ignore_stop_signals
from camillo_server.assembly.processes.one_process import Serving, serve_process
from camillo_server.kernel.system import OperatorError
from camillo_server.settings.settings import Settings
from camillo_server.telemetry.logging import start_logging

logger = logging.getLogger(__name__)

# A worker that dies this soon after its start is started again after this pause, not in a tight circle.
RESTART_PAUSE_SECONDS = 1.0
KILL_GRACE_SECONDS = 5.0
START_TIMEOUT_SECONDS = 60.0


@dataclass(slots=True)
class Worker:
    """One process, and when it may be started again if it dies."""

    number: int
    process: multiprocessing.process.BaseProcess
    started: float


class WorkerFailed(OperatorError):
    """A worker did not come up; its own log says why."""


class Workers:
    """The processes of one server."""

    def __init__(self, settings: Settings, server_url: str) -> None:
        self._settings = settings
        self._server_url = server_url
        self._context = multiprocessing.get_context("spawn")
        self._workers: list[Worker] = []
        self._stopping = False
        # It has something to read from the first signal to stop on.
        self._wakeup, self._waking = socket.socketpair()

    def run(self, on_ready: Callable[[Serving], None]) -> int:
        """Serves until SIGINT or SIGTERM. Raises WorkerFailed, OSError where the port is taken."""
        with _reserved_port(self._settings.server.host, self._settings.server.port) as reserved:
            stated = self._settings.server
            ports = {"port": reserved.getsockname()[1], "http_port": stated.http_listens_on}
            server = stated.model_copy(update=ports)
            self._settings = self._settings.model_copy(update={"server": server})
            self._catch_signals()
            try:
                serving = [self._start(number) for number in range(self._settings.server.workers)]
                on_ready(serving[0])
                self._watch()
            except WorkerFailed:
                # Told to stop while starting: a worker that did not come up is what was asked for.
                if not self._stopping:
                    raise
            finally:
                self._stop()
                ignore_stop_signals()
        return 0

    def _start(self, number: int) -> Serving:
        """Returns when the worker serves. Raises WorkerFailed, also where a signal to stop comes first."""
        receiver, sender = self._context.Pipe(duplex=False)
        process = self._context.Process(
            target=_worker,
            args=(self._settings, self._server_url, number, sender),
            name=f"camillo-worker-{number}",
            daemon=True,
        )
        process.start()
        sender.close()
        self._workers.append(Worker(number, process, time.monotonic()))
        ready = wait([receiver, self._wakeup], START_TIMEOUT_SECONDS)
        if self._wakeup in ready:
            raise WorkerFailed(f"worker {number} was told to stop before it served")
        if not ready:
            raise WorkerFailed(f"worker {number} did not start in {START_TIMEOUT_SECONDS:g} s")
        try:
            serving = receiver.recv()
        except EOFError:
            raise WorkerFailed(f"worker {number} did not start: see its log above") from None
        assert isinstance(serving, Serving)  # noqa: S101
        return serving

    def _watch(self) -> None:
        """Starts again what dies, until told to stop."""
        while not self._stopping:
            by_sentinel = {worker.process.sentinel: worker for worker in self._workers}
            for ready in wait([self._wakeup, *by_sentinel]):
                worker = by_sentinel.get(ready) if isinstance(ready, int) else None
                if worker is not None and not self._stopping:
                    self._replace(worker)

    def _replace(self, worker: Worker) -> None:
        # Its sentinel tells a moment before the kernel has its exit code; not waited for, it would stay as a zombie.
        worker.process.join(KILL_GRACE_SECONDS)
        exit_code = worker.process.exitcode
        logger.error("worker died", extra={"worker": worker.number, "exit_code": exit_code})
        self._workers.remove(worker)
        if wait([self._wakeup], max(0.0, worker.started + RESTART_PAUSE_SECONDS - time.monotonic())):
            return
        try:
            self._start(worker.number)
        except WorkerFailed as error:
            if not self._stopping:
                logger.error("worker not restarted", extra={"cause": str(error)})
        except OSError as error:
            # The others go on where memory or files are short. Its sentinel has it tried again after the next pause.
            logger.error("worker not restarted", extra={"cause": str(error)})
            worker.started = time.monotonic()
            self._workers.append(worker)

    def _catch_signals(self) -> None:
        def stop(number: int, frame: FrameType | None) -> None:
            if self._stopping:
                # Whoever says it twice does not want to wait until the workers have left.
                self._terminate()
            self._stopping = True
            self._waking.send(b"\0")

        for number in STOP_SIGNALS:
            signal.signal(number, stop)

    def _stop(self) -> None:
        """Lets every worker leave and drain, then ends what has not ended."""
        self._terminate()
        deadline = time.monotonic() + self._settings.server.stop_seconds + KILL_GRACE_SECONDS
        for worker in self._workers:
            worker.process.join(max(0.0, deadline - time.monotonic()))
            if worker.process.is_alive():
                worker.process.kill()
                worker.process.join()

    def _terminate(self) -> None:
        for worker in self._workers:
            worker.process.terminate()


def _worker(settings: Settings, server_url: str, number: int, ready: Connection) -> None:
    """The main function of a worker process. Ctrl-C is the parent's: it tells its workers to drain."""
    end_with_parent()
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    logs = start_logging(settings.telemetry.log_level, settings.telemetry.log_format)
    try:
        asyncio.run(serve_process(settings, server_url, ready.send, worker=number))
    except Exception:
        logger.exception("worker failed", extra={"worker": number})
        logs.stop()
        sys.exit(1)
    logs.stop()


def _reserved_port(host: str, port: int) -> socket.socket:
    """Holds the port for the workers, which share it: no other server takes it while one of them restarts."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    reserved = socket.socket(family, socket.SOCK_STREAM)
    try:
        # First without sharing: a port that another server listens on must be refused, not joined.
        with socket.socket(family, socket.SOCK_STREAM) as alone:
            alone.bind((host.strip("[]"), port))
            port = alone.getsockname()[1]
        reserved.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, 1)
        reserved.bind((host.strip("[]"), port))
    except OSError:
        reserved.close()
        raise
    return reserved
