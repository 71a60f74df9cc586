"""MCP as its own maintainers test it: the inspector on standard input and output, the conformance tests by HTTP."""

import json
import subprocess
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import httpx
import pytest

from tests.agents.agent_clients import NODE, PROGRAMS
from tests.agents.memory_server import MemoryServer
from tests.cli.conftest import clean_environ, command
from tests.patience import PATIENCE_SECONDS

# Scenarios that need none of an example server's tools, resources and prompts.
SCENARIOS = ("server-initialize", "ping", "tools-list", "resources-list", "prompts-list")


@pytest.fixture(scope="module")
def server(postgres_directory: Path) -> Iterator[MemoryServer]:
    server = MemoryServer(postgres_directory / "protocol")
    server.directory.mkdir()
    server.start()
    yield server
    server.stop()


def run_program(name: str, *words: str, **environ: str) -> str:
    """Standard output of a program of Node; it has to succeed."""
    done = subprocess.run(
        [str(NODE / "node"), str(PROGRAMS / name), *words],
        env=clean_environ() | environ,
        capture_output=True,
        text=True,
        stdin=subprocess.DEVNULL,
        timeout=PATIENCE_SECONDS * 2,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def inspect(server: MemoryServer, *words: str) -> dict[str, object]:
    """Answer of `camillo mcp`, as the inspector shows it."""
    spoken = run_program("mcp-inspector", "--cli", *command("mcp"), *words, **server.environ("inspected"))
    answer: dict[str, object] = json.loads(spoken)
    return answer


def test_the_inspector_calls_tools(server: MemoryServer) -> None:
    listed = inspect(server, "--method", "tools/list")
    tools = {tool["name"] for tool in listed["tools"]}  # type: ignore[attr-defined]
    assert {"remember", "recall", "forget"} <= tools
    call = ("--method", "tools/call", "--tool-name")
    # The inspector sends what is given to it: texts for arrays and numbers.
    inspect(server, *call, "remember", "--tool-arg", "content=Bins go out on Tuesday", "tags=home")
    found = inspect(server, *call, "recall", "--tool-arg", "query=bins", "limit=3", "tags=home")
    assert "Tuesday" in json.dumps(found)


@pytest.mark.parametrize("scenario", SCENARIOS)
def test_the_conformance_tests_pass(server: MemoryServer, scenario: str, tmp_path: Path) -> None:
    with relayed(server) as url:
        words = ("server", "--url", url, "--scenario", scenario, "--output-dir", str(tmp_path))
        run_program("conformance", *words)
    checks = [json.loads(each.read_text()) for each in tmp_path.rglob("checks.json")]
    statuses = [check["status"] for each in checks for check in each]
    assert "SUCCESS" in statuses
    assert "FAILURE" not in statuses


@contextmanager
def relayed(server: MemoryServer) -> Iterator[str]:
    """An address of `/mcp` to which the key is added: the conformance tests send none."""
    key = (server.data_dir / "root.key").read_text().strip()
    there = f"http://127.0.0.1:{server.http_port}/mcp"

    class Relay(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["content-length"]))
            headers = {name: value for name, value in self.headers.items() if name.lower() != "host"}
            headers["authorization"] = f"Bearer {key}"
            answer = httpx.post(there, content=body, headers=headers, timeout=PATIENCE_SECONDS)
            self.send_response(answer.status_code)
            for name in ("content-type", "mcp-protocol-version"):
                if name in answer.headers:
                    self.send_header(name, answer.headers[name])
            self.send_header("content-length", str(len(answer.content)))
            self.end_headers()
            self.wfile.write(answer.content)

        def do_GET(self) -> None:
            # No messages but in answers.
            self.send_error(405)

        def log_message(self, *_: object) -> None:
            pass

    relay = ThreadingHTTPServer(("127.0.0.1", 0), Relay)
    threading.Thread(target=relay.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{relay.server_port}/mcp"
    finally:
        relay.shutdown()
        relay.server_close()
