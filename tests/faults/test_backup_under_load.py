"""A backup that is taken while servers write, and bytes are collected, shows one moment of every scope."""

import asyncio
import base64
from pathlib import Path

import pytest
from camillo_server.lib.crypto.keyring import Keyring

from tests.faults.backup_load import Load, revisions, stored
from tests.postgres_fixtures import TestDatabase
from tests.rpc.artifacts.calls import listed, read
from tests.server_fixtures import StartServer, servers
from tests.storage.backup.backups import back_up, restore
from tests.storage.backup.conftest import other
from tests.storage.backup.test_backup_of_artifacts import opened_after, store_in

__all__ = ["other"]
KEY = bytes(range(32))
KEYRING = Keyring({"k1": KEY})
BEFORE, MEANWHILE, AFTER = 9, 9, 6


@pytest.mark.timeout(240)
async def test_a_backup_under_load_is_a_prefix_of_every_scope(
    start_server: StartServer, other: TestDatabase, tmp_path: Path
) -> None:
    encryption = {"keys": f"k1:{base64.b64encode(KEY).decode()}"}
    sections = {"artifacts": {"store_url": f"file://{tmp_path / 'bytes'}"}, "encryption": encryption}
    server = await start_server(**sections)
    load = Load(server)

    async def go_on() -> None:
        await load.until_more(MEANWHILE)
        await server.app.artifacts.collection()

    store = opened_after(go_on, store_in(tmp_path / "bytes", server.database))
    async with load.running():
        await load.until_more(BEFORE)
        acknowledged = [told.written.copy() for told in load.scopes]
        forgotten = [told.forgotten.copy() for told in load.scopes]
        manifest = await asyncio.to_thread(back_up, server.database, tmp_path / "backup", store=store, keyring=KEYRING)
        await load.until_more(AFTER)
    assert manifest.keys.keys() == {"k1"}
    copy = store_in(tmp_path / "copy", other)
    restored = await asyncio.to_thread(restore, tmp_path / "backup", other, store=copy, keyring=KEYRING)
    assert restored.violations == []
    at = revisions(other)
    sections["artifacts"] = {"store_url": f"file://{tmp_path / 'copy'}"}
    async with servers(other, server.keys, server.clock, tmp_path) as start:
        again = await start(**sections)
        callers = (again.alice, again.admin, again.rival)
        for caller, told, written, gone in zip(callers, load.scopes, acknowledged, forgotten, strict=True):
            agent, revision = told.scope[1], at[told.scope]
            found = await stored(caller, agent)
            assert found == told.holds_at(revision)
            # It is of a moment behind what was acknowledged before, and before what was written meanwhile.
            assert max(written.values()) <= revision < max(told.written.values())
            assert written.keys() - told.forgotten.keys() <= found
            assert gone
            assert not gone.keys() & found
            artifacts = await listed(caller, agent_id=agent)
            assert artifacts
            for each in artifacts:
                data = await read(caller, each.artifact_id, agent_id=agent)
                known = told.artifacts.get(each.artifact_id)
                # One that was stored, and deleted a moment later, or not acknowledged yet.
                assert data == known or (known is None and b" of " in data)
