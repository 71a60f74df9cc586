"""`camillo install` writes what clients read, and nothing of what a user wrote changes."""

import json
import os
import re
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest
from camillo_cli import program
from camillo_cli.hooks.clients import EVENT_NAMES, EVENTS, WITH_PLUGINS
from camillo_cli.hooks.configuration import PASSED_VARIABLES
from camillo_cli.install import Client, HookEvent

from tests.cli.conftest import Finished, content_of, run_process, text_stream
from tests.hooks.conftest import CLIENTS, environment

FILES = {
    ("claude-code", "user"): (".claude/settings.json", ".claude.json"),
    ("claude-code", "project"): ("project/.claude/settings.json", "project/.mcp.json"),
    ("codex", "user"): (".codex/hooks.json", ".codex/config.toml"),
    ("codex", "project"): ("project/.codex/hooks.json", "project/.codex/config.toml"),
    ("cursor", "user"): (".cursor/hooks.json", ".cursor/mcp.json"),
    ("cursor", "project"): ("project/.cursor/hooks.json", "project/.cursor/mcp.json"),
    ("gemini-cli", "user"): (".gemini/settings.json", ".gemini/settings.json"),
    ("gemini-cli", "project"): ("project/.gemini/settings.json", "project/.gemini/settings.json"),
    ("opencode", "user"): (".config/opencode/plugins/camillo.js", ".config/opencode/opencode.json"),
    ("opencode", "project"): ("project/.opencode/plugins/camillo.js", "project/opencode.json"),
    ("pi", "user"): (".pi/agent/extensions/camillo.ts", ".pi/agent/extensions/camillo.ts"),
    ("pi", "project"): ("project/.pi/extensions/camillo.ts", "project/.pi/extensions/camillo.ts"),
    ("copilot-cli", "user"): (".copilot/hooks/camillo.json", ".copilot/mcp-config.json"),
    ("copilot-cli", "project"): ("project/.github/hooks/camillo.json", "project/.mcp.json"),
    ("qwen-code", "user"): (".qwen/settings.json", ".qwen/settings.json"),
    ("qwen-code", "project"): ("project/.qwen/settings.json", "project/.qwen/settings.json"),
}
THEIRS = {"hooks": [{"type": "command", "command": "/opt/camillo-like hook.sh"}], "matcher": "x"}
# Texts of users: with tabs, without, on one line, with empty containers, odd numbers, escapes, and line ends of
# Windows.
TEXTS = {
    "empty-object": "{}",
    "empty-lines": "{\n}\n",
    "spaces": "{ }",
    "one-line": '{"theme":"dark","n":1.50,"e":"\\u00e9é","deep":{"a":[1,2,{}]}}',
    "tabs": '{\n\t"theme": "dark",\n\t"permissions": {\n\t\t"allow": []\n\t}\n}\n',
    "empty-containers": '{"hooks": {}, "mcpServers": { }}\n',
    "empty-lists": '{"hooks": {"Stop": [], "stop": [ ], "AfterAgent": []}, "z": 1}',
    "others": json.dumps({"hooks": {"Stop": [THEIRS], "PreToolUse": [THEIRS]}, "z": [1]}, indent=4),
    "other-server": '{"mcpServers": {\n  "files": {"command": "files", "args": ["mcp"]}\n}}',
    "windows": '{\r\n  "theme": "dark",\r\n  "hooks": {\r\n    "Stop": []\r\n  }\r\n}\r\n',
}


class Home:
    """A user's home with a project in it."""

    def __init__(self, directory: Path) -> None:
        self.directory = directory
        (directory / "project").mkdir(parents=True)

    def install(self, *arguments: str) -> Finished:
        """The finished command, run in this process: there are many."""
        streams = {name: text_stream() for name in ("stdin", "stdout", "stderr")}
        with pytest.MonkeyPatch.context() as patch:
            patch.chdir(self.directory / "project")
            patch.setattr(os, "environ", environment(self.directory, {}))
            for name, stream in streams.items():
                patch.setattr(sys, name, stream)
            code = program.run(["install", *arguments])
        return Finished(code, content_of(streams["stdout"]), content_of(streams["stderr"]))

    def files(self) -> dict[str, bytes]:
        """Every file by its path."""
        return {
            str(path.relative_to(self.directory)): path.read_bytes()
            for path in self.directory.rglob("*")
            if path.is_file()
        }

    def write(self, name: str, text: str) -> None:
        path = self.directory / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, newline="")

    def commands(self, client: str, scope: str = "user") -> list[str]:
        """The commands of its hooks, whatever file they stand in."""
        name = FILES[client, scope][0]
        if client not in WITH_PLUGINS:
            return commands(self.json(name)["hooks"])
        text = (self.directory / name).read_text()
        program = re.search('PROGRAM = "(.*)"', text)
        options = re.search(r"OPTIONS = (\[.*\])", text)
        assert program, options
        assert options is not None
        rest = " ".join(json.loads(options[1]))
        return [f"{program[1]} hook {event} {rest}" for event in EVENT_NAMES[client] if f'"{event}"' in text]

    def server(self, client: str, scope: str) -> Any:
        """The MCP server in the client's configuration."""
        name = FILES[client, scope][1]
        if name.endswith(".toml"):
            return tomllib.loads((self.directory / name).read_text())["mcp_servers"]["camillo"]
        return self.json(name)["mcp" if client == "opencode" else "mcpServers"]["camillo"]

    def json(self, name: str) -> Any:
        return json.loads((self.directory / name).read_text())


