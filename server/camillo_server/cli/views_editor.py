"""A text in the caller's own editor."""

from __future__ import annotations

import os
import shlex
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from camillo_server.cli.failures import CliError, ExitCode
from camillo_server.cli.output import note


def edited(name: str, text: str) -> str | None:
    """What the text is after editing; None where it is what it was. Raises CliError."""
    with tempfile.TemporaryDirectory(prefix="camillo-") as directory:
        file = Path(directory) / f"{Path(name).name or 'view'}.md"
        file.write_text(text, "utf-8")
        _run_editor(file)
        try:
            after = file.read_text("utf-8")
        except UnicodeDecodeError as error:
            raise CliError("what the editor wrote is not UTF-8 text") from error
    # Editors end a file with a line end, whether the text had one or not.
    return None if after.rstrip("\n") == text.rstrip("\n") else after


@contextmanager
def kept_on_failure(name: str, text: str) -> Iterator[None]:
    """Leaves the text in a file where the block does not store it."""
    from camillo_client import CamilloError

    try:
        yield
    except CamilloError:
        descriptor, path = tempfile.mkstemp(prefix=f"camillo-{Path(name).name}-", suffix=".md")
        with os.fdopen(descriptor, "w", encoding="utf-8") as file:
            file.write(text)
        note(f"note: what you wrote is kept in {path}")
        raise


def _run_editor(file: Path) -> None:
    command = os.environ.get("VISUAL") or os.environ.get("EDITOR")
    if not command:
        raise CliError("no editor is known: set EDITOR, or use 'camillo view put'", ExitCode.USAGE)
    try:
        ended = subprocess.run([*shlex.split(command), str(file)], check=False)  # noqa: S603
    except (OSError, ValueError) as error:
        raise CliError(f"cannot start the editor {command!r}: {error}", ExitCode.USAGE) from error
    if ended.returncode:
        raise CliError(f"the editor ended with {ended.returncode}: nothing was stored")
