"""Files that commands read and write; `-` is standard input or output."""

from __future__ import annotations

import codecs
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO, Protocol

from camillo_server.cli.failures import CliError, ExitCode
from camillo_server.cli.format import printable


class ByteSink(Protocol):
    """Takes bytes."""

    def write(self, data: bytes, /) -> Any: ...


def read_bytes(path: str) -> bytes:
    """The bytes of a file, or of standard input. Raises CliError."""
    with open_input(path) as file:
        return file.read()


def read_text(path: str) -> str:
    """The text of a file, or of standard input. Raises CliError."""
    try:
        return read_bytes(path).decode("utf-8-sig")
    except UnicodeDecodeError as error:
        name = "standard input" if path == "-" else path
        raise CliError(f"{name} is not UTF-8 text", ExitCode.USAGE) from error


@contextmanager
def open_input(source: str) -> Iterator[BinaryIO]:
    """The bytes of a file, or of standard input. Raises CliError."""
    if source == "-":
        yield sys.stdin.buffer
        return
    try:
        with Path(source).expanduser().open("rb") as file:
            yield file
    except OSError as error:
        raise cannot_read(source, error) from error


def cannot_read(path: str | Path, error: OSError) -> CliError:
    return CliError(f"cannot read {path}: {error.strerror}", ExitCode.USAGE)


@contextmanager
def open_output(target: str) -> Iterator[ByteSink]:
    """A file to write, or standard output. A file that is not finished leaves what was there before as it was.

    Raises CliError.
    """
    if target == "-":
        sink = standard_output()
        yield sink
        if isinstance(sink, _Screen):
            sink.end_line()
        sys.stdout.flush()
        return
    path = Path(target).expanduser()
    is_device = path.exists() and not path.is_file()
    unfinished = path if is_device else path.with_name(f"{path.name}.unfinished")
    try:
        with unfinished.open("wb") as file:
            yield file
        if not is_device:
            unfinished.replace(path)
    except OSError as error:
        raise CliError(f"cannot write {path}: {error.strerror}") from error
    finally:
        if not is_device:
            unfinished.unlink(missing_ok=True)


def standard_output() -> ByteSink:
    """Standard output; on a terminal without characters that would control it."""
    if sys.stdout.isatty():
        return _Screen()
    sys.stdout.flush()
    return sys.stdout.buffer


class _Screen:
    def __init__(self) -> None:
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self._last = b""

    def write(self, data: bytes, /) -> None:
        sys.stdout.write(printable(self._decoder.decode(data)))
        self._last = data[-1:] or self._last

    def end_line(self) -> None:
        """Ends the last line, so that the shell's prompt begins a new one."""
        if self._last not in (b"", b"\n"):
            sys.stdout.write("\n")
