"""Progress bars of downloads, one for each file, on standard error and only on a terminal."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from camillo_server.cli.output import error_console

if TYPE_CHECKING:
    from camillo_server.embedding.model_hub import Progress


@contextmanager
def download_bars() -> Iterator[Progress]:
    """Bars while the block runs; a file's bar appears when it is first told of."""
    from rich.progress import (
        BarColumn,
        DownloadColumn,
        TaskID,
        TextColumn,
        TimeRemainingColumn,
        TransferSpeedColumn,
    )
    from rich.progress import Progress as Bars

    columns = (
        TextColumn("{task.description}"),
        BarColumn(bar_width=None),
        DownloadColumn(),
        TransferSpeedColumn(),
        TimeRemainingColumn(compact=True),
    )
    console = error_console()
    tasks: dict[str, TaskID] = {}
    with Bars(*columns, console=console, disable=not console.is_terminal) as bars:

        def report(name: str, done_bytes: int, total_bytes: int | None) -> None:
            if name not in tasks:
                tasks[name] = bars.add_task(name, total=total_bytes)
            bars.update(tasks[name], completed=done_bytes, total=total_bytes)

        yield report
