"""DeleteArtifact: receipts, repeats, bytes that go with the last artifact; agents and tenants that go with theirs."""

import asyncio
from pathlib import Path

import psycopg
import pytest
from camillo.v1 import admin_service_pb2 as admin
from camillo.v1 import artifact_service_pb2 as service
from camillo.v1 import lifecycle_service_pb2 as lifecycle
from camillo.v1.forgetting_pb2 import RecordIds

from tests.postgres_fixtures import TestDatabase
from tests.rpc.artifacts.calls import listed, part_files, put_text, read
from tests.server_fixtures import Server, StartServer, refused


async def test_a_repeated_deletion_gives_the_same_receipt(server: Server) -> None:
    artifact = await put_text(server.alice, "x" * 1000)
    request = service.DeleteArtifactRequest(artifact_id=artifact.artifact_id, request_id="once")
    first = await server.alice(request)
    server.clock.move(60)
    assert await server.alice(request) == first
    receipt = first.receipt
    assert (receipt.artifact_id, receipt.size_bytes) == (artifact.artifact_id, 1000)
    assert receipt.bytes_deleted
    assert [(each.store, each.rows) for each in receipt.stores] == [
        ("artifacts", 1),
        ("content_parts", 1),
        ("contents", 1),
    ]
    assert receipt.deleted_at == artifact.created_at
    request.request_id = "twice"
    assert (await refused(server.alice(request))).reason == "ARTIFACT_NOT_FOUND"
    other = await put_text(server.alice, "y")
    request.request_id, request.artifact_id = "once", other.artifact_id
    assert (await refused(server.alice(request))).reason == "REQUEST_ID_REUSED"


async def test_deletions_at_once_delete_once(server: Server) -> None:
    artifact_id = (await put_text(server.alice, "x")).artifact_id
    plain = service.DeleteArtifactRequest(artifact_id=artifact_id)
    outcomes = await asyncio.gather(*(server.alice(plain) for _ in range(6)), return_exceptions=True)
    assert sum(isinstance(each, service.DeleteArtifactResponse) for each in outcomes) == 1
    for number in range(8):
        again = (await put_text(server.alice, "x")).artifact_id
        same = service.DeleteArtifactRequest(artifact_id=again, request_id=f"r{number}")
        answers = await asyncio.gather(*(server.alice(same) for _ in range(6)))
        assert all(answer == answers[0] for answer in answers)


def rows_of(database: TestDatabase, tenant_id: str) -> dict[str, int]:
    tables = ("artifacts", "contents", "content_parts", "uploads")
    with psycopg.connect(database.superuser_url) as connection:
        return {
            table: connection.execute(
                f"select count(*) from camillo.{table} where tenant_id = %s", (tenant_id,)
            ).fetchone()[0]  # type: ignore[index]
            for table in tables
        }


@pytest.mark.parametrize("is_outside", [False, True])
async def test_an_agents_artifacts_and_bytes_go_with_it(
    start_server: StartServer, database: TestDatabase, tmp_path: Path, is_outside: bool
) -> None:
    bytes_at = tmp_path / "bytes"
    store = {"store_url": f"file://{bytes_at}"} if is_outside else {}
    server = await start_server(artifacts=store)
    await put_text(server.admin, "bob's own", agent_id="bob")
    both = [await put_text(server.admin, "of both", agent_id="bob"), await put_text(server.alice, "of both")]
    shared = await put_text(server.admin, "for all", agent_id="bob", is_shared=True)
    assert rows_of(database, "acme")["contents"] == 3
    assert len(part_files(bytes_at)) == 3 * is_outside
    await server.admin(admin.DeleteAgentRequest(agent_id="bob", confirm_agent_id="bob"))
    assert not await listed(server.admin, agent_id="bob")
    assert await read(server.alice, both[1].artifact_id) == b"of both"
    assert await read(server.alice, shared.artifact_id) == b"for all"
    await server.app.artifacts.collection()
    assert rows_of(database, "acme") | {"uploads": 0} == {
        "artifacts": 2,
        "contents": 2,
        "content_parts": 2,
        "uploads": 0,
    }
    assert len(part_files(bytes_at)) == 2 * is_outside


@pytest.mark.parametrize("is_outside", [False, True])
async def test_a_tenants_artifacts_and_bytes_go_with_it(
    start_server: StartServer, database: TestDatabase, tmp_path: Path, is_outside: bool
) -> None:
    bytes_at = tmp_path / "bytes"
    store = {"store_url": f"file://{bytes_at}"} if is_outside else {}
    server = await start_server(artifacts=store)
    kept = await put_text(server.alice, "ours")
    await put_text(server.rival, "theirs", agent_id="alice")
    await put_text(server.rival, "theirs, shared", agent_id="alice", is_shared=True)
    assert len(part_files(bytes_at)) == 3 * is_outside
    await server.root(admin.DeleteTenantRequest(tenant_id="rival", confirm_tenant_id="rival"))
    assert not any(rows_of(database, "rival").values())
    # Bytes outside of Postgres that no row names are left alone for a day.
    server.clock.move(30 * 365 * 86_400)
    for _ in range(2):  # the first collection of a store spares them
        await server.app.artifacts.collection()
    assert len(part_files(bytes_at)) == 1 * is_outside
    assert await read(server.alice, kept.artifact_id) == b"ours"


@pytest.mark.parametrize("deletion", ["delete", "reset", "forget"])
async def test_bytes_that_another_agent_has_too_stay(server: Server, deletion: str) -> None:
    """Equal bytes of a tenant are kept once."""
    text = "of both, 両方の, للاثنين 🤝"
    mine = await put_text(server.alice, text)
    theirs = await put_text(server.admin, text, agent_id="bob")
    if deletion == "delete":
        await server.alice(service.DeleteArtifactRequest(artifact_id=mine.artifact_id))
    elif deletion == "reset":
        await server.admin(lifecycle.ResetRequest(agent_id="alice", confirm="alice"))
    else:
        records = RecordIds(artifact_ids=[mine.artifact_id])
        await server.alice(lifecycle.ForgetRequest(records=records))
    gone = service.GetArtifactRequest(artifact_id=mine.artifact_id)
    assert (await refused(server.alice(gone))).reason == "ARTIFACT_NOT_FOUND"
    assert await read(server.admin, theirs.artifact_id, agent_id="bob") == text.encode()