@pytest.fixture
def home(tmp_path: Path) -> Home:
    return Home(tmp_path / "home")


def commands(hooks: dict[str, Any]) -> list[str]:
    """The commands of all hooks."""
    lists = [entry for entries in hooks.values() for entry in entries]
    handlers = [handler for entry in lists for handler in entry.get("hooks", [entry])]
    return [handler["command"] for handler in handlers]


@pytest.mark.parametrize(("client", "scope"), FILES, ids="-".join)
def test_what_is_written_names_every_event_and_the_server(home: Home, client: str, scope: str) -> None:
    done = home.install(client, "--scope", scope, "--agent", "ada")
    assert done.returncode == 0, done.stderr
    # A project's files the client may want approved before it runs them.
    assert ("note: " in done.stderr) == (scope == "project")
    hooks_file, servers_file = FILES[client, scope]
    assert set(home.files()) == {hooks_file, servers_file}
    assert home.commands(client, scope) == [
        f"camillo hook {e} --client {client} --agent ada" for e in EVENT_NAMES[client]
    ]
    if client not in WITH_PLUGINS:
        hooks = home.json(hooks_file)
        assert list(hooks["hooks"]) == list(EVENT_NAMES[client].values())
        assert hooks.get("version") == (1 if client in ("copilot-cli", "cursor") else None)
    if client != "pi":
        assert home.server(client, scope) == SERVERS.get(client, SERVER)


SERVER = {"command": "camillo", "args": ["mcp"], "env": {"CAMILLO_AGENT": "ada"}}
SERVERS = {
    # Codex hides its environment from servers but for these.
    "codex": {**SERVER, "env_vars": list(PASSED_VARIABLES), "startup_timeout_sec": 60},
    "copilot-cli": {**SERVER, "type": "local", "tools": ["*"]},
    "opencode": {"type": "local", "command": ["camillo", "mcp"], "environment": {"CAMILLO_AGENT": "ada"}},
}


@pytest.mark.parametrize("client", CLIENTS)
def test_a_dry_run_shows_all_and_changes_nothing(home: Home, client: str) -> None:
    done = home.install(client, "--dry-run")
    assert done.returncode == 0
    assert home.files() == {}
    for event in EVENT_NAMES[client]:
        assert f"camillo hook {event} --client {client}" in done.stdout or f'"{event}"' in done.stdout
    home.install(client)
    assert set(home.files()) == set(FILES[client, "user"])


@pytest.mark.parametrize("client", CLIENTS)
def test_installed_twice_is_installed_once_and_removed_leaves_nothing(home: Home, client: str) -> None:
    home.install(client)
    once = home.files()
    again = home.install(client)
    assert "nothing to change" in again.stderr
    assert home.files() == once
    assert "nothing was changed" in home.install(client, "--uninstall", "--dry-run").stderr
    assert home.files() == once
    assert home.install(client, "--uninstall").returncode == 0
    assert {path.name for path in home.directory.iterdir()} <= {"project", ".config"}
    assert home.files() == {}
    assert "nothing to change" in home.install(client, "--uninstall").stderr


@pytest.mark.parametrize("text", TEXTS.values(), ids=TEXTS)
@pytest.mark.parametrize("client", CLIENTS)
def test_a_users_files_come_back_byte_by_byte(home: Home, client: str, text: str) -> None:
    names = {name for name in FILES[client, "user"] if name.endswith(".json")}
    for name in names:
        home.write(name, text)
    before = home.files()
    done = home.install(client)
    assert done.returncode == 0, done.stderr
    installed = home.commands(client)
    assert len([c for c in installed if c.startswith("camillo hook")]) == len(EVENT_NAMES[client])
    for name in names:
        for key, value in json.loads(text).items():
            if key not in ("hooks", "mcpServers", "mcp"):
                assert home.json(name)[key] == value
    # With other options what was there is replaced, and goes as well.
    assert home.install(client, "--agent", "bob").returncode == 0
    assert home.commands(client) != installed
    home.install(client, "--uninstall")
    assert home.files() == before


