"""All commands by name, in the panels of the help; runs one, and reports its failure as one line and an exit code."""

import os
import sys
import traceback
from collections.abc import Callable, Mapping
from typing import Annotated, Any

import typer
from typer import Option, Typer

from camillo_server.cli import (
    administration,
    artifact_reading,
    artifacts,
    background,
    bundles,
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

SERVER = "Server"
MEMORY = "Memory"
CONTEXT = "Context"
ADMINISTRATION = "Administration"

# As they are typed, in the order of the help, each with its panel.
COMMANDS: tuple[tuple[str, Callable[..., None], str], ...] = (
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
    ("artifact put", artifacts.put, MEMORY),
    ("artifact list", artifacts.list_artifacts, MEMORY),
    ("artifact show", artifacts.show, MEMORY),
    ("artifact cat", artifact_reading.cat, MEMORY),
    ("artifact head", artifact_reading.head, MEMORY),
    ("artifact tail", artifact_reading.tail, MEMORY),
    ("artifact grep", artifact_reading.grep, MEMORY),
    ("artifact update", artifacts.update, MEMORY),
    ("artifact rm", artifacts.remove, MEMORY),
    ("artifact cites", artifacts.cites, MEMORY),
    ("event record", events.record, MEMORY),
    ("event list", events.list_events, MEMORY),
    ("event show", events.show, MEMORY),
    ("event watch", watch.watch_events, MEMORY),
    ("event forget", events.forget, MEMORY),
    ("event rebuild", events.rebuild, MEMORY),
    ("decision record", decisions.record, MEMORY),
    ("decision supersede", decisions.supersede, MEMORY),
    ("decision list", decisions.list_decisions, MEMORY),
    ("decision show", decisions.show, MEMORY),
    ("decision query", decisions.query, MEMORY),
    ("task open", tasks.open_task, MEMORY),
    ("task move", tasks.move, MEMORY),
    ("task list", tasks.list_tasks, MEMORY),
    ("task show", tasks.show, MEMORY),
    ("lifecycle usage", background.usage, MEMORY),
    ("lifecycle maintain", lifecycle.maintain, MEMORY),
    ("lifecycle prune", lifecycle.prune, MEMORY),
    ("lifecycle archive", lifecycle.archive, MEMORY),
    ("lifecycle restore", lifecycle.restore, MEMORY),
    ("lifecycle compact", background.compact, MEMORY),
    ("lifecycle compactions", background.list_compactions, MEMORY),
    ("lifecycle revert", background.revert, MEMORY),
    ("lifecycle reset", removals.reset, MEMORY),
    ("lifecycle receipts", removals.receipts, MEMORY),
    ("lifecycle lift", removals.lift, MEMORY),
    ("lifecycle jobs", background.jobs, MEMORY),
    ("lifecycle retry", background.retry, MEMORY),
    ("lifecycle reembed", background.reembed, MEMORY),
    ("run start", runs.start, CONTEXT),
    ("run append", runs.append, CONTEXT),
    ("run inject", runs.inject, CONTEXT),
    ("run render", runs.render, CONTEXT),
    ("run end", runs.end, CONTEXT),
    ("view list", context.list_views, CONTEXT),
    ("view show", context.show_view, CONTEXT),
    ("view put", context.put_view, CONTEXT),
    ("view edit", context.edit_view, CONTEXT),
    ("view delete", context.delete_view, CONTEXT),
    ("recipe list", context.list_recipes, CONTEXT),
    ("recipe show", context.show_recipe, CONTEXT),
    ("recipe put", context.put_recipe, CONTEXT),
    ("recipe delete", context.delete_recipe, CONTEXT),
    ("handoff send", context.send_handoff, CONTEXT),
    ("handoff list", context.list_handoffs, CONTEXT),
    ("models pull", models.pull, SERVER),
    ("models list", models.list_models, SERVER),
    ("index create", indexes.create, SERVER),
    ("index drop", indexes.drop, SERVER),
    ("index list", indexes.list_indexes, SERVER),
    ("keys create", administration.create_key, ADMINISTRATION),
    ("keys list", administration.list_keys, ADMINISTRATION),
    ("keys revoke", administration.revoke_key, ADMINISTRATION),
    ("keys bootstrap", server.bootstrap_key, ADMINISTRATION),
    ("agents create", administration.create_agent, ADMINISTRATION),
    ("agents list", administration.list_agents, ADMINISTRATION),
    ("agents delete", administration.delete_agent, ADMINISTRATION),
    ("tenants create", administration.create_tenant, ADMINISTRATION),
    ("tenants list", administration.list_tenants, ADMINISTRATION),
    ("tenants delete", administration.delete_tenant, ADMINISTRATION),
)
# The help of the first words that several commands share.
GROUPS: Mapping[str, str] = {
    "artifact": "Store large outputs, and read parts of them. Example: camillo artifact list",
    "event": "Record and read messages, tool calls and other events. Example: camillo event list --session s1",
    "decision": "Record and find decisions and their reasons. Example: camillo decision list",
    "task": "Keep the tasks of an agent. Example: camillo task list",
    "lifecycle": "Archive, remove, merge and embed memories. Example: camillo lifecycle maintain --dry-run",
    "run": "Keep the short-term memory of an agent run. Example: camillo run start message",
    "view": "Edit texts that are part of every bundle of an agent. Example: camillo view edit rules",
    "recipe": "Define how bundles are built. Example: camillo recipe list",
    "handoff": "Hand work over from one agent to another. Example: camillo handoff list",
    "models": "Download and list local embedding models. Example: camillo models pull",
    "index": "Create vector indexes of large scopes in Postgres. Example: camillo index list",
    "keys": "Create and revoke API keys. Example: camillo keys list",
    "agents": "Create, list and delete agents. Example: camillo agents list",
    "tenants": "Create, list and delete tenants. Example: camillo tenants list",
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
    groups: dict[str, Typer] = {}
    for words, command, panel in COMMANDS:
        group, _, name = words.rpartition(" ")
        if group and group not in groups:
            groups[group] = Typer(help=GROUPS[group], no_args_is_help=True)
            program.add_typer(groups[group], name=group, rich_help_panel=panel)
        parent = groups.get(group, program)
        parent.command(name, rich_help_panel=None if group else panel)(with_shared_options(command))
    return program


def _show_version(is_asked_for: bool) -> None:
    if is_asked_for:
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
