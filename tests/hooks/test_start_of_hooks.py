"""A hook imports little: a person waits for it at each prompt."""

import asyncio
import subprocess
import sys

from tests.hooks.conftest import Agent
from tests.patience import PATIENCE_SECONDS

# Modules that take longer to import than the hook may run, and modules that would import them.
NEEDLESS = {
    "camillo_client",
    "camillo_cli.program",
    "camillo_cli.hooks.capture",
    "dataclasses",
    "email",
    "google.protobuf",
    "grpc",
    "hashlib",
    "http.client",
    "inspect",
    "logging",
    "pathlib",
    "ssl",
    "tempfile",
    "typer",
    "typing",
    "urllib",
}
REPORTED = (
    "import sys\n"
    "sys.argv = ['camillo', 'hook', 'prompt', '--client', 'claude-code']\n"
    # Modules that other packages of the environment import at every start are not the hook's.
    "before = set(sys.modules)\n"
    "from camillo_server.cli import main\n"
    "code = main()\n"
    "sys.stderr.write(' '.join(set(sys.modules) - before))\n"
    "sys.exit(code)\n"
)


async def test_a_prompt_imports_nothing_that_it_does_not_need(agent: Agent) -> None:
    await agent.remember("Deployments to production happen on Tuesdays")
    done = await asyncio.to_thread(
        subprocess.run,
        [sys.executable, "-c", REPORTED],
        input='{"prompt": "When are deployments?"}',
        capture_output=True,
        text=True,
        env=agent.environ,
        timeout=PATIENCE_SECONDS,
        check=True,
    )
    assert "on Tuesdays" in done.stdout
    modules = set(done.stderr.split())
    assert "camillo_cli.hooks.injection" in modules
    assert not modules & NEEDLESS
