"""Runs a command, and reports its failure as one line and an exit code."""

import os
import sys
from collections.abc import Sequence
from typing import Annotated, Any

import typer
from typer import Option, Typer
from typer.core import TyperCommand, TyperGroup
from typer.main import get_command

from camillo_cli.commands import Command, CommandTable
from camillo_cli.completion import PROGRAM
from camillo_cli.failures import EXIT_CODES_HELP, CliError, ExitCode, one_line
from camillo_cli.options import with_shared_options
from camillo_cli.plugins import tables

LISTS_HELP = (
    "Lists are tables. Where standard output is no terminal, they are lines of cells separated by tabs, the first line "
    "with headings; with --json, a JSON object on each line. An empty list prints nothing there."
)


def run(arguments: list[str] | None = None, plugged: str = "") -> int:
    """Runs a command, and returns its exit code. A failure is one line on standard error."""
    words = sys.argv[1:] if arguments is None else arguments
    _use_utf8()
    # Otherwise gRPC's own log would appear next to that line.
    os.environ.setdefault("GRPC_VERBOSITY", "NONE")
    try:
        program = build_program(tables(words, plugged))
        result: object = program(args=words, prog_name=PROGRAM, standalone_mode=False)
        sys.stdout.flush()
        return result if isinstance(result, int) else ExitCode.OK
    except (BrokenPipeError, SystemExit) as error:
        if isinstance(error, SystemExit) and error.code == ExitCode.OK:
            return ExitCode.OK  # completions have been printed
        # typer exits like this when standard output is closed, whatever its mode.
        _discard_output()
        return ExitCode.BROKEN_PIPE
    except KeyboardInterrupt:
        return ExitCode.INTERRUPTED
    except Exception as error:  # noqa: BLE001 (the outermost place)
        return _report(error, as_json="--json" in words)


def _report(error: Exception, *, as_json: bool) -> ExitCode:
    message, code = _message_and_code(error)
    for line in error.details if isinstance(error, CliError) else ():
        sys.stderr.write(f"{line}\n")
    if message and as_json:
        import json

        fields = {"message": message, "exit_code": code.value}
        sys.stderr.write(json.dumps({"error": fields}, ensure_ascii=False) + "\n")
    elif message:
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
    import traceback

    *_, (frame, line) = traceback.walk_tb(error.__traceback__)
    where = f" at {os.path.basename(frame.f_code.co_filename)}:{line}"
    return one_line(f"this is a bug, please report it: {type(error).__name__}: {error}{where}")


class LazyGroup(TyperGroup):
    """Builds a command when it is called, or listed without a help of its own."""

    members: dict[str, Command]

    def add(self, members: Sequence[Command]) -> None:
        """Adds commands by their last words."""
        self.members = {member.words.rpartition(" ")[2]: member for member in members}
        for name, member in self.members.items():
            listed = TyperCommand(name=name, help=member.help, rich_help_panel=member.panel)
            self.add_command(listed, name)

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        command = super().get_command(ctx, cmd_name)
        return command if command is None or command.help else _built(self.members[cmd_name])

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        name, command, rest = super().resolve_command(ctx, args)
        member = self.members.get(name or "")
        return name, _built(member) if member else command, rest


def _built(member: Command) -> TyperCommand:
    program = Typer(add_completion=False)
    name = member.words.rpartition(" ")[2]
    program.command(name, rich_help_panel=member.panel if member.help else None)(with_shared_options(member.function()))
    return get_command(program)  # type: ignore[return-value]


def build_program(tables: Sequence[CommandTable]) -> LazyGroup:
    """The program with the commands of these tables."""
    commands = [command for table in tables for command in table.commands]
    own_first = [command for table in reversed(tables) for command in table.commands]
    groups = {name: help for table in reversed(tables) for name, help in table.groups.items()}
    program = Typer(
        name=PROGRAM,
        cls=LazyGroup,
        help='Memory for AI agents. Example: camillo remember "Ada prefers tea"',
        epilog=f"{LISTS_HELP}\n\n{EXIT_CODES_HELP}",
        no_args_is_help=True,
        context_settings={"help_option_names": ["-h", "--help"]},
    )
    program.callback()(_root)
    root: Any = get_command(program)
    # Typer answers shells, but what it answers is printed by `camillo completion`.
    root.params = [each for each in root.params if not each.name.endswith("_completion")]
    root.add([each for each in commands if " " not in each.words])
    for name, help in groups.items():
        members = [each for each in own_first if each.words.startswith(f"{name} ")]
        group = LazyGroup(name=name, help=help, no_args_is_help=True, rich_help_panel=members[0].panel)
        group.add(members)
        root.add_command(group)
    return root  # type: ignore[no-any-return]


def _show_version(is_asked_for: bool) -> None:
    if is_asked_for:
        from camillo_cli.plugins import version

        sys.stdout.write(f"camillo {version()}\n")
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
