"""A command imports what it needs and nothing else, so that it starts fast."""

import json
import subprocess
import sys

import pytest

from tests.cli.conftest import Camillo, clean_environ
from tests.patience import PATIENCE_SECONDS

# Modules that a server needs, that only a terminal or a failure needs, and commands that were not called.
NEEDLESS = {
    "alembic",
    "asyncio.base_events",
    "camillo_client._async",
    "camillo_server.cli.demo",
    "camillo_cli.ingest",
    "camillo_server.cli.server",
    "camillo_server.settings.settings",
    "camillo_server.lib.text",
    "faiss",
    "grpc.aio._channel",
    "numpy",
    "onnxruntime",
    "opentelemetry",
    "psycopg",
    "pydantic_settings",
    "regex",
    "tokenizers",
    "yaml",
}


REPORTED = (
    "import sys\n"
    "from camillo_server.cli import main\n"
    "code = main()\n"
    "sys.stderr.write(' '.join(sys.modules))\n"
    "sys.exit(code)\n"
)


def imported(*arguments: str, environ: dict[str, str], stdin: str = "") -> set[str]:
    """The modules that a command imports, as a process of its own."""
    done = subprocess.run(
        [sys.executable, "-c", REPORTED, *arguments],
        capture_output=True,
        input=stdin,
        env=environ,
        text=True,
        timeout=PATIENCE_SECONDS,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return set(done.stderr.split())


def test_help_imports_the_command_that_is_asked_for() -> None:
    modules = imported("recall", "--help", environ=clean_environ())
    assert "camillo_cli.recall" in modules
    assert not modules & {*NEEDLESS, "grpc", "google.protobuf", "camillo_client"}


def test_the_list_of_commands_imports_none() -> None:
    modules = imported("--help", environ=clean_environ())
    assert "camillo_cli.program" in modules
    assert not modules & {*NEEDLESS, "grpc", "camillo_cli.recall"}


@pytest.mark.parametrize("command", [("recall", "tea"), ("list",), ("run", "start", "tea")])
def test_a_call_imports_the_client_alone(camillo: Camillo, command: tuple[str, ...]) -> None:
    modules = imported(*command, environ=camillo.environ)
    assert {"grpc", "camillo_client"} <= modules
    assert not modules & {*NEEDLESS, "rich"}


def test_a_tool_of_mcp_is_answered_without_numpy(camillo: Camillo) -> None:
    camillo("remember", "Kim mag Grüntee 🍵")
    asked = {"name": "recall", "arguments": {"query": "Grüntee"}}
    call = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": asked}
    modules = imported("mcp", environ=camillo.environ, stdin=json.dumps(call) + "\n")
    assert "camillo_server.doors.gateway.mcp.rendering" in modules
    assert not modules & {"faiss", "mcp", "numpy", "onnxruntime", "psycopg", "starlette"}


def test_the_async_client_is_there_once_it_is_asked_for() -> None:
    code = (
        "import sys, camillo_client as c\n"
        "assert 'camillo_client._async' not in sys.modules\n"
        "assert all(hasattr(c, name) for name in c.__all__)\n"
        "assert not hasattr(c, 'AsyncNothing')\n"
        "from camillo_client import AsyncCamillo, AsyncOffloading\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True, timeout=PATIENCE_SECONDS)
