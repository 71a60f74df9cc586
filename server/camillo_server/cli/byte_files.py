"""Bytes on their way to a file or a pipe, and how many have passed."""

from __future__ import annotations

import codecs
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Protocol

from camillo_server.cli.artifact_wording import size
from camillo_server.cli.failures import CliError
from camillo_server.cli.output import error_console
from camillo_server.cli.tables import printable

Passed = Callable[[int], None]


class ByteSink(Protocol):
    """Takes bytes."""

    def write(self, data: bytes, /) -> Any: ...


@contextmanager
def bytes_bar(title: str, total: int | None) -> Iterator[Passed]:
    """A bar on standard error, on a terminal only; told how many bytes have passed."""
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (
        TextColumn("{task.description}"),
        BarColumn(bar_width=None),
        TextColumn("{task.fields[so_far]}"),
        TimeRemainingColumn(compact=True),
    )
    console = error_console()
    with Progress(
        *columns, console=console, transient=True, disable=not console.is_terminal
    ) as bar:
        task = bar.add_task(title, total=total, so_far="")

        def report(passed: int) -> None:
            speed = bar.tasks[0].speed
            bar.update(task, completed=passed, so_far=_so_far(passed, total, speed))

        yield report


def _so_far(passed: int, total: int | None, speed: float | None) -> str:
    """In the units of all that the command line tells."""
    of_all = size(passed) if total is None else f"{size(passed)} of {size(total)}"
    return of_all if speed is None else f"{of_all}, {size(int(speed))}/s"


@contextmanager
def written(target: str) -> Iterator[ByteSink]:
    """Where bytes go to; a file that is not finished leaves what was there before as it was. Raises CliError."""
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
    """Standard output; on a terminal, what would steer it is left out."""
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
        """So that the prompt does not stand behind the last line."""
        if self._last not in (b"", b"\n"):
            sys.stdout.write("\n")
