"""A key that encrypted what is stored is retired: everything is encrypted with another, and the old one is needed no
more."""

import base64
import random
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from uuid import UUID, uuid4

import psycopg
import pytest
from camillo.v1.audit_pb2 import NewAuditAction
from camillo.v1.audit_service_pb2 import RecordAuditEntryRequest
from camillo.v1.link_pb2 import ENTITY_TYPE_NAME, Entity
from camillo.v1.link_service_pb2 import MergeEntitiesRequest
from camillo.v1.memory_pb2 import SENSITIVITY_CONFIDENTIAL as CONFIDENTIAL
from camillo_server.across.admin.store.reencryption import COLUMNS
from camillo_server.cli.reencryption import reencrypt_all
from camillo_server.doors.spool.failures import SpoolFailures, UnstoredWrite
from camillo_server.features.distillation.proposal import (
    DistillationId,
    FinishedDistillation,
    ModelRequest,
    Proposal,
    ProposalId,
    ProposalState,
)
from camillo_server.features.distillation.store.distillations import DistillationStore
from camillo_server.features.events.event import EventId
from camillo_server.kernel.ids import AgentId, TenantId
from camillo_server.kernel.kinds import Sensitivity
from camillo_server.kernel.scope import Scope
from camillo_server.kernel.writes import RequestKey

from tests.postgres_fixtures import TestDatabase
from tests.rpc.artifacts.calls import MIB, part_files, put, read
from tests.rpc.compaction.compacting import compact, criteria_of
from tests.rpc.knowledge.calls import publish
from tests.rpc.memories.calls import get, remember
from tests.rpc.memories.test_update import update
from tests.rpc.records import decide, get_event, open_task, put_view, record, tasks
from tests.rpc.runs.calls import answer, append, start
from tests.rpc.slots.calls import set_memory
from tests.server_fixtures import Server, StartServer, refused, small_settings
from tests.storage.admin.test_invariants import until_embedded
from tests.storage.distillation.made import distillation, statement

OLD, NEW, THIRD = (f"{name}:{base64.b64encode(name.encode() * 32).decode()[:43]}=" for name in "abc")
NOISE = random.Random(5).randbytes(2 * MIB + 5)  # noqa: S311
WITH_KEYS = (
    "select table_name from information_schema.columns where table_schema = 'camillo' and column_name = 'key_id'"
)


def keys_in_use(database: TestDatabase) -> dict[str, set[str]]:
    """The ids of keys in the rows of each table that has encrypted ones."""
    with psycopg.connect(database.superuser_url) as connection:
        tables = {name for (name,) in connection.execute(WITH_KEYS)} - {"api_keys"}
        found = {}
        for table in tables:
            rows = connection.execute(f"select distinct key_id from camillo.{table} where key_id <> ''")
            found[table] = {key_id for (key_id,) in rows}
    return found


async def fill(server: Server) -> dict[str, str]:
    """A confidential row in every table that has any; some of their ids."""
    alice = server.alice
    level: dict[str, Any] = {"sensitivity": CONFIDENTIAL}
    memory = await remember(alice, "Ada takes lithium 茶", **level)
    await alice(update(memory.memory_id, 1, content="Ada takes nothing 茶"))
    event = await record(alice, "the vault is under the stairs", **level)
    await decide(alice, "sell the house", event.event_id, **level)
    await open_task(alice, "call the notary", **level)
    await set_memory(alice, "/user/bank", '"Account 7"', **level)
    await put_view(alice, "rules", "never tell Bob", **level)
    sold = NewAuditAction(action="house.sold", message="for one euro", **level)
    await alice(RecordAuditEntryRequest(action=sold))
    await publish(server.admin, "will.md", "# Will\n\nBob has the vault.\n", **level)
    for number in range(3):
        await remember(alice, f"Account {number} has {number * 7} EUR", tags=["accounts"], **level)
    crowded = criteria_of(tags=["accounts"], tag_threshold=2, skip_near_duplicates=True)
    assert (await compact(alice, criteria=crowded)).compactions
    bob, other = (Entity(type=ENTITY_TYPE_NAME, name=name) for name in ("Bob", "بوب"))
    await alice(MergeEntitiesRequest(into=bob, names=[other]))
    run_id = await start(alice, **level)
    await append(alice, run_id, answer("in the cellar"))
    artifact = (await put(alice, NOISE, **level)).artifact
    kernel = server.app.kernel
    await SpoolFailures(kernel.database, kernel.keyring).keep(failed_write())
    await propose(server, event.event_id)
    # Vectors are encrypted, and come later: those of before the count alone are counted.
    await until_embedded(server.database)
    return {"memory": memory.memory_id, "event": event.event_id, "artifact": artifact.artifact_id}


