"""Runs a command, and reports its failure as one line and an exit code."""

import os
import sys
from typing import Annotated, Any

import typer
from typer import Option, Typer

from camillo_server.cli.commands import COMMANDS, GROUPS
from camillo_server.cli.failures import EXIT_CODES_HELP, CliError, ExitCode, one_line
from camillo_server.cli.options import with_shared_options


def run(arguments: list[str] | None = None) -> int:
    """Runs a command, and returns its exit code. A failure is one line on standard error."""
    _use_utf8()
    # Otherwise gRPC's own log would appear next to that line.
    os.environ.setdefault("GRPC_VERBOSITY", "NONE")
    try:
        result: object = _program()(args=arguments, prog_name="camillo", standalone_mode=False)
        sys.stdout.flush()
        return result if isinstance(result, int) else ExitCode.OK
    except (BrokenPipeError, SystemExit):
        # typer exits like this when standard output is closed, whatever its mode.
        _discard_output()
        return ExitCode.BROKEN_PIPE
    except KeyboardInterrupt:
        return ExitCode.INTERRUPTED
    except Exception as error:  # noqa: BLE001 (the outermost place)
        return _report(error)


def _report(error: Exception) -> ExitCode:
    message, code = _message_and_code(error)
    if message:
        sys.stderr.write(f"camillo: {message}\n")
    try:
        sys.stdout.flush()
    except OSError:
        _discard_output()
    return code


def _message_and_code(error: Exception) -> tuple[str, ExitCode]:
    if isinstance(error, CliError):
        return str(error), error.code
    if isinstance(error, typer.Abort):
        return "not confirmed: nothing was done", ExitCode.ERROR
    if hasattr(error, "format_message"):  # what typer raises for arguments that it cannot parse
        return _usage(error), ExitCode.USAGE
    if isinstance(error, OSError):
        reason = error.strerror or str(error)
        message = f"{error.filename}: {reason}" if error.filename else reason
        return one_line(message), ExitCode.ERROR
    return _defect(error), ExitCode.ERROR


def _usage(error: Any) -> str:
    context = getattr(error, "ctx", None)
    path = context.command_path if context is not None else "camillo"
    message = one_line(error.format_message()).rstrip(".").replace("Value error, ", "")
    if not message:  # no arguments at all: the help has been shown
        return ""
    return f"{message[:1].lower()}{message[1:]} (see '{path} --help')"


def _defect(error: Exception) -> str:
    """A defect of the program: enough for a bug report, without a page of traceback."""
    frame = error.__traceback__
    while frame is not None and frame.tb_next is not None:
        frame = frame.tb_next
    where = ""
    if frame is not None:
        file = os.path.basename(frame.tb_frame.f_code.co_filename)
        where = f" at {file}:{frame.tb_lineno}"
    return one_line(f"this is a bug, please report it: {type(error).__name__}: {error}{where}")


def _program() -> Typer:
    program = Typer(
        name="camillo",
        help='Memory for AI agents. Example: camillo remember "Ada prefers tea"',
        epilog=EXIT_CODES_HELP,
        no_args_is_help=True,
        add_completion=False,
        context_settings={"help_option_names": ["-h", "--help"]},
    )
    program.callback()(_root)
    for name, command, panel in COMMANDS:
        program.command(name, rich_help_panel=panel)(with_shared_options(command))
    for name, group in GROUPS.items():
        commands = Typer(help=group.help, no_args_is_help=True)
        for action, command in group.commands.items():
            commands.command(action)(with_shared_options(command))
        program.add_typer(commands, name=name, rich_help_panel=group.panel)
    return program


def _show_version(wanted: bool) -> None:
    if wanted:
        from importlib.metadata import version

        sys.stdout.write(f"camillo {version('camillo-server')}\n")
        raise typer.Exit


def _root(
    version: Annotated[
        bool, Option("--version", is_eager=True, callback=_show_version, help="Show the version.")
    ] = False,
) -> None:
    pass


def _use_utf8() -> None:
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(encoding="utf-8", errors="backslashreplace")


def _discard_output() -> None:
    """Standard output goes nowhere: the interpreter flushes it once more at its end, which would fail again."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
