"""A server of this user as a process that outlives the program that starts it."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import threading
from collections.abc import Mapping, Sequence
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path

LOG = "server.log"
# How the server says that it has not got its port.
PORT_TAKEN = "cannot listen on"
PORT = 7070
MAX_LOG_BYTES = 1024 * 1024
TAIL_BYTES = 4096
SERVER_PACKAGE = "camillo_server"
# By these, the user's settings name ports.
PORT_VARIABLES = ("CAMILLO_CONFIG", "CAMILLO_SERVER_PORT", "CAMILLO_SERVER_HTTP_PORT")


class LocalServerError(Exception):
    """There is no local server, and none could be started; the message says what to do."""


class ServerProcess:
    """A server that begins to start."""

    def __init__(self, directory: Path, options: Sequence[str]) -> None:
        """Raises LocalServerError."""
        if find_spec(SERVER_PACKAGE) is None:
            raise LocalServerError(
                "no server runs, and none is installed in this environment: pip install camillo-server; "
                "or use Camillo.connect() with the address of one"
            )
        self._log = directory / LOG
        # `-P`: a folder of that name where this program runs is not the server.
        command = [sys.executable, "-P", "-m", SERVER_PACKAGE, "serve", f"--data-dir={directory}", "--ends-when-idle"]
        try:
            written = _opened_log(self._log)
        except OSError as error:
            raise LocalServerError(f"{self._log} cannot be opened: {error.strerror}") from error
        self._log_bytes = os.lseek(written, 0, os.SEEK_END)
        try:
            self._process = subprocess.Popen(  # noqa: S603 (our own program)
                [*command, *options],
                stdin=subprocess.DEVNULL,
                stdout=written,
                stderr=written,
                env=_environ(os.environ),
                # Neither Ctrl-C nor the end of a terminal is meant for it.
                start_new_session=True,
            )
        except OSError as error:
            raise LocalServerError(f"the server did not start: {error.strerror}") from error
        finally:
            os.close(written)

    def has_ended(self) -> bool:
        """Whether it has."""
        return self._process.poll() is not None

    def last_line(self) -> str:
        """The last line that it has logged."""
        with self._log.open("rb") as file:
            file.seek(max(self._log_bytes, file.seek(0, 2) - TAIL_BYTES))
            lines = file.read().decode(errors="replace").split("\n")
        said = [line.strip() for line in lines if line.strip()]
        return said[-1].removeprefix("camillo: ") if said else f"it said nothing in {self._log}"

    def leave(self) -> None:
        """Leaves it alone. When it ends, it does not stay as a zombie of this program."""
        threading.Thread(target=self._process.wait, name="camillo local server", daemon=True).start()


def _opened_log(log: Path) -> int:
    with suppress(FileNotFoundError):
        if log.stat().st_size > MAX_LOG_BYTES:
            log.replace(log.with_name(f"{LOG}.1"))
    return os.open(log, os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600)


def ports_for(address_before: str, environ: Mapping[str, str]) -> list[str]:
    """Options for the port of the server before, so that its clients find this one; without one, for the default port
    unless the user's settings name another; where somebody else has the port, for any."""
    is_stated = any(name in environ for name in PORT_VARIABLES)
    _, _, told = address_before.rpartition(":")
    before = int(told) if told.isdecimal() and 0 < int(told) < 65_535 else 0
    if is_stated and not before:
        return []
    port = before or PORT
    if not _is_free(port):
        return [] if is_stated else ["--port=0"]
    if is_stated:
        return [f"--port={port}"]
    return [f"--port={port}", *([] if port == PORT and _is_free(port + 1) else ["--http-port=0"])]


def _is_free(port: int) -> bool:
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as tried:
        tried.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            tried.bind(("127.0.0.1", port))
        except OSError:
            return False
    return True


def _environ(environ: Mapping[str, str]) -> dict[str, str]:
    """The environment of a server whose log is read only when something is wrong: warnings, as text."""
    changed = dict(environ)
    if "CAMILLO_CONFIG" not in changed:
        changed.setdefault("CAMILLO_TELEMETRY_LOG_LEVEL", "warning")
        changed.setdefault("CAMILLO_TELEMETRY_LOG_FORMAT", "text")
    return changed
