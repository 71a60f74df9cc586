"""Requests of one client to several workers of one port: nothing depends on which of them answers."""

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import httpx2
from mcp.client import Client
from mcp.client.streamable_http import streamable_http_client

from tests.faults.server_process import server_process
from tests.patience import PATIENCE_SECONDS
from tests.ports import free_port
from tests.postgres_fixtures import TestDatabase
from tests.rpc.gateway.mcp.conftest import ERAS, answered
from tests.tenant_keys import Keys

WRITES = 12


async def test_each_request_may_reach_another_worker(database: TestDatabase, keys: Keys, tmp_path: Path) -> None:
    port, http_port = free_port(), free_port()
    ports: dict[str, Any] = {"http_port": http_port}
    started = server_process(tmp_path, port, database.server_url, workers=2, server=ports)
    # Each request by a connection of its own, which the kernel gives to any of them.
    headers = {"authorization": f"Bearer {keys.alice}", "connection": "close"}
    with started as process:
        await process.ready()
        for mode in ERAS:
            url = f"http://127.0.0.1:{http_port}/mcp"
            async with (
                httpx2.AsyncClient(headers=headers, timeout=PATIENCE_SECONDS) as http,
                Client(streamable_http_client(url, http_client=http), mode=mode) as client,
            ):
                for number in range(WRITES):
                    text = f"tea number {number} of {mode}"
                    await answered(client, "remember", content=text)
                    # Written at one worker, it is read at any at once.
                    assert text in await answered(client, "recall", query=text, limit=50)


def test_only_a_request_of_mcp_imports_the_sdk() -> None:
    """The check runs in a process of its own, since this one has imported the SDK."""
    program = (
        "import sys; import camillo_server.doors.gateway.mcp.http_routes, camillo_server.cli.mcp;"
        " before = 'mcp' in sys.modules;"
        " import camillo_server.doors.gateway.mcp.sdk_server;"
        " print(before, 'mcp' in sys.modules)"
    )
    done = subprocess.run(
        [sys.executable, "-c", program],
        capture_output=True,
        text=True,
        timeout=PATIENCE_SECONDS,
        check=True,
        env=os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
    )
    assert done.stdout.split() == ["False", "True"]
