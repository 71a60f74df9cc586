"""Configuration by which clients run the hooks and the MCP server: which files, and what is in them."""

import json
import os
import re
import shlex
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from camillo_cli.hooks.clients import EVENT_NAMES, INJECTING, PROMPT
from camillo_formats.space_routing import AUTO

SERVER_NAME = "camillo"
# Above the limits that the hooks set themselves.
INJECTION_TIMEOUT_SECONDS = 5
CAPTURE_TIMEOUT_SECONDS = 10
# Codex starts MCP servers without the variables of its own environment but for these: else the tools would use another
# server, or another agent's memory, than the hooks.
PASSED_VARIABLES = (
    "CAMILLO_ADDRESS",
    "CAMILLO_AGENT",
    "CAMILLO_CONFIG",
    "CAMILLO_DATA_DIR",
    "CAMILLO_KEY",
    "CAMILLO_MCP_PROFILE",
    "CAMILLO_PERSON",
    "XDG_DATA_HOME",
)
_COMMAND_OPTIONS = re.compile(r"camillo(?:\.exe)?['\"\\]*\s+hook\s+[a-z-]+\s+--client\s+[a-z-]+([^\"\\\n]*)")
_PLUGIN_OPTIONS = re.compile(r"^const OPTIONS = (\[.*\])$", re.MULTILINE)
_COMMAND = re.compile(r"(?:^|[/\\\s'\"])camillo(?:\.exe)?['\"]?\s+hook\s+[a-z-]+\s+--client\s")


@dataclass(frozen=True, slots=True)
class Installation:
    """Who is configured, and for what. `program`: the command `camillo` as the client can start it."""

    client: str
    program: str = "camillo"
    # Empty: whom CAMILLO_AGENT names when the hook runs.
    agent: str = ""
    # `auto`, or empty where one agent remembers everything.
    space: str = ""


@dataclass(frozen=True, slots=True)
class Files:
    """Where a client has its configuration; both may be one file. `manifest`: of a plugin, which is ours as a whole.

    Without `servers` the client knows no MCP, and its plugin calls the tools.
    """

    hooks: Path
    servers: Path | None
    manifest: Path | None = None

    def all(self) -> list[Path]:
        """Every file."""
        return [each for each in (self.manifest, self.hooks, self.servers) if each is not None]


def files_of(client: str, project: Path | None, environ: Mapping[str, str]) -> Files:
    """The files of a project, else the user's own."""
    home = Path(environ.get("HOME") or Path.home())
    return _FILES[client](project, home, environ)


FilesOf = Callable[[Path | None, Path, Mapping[str, str]], Files]


def _claude_code(project: Path | None, home: Path, environ: Mapping[str, str]) -> Files:
    if project is not None:
        return Files(project / ".claude" / "settings.json", project / ".mcp.json")
    stated = environ.get("CLAUDE_CONFIG_DIR")
    directory = Path(stated) if stated else home / ".claude"
    servers = directory / ".claude.json" if stated else home / ".claude.json"
    return Files(directory / "settings.json", servers)


def _codex(project: Path | None, home: Path, environ: Mapping[str, str]) -> Files:
    own = Path(environ.get("CODEX_HOME") or home / ".codex")
    directory = own if project is None else project / ".codex"
    return Files(directory / "hooks.json", directory / "config.toml")


def _cursor(project: Path | None, home: Path, _: Mapping[str, str]) -> Files:
    directory = (project or home) / ".cursor"
    return Files(directory / "hooks.json", directory / "mcp.json")


def _gemini_cli(project: Path | None, home: Path, _: Mapping[str, str]) -> Files:
    settings = (project or home) / ".gemini" / "settings.json"
    return Files(settings, settings)


def _opencode(project: Path | None, home: Path, environ: Mapping[str, str]) -> Files:
    if project is not None:
        return Files(project / ".opencode" / "plugins" / "camillo.js", project / "opencode.json")
    configuration = Path(environ.get("XDG_CONFIG_HOME") or home / ".config") / "opencode"
    return Files(configuration / "plugins" / "camillo.js", configuration / "opencode.json")


def _pi(project: Path | None, home: Path, environ: Mapping[str, str]) -> Files:
    own = Path(environ.get("PI_CODING_AGENT_DIR") or home / ".pi" / "agent")
    directory = own if project is None else project / ".pi"
    return Files(directory / "extensions" / "camillo.ts", None)


def _copilot_cli(project: Path | None, home: Path, environ: Mapping[str, str]) -> Files:
    if project is not None:
        return Files(project / ".github" / "hooks" / "camillo.json", project / ".mcp.json")
    own = Path(environ.get("COPILOT_HOME") or home / ".copilot")
    return Files(own / "hooks" / "camillo.json", own / "mcp-config.json")


def _qwen_code(project: Path | None, home: Path, _: Mapping[str, str]) -> Files:
    settings = (project or home) / ".qwen" / "settings.json"
    return Files(settings, settings)


_FILES: dict[str, FilesOf] = {
    "claude-code": _claude_code,
    "codex": _codex,
    "cursor": _cursor,
    "gemini-cli": _gemini_cli,
    "opencode": _opencode,
    "pi": _pi,
    "copilot-cli": _copilot_cli,
    "qwen-code": _qwen_code,
}


