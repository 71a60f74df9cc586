"""A progress bar on standard error: on a terminal only, so that logs and pipes stay clean."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Protocol

from camillo_server.cli.output import error_console


class Progress(Protocol):
    """Told how far the work is."""

    def __call__(self, done: float, count: int) -> None:
        """So much of the total is done, and so many memories."""
        ...


@contextmanager
def progress_bar(title: str, total: float | None) -> Iterator[Progress]:
    """A bar while the block runs; without a total, it only moves."""
    from rich.progress import (
        BarColumn,
        TaskProgressColumn,
        TextColumn,
        TimeRemainingColumn,
    )
    from rich.progress import Progress as Bar

    columns = (
        TextColumn("{task.description}"),
        BarColumn(bar_width=None),
        TaskProgressColumn(),
        TextColumn("{task.fields[count]:,} memories, {task.fields[rate]:,.0f}/s"),
        TimeRemainingColumn(compact=True),
    )
    console = error_console()
    with Bar(*columns, console=console, transient=True, disable=not console.is_terminal) as bar:
        task = bar.add_task(title, total=total, count=0, rate=0.0)

        def report(done: float, count: int) -> None:
            elapsed = bar.tasks[0].elapsed or 0.0
            rate = count / elapsed if elapsed else 0.0
            bar.update(task, completed=done, count=count, rate=rate)

        yield report


@contextmanager
def working(what: str) -> Iterator[None]:
    """Shows that something goes on whose length is not known."""
    console = error_console()
    if not console.is_terminal:
        yield
        return
    with console.status(what):
        yield
