"""Prints results to standard output or a file, notes and progress to standard error.

Progress is drawn on a terminal only, so that logs and pipes stay clean.
"""

from __future__ import annotations

import codecs
import json
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import asdict, is_dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

from camillo_cli.failures import CliError
from camillo_cli.format import printable, size

if TYPE_CHECKING:
    from google.protobuf.message import Message
    from rich.console import Console
    from rich.progress import Progress


class ByteSink(Protocol):
    """Takes bytes."""

    def write(self, data: bytes, /) -> Any: ...


class HasFormat(Protocol):
    """The options of a command that can print JSON."""

    @property
    def as_json(self) -> bool: ...


class HasDurability(Protocol):
    """An answer of the client that tells how durable a write is."""

    @property
    def durability(self) -> int: ...

    @property
    def spool_id(self) -> str | None: ...


def print_json(value: object) -> None:
    """Prints one value on one line."""
    sys.stdout.write(json.dumps(value, ensure_ascii=False) + "\n")


def print_message(message: Message) -> None:
    """Prints a message on one line, with all its fields so that readers find the same keys each time."""
    sys.stdout.write(message_json(message, all_fields=True) + "\n")


def print_item(item: Any) -> None:
    """Prints a message or a dataclass on one line, as each item of a list is."""
    if is_dataclass(item):
        print_json(asdict(item))  # type: ignore[arg-type]
    else:
        print_message(item)


def message_json(message: Message, *, all_fields: bool = False) -> str:
    """Protobuf JSON on one line, with the names of the `.proto` files."""
    fields = message_dict(message, all_fields=all_fields)
    if "metadata" in fields:
        # A protobuf map has no order of its own; the same memory should be the same line.
        fields["metadata"] = dict(sorted(fields["metadata"].items()))
    return json.dumps(fields, ensure_ascii=False)


def message_dict(message: Message, *, all_fields: bool = False) -> dict[str, Any]:
    """The fields of protobuf JSON; `all_fields` includes those that have their default value."""
    from google.protobuf.json_format import MessageToDict

    return MessageToDict(
        message,
        preserving_proto_field_name=True,
        always_print_fields_with_no_presence=all_fields,
    )


def print_result(options: HasFormat, message: Message, text: str) -> None:
    """Prints the result of a command: the message as JSON, or the text."""
    if options.as_json:
        print_message(message)
    else:
        print_text(text)


def print_value(value: object, text: str, *, as_json: bool) -> None:
    """Prints what a command has done: a value as JSON, or the text."""
    if as_json:
        print_json(value)
    else:
        say(text)


def print_text(text: str) -> None:
    """Prints a text of any length; on a terminal without characters that would control it."""
    if not text.endswith("\n"):
        text += "\n"
    sys.stdout.write(printable(text) if sys.stdout.isatty() else text)


def print_notes(reasons: Sequence[str]) -> None:
    for reason in reasons:
        note(f"note: {reason}")


def say(text: str) -> None:
    """Prints a line to standard output."""
    sys.stdout.write(text + "\n")


def note(text: str) -> None:
    """Prints a line to standard error, beside the result."""
    sys.stderr.write(text + "\n")


def note_durability(written: HasDurability) -> None:
    """Notes where a write is that is not in Postgres, which has no version and no revision yet."""
    from camillo.v1.consistency_pb2 import DURABILITY_DROPPED

    if written.spool_id is not None:
        note(f"spooled as {written.spool_id}: it is stored when the database is back")
    elif written.durability == DURABILITY_DROPPED:
        note("dropped: nothing could keep it while the database is away")


def is_terminal() -> bool:
    """Whether standard output is a terminal, without importing rich where it is none."""
    # Variables with which rich takes anything for a terminal.
    is_forced = "FORCE_COLOR" in os.environ or "TTY_COMPATIBLE" in os.environ
    return (sys.stdout.isatty() or is_forced) and console().is_terminal


@cache
def console(*, stderr: bool = False) -> Console:
    """Standard output or standard error as rich sees it."""
    from rich.console import Console

    return Console(stderr=stderr, highlight=False, markup=False, emoji=False)


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
    """A terminal, on which nothing that is written can control it."""

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


@contextmanager
def progress_bar(title: str, total: float | None, noun: str = "memories") -> Iterator[Callable[..., None]]:
    """A bar that counts items while the block runs; without a total, it only moves.

    Call what it yields with the part of the total that is done, the number of items, and that of their sessions.
    """
    with _bars("{task.percentage:>3.0f}%", "{task.fields[counts]}") as bars:
        task = bars.add_task(title, total=total, counts="")

        def report(done: float, count: int, sessions: int | None = None) -> None:
            elapsed = bars.tasks[0].elapsed
            counts = f"{count:,} {noun}, {count / elapsed if elapsed else 0:,.0f}/s"
            if sessions is not None:
                counts += f" {sessions:,} sessions"
            bars.update(task, completed=done, counts=counts)

        report(0, 0)
        yield report


@contextmanager
def byte_bar(title: str, total: int | None) -> Iterator[Callable[[int], None]]:
    """A bar that counts bytes while the block runs; call what it yields with the bytes that have passed."""
    with _bars("{task.fields[so_far]}") as bars:
        task = bars.add_task(title, total=total, so_far="")

        def report(passed: int) -> None:
            so_far = size(passed) if total is None else f"{size(passed)} of {size(total)}"
            if (speed := bars.tasks[0].speed) is not None:
                so_far += f", {size(int(speed))}/s"
            bars.update(task, completed=passed, so_far=so_far)

        yield report


@contextmanager
def download_bars() -> Iterator[Callable[[str, int, int | None], None]]:
    """A bar for each file; it appears when the file is first reported."""
    from rich.progress import DownloadColumn, TaskID, TransferSpeedColumn

    tasks: dict[str, TaskID] = {}
    with _bars(DownloadColumn(), TransferSpeedColumn(), transient=False) as bars:

        def report(name: str, done_bytes: int, total_bytes: int | None) -> None:
            if name not in tasks:
                tasks[name] = bars.add_task(name, total=total_bytes)
            bars.update(tasks[name], completed=done_bytes, total=total_bytes)

        yield report


def spinner(text: str) -> AbstractContextManager[object]:
    """Shows that work of unknown length goes on."""
    errors = console(stderr=True)
    return errors.status(text) if errors.is_terminal else nullcontext()


def _bars(*details: object, transient: bool = True) -> Progress:
    """Title, bar, the given columns, and the time that is left."""
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

    columns = [TextColumn(each) if isinstance(each, str) else each for each in details]
    errors = console(stderr=True)
    return Progress(
        TextColumn("{task.description}"),
        BarColumn(bar_width=None),
        *columns,  # type: ignore[arg-type]
        TimeRemainingColumn(compact=True),
        console=errors,
        transient=transient,
        disable=not errors.is_terminal,
    )
