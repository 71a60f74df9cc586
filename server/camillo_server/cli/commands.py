"""All commands by name, in the panels of the help."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

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
from camillo_server.cli.ingest.command import ingest
from camillo_server.cli.offload import offload

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
            "compact": background.compact,
            "compactions": background.list_compactions,
            "revert": background.revert,
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
