"""The lines of the README and the example run as they stand; the model is scripted."""

from __future__ import annotations

import json
import re
import runpy
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import agents
import pytest

HERE = Path(__file__).parents[1]
ANSWERS = ("Noted.", "You drink tea.")


class Model(ThreadingHTTPServer):
    """Answers what the script says, and keeps what it was asked."""

    asked: list[dict[str, Any]]


class Handler(BaseHTTPRequestHandler):
    server: Model

    def do_POST(self) -> None:
        """One response."""
        asked = json.loads(self.rfile.read(int(self.headers["content-length"])))
        text = {"type": "output_text", "text": ANSWERS[len(self.server.asked)], "annotations": []}
        message = {"type": "message", "id": "msg_1", "role": "assistant", "status": "completed", "content": [text]}
        self.server.asked.append(asked)
        told = {"id": "resp_1", "object": "response", "created_at": 1, "model": asked["model"], "status": "completed"}
        body = json.dumps(told | {"output": [message], "parallel_tool_calls": True, "tool_choice": "auto", "tools": []})
        self.send_response(200)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body.encode())

    def log_message(self, format: str, *args: object) -> None:
        """Says nothing."""


@pytest.fixture
def model(monkeypatch: pytest.MonkeyPatch) -> Iterator[Model]:
    with Model(("127.0.0.1", 0), Handler) as server:
        server.asked = []
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        monkeypatch.setenv("OPENAI_BASE_URL", f"http://127.0.0.1:{server.server_port}/v1")
        monkeypatch.setenv("OPENAI_API_KEY", "any")
        agents.set_tracing_disabled(True)
        yield server
        server.shutdown()
        thread.join()


def test_the_lines_of_the_readme_run(model: Model, user: str, capsys: pytest.CaptureFixture[str]) -> None:
    [lines] = re.findall(r"```python\n(.*?)```", (HERE / "README.md").read_text("utf-8"), re.DOTALL)
    exec(lines.replace('"42"', repr(user)), {"__name__": "example"})  # noqa: S102
    printed = capsys.readouterr().out.splitlines()
    assert printed[:2] == list(ANSWERS)
    assert "user: I drink tea." in printed[2]
    assert [item["role"] for item in model.asked[1]["input"]] == ["user", "assistant", "user"]


def test_the_example_runs(capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("agents.testing", reason="this version of the SDK has no scripted model")
    agents.set_tracing_disabled(True)
    runpy.run_path(str(HERE / "example.py"), run_name="__main__")
    printed = capsys.readouterr().out.splitlines()
    assert printed[:3] == ["You drink coffee.", "You drink tea.", "session: 2 items"]
    assert "You drink coffee." in printed[3]