def plugin_files(directory: Path) -> Files:
    """The files of a plugin of Claude Code."""
    return Files(
        directory / "hooks" / "hooks.json",
        directory / ".mcp.json",
        directory / ".claude-plugin" / "plugin.json",
    )


def plugin_manifest(version: str) -> dict[str, Any]:
    """The manifest of the plugin."""
    return {
        "name": SERVER_NAME,
        "description": "Memory that outlives sessions: recalled at each prompt, recorded at each stop.",
        "version": version,
    }


def hook_entries(installation: Installation) -> dict[str, dict[str, Any]]:
    """The entry for the list of each event, by the client's name of the event."""
    names = EVENT_NAMES[installation.client]
    return {name: _entry(installation, event) for event, name in names.items()}


def hook_words(installation: Installation, event: str) -> list[str]:
    """The command of a hook."""
    return [installation.program, "hook", event, *_options(installation)]


def _options(installation: Installation) -> list[str]:
    agent = ["--agent", installation.agent] if installation.agent else []
    return ["--client", installation.client, *agent, *_space(installation)]


def _space(installation: Installation) -> list[str]:
    return ["--space", installation.space] if installation.space else []


def _server_words(installation: Installation) -> list[str]:
    return ["mcp", *_space(installation)]


def _entry(installation: Installation, event: str) -> dict[str, Any]:
    command = shlex.join(hook_words(installation, event))
    if installation.client == "cursor":
        return {"command": command}
    is_injecting = event in INJECTING
    seconds = INJECTION_TIMEOUT_SECONDS if is_injecting else CAPTURE_TIMEOUT_SECONDS
    handler: dict[str, Any] = {"type": "command", "command": command, "timeout": seconds}
    if installation.client == "copilot-cli":
        return handler
    if installation.client in ("gemini-cli", "qwen-code"):
        # In milliseconds; its list of hooks shows names.
        handler |= {"name": f"camillo-{event}", "timeout": seconds * 1000}
    if installation.client == "codex" and event == PROMPT:
        handler["statusMessage"] = "Recalling"
    return {"hooks": [handler]}


def plugin_source(installation: Installation) -> str:
    """The module of a client whose hooks are one, with the command in it."""
    (path,) = (Path(__file__).parent / "plugins").glob(f"{installation.client}.*")
    values = {
        '"@PROGRAM@"': installation.program,
        '["@OPTIONS@"]': _options(installation),
        '["@SERVER@"]': _server_words(installation),
        '{ "@ENVIRONMENT@": "" }': _environment(installation),
    }
    text = path.read_text()
    for name, value in values.items():
        text = text.replace(name, json.dumps(value))
    return text


def _environment(installation: Installation) -> dict[str, str]:
    return {"CAMILLO_AGENT": installation.agent} if installation.agent else {}


def installed_options(text: str) -> list[str] | None:
    """The options behind the client of hooks that `camillo install` wrote into a file; None where it wrote none."""
    written = _PLUGIN_OPTIONS.search(text)
    if written:
        words: list[str] = json.loads(written[1])
        return words[2:]
    command = _COMMAND_OPTIONS.search(text)
    return shlex.split(command[1]) if command else None


def server_path(client: str) -> tuple[str, ...]:
    """Where the MCP server stands in the client's JSON."""
    return ("mcp" if client == "opencode" else "mcpServers", SERVER_NAME)


def server_entry(installation: Installation) -> dict[str, Any]:
    """The MCP server."""
    environment = _environment(installation)
    if installation.client == "opencode":
        entry: dict[str, Any] = {"type": "local", "command": [installation.program, *_server_words(installation)]}
        return entry | ({"environment": environment} if environment else {})
    entry = {"command": installation.program, "args": _server_words(installation)}
    if installation.client == "copilot-cli":
        entry |= {"type": "local", "tools": ["*"]}
    return entry | ({"env": environment} if environment else {})


def server_toml(installation: Installation) -> str:
    """The MCP server as TOML for Codex. Strings are written as JSON, which TOML reads alike for plain words."""
    lines = [
        f"[mcp_servers.{SERVER_NAME}]",
        f"command = {json.dumps(installation.program)}",
        f"args = {json.dumps(_server_words(installation))}",
        f"env_vars = {json.dumps(PASSED_VARIABLES)}",
        # Codex gives a server 10 s to start, after which the session has no tools.
        "startup_timeout_sec = 60",
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
    if not isinstance(value, dict) or not value.keys() <= _SERVER_FIELDS:
        return False
    command, arguments = value.get("command"), value.get("args", [])
    if not isinstance(command, str | list) or not isinstance(arguments, list):
        return False
    program, *rest = [command] if isinstance(command, str) else command or [""]
    is_camillo = isinstance(program, str) and os.path.basename(program) in _PROGRAMS
    return is_camillo and [*rest, *arguments] in (["mcp"], ["mcp", "--space", AUTO])


_SERVER_FIELDS = {"command", "args", "env", "environment", "type", "tools"}
_PROGRAMS = ("camillo", "camillo.exe")
