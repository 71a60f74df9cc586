"""install: the hooks and the MCP server of a coding agent's client; hook: what its hooks run."""

from __future__ import annotations

import difflib
import os
import re
import shutil
import sys
from enum import StrEnum
from pathlib import Path
from typing import Annotated

from typer import Argument, Option

from camillo_cli.failures import CliError, ExitCode
from camillo_cli.hooks import command as hook_command
from camillo_cli.hooks.configuration import Installation, files_of, installed_options, plugin_files
from camillo_cli.hooks.installation import FileChange, FileRefused, changes, write
from camillo_cli.options import AsJson
from camillo_cli.output import note, print_json, say
from camillo_cli.plugins import tables, version
from camillo_formats.space_routing import AUTO, routed_spaces

Client = StrEnum(
    "Client",
    {
        "CLAUDE_CODE": "claude-code",
        "CODEX": "codex",
        "CURSOR": "cursor",
        "GEMINI_CLI": "gemini-cli",
        "OPENCODE": "opencode",
        "PI": "pi",
        "COPILOT_CLI": "copilot-cli",
        "QWEN_CODE": "qwen-code",
    },
)
HookEvent = StrEnum(
    "HookEvent",
    {
        "SESSION_START": "session-start",
        "PROMPT": "prompt",
        "STOP": "stop",
        "PRE_COMPACT": "pre-compact",
        "SESSION_END": "session-end",
    },
)
Scope = StrEnum("Scope", "USER PROJECT")
ClientName = Annotated[Client, Argument(help="The client.")]
SpaceChoice = StrEnum("SpaceChoice", {"AUTO": AUTO})
AGENT = re.compile(
    r"@shared|[A-Za-z0-9][A-Za-z0-9._-]{0,127}"
    r"|(?:users|projects|teams)(?:/[A-Za-z0-9][A-Za-z0-9._@|+=~-]{0,127}){1,3}"
)
NEXT = {
    Client.CLAUDE_CODE: "start a new session; /hooks lists the hooks",
    Client.CODEX: "start a new session, and trust the hooks with /hooks",
    Client.CURSOR: "open a new chat; Settings > Hooks lists the hooks",
    Client.GEMINI_CLI: "start a new session; /hooks list shows the hooks",
    Client.OPENCODE: "start a new session",
    Client.PI: "start a new session, or /reload in this one",
    Client.COPILOT_CLI: "start a new session; /mcp shows the server",
    Client.QWEN_CODE: "start a new session; /hooks lists the hooks",
}
# Steps that a client still wants before it runs what a project brings along.
APPROVAL = {
    Client.CLAUDE_CODE: "Claude Code asks once whether to trust this folder, and once for the server of .mcp.json",
    Client.CODEX: "Codex reads .codex in trusted projects alone: it asks when it starts here, then for the hooks "
    "(/hooks)",
    Client.CURSOR: "Cursor starts the server once it is switched on in Settings > MCP",
    Client.GEMINI_CLI: "Gemini CLI reads .gemini in trusted folders alone: it asks, or /permissions trusts this one",
    Client.PI: "pi asks nothing: whoever starts it here runs this extension",
    Client.OPENCODE: "opencode asks nothing: whoever starts it here runs this plugin",
    Client.COPILOT_CLI: "Copilot CLI asks whether to trust this folder; with -p, --trust-folder answers",
    Client.QWEN_CODE: "Qwen Code reads .qwen in trusted folders alone, where folder trust is switched on",
}


