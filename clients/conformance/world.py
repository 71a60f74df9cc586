"""The one real server of a run, and those who call it."""

from __future__ import annotations

import asyncio
import json
import os
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path

from camillo_client import AsyncCamillo
from camillo_client.convert import RoleName
from camillo_client.errors import CredentialInvalid

TENANT, RIVAL = "acme", "rival"
# The agent of calls that name none, with a key that may act for any.
DEFAULT_AGENT = "somebody-by-default"
PATIENCE_SECONDS = 120.0
# Rank is by words: it depends on no model, and on no vector that is made later.
CONFIG = """
memory: {embedding_model: lexical}
lifecycle: {cron: null}
telemetry: {log_level: error}
database: {pool_min: 1}
server: {drain_seconds: 1}
"""
# A key that lives for a second is refused within so many.
EXPIRY_SECONDS = 30.0


@dataclass(frozen=True, slots=True)
class World:
    """A running server, and the keys that all scenarios share."""

    address: str
    admin: AsyncCamillo
    shared_keys: dict[str, str]
    data_dir: Path

    @property
    def environment(self) -> dict[str, str]:
        """Variables of the environment that every runner gets."""
        return {"CAMILLO_AGENT": DEFAULT_AGENT, "CAMILLO_DATA_DIR": str(self.data_dir)}

    async def cast(self, agent_id: str) -> dict[str, dict[str, str]]:
        """The players of a scenario, in scopes of their own: variables by name."""
        alice = await self._key("writer", agent_id)
        reader = await self._key("reader", agent_id)
        return {
            "alice": {"key": alice, "agent": agent_id},
            "reader": {"key": reader},
            "colleague": {"agent": f"{agent_id}.colleague"},
            "default": {"agent": DEFAULT_AGENT},
            **{name: {"key": key} for name, key in self.shared_keys.items()},
        }

    async def _key(self, role: RoleName, agent_id: str) -> str:
        created = await self.admin.admin.create_key(role, agent_id=agent_id, tenant_id=TENANT)
        return created.secret


@asynccontextmanager
async def running(directory: Path) -> AsyncIterator[World]:
    """A server with an embedded Postgres in this directory; stopped in good order afterwards."""
    config = directory / "camillo.yaml"
    await asyncio.to_thread(config.write_text, CONFIG)
    data_dir = directory / "data"
    process = await _started(data_dir, config)
    try:
        address = await _address(process, directory / "server.log")
        key = await asyncio.to_thread((data_dir / "root.key").read_text)
        async with AsyncCamillo.connect(address, key=key, timeout_seconds=30) as admin:
            keys = await _shared_keys(admin)
            await _until_expired(address, keys["expired"])
            yield World(address, admin, keys, data_dir)
    finally:
        await _stop(process)


async def _started(data_dir: Path, config: Path) -> asyncio.subprocess.Process:
    # The log names calls that were broken off: scenarios do that on purpose.
    with await asyncio.to_thread((config.parent / "server.log").open, "wb") as log:
        return await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "camillo_server", "serve", "--json", "--port", "0"),
            *("--data-dir", str(data_dir)),
            stdout=asyncio.subprocess.PIPE,
            stderr=log,
            env=_environ(config),
        )


async def _address(process: asyncio.subprocess.Process, log: Path) -> str:
    async with asyncio.timeout(PATIENCE_SECONDS):
        line = await process.stdout.readline() if process.stdout else b""
    if not line:
        told = await asyncio.to_thread(log.read_text, "utf-8", "replace")
        raise RuntimeError(f"the server ended before it was ready:\n{told[-2000:]}")
    address: str = json.loads(line)["address"]
    return address


async def _shared_keys(admin: AsyncCamillo) -> dict[str, str]:
    for tenant in (TENANT, RIVAL):
        await admin.admin.create_tenant(tenant)
    roles: dict[str, tuple[RoleName, str]] = {
        "operator": ("writer", TENANT),
        "admin": ("tenant_admin", TENANT),
        "bob": ("writer", RIVAL),
    }
    keys = {}
    for name, (role, tenant) in roles.items():
        created = await admin.admin.create_key(role, any_agent=True, tenant_id=tenant)
        keys[name] = created.secret
    expired = await admin.admin.create_key("writer", any_agent=True, tenant_id=TENANT, lifetime=timedelta(seconds=1))
    return {**keys, "expired": expired.secret}


async def _until_expired(address: str, key: str) -> None:
    """Nothing tells when a key has expired but asking."""
    async with asyncio.timeout(EXPIRY_SECONDS), AsyncCamillo.connect(address, key=key) as late:
        with suppress(CredentialInvalid):
            while True:
                await late.who_am_i()


async def _stop(process: asyncio.subprocess.Process) -> None:
    if process.returncode is not None:
        return
    process.terminate()
    try:
        await asyncio.wait_for(process.wait(), PATIENCE_SECONDS)
    except TimeoutError:
        process.kill()
        await process.wait()


def _environ(config: Path) -> dict[str, str]:
    inherited = {k: v for k, v in os.environ.items() if not k.startswith("CAMILLO_")}
    return {**inherited, "CAMILLO_CONFIG": str(config)}