@pytest.mark.parametrize("text", ["", "# mine\n", 'model = "x"  # no line end', "[mcp_servers.files]\ncommand = 'f'\n"])
def test_toml_comes_back_byte_by_byte(home: Home, text: str) -> None:
    home.write(".codex/config.toml", text)
    home.install("codex")
    installed = (home.directory / ".codex/config.toml").read_text()
    assert installed.startswith(text)
    assert tomllib.loads(installed)["mcp_servers"]["camillo"]["command"] == "camillo"
    home.install("codex", "--uninstall")
    assert home.files() == {".codex/config.toml": text.encode()}


def test_what_was_added_after_the_installation_stays(home: Home) -> None:
    home.install("claude-code")
    name = FILES["claude-code", "user"][0]
    settings = home.json(name)
    settings["hooks"]["Stop"].append(THEIRS)
    settings["hooks"]["Stop"][0]["hooks"].append({"type": "command", "command": "mine"})
    settings["theme"] = "dark"
    home.write(name, json.dumps(settings))
    home.install("claude-code", "--uninstall")
    left = home.json(name)
    assert left["theme"] == "dark"
    assert commands(left["hooks"]) == ["mine", "/opt/camillo-like hook.sh"]


@pytest.mark.parametrize(
    "text", ["", "{", "[]", '{"a": 1} // mine', '{"hooks": []}', '{"hooks": {"Stop": {}}}', "\xff"]
)
def test_a_file_that_cannot_be_read_is_left_alone(home: Home, text: str) -> None:
    name = FILES["claude-code", "user"][0]
    home.write(name, "")
    (home.directory / name).write_bytes(text.encode("latin-1"))
    before = home.files()
    done = home.install("claude-code")
    assert done.returncode == 1
    assert "nothing was changed" in done.stderr
    assert home.files() == before


@pytest.mark.parametrize("client", ["claude-code", "codex"])
def test_a_server_of_the_users_own_stays(home: Home, client: str) -> None:
    name = FILES[client, "user"][1]
    own = '{"mcpServers": {"camillo": {"command": "mine", "args": ["mcp"]}}}'
    home.write(name, own if client == "claude-code" else '[mcp_servers.camillo]\ncommand = "mine"\n')
    before = home.files()[name]
    home.install(client)
    assert home.files()[name] == before
    home.install(client, "--uninstall")
    assert home.files()[name] == before


@pytest.mark.parametrize("client", WITH_PLUGINS)
def test_a_module_of_somebody_else_stays(home: Home, client: str) -> None:
    home.write(FILES[client, "user"][0], "// mine")
    before = home.files()
    for options in ([], ["--uninstall"]):
        done = home.install(client, *options)
        assert done.returncode == 1
        assert "somebody else" in done.stderr
        assert home.files() == before


def test_links_stay_links_and_modes_stay_as_they_are(home: Home) -> None:
    home.write("dotfiles/settings.json", "{}")
    target = home.directory / "dotfiles" / "settings.json"
    target.chmod(0o640)
    link = home.directory / FILES["claude-code", "user"][0]
    link.parent.mkdir()
    link.symlink_to(target)
    home.install("claude-code")
    assert link.is_symlink()
    assert "SessionStart" in target.read_text()
    assert target.stat().st_mode & 0o777 == 0o640
    assert sorted(os.listdir(target.parent)) == ["settings.json"]
    home.install("claude-code", "--uninstall")
    assert target.read_text() == "{}"


@pytest.mark.parametrize("option", ["--dry-run", "--uninstall", "--json"])
@pytest.mark.parametrize("client", CLIENTS)
def test_no_link_leads_out_of_a_repository(home: Home, client: str, option: str) -> None:
    hooks_file, servers_file = FILES[client, "project"]
    for name in {hooks_file, servers_file}:
        # A file, the directory of a file, and one that is not there yet.
        for part in (name, str(Path(name).parent), name):
            link = home.directory / part
            if part == "project":
                continue
            target = home.directory / "theirs" / Path(part).name
            target.parent.mkdir(exist_ok=True)
            link.parent.mkdir(parents=True, exist_ok=True)
            link.symlink_to(target)
            before = home.files()
            done = home.install(client, "--scope", "project", option)
            assert done.returncode == 1
            assert "outside of" in done.stderr
            assert home.files() == before
            assert not target.exists()
            link.unlink()
            if link.parent != home.directory / "project":
                link.parent.rmdir()
    assert home.install(client, "--scope", "project").returncode == 0


