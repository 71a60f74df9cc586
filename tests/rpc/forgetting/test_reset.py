"""Reset: a scope is empty, but for its name, its receipts and what may not be stated."""

from typing import Any
from uuid import uuid4

import grpc
import psycopg
import pytest
from camillo.v1 import admin_service_pb2 as admin
from camillo.v1 import lifecycle_service_pb2 as lifecycle
from camillo.v1 import memory_pb2 as pb
from camillo.v1 import memory_service_pb2 as service
from camillo.v1.run_pb2 import Trigger
from camillo.v1.run_service_pb2 import StartRunRequest
from psycopg import sql

from tests.rpc.artifacts.calls import put_text, read
from tests.rpc.context.test_handoffs import hand_off
from tests.rpc.forgetting.test_forget_cascade import keep_compaction
from tests.rpc.memories.calls import get, listed, recall, remember
from tests.rpc.memories.test_update import update
from tests.rpc.records import decide, open_task, put_view, record
from tests.rpc.records import listed as listed_events
from tests.rpc.stating import remembered
from tests.rpc.watching import Watch
from tests.server_fixtures import Server, refused

STAYS = {
    "scopes",
    "receipts",
    "value_blocks",
    "memory_tombstones",
    "event_tombstones",
    "slot_tombstones",
    "event_receipts",
    "api_keys",
    "audit_chains",
    "audit_entries",
    "audit_entries_default",
}


@pytest.fixture
async def server(server: Server) -> Server:
    """A server with another agent, to whom things are handed over."""
    await server.admin(admin.CreateAgentRequest(agent_id="bob"))
    return server


async def fill(server: Server, agent_id: str) -> None:
    """Rows of an agent in every store there is."""
    caller = server.caller(server.keys.admin)
    gone = await remember(caller, "forgotten", agent_id=agent_id)
    await caller(service.ForgetMemoriesRequest(agent_id=agent_id, memory_ids={"ids": [gone.memory_id]}))
    event = await record(caller, "said", agent_id=agent_id)
    stored = await remember(caller, "a fact", agent_id=agent_id, source_refs=[event.event_id])
    changed = update(stored.memory_id, 1, content="changed")
    changed.agent_id = agent_id
    await caller(changed)
    await open_task(caller, "a task", agent_id=agent_id)
    await put_view(caller, "rules", "be kind", agent_id=agent_id)


def rows_of(server: Server, agent_id: str) -> dict[str, int]:
    """How many rows there are of an agent, by table."""
    with psycopg.connect(server.database.superuser_url) as connection:
        tables = connection.execute(
            "select table_name from information_schema.columns"
            " where table_schema = 'camillo' and column_name = 'agent_id'"
        ).fetchall()
        counts = {
            name: connection.execute(
                sql.SQL("select count(*) from camillo.{} where tenant_id = 'acme' and agent_id = %s").format(
                    sql.Identifier(name)
                ),
                (agent_id,),
            ).fetchone()
            for (name,) in tables
        }
    return {name: row[0] for name, row in counts.items() if row and row[0]}


def settled_rows_of(server: Server, agent_id: str) -> dict[str, int]:
    """Counts of rows by table, without vectors, which come when they come."""
    rows = rows_of(server, agent_id)
    return {table: count for table, count in rows.items() if table != "memory_vectors"}


async def filled(server: Server) -> str:
    """Alice's scope with rows in every table; the id of an artifact of hers."""
    alice = server.alice
    await fill(server, "alice")
    event = await record(alice, "said again")
    await decide(alice, "yes", event.event_id)
    artifact = await put_text(alice, "the bytes of alice")
    await remember(alice, f"see [MemoryRef: {artifact.artifact_id} - bytes]")
    await alice(hand_off("to bob"))
    await server.admin(hand_off("to alice", to_agent_id="alice", agent_id="bob"))
    await alice(StartRunRequest(trigger=Trigger(type="message", payload={"n": 1})))
    await alice(service.RememberRequest(request_id="r", memory=pb.NewMemory(content="asked once")))
    keep_compaction(server, [str(uuid4()), str(uuid4())], pb.Memory(content="proposed"), 1)
    return artifact.artifact_id


def reset(confirm: str = "alice", **fields: Any) -> lifecycle.ResetRequest:
    return lifecycle.ResetRequest(confirm=confirm, **fields)


def rows_by_store(answer: lifecycle.ResetResponse) -> dict[str, int]:
    """Rows by store, but for vectors, which come when they come."""
    counts = {count.store: count.rows for count in answer.receipt.stores}
    return {store: rows for store, rows in counts.items() if store != "memory_vectors"}


@pytest.mark.own_server
async def test_nothing_of_it_is_left_and_all_else_is(server: Server) -> None:
    artifact_id = await filled(server)
    for caller, agent_id in ((server.admin, "bob"), (server.admin, ""), (server.rival, "alice")):
        await remember(caller, "theirs", agent_id=agent_id)
    before = rows_of(server, "alice")
    others = {agent_id: settled_rows_of(server, agent_id) for agent_id in ("bob", "")}
    assert before.keys() >= {"memories", "events", "artifacts", "runs", "compactions", "requests"}

    answer = await server.admin(reset(agent_id="alice"))

    assert set(rows_of(server, "alice")) <= STAYS
    assert {agent_id: settled_rows_of(server, agent_id) for agent_id in ("bob", "")} == others
    assert rows_by_store(answer) == {
        "artifacts": 1,
        "chunks": 4,
        "compactions": 1,
        "decisions": 1,
        "events": 2,
        "handoffs": 1,
        "memories": 3,
        "memory_history": 1,
        "runs": 1,
        "tasks": 1,
        "views": 1,
    }
    assert list(rows_by_store(answer)) == sorted(rows_by_store(answer))
    assert await listed(server.alice) == []
    assert await listed_events(server.alice) == []
    assert list((await recall(server.alice, "said fact bytes")).hits) == []
    with pytest.raises(grpc.aio.AioRpcError):
        await read(server.alice, artifact_id)
    for caller, agent_id in ((server.admin, "bob"), (server.rival, "alice")):
        assert await listed(caller, agent_id=agent_id) == ["theirs"]


