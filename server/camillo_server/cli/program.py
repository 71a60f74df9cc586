"""All commands under one name, and what becomes of their failures."""

import os
import sys
from collections.abc import Callable
from typing import Annotated, Any

import typer
from typer import Option, Typer

from camillo_server.cli import (
    administration,
    artifact_reading,
    artifacts,
    bundles,
    compactions,
    decisions,
    doctor,
    events,
    events_watching,
    handoffs,
    ingest_command,
    lifecycle_passes,
    models,
    offloading,
    reading,
    recipes,
    removals,
    runs,
    serving,
    tasks,
    transfer,
    upkeep,
    vector_indexes,
    views,
    watching,
    working,
    writing,
)
from camillo_server.cli.demo import demo
from camillo_server.cli.failures import EXIT_CODES_HELP, CliError, ExitCode, one_line
from camillo_server.cli.parameters import with_shared_options

SERVER = "Server"
MEMORY = "Memory"
CONTEXT = "Context"
ADMINISTRATION = "Administration"

COMMANDS: tuple[tuple[str, Callable[..., None], str], ...] = (
    ("demo", demo, SERVER),
    ("serve", serving.serve, SERVER),
    ("worker", working.worker, SERVER),
    ("doctor", doctor.doctor, SERVER),
    ("migrate", serving.migrate, SERVER),
    ("remember", writing.remember, MEMORY),
    ("recall", reading.recall, MEMORY),
    ("list", reading.list_memories, MEMORY),
    ("get", reading.get, MEMORY),
    ("update", writing.update, MEMORY),
    ("forget", writing.forget, MEMORY),
    ("history", reading.history, MEMORY),
    ("import", transfer.import_memories, MEMORY),
    ("export", transfer.export, MEMORY),
    ("watch", watching.watch, MEMORY),
    ("offload", offloading.offload, MEMORY),
    ("ingest", ingest_command.ingest, CONTEXT),
    ("bundle", bundles.bundle, CONTEXT),
    ("snapshot", bundles.snapshot, CONTEXT),
    ("whoami", administration.whoami, ADMINISTRATION),
)
GROUPS: dict[str, dict[str, Callable[..., None]]] = {
    "artifact": {
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
    "event": {
        "record": events.record,
        "list": events.list_events,
        "show": events.show,
        "watch": events_watching.watch,
        "forget": events.forget,
        "rebuild": events.rebuild,
    },
    "decision": {
        "record": decisions.record,
        "supersede": decisions.supersede,
        "list": decisions.list_decisions,
        "show": decisions.show,
        "query": decisions.query,
    },
    "task": {
        "open": tasks.open_task,
        "move": tasks.move,
        "list": tasks.list_tasks,
        "show": tasks.show,
    },
    "run": {
        "start": runs.start,
        "append": runs.append,
        "inject": runs.inject,
        "render": runs.render,
        "end": runs.end,
    },
    "view": {
        "list": views.list_views,
        "show": views.show,
        "put": views.put,
        "edit": views.edit,
        "delete": views.delete,
    },
    "recipe": {
        "list": recipes.list_recipes,
        "show": recipes.show,
        "put": recipes.put,
        "delete": recipes.delete,
    },
    "handoff": {"send": handoffs.send, "list": handoffs.list_handoffs},
    "lifecycle": {
        "usage": upkeep.usage,
        "maintain": lifecycle_passes.maintain,
        "prune": lifecycle_passes.prune,
        "archive": lifecycle_passes.archive,
        "restore": lifecycle_passes.restore,
        "compact": compactions.compact,
        "compactions": compactions.list_compactions,
        "revert": compactions.revert,
        "reset": removals.reset,
        "receipts": removals.receipts,
        "lift": removals.lift,
        "jobs": upkeep.jobs,
        "retry": upkeep.retry,
        "reembed": upkeep.reembed,
    },
    "models": {"pull": models.pull, "list": models.list_models},
    "index": {
        "create": vector_indexes.create,
        "drop": vector_indexes.drop,
        "list": vector_indexes.list_indexes,
    },
    "keys": {
        "create": administration.create_key,
        "list": administration.list_keys,
        "revoke": administration.revoke_key,
        "bootstrap": serving.bootstrap_key,
    },
    "agents": {
        "create": administration.create_agent,
        "list": administration.list_agents,
        "delete": administration.delete_agent,
    },
    "tenants": {
        "create": administration.create_tenant,
        "list": administration.list_tenants,
        "delete": administration.delete_tenant,
    },
}
GROUP_HELP = {
    "artifact": "Large outputs, kept and read in parts. Example: camillo artifact list",
    "event": "What an agent was told and did. Example: camillo event list --session s1",
    "decision": "What was decided, and on what it rests. Example: camillo decision list",
    "task": "What an agent is at. Example: camillo task list",
    "run": "What an agent holds in mind while it runs. Example: camillo run start message",
    "view": "Texts that an agent is always shown. Example: camillo view edit rules",
    "recipe": "How bundles are made. Example: camillo recipe list",
    "handoff": "Packets from one agent to another. Example: camillo handoff list",
    "lifecycle": "What becomes of memories with time. Example: camillo lifecycle maintain --dry-run",
    "models": "Local models that make vectors. Example: camillo models pull",
    "index": "Indexes of large scopes in Postgres. Example: camillo index list",
    "keys": "API keys. Example: camillo keys list",
    "agents": "Agents of a tenant. Example: camillo agents list",
    "tenants": "Tenants. Example: camillo tenants list",
}

GROUP_PANELS = {
    "artifact": MEMORY,
    "event": MEMORY,
    "decision": MEMORY,
    "task": MEMORY,
    "lifecycle": MEMORY,
    "run": CONTEXT,
    "view": CONTEXT,
    "recipe": CONTEXT,
    "handoff": CONTEXT,
    "models": SERVER,
    "index": SERVER,
}


def run(arguments: list[str] | None = None) -> int:
    """Runs a command. Returns its exit code; what it failed with is one line on stderr."""
    _use_utf8()
    # gRPC's own log would stand beside our one line.
    os.environ.setdefault("GRPC_VERBOSITY", "NONE")
    try:
        result: object = _program()(args=arguments, prog_name="camillo", standalone_mode=False)
        sys.stdout.flush()
        return result if isinstance(result, int) else ExitCode.OK
    except (BrokenPipeError, SystemExit):
        # typer exits so, whatever it is asked for, when nobody reads standard output any longer.
        _forget_output()
        return ExitCode.BROKEN_PIPE
    except KeyboardInterrupt:
        return ExitCode.INTERRUPTED
    except Exception as error:  # noqa: BLE001 (the outermost place)
        return _failed(error)


def _failed(error: Exception) -> ExitCode:
    message, code = _told(error)
    if message:
        sys.stderr.write(f"camillo: {message}\n")
    try:
        sys.stdout.flush()
    except OSError:
        _forget_output()
    return code


def _told(error: Exception) -> tuple[str, ExitCode]:
    if isinstance(error, CliError):
        return str(error), error.code
    if isinstance(error, typer.Abort):
        return "not confirmed: nothing was done", ExitCode.ERROR
    if hasattr(error, "format_message"):  # what typer raises for arguments that it cannot parse
        return _usage(error), ExitCode.USAGE
    if isinstance(error, OSError):
        what = error.strerror or str(error)
        return one_line(f"{error.filename}: {what}" if error.filename else what), ExitCode.ERROR
    return _defect(error), ExitCode.ERROR


def _usage(error: Any) -> str:
    context = getattr(error, "ctx", None)
    path = context.command_path if context is not None else "camillo"
    message = one_line(error.format_message()).rstrip(".").replace("Value error, ", "")
    if not message:  # no arguments at all: the help has been shown
        return ""
    return f"{message[:1].lower()}{message[1:]} (see '{path} --help')"


def _defect(error: Exception) -> str:
    """A defect of the program: enough for a report, without a page of traceback."""
    place = error.__traceback__
    while place is not None and place.tb_next is not None:
        place = place.tb_next
    where = ""
    if place is not None:
        file = os.path.basename(place.tb_frame.f_code.co_filename)
        where = f" at {file}:{place.tb_lineno}"
    return one_line(f"this is a defect, please report it: {type(error).__name__}: {error}{where}")


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
    for name, commands in GROUPS.items():
        group = Typer(help=GROUP_HELP[name], no_args_is_help=True)
        for action, command in commands.items():
            group.command(action)(with_shared_options(command))
        panel = GROUP_PANELS.get(name, ADMINISTRATION)
        program.add_typer(group, name=name, rich_help_panel=panel)
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


def _forget_output() -> None:
    """The interpreter flushes standard output once more at its end, which would fail again."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 1)
