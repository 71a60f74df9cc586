"""Files that commands read and write; `-` is standard input or output."""

from __future__ import annotations

import codecs
import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, Protocol

from camillo_server.cli.failures import CliError, ExitCode, one_line
from camillo_server.cli.format import printable

if TYPE_CHECKING:
    from google.protobuf.message import Message


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


def encoding(content: bytes) -> str:
    """UTF-16 after its byte order mark, else UTF-8."""
    return (
        "utf-16" if content.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)) else "utf-8-sig"
    )


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


def read_json_line(line: bytes, number: int, message: Message, noun: str) -> dict[str, Any]:
    """Reads a line of protobuf JSON into a message, and returns its fields as they were in the line.

    Raises CliError with the number of the line, counted from 1.
    """
    from google.protobuf.json_format import ParseDict, ParseError

    try:
        fields = json.loads(line.decode("utf-8-sig" if number == 1 else "utf-8"))
        if not isinstance(fields, dict):
            raise bad_line(number, "is not a JSON object")
        ParseDict(fields, message)
    except UnicodeDecodeError as error:
        raise bad_line(number, "is not UTF-8") from error
    except json.JSONDecodeError as error:
        raise bad_line(number, f"is not JSON ({error.msg})") from error
    except (ParseError, AttributeError, TypeError, UnicodeEncodeError, RecursionError) as error:
        reason = one_line(str(error)).partition(" Available Fields")[0][:200]
        raise bad_line(number, f"is not a {noun} ({reason})") from error
    return fields


def numbered_lines(file: BinaryIO, max_bytes: int) -> Iterator[tuple[int, bytes | None]]:
    """Each line that is not blank, with its number from 1; None in place of one that is longer than `max_bytes`."""
    number = 0
    while line := file.readline(max_bytes + 1):
        number += 1
        if len(line) > max_bytes:
            yield number, None
            while line and not line.endswith(b"\n"):
                line = file.readline(max_bytes)
        elif line.strip():
            yield number, line


def bad_line(number: int, reason: str) -> CliError:
    return CliError(f"line {number} {reason}", ExitCode.USAGE)


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
