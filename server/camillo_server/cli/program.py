"""All commands by name, in the panels of the help; runs one, and reports its failure as one line and an exit code."""

import os
import sys
import traceback
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Annotated, Any

import typer
from typer import Option, Typer

from camillo_server.cli import (
    administration,
    artifact_reading,
    artifacts,
    background,
    bundles,
    compactions,
    context,
    decisions,
    events,
    indexes,
    lifecycle,
    memories,
    models,
    recall,
    removals,
    runs,
    server,
    tasks,
    transfer,
    watch,
)
from camillo_server.cli.demo import demo
from camillo_server.cli.doctor.command import doctor
from camillo_server.cli.failures import EXIT_CODES_HELP, CliError, ExitCode, one_line
from camillo_server.cli.ingest.command import ingest
from camillo_server.cli.offload import offload
from camillo_server.cli.options import with_shared_options

Command = Callable[..., None]
SERVER = "Server"
MEMORY = "Memory"
CONTEXT = "Context"
ADMINISTRATION = "Administration"


@dataclass(frozen=True, slots=True)
class CommandGroup:
    """Commands under one word, and the panel of the help in which they are listed."""

    panel: str
    help: str
    commands: Mapping[str, Command]


COMMANDS: tuple[tuple[str, Command, str], ...] = (
    ("demo", demo, SERVER),
    ("serve", server.serve, SERVER),
    ("worker", server.worker, SERVER),
    ("doctor", doctor, SERVER),
    ("migrate", server.migrate, SERVER),
    ("remember", memories.remember, MEMORY),
    ("recall", recall.recall, MEMORY),
    ("list", memories.list_memories, MEMORY),
    ("get", memories.get, MEMORY),
    ("update", memories.update, MEMORY),
    ("forget", memories.forget, MEMORY),
    ("history", memories.history, MEMORY),
    ("import", transfer.import_memories, MEMORY),
    ("export", transfer.export, MEMORY),
    ("watch", watch.watch, MEMORY),
    ("offload", offload, MEMORY),
    ("ingest", ingest, CONTEXT),
    ("bundle", bundles.bundle, CONTEXT),
    ("snapshot", bundles.snapshot, CONTEXT),
    ("whoami", administration.whoami, ADMINISTRATION),
)
GROUPS: Mapping[str, CommandGroup] = {
    "artifact": CommandGroup(
        MEMORY,
        "Store large outputs, and read parts of them. Example: camillo artifact list",
        {
            "put": artifacts.put,
            "list": artifacts.list_artifacts,
            "show": artifacts.show,
            "cat": artifact_reading.cat,
            "head": artifact_reading.head,
            "tail": artifact_reading.tail,
            "grep": artifact_reading.grep,
            "update": artifacts.update,
            "rm": artifacts.remove,
            "cites": artifacts.cites,
        },
    ),
    "event": CommandGroup(
        MEMORY,
        "Record and read messages, tool calls and other events. Example: camillo event list --session s1",
        {
            "record": events.record,
            "list": events.list_events,
            "show": events.show,
            "watch": watch.watch_events,
            "forget": events.forget,
            "rebuild": events.rebuild,
        },
    ),
    "decision": CommandGroup(
        MEMORY,
        "Record and find decisions and their reasons. Example: camillo decision list",
        {
            "record": decisions.record,
            "supersede": decisions.supersede,
            "list": decisions.list_decisions,
            "show": decisions.show,
            "query": decisions.query,
        },
    ),
    "task": CommandGroup(
        MEMORY,
        "Keep the tasks of an agent. Example: camillo task list",
        {"open": tasks.open_task, "move": tasks.move, "list": tasks.list_tasks, "show": tasks.show},
    ),
    "lifecycle": CommandGroup(
        MEMORY,
        "Archive, remove, merge and embed memories. Example: camillo lifecycle maintain --dry-run",
        {
            "usage": background.usage,
            "maintain": lifecycle.maintain,
            "prune": lifecycle.prune,
            "archive": lifecycle.archive,
            "restore": lifecycle.restore,
            "compact": compactions.compact,
            "compactions": compactions.list_compactions,
            "revert": compactions.revert,
            "reset": removals.reset,
            "receipts": removals.receipts,
            "lift": removals.lift,
            "jobs": background.jobs,
            "retry": background.retry,
            "reembed": background.reembed,
        },
    ),
    "run": CommandGroup(
        CONTEXT,
        "Keep the short-term memory of an agent run. Example: camillo run start message",
        {
            "start": runs.start,
            "append": runs.append,
            "inject": runs.inject,
            "render": runs.render,
            "end": runs.end,
        },
    ),
    "view": CommandGroup(
        CONTEXT,
        "Edit texts that are part of every bundle of an agent. Example: camillo view edit rules",
        {
            "list": context.list_views,
            "show": context.show_view,
            "put": context.put_view,
            "edit": context.edit_view,
            "delete": context.delete_view,
        },
    ),
    "recipe": CommandGroup(
        CONTEXT,
        "Define how bundles are built. Example: camillo recipe list",
        {
            "list": context.list_recipes,
            "show": context.show_recipe,
            "put": context.put_recipe,
            "delete": context.delete_recipe,
        },
    ),
    "handoff": CommandGroup(
        CONTEXT,
        "Hand work over from one agent to another. Example: camillo handoff list",
        {"send": context.send_handoff, "list": context.list_handoffs},
    ),
    "models": CommandGroup(
        SERVER,
        "Download and list local embedding models. Example: camillo models pull",
        {"pull": models.pull, "list": models.list_models},
    ),
    "index": CommandGroup(
        SERVER,
        "Create vector indexes of large scopes in Postgres. Example: camillo index list",
        {"create": indexes.create, "drop": indexes.drop, "list": indexes.list_indexes},
    ),
    "keys": CommandGroup(
        ADMINISTRATION,
        "Create and revoke API keys. Example: camillo keys list",
        {
            "create": administration.create_key,
            "list": administration.list_keys,
            "revoke": administration.revoke_key,
            "bootstrap": server.bootstrap_key,
        },
    ),
    "agents": CommandGroup(
        ADMINISTRATION,
        "Create, list and delete agents. Example: camillo agents list",
        {
            "create": administration.create_agent,
            "list": administration.list_agents,
            "delete": administration.delete_agent,
        },
    ),
    "tenants": CommandGroup(
        ADMINISTRATION,
        "Create, list and delete tenants. Example: camillo tenants list",
        {
            "create": administration.create_tenant,
            "list": administration.list_tenants,
            "delete": administration.delete_tenant,
        },
    ),
}


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
    *_, (frame, line) = traceback.walk_tb(error.__traceback__)
    where = f" at {os.path.basename(frame.f_code.co_filename)}:{line}"
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
