"""What clients have to be told so that they run the hooks and the MCP server: which files, and what in them."""

import os
import re
import shlex
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from camillo_server.hooks.clients import EVENT_NAMES, INJECTING, PROMPT

SERVER_NAME = "camillo"
# Above the limits that the hooks set themselves.
INJECTION_TIMEOUT_SECONDS = 5
CAPTURE_TIMEOUT_SECONDS = 10
# Codex starts MCP servers without the variables of its own environment but for these: else the tools would use another server,
# or another agent's memory, than the hooks.
PASSED_VARIABLES = (
    "CAMILLO_ADDRESS",
    "CAMILLO_AGENT",
    "CAMILLO_CONFIG",
    "CAMILLO_DATA_DIR",
    "CAMILLO_KEY",
    "CAMILLO_MCP_PROFILE",
    "XDG_DATA_HOME",
)
_COMMAND = re.compile(r"(?:^|[/\\\s'\"])camillo(?:\.exe)?['\"]?\s+hook\s+[a-z-]+\s+--client\s")


@dataclass(frozen=True, slots=True)
class Installation:
    """Who is configured, and for what. `program`: the command `camillo` as the client can start it."""

    client: str
    program: str = "camillo"
    # Empty: whom CAMILLO_AGENT names when the hook runs.
    agent: str = ""


@dataclass(frozen=True, slots=True)
class Files:
    """Where a client has its configuration; both may be one file. `manifest`: of a plugin, which is ours as a whole."""

    hooks: Path
    servers: Path
    manifest: Path | None = None


def files_of(client: str, project: Path | None, environ: Mapping[str, str]) -> Files:
    """The files of a project, else the user's own."""
    home = Path(environ.get("HOME") or Path.home())
    if client == "claude-code":
        if project is not None:
            return Files(project / ".claude" / "settings.json", project / ".mcp.json")
        stated = environ.get("CLAUDE_CONFIG_DIR")
        directory = Path(stated) if stated else home / ".claude"
        servers = directory / ".claude.json" if stated else home / ".claude.json"
        return Files(directory / "settings.json", servers)
    if client == "codex":
        own = Path(environ.get("CODEX_HOME") or home / ".codex")
        directory = own if project is None else project / ".codex"
        return Files(directory / "hooks.json", directory / "config.toml")
    if client == "cursor":
        directory = (project or home) / ".cursor"
        return Files(directory / "hooks.json", directory / "mcp.json")
    settings = (project or home) / ".gemini" / "settings.json"
    return Files(settings, settings)


def plugin_files(directory: Path) -> Files:
    """The files of a plugin of Claude Code."""
    return Files(
        directory / "hooks" / "hooks.json",
        directory / ".mcp.json",
        directory / ".claude-plugin" / "plugin.json",
    )


def plugin_manifest(version: str) -> dict[str, Any]:
    """What a plugin says of itself."""
    return {
        "name": SERVER_NAME,
        "description": "Memory that outlives sessions: recalled at each prompt, recorded at each stop.",
        "version": version,
    }


def hook_entries(installation: Installation) -> dict[str, dict[str, Any]]:
    """What stands in the list of each event, by the client's name of the event."""
    names = EVENT_NAMES[installation.client]
    return {name: _entry(installation, event) for event, name in names.items()}


def _entry(installation: Installation, event: str) -> dict[str, Any]:
    words = [installation.program, "hook", event, "--client", installation.client]
    if installation.agent:
        words += ["--agent", installation.agent]
    command = shlex.join(words)
    if installation.client == "cursor":
        return {"command": command}
    is_injecting = event in INJECTING
    seconds = INJECTION_TIMEOUT_SECONDS if is_injecting else CAPTURE_TIMEOUT_SECONDS
    handler: dict[str, Any] = {"type": "command", "command": command, "timeout": seconds}
    if installation.client == "gemini-cli":
        # In milliseconds; its list of hooks shows names.
        handler |= {"name": f"camillo-{event}", "timeout": seconds * 1000}
    if installation.client == "codex" and event == PROMPT:
        handler["statusMessage"] = "Recalling"
    return {"hooks": [handler]}


def server_entry(installation: Installation) -> dict[str, Any]:
    """The MCP server."""
    entry: dict[str, Any] = {"command": installation.program, "args": ["mcp"]}
    if installation.agent:
        entry["env"] = {"CAMILLO_AGENT": installation.agent}
    return entry


def server_toml(installation: Installation) -> str:
    """The same for Codex. The words are plain: of what a shell and an agent's name may have, TOML's texts are those of JSON."""
    import json

    lines = [
        f"[mcp_servers.{SERVER_NAME}]",
        f"command = {json.dumps(installation.program)}",
        'args = ["mcp"]',
        f"env_vars = {json.dumps(PASSED_VARIABLES)}",
    ]
    if installation.agent:
        lines += [
            "",
            f"[mcp_servers.{SERVER_NAME}.env]",
            f"CAMILLO_AGENT = {json.dumps(installation.agent)}",
        ]
    return "\n".join(lines)


def is_our_handler(value: Any) -> bool:
    """Whether a value in a file is a hook that `camillo install` wrote."""
    command = value.get("command") if isinstance(value, dict) else None
    return isinstance(command, str) and _COMMAND.search(command) is not None


def is_our_server(value: Any) -> bool:
    """Whether a value in a file is the MCP server that `camillo install` wrote, and not somebody's own of that name."""
    if not isinstance(value, dict) or not {"command", "args"} <= value.keys() <= {
        "command",
        "args",
        "env",
    }:
        return False
    command = value["command"]
    is_camillo = isinstance(command, str) and os.path.basename(command) in (
        "camillo",
        "camillo.exe",
    )
    return is_camillo and value["args"] == ["mcp"]
