"""SIGKILL of Postgres, all of it, beneath uploads: an acknowledged artifact is whole, and of another nothing is
seen."""

import asyncio
import base64
import os
import random
import signal
from contextlib import suppress
from hashlib import sha256
from pathlib import Path

import pytest
from camillo_client import AsyncCamillo, CamilloError
from camillo_server.assembly.processes.root_key import ROOT_KEY_FILE

from tests.faults.server_process import server_process
from tests.patience import PATIENCE_SECONDS
from tests.storage.embedded.embedded_child import postmaster_pid

MIB = 1024 * 1024
LIVES = 2
CONTENT = base64.encodebytes(random.Random(1).randbytes(3 * MIB))  # noqa: S311

pytestmark = [pytest.mark.xdist_group("kill"), pytest.mark.timeout(110)]


def kill_postgres(data_directory: Path) -> None:
    """The postmaster and what it started: nothing is flushed, and what no process has written yet is gone."""
    postmaster = postmaster_pid(data_directory)
    children = Path(f"/proc/{postmaster}/task/{postmaster}/children").read_text().split()
    for pid in (postmaster, *map(int, children)):
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)


def content(life: int, step: str) -> bytes:
    """Bytes that no other upload has."""
    return f"{life} {step}\n".encode() + CONTENT[life:]


async def test_a_crash_of_postgres_loses_and_tears_no_acknowledged_artifact(
    migrated_directory: Path, tmp_path: Path
) -> None:
    directory, acknowledged = migrated_directory, dict[str, bytes]()
    broken = 0
    for life in range(LIVES):
        with server_process(directory) as process:
            address = await process.ready()
            key = (directory / ROOT_KEY_FILE).read_text().strip()
            async with AsyncCamillo.connect(address, key=key, agent_id="ada") as client:
                await check(client, acknowledged)
                whole = content(life, "whole")
                kept = await client.artifacts.put(whole, name=f"whole {life}")
                if life % 2:
                    # Directly behind the acknowledgement.
                    kill_postgres(directory)
                    acknowledged[kept.artifact_id] = sha256(whole).digest()
                    await process.kill()
                    continue
                acknowledged[kept.artifact_id] = sha256(whole).digest()
                path = tmp_path / "cut"
                await asyncio.to_thread(path.write_bytes, content(life, "cut"))
                sent = asyncio.Event()
                putting = asyncio.create_task(
                    client.artifacts.put(
                        path,
                        on_progress=lambda count, sent=sent, life=life: (  # type: ignore[misc]
                            sent.set() if count >= (2 + life) * MIB // 2 else None
                        ),
                    )
                )
                async with asyncio.timeout(PATIENCE_SECONDS):
                    await sent.wait()
                kill_postgres(directory)
                await process.kill()
                putting.cancel()
                with suppress(CamilloError, asyncio.CancelledError):
                    await putting
                    raise AssertionError("an upload was acknowledged without Postgres")
                broken += 1
    assert broken == LIVES // 2
    with server_process(directory) as process:
        address = await process.ready()
        async with AsyncCamillo.connect(address, key=key, agent_id="ada") as client:
            await check(client, acknowledged)
            # The control: what was cut off can be stored now.
            again = content(0, "cut")
            kept = await client.artifacts.put(again)
            assert await client.artifacts.read(kept.artifact_id) == again
        assert await process.terminate() == 0


async def check(client: AsyncCamillo, acknowledged: dict[str, bytes]) -> None:
    """Checks that all acknowledged artifacts are whole, and that nothing else is there."""
    listed = {artifact.artifact_id async for artifact in client.artifacts.list()}
    assert listed == set(acknowledged)
    for artifact_id, digest in acknowledged.items():
        assert sha256(await client.artifacts.read(artifact_id)).digest() == digest
