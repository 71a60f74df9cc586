"""The changes of files that install the hooks or take them out again. Nothing that others wrote is changed."""

import json
import os
import tomllib
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from camillo_cli.hooks import json_text
from camillo_cli.hooks.clients import WITH_PLUGINS
from camillo_cli.hooks.configuration import (
    SERVER_NAME,
    Files,
    Installation,
    hook_entries,
    is_our_handler,
    is_our_server,
    plugin_manifest,
    plugin_source,
    server_entry,
    server_path,
    server_toml,
)
from camillo_cli.hooks.sessions import write_file

# Made here where they are missing, and removed when they are empty.
OWN_DIRECTORIES = (
    *(".claude", ".claude-plugin", ".codex", ".copilot", ".cursor", ".gemini", ".github"),
    *(".opencode", ".pi", ".qwen", "agent", "extensions", "hooks", "opencode", "plugins"),
)
# Around a block of ours at the end of a TOML file: the rest, comments included, stays as it is.
BEGIN = "# >>> camillo: written by `camillo install`, removed by its --uninstall"
END = "# <<< camillo"
# The first words of a module of ours.
PLUGIN_BEGIN = "// Camillo: "
VERSIONED = ("copilot-cli", "cursor")
Edit = Callable[[str | None], str | None]


class FileRefused(Exception):
    """A file is not as its client would read it: it is left alone."""


@dataclass(frozen=True, slots=True)
class FileChange:
    """A file as it is and as it will be; None where there is none. `note`: what was left as somebody else made it."""

    path: Path
    before: str | None
    after: str | None
    note: str = ""


def changes(
    files: Files,
    installation: Installation,
    version: str,
    *,
    is_removal: bool,
    project: Path | None = None,
) -> list[FileChange]:
    """The changes, one for each file, also for files that stay as they are. Raises FileRefused and OSError."""
    if project is not None:
        for path in files.all():
            _refuse_outside(path, _repository(project))
    edits: dict[Path, list[Edit]] = {}
    if files.manifest is not None:
        manifest = _pretty(plugin_manifest(version))
        edits[files.manifest] = [lambda _: None if is_removal else manifest]
    edit_hooks = _edit_plugin if installation.client in WITH_PLUGINS else _edit_hooks
    edits.setdefault(files.hooks, []).append(lambda text: edit_hooks(text, installation, is_removal=is_removal))
    if (servers := files.servers) is not None:
        edits.setdefault(servers, []).append(
            lambda text: _edit_servers(text, servers, installation, is_removal=is_removal)
        )
    return [_change(path, each, installation.client) for path, each in edits.items()]


def _repository(project: Path) -> Path:
    """The directory of the repository that a project lies in; the project's own where there is none."""
    real = Path(os.path.realpath(project))
    return next((each for each in (real, *real.parents) if (each / ".git").exists()), real)


def _refuse_outside(path: Path, root: Path) -> None:
    """Raises FileRefused where links lead out: what a repository brings along must not have files of the user's
    changed."""
    target = Path(os.path.realpath(path))
    if not target.is_relative_to(root):
        raise FileRefused(f"{path} is a link to {target}, outside of {root}")


def write(change: FileChange) -> None:
    """Makes a change, whole or not at all, in the file that the path leads to. Raises OSError."""
    target = Path(os.path.realpath(change.path))
    if change.after is None:
        target.unlink(missing_ok=True)
        with suppress(OSError):  # somebody else has files in it
            for directory in target.parents:
                if directory.name not in OWN_DIRECTORIES:
                    break
                directory.rmdir()
        return
    target.parent.mkdir(parents=True, exist_ok=True)
    # An existing file keeps its permissions; a new one is the user's own.
    mode = target.stat().st_mode & 0o777 if change.before is not None else 0o600
    write_file(target, change.after, mode)


def _change(path: Path, edits: list[Edit], client: str) -> FileChange:
    before = _read(path)
    after = before
    try:
        for edit in edits:
            after = edit(after)
    except ValueError as error:
        kind = {".toml": "TOML", ".json": "JSON"}.get(path.suffix, "module of ours")
        reason = " ".join(str(error).split())
        raise FileRefused(f"{path} is no {kind} that can be changed: {reason}") from error
    note = ""
    if path.suffix == ".json" and after is not None:
        group, name = server_path(client)
        own = _object(json_text.parse(after), group).get(name)
        if own is not None and not is_our_server(own):
            note = f"{path} has an MCP server of its own named {SERVER_NAME}: it stays as it is"
    return FileChange(path, before, after, note)