def test_links_within_a_repository_are_followed(home: Home) -> None:
    repository = home.directory / "project"
    (repository / ".git").mkdir()
    (repository / "shared").mkdir()
    (repository / ".claude").symlink_to("shared")
    done = home.install("claude-code", "--scope", "project")
    assert done.returncode == 0, done.stderr
    assert "SessionStart" in (repository / "shared" / "settings.json").read_text()


@pytest.mark.parametrize(("client", "scope"), FILES, ids="-".join)
def test_by_default_each_repository_has_its_space(home: Home, client: str, scope: str) -> None:
    home.install(client, "--scope", scope)
    assert all(each.endswith(" --space auto") for each in home.commands(client, scope))
    if client == "pi":
        assert 'SERVER = ["mcp", "--space", "auto"]' in (home.directory / FILES[client, scope][1]).read_text()
    elif client == "opencode":
        assert home.server(client, scope)["command"] == ["camillo", "mcp", "--space", "auto"]
    else:
        assert home.server(client, scope)["args"] == ["mcp", "--space", "auto"]


@pytest.mark.parametrize("agent", ["shop", "projects/eu/a|b=c~d", ""])
@pytest.mark.parametrize("client", CLIENTS)
def test_an_installation_for_an_agent_stays_one_until_it_is_told_otherwise(home: Home, client: str, agent: str) -> None:
    """As earlier versions installed it: with an agent, or with none, which is the agent `default`."""
    home.install(client, "--agent", agent or "shop")
    if not agent:
        for name in set(FILES[client, "user"]):
            path = home.directory / name
            path.write_text(AGENT_OPTION.sub("", path.read_text()))
    before = home.files()
    again = home.install(client)
    assert home.files() == before
    assert f"goes on with the agent {agent or 'default'}" in again.stderr
    assert "--space auto" in again.stderr
    moved = home.install(client, "--space", "auto")
    assert f"stays with the agent {agent or 'default'}" in moved.stderr
    assert all(each.endswith(f"--client {client} --space auto") for each in home.commands(client))
    assert "nothing to change" in home.install(client).stderr
    home.install(client, "--uninstall")
    assert home.files() == {}


# In the forms of a command line, a list of words, and an environment in JSON or TOML.
AGENT_OPTION = re.compile(
    r' --agent shop|, "--agent", "shop"|,\s*"env(?:ironment)?": \{\s*"CAMILLO_AGENT": "shop"\s*\}'
    r'|(?<=ENVIRONMENT = \{)"CAMILLO_AGENT": "shop"(?=\})|\n\[mcp_servers.camillo.env\]\nCAMILLO_AGENT = "shop"\n'
)


def test_a_name_that_no_agent_has_is_refused(home: Home) -> None:
    done = home.install("codex", "--agent", "a b; rm")
    assert (done.returncode, home.files()) == (2, {})
    assert home.install("codex", "--agent", "customers/42").returncode == 2
    assert home.install("codex", "--space", "projects/shop").returncode == 2
    assert home.files() == {}


def test_a_plugin_is_written_as_a_whole(home: Home) -> None:
    plugin = home.directory / "plugin"
    assert home.install("claude-code", "--plugin", str(plugin)).returncode == 0
    names = {".claude-plugin/plugin.json", ".mcp.json", "hooks/hooks.json"}
    assert set(home.files()) == {f"plugin/{name}" for name in names}
    assert home.json("plugin/.claude-plugin/plugin.json")["name"] == "camillo"
    home.install("claude-code", "--plugin", str(plugin), "--uninstall")
    assert home.files() == {}
    assert home.install("codex", "--plugin", str(plugin)).returncode == 2


def test_the_commands_have_help(home: Home) -> None:
    environ = environment(home.directory, {})
    for words in (("install", "--help"), ("hook", "--help"), ("hook", "prompt", "-h")):
        done = run_process(*words, environ=environ)
        assert done.returncode == 0
        assert "Usage: camillo" in done.stdout


def test_the_command_line_knows_every_client_and_event() -> None:
    assert tuple(each.value for each in Client) == CLIENTS
    assert tuple(each.value for each in HookEvent) == EVENTS