def install(
    client: ClientName,
    dry_run: Annotated[bool, Option("--dry-run", help="Show what would change, and change nothing.")] = False,
    uninstall: Annotated[bool, Option("--uninstall", help="Take out what an earlier install wrote.")] = False,
    scope: Annotated[
        Scope, Option(help="Configure the user's every project, or the one in this directory.")
    ] = Scope.USER,
    agent: Annotated[
        str | None,
        Option(
            help="An agent, or a space such as projects/shop, in place of the repository's. Default: CAMILLO_AGENT."
        ),
    ] = None,
    space: Annotated[
        SpaceChoice | None,
        Option(
            help="The spaces of the repository and of the person, and each memory in the one that its kind belongs to. "
            "Default, unless an agent is named or an installation is there already.",
        ),
    ] = None,
    program: Annotated[
        str | None,
        Option(help="The command camillo as the client starts it. Default: as this one is found."),
    ] = None,
    plugin: Annotated[
        Path | None,
        Option(
            help="Write a plugin of Claude Code into this directory, and nothing else.",
            file_okay=False,
        ),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Configure a coding agent: recall at each prompt, record at each stop, and the tools of memory.

    Example: camillo install claude-code --scope project --dry-run
    """
    if plugin is not None and client is not Client.CLAUDE_CODE:
        raise CliError("--plugin is for claude-code", ExitCode.USAGE)
    project = Path.cwd() if scope is Scope.PROJECT else None
    files = plugin_files(plugin) if plugin else files_of(client.value, project, os.environ)
    before = _installed(files.hooks)
    named, chosen = _spaces(agent or "", space.value if space else "", before)
    if named and not AGENT.fullmatch(named):
        raise CliError(
            f"{named!r} cannot name an agent (letters, digits, '.', '_' or '-') or a space such as projects/shop",
            ExitCode.USAGE,
        )
    _found_spaces(named, chosen)
    wanted = Installation(client.value, program or _program(), named, chosen)
    try:
        found = changes(files, wanted, version(), is_removal=uninstall, project=project)
    except FileRefused as error:
        raise CliError(f"{error}; nothing was changed", ExitCode.ERROR) from error
    changed = [each for each in found if each.before != each.after]
    for each in changed:
        if not as_json:
            say(_difference(each).rstrip("\n"))
        if not dry_run:
            write(each)
    if as_json:
        shown = [{"path": str(each.path), "change": _kind(each)} for each in changed]
        print_json({"files": shown, "dry_run": dry_run})
    _conclude(client, found, changed, dry_run=dry_run, uninstall=uninstall)
    if project is not None and not uninstall:
        note(f"note: {APPROVAL[client]}")
    if not uninstall:
        _tell_spaces(before, (named, chosen), is_asked=bool(agent or space))
        try:
            tables(["mcp"])
        except CliError as error:
            note(f"note: hooks work, the tools of memory do not: {error}")


def hook(
    event: Annotated[HookEvent, Argument(help="What has happened.")],
    client: Annotated[Client, Option(help="The client that runs the hook.")],
    agent: Annotated[str, Option(help="An agent or a space. Default: CAMILLO_AGENT.")] = "",
    space: Annotated[
        SpaceChoice | None, Option(help="The spaces of the repository and of the person, by the kind of a memory.")
    ] = None,
    wait: Annotated[bool, Option("--wait", help="Record before the command ends.")] = False,
) -> None:
    """Run a hook of a client: reads its JSON from standard input, and prints what the client reads. Exits with 0,
    whatever happens.

    'camillo hook status' shows what the hooks of each client did in the last days: with context, missed, recorded,
    failed.

    Example: camillo hook prompt --client claude-code <<< '{"prompt": "When do we release?"}'
    """
    # The command line comes here for the help only (cli.main): all this takes too long to import for a hook.
    words = [event.value, "--client", client.value, "--agent", agent, "--space", space.value if space else ""]
    hook_command.run([*words, "--wait"] if wait else words)


def _conclude(
    client: Client,
    found: list[FileChange],
    changed: list[FileChange],
    *,
    dry_run: bool,
    uninstall: bool,
) -> None:
    for each in found:
        if each.note:
            note(f"note: {each.note}")
    if not changed:
        note("nothing to change")
    elif dry_run:
        note("nothing was changed: this is what would be")
    elif not uninstall:
        note(f"installed: {NEXT[client]}")


def _kind(change: FileChange) -> str:
    if change.before is None:
        return "added"
    return "removed" if change.after is None else "changed"


def _difference(change: FileChange) -> str:
    path = str(change.path)
    lines = difflib.unified_diff(
        (change.before or "").splitlines(),
        (change.after or "").splitlines(),
        path if change.before is not None else os.devnull,
        path if change.after is not None else os.devnull,
        lineterm="",
    )
    return "\n".join(lines)


def _installed(path: Path) -> tuple[str, str] | None:
    """The agent and the choice of spaces of the installation in a file of hooks; None where there is none."""
    try:
        words = installed_options(path.read_text(errors="replace"))
    except (OSError, ValueError):
        return None
    if words is None:
        return None
    options = dict(zip(words[::2], words[1::2], strict=False))
    return options.get("--agent", ""), options.get("--space", "")


def _spaces(agent: str, space: str, before: tuple[str, str] | None) -> tuple[str, str]:
    """The agent and the choice of spaces to install: as asked, else as installed before, so that no memory is lost from
    sight."""
    if agent or space:
        return agent, space
    if named := os.environ.get("CAMILLO_AGENT", ""):
        return named, ""
    return before or ("", AUTO)


def _found_spaces(agent: str, space: str) -> tuple[str, str]:
    """Raises CliError."""
    try:
        return routed_spaces(os.environ, os.getcwd(), agent, space)
    except ValueError as error:
        raise CliError(str(error), ExitCode.USAGE) from None


def _tell_spaces(before: tuple[str, str] | None, now: tuple[str, str], *, is_asked: bool) -> None:
    if now[1]:
        own, person = _found_spaces(*now)
        note(f"note: in this directory it remembers in {own}, and what you prefer everywhere in {person}")
    if before is None:
        return
    old = before[0] or "default"
    if now[1] != before[1]:
        note(f"note: what was remembered until now stays with the agent {old}: docs/hooks.md says how to move it")
    elif not now[1] and not is_asked:
        note(f"note: goes on with the agent {old}, as installed; --space auto gives each repository a space of its own")


def _program() -> str:
    """`camillo`, where the path of commands leads to this one; else where this one is: editors often know another
    path."""
    here = os.path.abspath(sys.argv[0])
    found = shutil.which("camillo")
    is_found = found is not None and os.path.realpath(found) == os.path.realpath(here)
    is_program = os.path.basename(here) in ("camillo", "camillo.exe")
    return "camillo" if is_found or not is_program else here