def _read(path: Path) -> str | None:
    try:
        content = path.read_bytes()
    except FileNotFoundError:
        return None
    try:
        return content.decode()
    except UnicodeDecodeError as error:
        raise FileRefused(f"{path} is not UTF-8: it is left as it is") from error


def _edit_plugin(text: str | None, installation: Installation, *, is_removal: bool) -> str | None:
    if text is not None and not text.startswith(PLUGIN_BEGIN):
        raise ValueError("somebody else wrote it")
    return None if is_removal else plugin_source(installation)


def _edit_hooks(text: str | None, installation: Installation, *, is_removal: bool) -> str | None:
    entries = hook_entries(installation)
    if text is None:
        if is_removal:
            return None
        whole: dict[str, object] = {"hooks": {name: [entry] for name, entry in entries.items()}}
        # Cursor and Copilot read no file without it. Behind the hooks: a file that has it first is somebody's own.
        is_versioned = installation.client in VERSIONED
        return _pretty({**whole, "version": 1} if is_versioned else whole)
    before = json_text.parse(text)
    hooks = _object(before, "hooks")
    if not all(isinstance(hooks.get(name, []), list) for name in entries):
        raise ValueError("hooks of an event are no list")
    rest = json_text.remove(text, ("hooks",), is_our_handler)
    if is_removal:
        is_version_ours = list(before) == ["hooks", "version"] and json_text.parse(rest) == {"version": 1}
        return None if is_version_ours else _unless_empty(text, rest)
    for name, entry in entries.items():
        rest = json_text.append_item(rest, ("hooks", name), entry)
    if json_text.parse(rest) == before:
        return text
    # A file that was made here is made anew: its removal knows it by its form.
    is_ours = _edit_hooks(text, installation, is_removal=True) is None
    return _edit_hooks(None, installation, is_removal=False) if is_ours else rest


def _edit_servers(text: str | None, path: Path, installation: Installation, *, is_removal: bool) -> str | None:
    if path.suffix == ".toml":
        return _edit_toml(text, installation, is_removal=is_removal)
    group, name = keys = server_path(installation.client)
    entry = server_entry(installation)
    if text is None:
        return None if is_removal else _pretty({group: {name: entry}})
    present = _object(json_text.parse(text), group).get(name)
    if is_removal:
        return _unless_empty(text, json_text.remove(text, keys, is_our_server))
    if present == entry or (present is not None and not is_our_server(present)):
        return text
    return json_text.put_member(text, keys, entry)


def _edit_toml(text: str | None, installation: Installation, *, is_removal: bool) -> str | None:
    if text is None:
        # Without the line end of `_with_block`: so it is known at a removal that the file was made here.
        return None if is_removal else _with_block("", server_toml(installation))[1:]
    rest = _without_block(f"\n{text}")[1:]
    is_ours = text != "" and not rest and not text.startswith("\n")
    if is_removal:
        return None if is_ours else rest
    if f"[mcp_servers.{SERVER_NAME}]" in rest:
        return text
    return _with_block(rest, server_toml(installation))[is_ours:]


def _without_block(text: str) -> str:
    """The text without the block, and without the line end that was put before it."""
    begin = text.find(f"\n{BEGIN}\n")
    end = text.find(f"\n{END}\n", begin)
    if begin < 0 or end < 0:
        return text
    return text[:begin] + text[end + len(END) + 2 :]


def _with_block(text: str, body: str) -> str:
    """The text with the block at its end. Raises ValueError where it is no TOML, or not with the block."""
    tomllib.loads(text)
    changed = f"{_without_block(text)}\n{BEGIN}\n{body.strip()}\n{END}\n"
    tomllib.loads(changed)
    return changed


def _object(parent: dict[str, Any], name: str) -> dict[str, Any]:
    value = parent.get(name, {})
    if not isinstance(value, dict):
        raise ValueError(f"{name} is no object")
    return value


def _unless_empty(before: str, after: str) -> str | None:
    """The text, or nothing where only an object is left that was made here: one of somebody else's begins without a
    line end."""
    is_ours = before.startswith("{\n") and before != after and json_text.parse(after) == {}
    return None if is_ours else after


def _pretty(value: object) -> str:
    return json.dumps(value, indent=2, ensure_ascii=False) + "\n"