async def propose(server: Server, event_id: str) -> None:
    """Stores a proposal and an answer about a confidential event, which no server sends."""
    kernel, now, lease_id = server.app.kernel, datetime(2030, 1, 1, tzinfo=UTC), uuid4()
    scope, said = Scope(TenantId("acme"), AgentId("alice")), EventId(UUID(event_id))
    made = distillation(DistillationId(uuid4()), said)
    text = statement(said, "the vault is under the stairs")
    proposal = Proposal(ProposalId(uuid4()), made.distillation_id, 0, ProposalState.PENDING, text, now)
    sent = ModelRequest([said], ["the vault"], [], b"s", "the vault is under the stairs")
    store = DistillationStore(kernel.writes, kernel.keyring)
    await store.lease(scope, lease_id, now + timedelta(seconds=60), now)
    finished = FinishedDistillation(made, [proposal], [sent], [said], Sensitivity.CONFIDENTIAL, None, has_more=False)
    await store.finish(scope, finished, lease_id, None, now)


def failed_write() -> UnstoredWrite:
    """An unstored write of alice's."""
    now = datetime(2030, 1, 1, tzinfo=UTC)
    return UnstoredWrite(
        scope=Scope(TenantId("acme"), AgentId("alice")),
        spool_id=uuid4(),
        method="MemoryService.Remember",
        key=RequestKey("r", b"d" * 32),
        has_request_id=True,
        caller=None,
        accepted_at=now,
        byte_count=9,
        reason="QUOTA_EXCEEDED",
        message="",
        failed_at=now,
        request={"memory": {"content": "the key is under the mat 鍵"}},
    )


@pytest.mark.parametrize("place", ["postgres", "directory"])
async def test_a_retired_key_is_needed_no_more(start_server: StartServer, tmp_path: Path, place: str) -> None:
    store = {"store_url": (tmp_path / "store").as_uri()} if place == "directory" else {}

    async def serving(*keys: str) -> Server:
        return await start_server(encryption={"keys": ",".join(keys)}, artifacts=store)

    async def reencrypted(*keys: str) -> tuple[int, int]:
        settings = small_settings(tmp_path, encryption={"keys": ",".join(keys)}, artifacts=store)
        urls = (before.database.owner_url, before.database.server_url)
        return await reencrypt_all(settings, *urls, lambda total, done: steps.append((total, done)))

    before, steps = await serving(OLD), list[tuple[int, int]]()
    ids = await fill(before)
    used = keys_in_use(before.database)
    assert {name for name, keys in used.items() if keys == {"a"}} == {
        *(each.table for each in COLUMNS),
        "content_parts",
    }
    files = len(part_files(tmp_path / "store"))
    without = await serving(NEW)
    assert (await refused(get(without.alice, ids["memory"]))).reason == "KEY_MISSING"
    assert await reencrypted(NEW) == (0, await rows_of(before.database))
    done, left = await reencrypted(NEW, OLD)
    assert (left, steps[-1]) == (0, (done, done))
    assert done > len(COLUMNS)
    assert {key for keys in keys_in_use(before.database).values() for key in keys} == {"b"}
    assert len(part_files(tmp_path / "store")) == files
    # Values encrypted anew can be encrypted again, and need nothing of the first key.
    assert await reencrypted(THIRD, NEW) == (done, 0)
    after = await serving(THIRD)
    assert (await get(after.alice, ids["memory"])).content == "Ada takes nothing 茶"
    assert (await get_event(after.alice, ids["event"])).stated.text == "the vault is under the stairs"
    assert await read(after.alice, ids["artifact"]) == NOISE
    assert await tasks(after.alice) == ["call the notary"]
    # Fingerprints are those of the key in use: what is stored again is recognized.
    again = await remember(after.alice, "Account 1 has 7 EUR", tags=["accounts"], sensitivity=CONFIDENTIAL)
    assert again.stated_count == 2
    await put(after.alice, NOISE, sensitivity=CONFIDENTIAL)
    assert count(before.database, "contents") == 1
    # The servers of before have it in memory, and lack the key for anything else.
    assert (await refused(read(before.alice, ids["artifact"]))).reason == "KEY_MISSING"


def count(database: TestDatabase, table: str) -> int:
    with psycopg.connect(database.superuser_url) as connection:
        row = connection.execute(f"select count(*) from camillo.{table}").fetchone()
    return int(row[0]) if row else 0


async def rows_of(database: TestDatabase) -> int:
    """How many rows are encrypted."""
    with psycopg.connect(database.superuser_url) as connection:
        counts = [
            connection.execute(f"select count(*) from camillo.{table} where key_id <> ''").fetchone()
            for table in keys_in_use(database)
        ]
    return sum(count[0] for count in counts if count)