@pytest.mark.own_server
async def test_what_was_forgotten_stays_forgotten_and_the_rest_may_be_said_again(server: Server) -> None:
    await filled(server)
    server.clock.move(1)
    await server.admin(reset(agent_id="alice"))
    refusal = await remembered(server.alice, "Forgotten!")
    assert refusal is not None
    assert refusal.reason == "VALUE_REJECTED"
    assert await remembered(server.alice, "changed") is None
    assert await listed(server.alice) == ["changed"]
    causes = [each.cause for each in (await server.alice(lifecycle.ListReceiptsRequest())).receipts]
    assert causes == ["reset", "forget_memories"]


@pytest.mark.own_server
async def test_a_dry_run_tells_the_same_and_changes_nothing(server: Server) -> None:
    await filled(server)
    before = settled_rows_of(server, "alice")
    planned = await server.admin(reset(agent_id="alice", dry_run=True))
    assert settled_rows_of(server, "alice") == before
    assert planned.receipt.receipt_id == ""
    done = await server.admin(reset(agent_id="alice"))
    assert rows_by_store(planned) == rows_by_store(done)
    assert done.receipt.cause == planned.receipt.cause == "reset"


@pytest.mark.own_server
@pytest.mark.parametrize("confirm", ["", "Alice", "alice ", "bob", "acme", "*"])
async def test_the_name_has_to_be_typed_out(server: Server, confirm: str) -> None:
    await remember(server.alice, "stays")
    for dry_run in (True, False):
        refusal = await refused(server.admin(reset(confirm, agent_id="alice", dry_run=dry_run)))
        assert (refusal.code, refusal.reason) == (grpc.StatusCode.FAILED_PRECONDITION, "CONFIRMATION_REQUIRED")
    assert await listed(server.alice) == ["stays"]
    assert (await server.admin(reset(agent_id="alice"))).receipt.receipt_id


@pytest.mark.own_server
async def test_the_shared_scope_goes_by_the_tenants_name(server: Server) -> None:
    await remember(server.admin, "shared", agent_id="")
    await remember(server.alice, "alice's own")
    assert (await refused(server.admin(reset("")))).reason == "CONFIRMATION_REQUIRED"
    answer = await server.admin(reset("acme"))
    assert rows_by_store(answer)["memories"] == 1
    assert await listed(server.admin) == []
    assert await listed(server.alice) == ["alice's own"]


async def test_a_repeated_request_gets_the_same_receipt_and_empties_nothing(server: Server) -> None:
    await remember(server.alice, "before")
    request = reset(agent_id="alice", request_id="reset")
    first = await server.admin(request)
    await remember(server.alice, "after")
    assert await server.admin(request) == first
    assert await listed(server.alice) == ["after"]


async def test_those_who_watch_learn_of_it(server: Server) -> None:
    stored = await remember(server.alice, "watched")
    async with Watch(server.alice, from_beginning=True) as watch:
        await watch.until_caught_up()
        await server.admin(reset(agent_id="alice"))
        change = await watch.next()
        assert change.forgotten_memory_id == stored.memory_id


@pytest.mark.own_server
@pytest.mark.parametrize("at_once", [1, 2, 5, 6])
async def test_in_whatever_parts_rows_are_deleted_all_are_gone_and_all_is_told(
    server: Server, monkeypatch: pytest.MonkeyPatch, at_once: int
) -> None:
    for store in ("across.forgetting.store.scopes", "features.events.store.forgetting"):
        monkeypatch.setattr(f"camillo_server.{store}.DELETED_AT_ONCE", at_once)
    stored = {(await remember(server.alice, f"fact {n}")).memory_id for n in range(5)}
    events = {(await record(server.alice, f"said {n}")).event_id for n in range(5)}
    async with Watch(server.alice, from_beginning=True) as watch:
        await watch.until_caught_up()
        answer = await server.admin(reset(agent_id="alice"))
        # Ids of chunks come as well, and checkpoints between two parts.
        while stored:
            stored.discard((await watch.next()).forgotten_memory_id)
    assert rows_by_store(answer) == {"chunks": 5, "events": 5, "memories": 5}
    rows = rows_of(server, "alice")
    assert set(rows) <= STAYS
    assert (rows["event_tombstones"], rows["memory_tombstones"]) == (len(events), 10)


async def test_a_reset_and_a_new_start(server: Server) -> None:
    """A reset can be repeated as often as one likes, with the same ids."""
    for _ in range(3):
        stored = await remember(server.alice, "again", memory_id="01890a5d-ac96-774b-bcce-b302099a8057")
        await record(server.alice, "again")
        assert (await get(server.alice, stored.memory_id)).content == "again"
        await server.admin(reset(agent_id="alice"))
        assert await listed(server.alice) == []
