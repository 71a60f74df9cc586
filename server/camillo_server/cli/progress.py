"""Progress bars on standard error, drawn on a terminal only, so that logs and pipes stay clean."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Protocol

from camillo_server.cli.format import size
from camillo_server.cli.output import error_console

if TYPE_CHECKING:
    from rich.progress import Progress

    from camillo_server.embedding.model_hub import Progress as DownloadProgress


class ReportItems(Protocol):
    """Is called with the part of the total that is done, and the number of items."""

    def __call__(self, done: float, count: int) -> None: ...


class ReportEvents(Protocol):
    """Is called with the bytes that are read, and what was recorded of them."""

    def __call__(self, done_bytes: int, events: int, sessions: int) -> None: ...


@contextmanager
def progress_bar(title: str, total: float | None) -> Iterator[ReportItems]:
    """A bar that counts memories while the block runs; without a total, it only moves."""
    detail = "{task.fields[count]:,} memories, {task.fields[rate]:,.0f}/s"
    with _bars("{task.percentage:>3.0f}%", detail) as bars:
        task = bars.add_task(title, total=total, count=0, rate=0.0)

        def report(done: float, count: int) -> None:
            bars.update(task, completed=done, count=count, rate=_rate(bars, count))

        yield report


@contextmanager
def event_bar(title: str, total_bytes: int) -> Iterator[ReportEvents]:
    """A bar that counts events and sessions while the block runs."""
    detail = "{task.fields[events]:,} events, {task.fields[rate]:,.0f}/s"
    sessions_detail = "{task.fields[sessions]:,} sessions"
    with _bars("{task.percentage:>3.0f}%", detail, sessions_detail) as bars:
        task = bars.add_task(title, total=total_bytes, events=0, sessions=0, rate=0.0)

        def report(done_bytes: int, events: int, sessions: int) -> None:
            rate = _rate(bars, events)
            bars.update(task, completed=done_bytes, events=events, sessions=sessions, rate=rate)

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
def download_bars() -> Iterator[DownloadProgress]:
    """A bar for each file; it appears when the file is first reported."""
    from rich.progress import DownloadColumn, TaskID, TransferSpeedColumn

    tasks: dict[str, TaskID] = {}
    with _bars(DownloadColumn(), TransferSpeedColumn(), transient=False) as bars:

        def report(name: str, done_bytes: int, total_bytes: int | None) -> None:
            if name not in tasks:
                tasks[name] = bars.add_task(name, total=total_bytes)
            bars.update(tasks[name], completed=done_bytes, total=total_bytes)

        yield report


@contextmanager
def spinner(text: str) -> Iterator[None]:
    """Shows that work of unknown length goes on."""
    console = error_console()
    if not console.is_terminal:
        yield
        return
    with console.status(text):
        yield


def _bars(*details: object, transient: bool = True) -> Progress:
    """Title, bar, the given columns, and the time that is left."""
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

    columns = [TextColumn(each) if isinstance(each, str) else each for each in details]
    console = error_console()
    return Progress(
        TextColumn("{task.description}"),
        BarColumn(bar_width=None),
        *columns,  # type: ignore[arg-type]
        TimeRemainingColumn(compact=True),
        console=console,
        transient=transient,
        disable=not console.is_terminal,
    )


def _rate(bars: Progress, count: int) -> float:
    elapsed = bars.tasks[0].elapsed or 0.0
    return count / elapsed if elapsed else 0.0
