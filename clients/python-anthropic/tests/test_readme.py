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

import pytest

from camillo_client import Camillo

HERE = Path(__file__).parents[1]
CREATE = {"command": "create", "path": "/memories/drinks.md", "file_text": "Drinks tea 🍵\n"}
SCRIPT: list[tuple[str, list[dict[str, Any]]]] = [
    ("tool_use", [{"type": "tool_use", "id": "toolu_1", "name": "memory", "input": CREATE}]),
    ("end_turn", [{"type": "text", "text": "I will remember it."}]),
]


class Model(ThreadingHTTPServer):
    """Answers what the script says, and keeps what it was asked."""

    asked: list[dict[str, Any]]


class Answers(BaseHTTPRequestHandler):
    server: Model

    def do_POST(self) -> None:
        """One message."""
        asked = json.loads(self.rfile.read(int(self.headers["content-length"])))
        reason, content = SCRIPT[len(self.server.asked)]
        self.server.asked.append(asked)
        message = {"id": "msg_1", "type": "message", "role": "assistant", "model": asked["model"], "content": content}
        usage = {"input_tokens": 1, "output_tokens": 1}
        body = json.dumps(message | {"stop_reason": reason, "stop_sequence": None, "usage": usage}).encode()
        self.send_response(200)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:
        """Says nothing."""


@pytest.fixture
def model(monkeypatch: pytest.MonkeyPatch) -> Iterator[Model]:
    with Model(("127.0.0.1", 0), Answers) as server:
        server.asked = []
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        monkeypatch.setenv("ANTHROPIC_BASE_URL", f"http://127.0.0.1:{server.server_port}")
        monkeypatch.setenv("ANTHROPIC_API_KEY", "any")
        yield server
        server.shutdown()
        thread.join()


def test_the_lines_of_the_readme_run(
    model: Model, camillo: Camillo, user: str, capsys: pytest.CaptureFixture[str]
) -> None:
    [lines] = re.findall(r"```python\n(.*?)```", (HERE / "README.md").read_text("utf-8"), re.DOTALL)
    exec(lines.replace('"42"', repr(user)), {"__name__": "example"})  # noqa: S102
    assert capsys.readouterr().out == "I will remember it.\n"
    assert model.asked[0]["tools"] == [{"type": "memory_20250818", "name": "memory"}]
    [result] = model.asked[1]["messages"][-1]["content"]
    assert "File created successfully at: /memories/drinks.md" in json.dumps(result["content"])
    assert json.loads(camillo.slots.get("/memories/drinks.md").json_content) == "Drinks tea 🍵\n"


def test_the_example_runs(capsys: pytest.CaptureFixture[str]) -> None:
    runpy.run_path(str(HERE / "example.py"), run_name="__main__")
    told = capsys.readouterr().out
    assert "     1\tAda drinks tea\n     2\tBob drinks water\n     3\tEve drinks nothing" in told
    assert "delete: refused: Cannot delete the /memories directory itself" in told
    assert told.endswith("excluding hidden items:\n-\t/memories\n")
