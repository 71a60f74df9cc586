"""The real hook commands, as processes, with payloads and transcripts as the clients write them, against a real
server."""

import asyncio
import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, cast

import pytest

from tests.cli.conftest import Finished, clean_environ, run_process
from tests.patience import FACTOR
from tests.rpc.gateway.conftest import Web, server_settings, web

__all__ = ["server_settings", "web"]

HERE = Path(__file__).parent
CLIENTS = (*("claude-code", "codex", "cursor", "gemini-cli"), *("opencode", "pi", "copilot-cli", "qwen-code"))
# As long as a test would wait: how fast it is, the benchmark tells.
DEADLINE_MS = round(1500 * FACTOR)


@dataclass
class Agent:
    """A client with a session: its payloads, its transcript and its environment."""

    client: str
    directory: Path
    web: Web
    session_id: str = ""
    environ: dict[str, str] = field(default_factory=dict)

    @property
    def transcript(self) -> Path:
        return self.directory / "transcript.jsonl"

    async def hook(self, event: str, *options: str, **changed: Any) -> Finished:
        """The finished hook command for an event; fields of the payload may be changed."""
        payload = json.dumps({**self.payload(event), **changed}).encode()
        return await self.raw(payload, event, "--client", self.client, *options)

    async def raw(self, payload: bytes, *arguments: str) -> Finished:
        return await asyncio.to_thread(run_process, "hook", *arguments, environ=self.environ, stdin=payload)

    async def context(self, event: str = "prompt", **changed: Any) -> str:
        """The context that a hook puts before the model; empty if none."""
        done = await self.hook(event, **changed)
        assert done.returncode == 0
        if not done.stdout:
            return ""
        output = json.loads(done.stdout)
        if self.client == "cursor":
            return cast("str", output["additional_context"])
        if "additionalContext" in output:
            return cast("str", output["additionalContext"])
        specific = output["hookSpecificOutput"]
        assert specific["hookEventName"] == self.payload(event)["hook_event_name"]
        return cast("str", specific["additionalContext"])

    async def record(self, event: str = "stop", **changed: Any) -> str:
        """Runs a hook that records, waits for it, and returns its standard error."""
        done = await self.hook(event, "--wait", **changed)
        assert (done.returncode, done.stdout) == (0, "")
        return done.stderr

    def payload(self, event: str) -> dict[str, Any]:
        text = (HERE / "payloads" / f"{self.client}.json").read_text()
        named = text.replace("TRANSCRIPT", str(self.transcript)).replace("DIRECTORY", str(self.directory))
        payload: dict[str, Any] = json.loads(named)[event]
        if self.session_id:
            payload["session_id" if "session_id" in payload else "conversation_id"] = self.session_id
        return payload

    def write_transcript(self, **replaced: str) -> None:
        """The recorded transcript with PROMPT, CONTEXT and OUTPUT replaced."""
        text = (HERE / "transcripts" / f"{self.client}.jsonl").read_text()
        values = {"PROMPT": "Run the tests", "CONTEXT": "", "OUTPUT": "3 passed", **replaced}
        for name, value in values.items():
            text = text.replace(name, json.dumps(value)[1:-1])
        self.transcript.write_text(text)

    async def events(self) -> list[dict[str, Any]]:
        """The stated part of each recorded event, in the order of recording."""
        answer = await self.web.alice.get("/v1/events", params={"page_size": 1000})
        assert answer.status_code == 200, answer.text
        return [event["stated"] for event in answer.json().get("events", [])]

    async def remember(self, content: str) -> None:
        answer = await self.web.alice.post("/v1/memories", json={"memory": {"content": content}})
        assert answer.status_code == 200, answer.text


def environment(directory: Path, values: Mapping[str, str]) -> dict[str, str]:
    """A user's environment whose files are below the directory."""
    return clean_environ() | {
        "HOME": str(directory),
        "XDG_STATE_HOME": str(directory / "state"),
        "XDG_DATA_HOME": str(directory / "share"),
        "CAMILLO_HOOK_DEADLINE_MS": str(DEADLINE_MS),
        **values,
    }


@pytest.fixture
def client() -> str:
    """The client; a test may take another one."""
    return "claude-code"


@pytest.fixture
def agent(web: Web, tmp_path: Path, client: str, monkeypatch: pytest.MonkeyPatch) -> Agent:
    directory = tmp_path / "user" / "project"
    directory.mkdir(parents=True)
    environ = environment(
        directory.parent, {"CAMILLO_HTTP_ADDRESS": f"127.0.0.1:{web.port}", "CAMILLO_KEY": web.server.keys.alice}
    )
    # Fences of this process are those of the hooks' user.
    monkeypatch.setenv("XDG_STATE_HOME", environ["XDG_STATE_HOME"])
    return Agent(client, directory, web, environ=environ)
