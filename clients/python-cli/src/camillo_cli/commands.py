"""The table of commands by name; a module is imported when one of its commands is called."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module

SERVER = "Server"
MEMORY = "Memory"
CONTEXT = "Context"
ADMINISTRATION = "Administration"


@dataclass(frozen=True, slots=True)
class Command:
    """A command as it is typed, its function as `module:name` in a package, its panel of the help, and its line there.

    Commands of several words have no line: the help of their group takes it from the function.
    """

    words: str
    target: str
    panel: str
    help: str = ""
    package: str = __package__

    def function(self) -> Callable[..., None]:
        """Imports the function."""
        module, _, name = self.target.partition(":")
        function: Callable[..., None] = getattr(import_module(f"{self.package}.{module}"), name)
        return function


@dataclass(frozen=True, slots=True)
class CommandTable:
    """Commands in the order of the help, and the help of first words that several of them share."""

    commands: Sequence[Command]
    groups: Mapping[str, str]


# In the order of the help.
COMMANDS = (
    Command(
        "install",
        "install:install",
        SERVER,
        "Configure a coding agent: hooks that recall and record, and tools.",
    ),
    Command("hook", "install:hook", SERVER, "Run a hook of a coding agent."),
    Command("remember", "memories:remember", MEMORY, "Store one memory."),
    Command("recall", "recall:recall", MEMORY, "Find the memories that answer a query best."),
    Command(
        "related",
        "links:related",
        MEMORY,
        "Show what is linked with something, and what mentions the same.",
    ),
    Command("list", "memories:list_memories", MEMORY, "List memories, newest first."),
    Command("get", "memories:get", MEMORY, "Show one memory."),
    Command(
        "update",
        "memories:update",
        MEMORY,
        "Change one memory. Its history keeps the version before.",
    ),
    Command(
        "forget",
        "memories:forget",
        MEMORY,
        "Remove memories permanently, with everything derived from them.",
    ),
    Command("history", "memories:history", MEMORY, "Show each version of a memory, newest first."),
    Command("supersede", "supersession:supersede", MEMORY, "Replace one memory by another."),
    Command(
        "contradictions",
        "supersession:contradictions",
        MEMORY,
        "List memories that probably contradict each other.",
    ),
    Command(
        "import",
        "imports.command:import_memories",
        MEMORY,
        "Store exported memories, or the text files of a folder.",
    ),
    Command("export", "export:export", MEMORY, "Write memories as JSON lines, oldest first."),
    Command("watch", "watch:watch", MEMORY, "Print changes of memories as they are committed."),
    Command(
        "offload",
        "offload:offload",
        MEMORY,
        "Print short output of a tool, store long output as an artifact.",
    ),
    Command("set", "slots:set_memory", MEMORY, "Write JSON under a key."),
    Command("get-slot", "slots:get", MEMORY, "Show the newest version of a slot."),
    Command("mirror", "mirror:mirror", MEMORY, "Keep slots as files, for ls, grep and jq."),
    Command(
        "ingest",
        "ingest.command:ingest",
        CONTEXT,
        "Record chat logs and agent trajectories as events.",
    ),
    Command("bundle", "bundles:bundle", CONTEXT, "Build the context for the next call of a model."),
    Command("snapshot", "bundles:snapshot", CONTEXT, "Build the context for the start of a run."),
    Command("digest", "bundles:digest", CONTEXT, "Print what the slots say in brief, for a prompt."),
    Command(
        "whoami",
        "administration:whoami",
        ADMINISTRATION,
        "Show the tenant, the agent and the role of the key.",
    ),
    Command("usage", "usage:usage", ADMINISTRATION, "Show tokens and prices of models, and tokens of context."),
    Command(
        "completion",
        "completion:completion",
        ADMINISTRATION,
        "Print the script that completes commands in bash, zsh or fish.",
    ),
    Command("artifact put", "artifacts:put", MEMORY),
    Command("artifact list", "artifacts:list_artifacts", MEMORY),
    Command("artifact show", "artifacts:show", MEMORY),
    Command("artifact cat", "artifact_reading:cat", MEMORY),
    Command("artifact head", "artifact_reading:head", MEMORY),
    Command("artifact tail", "artifact_reading:tail", MEMORY),
    Command("artifact grep", "artifact_reading:grep", MEMORY),
    Command("artifact update", "artifacts:update", MEMORY),
    Command("artifact rm", "artifacts:remove", MEMORY),
    Command("artifact cites", "artifacts:cites", MEMORY),
    Command("event record", "events:record", MEMORY),
    Command("event list", "events:list_events", MEMORY),
    Command("event show", "events:show", MEMORY),
    Command("event watch", "watch:watch_events", MEMORY),
    Command("event forget", "events:forget", MEMORY),
    Command("event rebuild", "events:rebuild", MEMORY),
    Command("workflow show", "workflows:show", MEMORY),
    Command("workflow record", "workflows:record", MEMORY),
    Command("decision record", "decisions:record", MEMORY),
    Command("decision supersede", "decisions:supersede", MEMORY),
    Command("decision list", "decisions:list_decisions", MEMORY),
    Command("decision show", "decisions:show", MEMORY),
    Command("decision query", "decisions:query", MEMORY),
    Command("links add", "links:add", MEMORY),
    Command("links remove", "links:remove", MEMORY),
    Command("entities list", "entities:list_entities", MEMORY),
    Command("entities merge", "entities:merge", MEMORY),
    Command("entities split", "entities:split", MEMORY),
    Command("entities revert", "entities:revert", MEMORY),
    Command("entities changes", "entities:changes", MEMORY),
    Command("task open", "tasks:open_task", MEMORY),
    Command("task move", "tasks:move", MEMORY),
    Command("task list", "tasks:list_tasks", MEMORY),
    Command("task show", "tasks:show", MEMORY),
    Command("slots list", "slots:list_slots", MEMORY),
    Command("slots history", "slots:history", MEMORY),
    Command("slots restore", "slots:restore", MEMORY),
    Command("slots watch", "watch:watch_slots", MEMORY),
    Command("slots export", "slot_export:export", MEMORY),
    Command("slots import", "slot_import:import_log", MEMORY),
    Command("docs publish", "documents:publish", MEMORY),
    Command("docs list", "documents:list_documents", MEMORY),
    Command("docs show", "documents:show", MEMORY),
    Command("docs versions", "documents:versions", MEMORY),
    Command("docs archive", "documents:archive", MEMORY),
    Command("docs restore", "documents:restore", MEMORY),
    Command("docs delete", "documents:delete", MEMORY),
    Command("docs export", "document_export:export", MEMORY),
    Command("docs sync", "document_sync:sync", MEMORY),
    Command("lifecycle usage", "background:usage", MEMORY),
    Command("lifecycle maintain", "lifecycle:maintain", MEMORY),
    Command("lifecycle prune", "lifecycle:prune", MEMORY),
    Command("lifecycle archive", "lifecycle:archive", MEMORY),
    Command("lifecycle restore", "lifecycle:restore", MEMORY),
    Command("lifecycle compact", "background:compact", MEMORY),
    Command("lifecycle compactions", "background:list_compactions", MEMORY),
    Command("lifecycle revert", "background:revert", MEMORY),
    Command("lifecycle forget", "removals:forget", MEMORY),
    Command("lifecycle reset", "removals:reset", MEMORY),
    Command("lifecycle receipts", "removals:receipts", MEMORY),
    Command("lifecycle refusals", "removals:refusals", MEMORY),
    Command("lifecycle lift", "removals:lift", MEMORY),
    Command("lifecycle jobs", "background:jobs", MEMORY),
    Command("lifecycle retry", "background:retry", MEMORY),
    Command("lifecycle reembed", "background:reembed", MEMORY),
    Command("lifecycle reindex", "background:reindex", MEMORY),
    Command("distill run", "distillation:run", MEMORY),
    Command("distill list", "distillation:list_proposals", MEMORY),
    Command("distill show", "distillation:show", MEMORY),
    Command("distill accept", "distillation:accept", MEMORY),
    Command("distill reject", "distillation:reject", MEMORY),
    Command("distill edit", "distillation:edit", MEMORY),
    Command("distill runs", "distillation:runs", MEMORY),
    Command("distill revert", "distillation:revert", MEMORY),
    Command("distill replay", "distillation:replay", MEMORY),
    Command("run start", "runs:start", CONTEXT),
    Command("run list", "runs:list_runs", CONTEXT),
    Command("run append", "runs:append", CONTEXT),
    Command("run inject", "runs:inject", CONTEXT),
    Command("run render", "runs:render", CONTEXT),
    Command("run end", "runs:end", CONTEXT),
    Command("view list", "context:list_views", CONTEXT),
    Command("view show", "context:show_view", CONTEXT),
    Command("view put", "context:put_view", CONTEXT),
    Command("view edit", "context:edit_view", CONTEXT),
    Command("view delete", "context:delete_view", CONTEXT),
    Command("eval run", "evaluation.command:run", CONTEXT),
    Command("skills put", "skills:put", CONTEXT),
    Command("skills list", "skills:list_skills", CONTEXT),
    Command("skills show", "skills:show", CONTEXT),
    Command("skills delete", "skills:delete", CONTEXT),
    Command("skills sync", "skills:sync", CONTEXT),
    Command("recipe list", "context:list_recipes", CONTEXT),
    Command("recipe show", "context:show_recipe", CONTEXT),
    Command("recipe put", "context:put_recipe", CONTEXT),
    Command("recipe delete", "context:delete_recipe", CONTEXT),
    Command("handoff send", "context:send_handoff", CONTEXT),
    Command("handoff accept", "context:accept_handoffs", CONTEXT),
    Command("handoff list", "context:list_handoffs", CONTEXT),
    Command("keys create", "administration:create_key", ADMINISTRATION),
    Command("keys list", "administration:list_keys", ADMINISTRATION),
    Command("keys revoke", "administration:revoke_key", ADMINISTRATION),
    Command("agents create", "administration:create_agent", ADMINISTRATION),
    Command("agents list", "administration:list_agents", ADMINISTRATION),
    Command("agents delete", "administration:delete_agent", ADMINISTRATION),
    Command("spaces list", "spaces:list_spaces", ADMINISTRATION),
    Command("spaces show", "spaces:show", ADMINISTRATION),
    Command("spaces forget", "spaces:forget", ADMINISTRATION),
    Command("spaces export", "space_transfer:export", ADMINISTRATION),
    Command("spaces import", "space_transfer:import_space", ADMINISTRATION),
    Command("spaces copy", "space_transfer:copy", ADMINISTRATION),
    Command("audit list", "audit:list_entries", ADMINISTRATION),
    Command("audit record", "audit:record", ADMINISTRATION),
    Command("audit watch", "watch:watch_audit", ADMINISTRATION),
    Command("audit verify", "audit:verify", ADMINISTRATION),
    Command("audit export", "audit_export:export", ADMINISTRATION),
    Command("audit policy", "audit:policy", ADMINISTRATION),
    Command("spool list", "spool:list_writes", ADMINISTRATION),
    Command("spool retry", "spool:retry", ADMINISTRATION),
    Command("spool discard", "spool:discard", ADMINISTRATION),
    Command("spool policy", "spool:policy", ADMINISTRATION),
    Command("tenants create", "administration:create_tenant", ADMINISTRATION),
    Command("tenants list", "administration:list_tenants", ADMINISTRATION),
    Command("tenants quotas", "administration:tenant_quotas", ADMINISTRATION),
    Command("tenants delete", "administration:delete_tenant", ADMINISTRATION),
    Command(
        "profile",
        "profiling:profile",
        ADMINISTRATION,
        "Show what a running server spends its processor time on.",
    ),
)
# The help of the first words that several commands share.
GROUPS: Mapping[str, str] = {
    "artifact": "Store large outputs, and read parts of them. Example: camillo artifact list",
    "event": "Record and read messages, tool calls and other events. Example: camillo event list --session s1",
    "workflow": "Record the steps of workflows, and show them. Example: camillo workflow show nightly-import",
    "decision": "Record and find decisions and their reasons. Example: camillo decision list",
    "links": "Link what belongs together. Example: camillo links add 0198c0de-0000-7000-8000-000000000001 about "
    "/people/ada",
    "distill": "Have a model propose memories out of what was said, and review them. Example: camillo distill list",
    "entities": "List who and what records mention, and merge their names. Example: camillo entities list",
    "task": "Keep the tasks of an agent. Example: camillo task list",
    "slots": "List slots, JSON under keys, and their history. Example: camillo slots list /user",
    "docs": "Publish documents for all agents of the tenant. Example: camillo docs publish travel.md",
    "lifecycle": "Archive, remove, merge and embed memories. Example: camillo lifecycle maintain --dry-run",
    "run": "Keep the short-term memory of an agent run. Example: camillo run start message",
    "view": "Edit texts that are part of every bundle of an agent. Example: camillo view edit rules",
    "skills": "Keep instructions that agents load by name. Example: camillo skills sync .",
    "eval": "Measure recall on questions of your own. Example: camillo eval run docs/examples/eval.yaml",
    "recipe": "Define how bundles are built. Example: camillo recipe list",
    "handoff": "Hand work over from one agent to another. Example: camillo handoff list",
    "keys": "Create and revoke API keys. Example: camillo keys list",
    "agents": "Create, list and delete agents. Example: camillo agents list",
    "spaces": "See what is kept of people, projects and teams. Example: camillo spaces list users/",
    "audit": "See who changed what, and check that the trail is whole. Example: camillo audit list",
    "spool": "See writes that wait for Postgres or could not be stored. Example: camillo spool list",
    "tenants": "Create, list, limit and delete tenants. Example: camillo tenants list",
}
CLIENT = CommandTable(COMMANDS, GROUPS)
# Commands and groups that only the server's package has.
NEEDS_SERVER = frozenset(
    (
        *(
            "demo",
            "serve",
            "mcp",
            "worker",
            "doctor",
            "migrate",
            "reencrypt",
            "rescue",
            "backup",
            "restore",
        ),
        *("artifact adopt-store", "models", "index", "keys bootstrap"),
    )
)
