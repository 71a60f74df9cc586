"""The table of commands that need the server's own code; camillo_cli shows and runs them beside its own."""

from functools import partial

from camillo_cli.commands import ADMINISTRATION, MEMORY, SERVER, Command, CommandTable

ServerCommand = partial(Command, package=__package__)
# In the order of the help.
COMMANDS = (
    ServerCommand(
        "demo",
        "demo:demo",
        SERVER,
        "Start a server, import a folder of text, ask questions about it.",
    ),
    ServerCommand("serve", "server:serve", SERVER, "Start a server, and serve until interrupted."),
    ServerCommand("mcp", "mcp:mcp", SERVER, "Serve memory to a client of MCP, such as a coding agent."),
    ServerCommand(
        "worker",
        "server:worker",
        SERVER,
        "Run background jobs until interrupted, without answering calls.",
    ),
    ServerCommand(
        "doctor",
        "doctor.command:doctor",
        SERVER,
        "Check configuration, disk, database, embedder, key and server.",
    ),
    ServerCommand("migrate", "server:migrate", SERVER, "Migrate the database to the schema of this version."),
    ServerCommand(
        "reencrypt",
        "reencryption:reencrypt",
        SERVER,
        "Encrypt what older keys have encrypted with the first key.",
    ),
    ServerCommand(
        "rescue",
        "rescue.command:rescue",
        SERVER,
        "Write what servers still hold as files, for when Postgres is lost.",
    ),
    ServerCommand(
        "backup",
        "backup:backup",
        SERVER,
        "Back up the database, artifacts and spooled writes, while servers work.",
    ),
    ServerCommand(
        "restore",
        "restore:restore",
        SERVER,
        "Restore a backup into an empty database, or check one.",
    ),
    ServerCommand("artifact adopt-store", "server:adopt_store", MEMORY),
    ServerCommand("models pull", "models:pull", SERVER),
    ServerCommand("models list", "model_list:list_models", SERVER),
    ServerCommand("models catalogue", "model_list:catalogue", SERVER),
    ServerCommand("index create", "indexes:create", SERVER),
    ServerCommand("index drop", "indexes:drop", SERVER),
    ServerCommand("index list", "indexes:list_indexes", SERVER),
    ServerCommand("keys bootstrap", "server:bootstrap_key", ADMINISTRATION),
)
TABLE = CommandTable(
    COMMANDS,
    {
        "models": "Download and list local embedding models and rerankers. Example: camillo models pull",
        "index": "Create vector indexes of large spaces in Postgres. Example: camillo index list",
    },
)
