"""A progress bar for events: on a terminal only."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Protocol

from camillo_server.cli.output import error_console


class EventProgress(Protocol):
    """Told how far the work is."""

    def __call__(self, done_bytes: int, events: int, sessions: int) -> None:
        """So much of the files has been read, and so much was recorded of it."""
        ...


@contextmanager
def event_progress(title: str, total_bytes: int) -> Iterator[EventProgress]:
    """A bar while the block runs."""
    from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn
    from rich.progress import TimeRemainingColumn as Remaining

    columns = (
        TextColumn("{task.description}"),
        BarColumn(bar_width=None),
        TaskProgressColumn(),
        TextColumn("{task.fields[events]:,} events, {task.fields[rate]:,.0f}/s"),
        TextColumn("{task.fields[sessions]:,} sessions"),
        Remaining(compact=True),
    )
    console = error_console()
    with Progress(
        *columns, console=console, transient=True, disable=not console.is_terminal
    ) as bar:
        task = bar.add_task(title, total=total_bytes, events=0, sessions=0, rate=0.0)

        def report(done_bytes: int, events: int, sessions: int) -> None:
            elapsed = bar.tasks[0].elapsed or 0.0
            rate = events / elapsed if elapsed else 0.0
            bar.update(task, completed=done_bytes, events=events, sessions=sessions, rate=rate)

        yield report
