"""offload: the output of a tool, kept as an artifact where it is too long for a context."""

from __future__ import annotations

import shlex
import shutil
import subprocess
import sys
from pathlib import Path
from tempfile import SpooledTemporaryFile
from typing import Annotated, Any, BinaryIO, cast

import typer
from typer import Argument, Option

from camillo_cli.artifacts import ArtifactOptions, size_text
from camillo_cli.connection import ClientOptions, connected
from camillo_cli.cutting import cut
from camillo_cli.failures import CliError, ExitCode
from camillo_cli.options import RequestId
from camillo_cli.output import note, print_message, say, standard_output

# A longer output is kept in a temporary file.
IN_MEMORY_BYTES = 4 * 1024 * 1024
# A shell adds it to the number of the signal that ended a command.
SIGNAL_BASE = 128


def offload(
    client: ClientOptions,
    artifact: ArtifactOptions,
    words: Annotated[
        list[str] | None,
        Argument(
            metavar="-- COMMAND",
            help="Run this command, and return its exit code. Default: read the output from standard input.",
        ),
    ] = None,
    threshold: Annotated[
        int,
        Option(
            min=0,
            show_default=False,
            help="Print an output of up to so many tokens unchanged. Default: 500.",
        ),
    ] = 0,
    request_id: RequestId = None,
) -> None:
    """Print the output of a tool if it is short; else store it as an artifact, and print a reference for the prompt.

    Also reads from a pipe: npm test 2>&1 | camillo offload --tool shell --command "npm test".
    Example: camillo offload --session s1 -- npm test
    """
    fields = artifact.fields()
    with SpooledTemporaryFile(IN_MEMORY_BYTES) as spool:
        file = cast("BinaryIO", spool)
        exit_code = _collect(file, words, fields)
        file.seek(0)
        try:
            _show(client, file, {"threshold_tokens": threshold, "request_id": request_id, **fields})
        except CliError as error:
            # A tool may have run for hours: its output must not be lost with the server.
            file.seek(0)
            shutil.copyfileobj(file, standard_output())
            raise CliError(f"{error} (the output is printed as it is)", error.code) from error
    if exit_code:
        raise typer.Exit(exit_code)


def _show(client: ClientOptions, file: BinaryIO, options: dict[str, Any]) -> None:
    with connected(client) as camillo:
        shown = camillo.artifacts.offload(file, **options)
    if client.as_json:
        print_message(shown.response)
        return
    if shown.text:
        say(shown.text.removesuffix("\n"))
    if shown.artifact is not None:
        note(f"kept {size_text(shown.artifact)}")


def _collect(file: BinaryIO, words: list[str] | None, fields: dict[str, Any]) -> int:
    """Reads the output into the file; returns the exit code of the command, 0 where there is none."""
    if not words:
        if sys.stdin.isatty():
            raise CliError("nothing given: pipe an output in, or give a command after '--'", ExitCode.USAGE)
        shutil.copyfileobj(sys.stdin.buffer, file)
        return 0
    exit_code = _run(words, file)
    fields["tool"] = fields["tool"] or Path(words[0]).name[:64]
    fields["command"] = fields["command"] or cut(shlex.join(words), 4000)
    if fields["exit_code"] is None:
        fields["exit_code"] = exit_code
    return exit_code


def _run(words: list[str], file: BinaryIO) -> int:
    try:
        with subprocess.Popen(  # noqa: S603 (the command is the caller's own)
            words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT
        ) as process:
            shutil.copyfileobj(cast("BinaryIO", process.stdout), file)
    except FileNotFoundError as error:
        raise CliError(f"{words[0]}: there is no such command", ExitCode.USAGE) from error
    except OSError as error:
        raise CliError(f"{words[0]}: {error.strerror}", ExitCode.USAGE) from error
    return process.returncode if process.returncode >= 0 else SIGNAL_BASE - process.returncode
