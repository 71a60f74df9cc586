"""Artifacts found again by their summaries: by whom, in which channels, and for as long as they are there."""

from collections.abc import Collection
from datetime import UTC, datetime, timedelta
from typing import Any

import psycopg
import pytest
from camillo.v1 import artifact_service_pb2 as service
from camillo.v1 import channel_pb2, consistency_pb2
from camillo.v1 import lifecycle_service_pb2 as lifecycle
from camillo.v1 import memory_pb2 as pb
from camillo.v1.admin_service_pb2 import DeleteAgentRequest
from camillo.v1.event_service_pb2 import RebuildChunksRequest, RecordEventRequest
from camillo.v1.forgetting_pb2 import RecordIds
from camillo.v1.memory_pb2 import MemoryFilter
from camillo_server.across.admin.store.invariants import violations

from tests.rpc.artifacts.calls import change, offload, put_text
from tests.rpc.memories.calls import recall, remember
from tests.rpc.records import tool_event
from tests.secret_samples import samples
from tests.server_fixtures import Caller, Server, StartServer

ARTIFACT = [pb.SOURCE_ARTIFACT]
FRESH = consistency_pb2.Freshness(fully_consistent=True)
LOG = "".join(f"step {n} ok\n" for n in range(200)) + "ERROR: walrus 海象 overflow in الميناء 🦭\n"
BEGIN = datetime(2030, 1, 1, tzinfo=UTC)
COUNTS = "select agent_id, memory_count, chunk_count, term_count from camillo.scopes order by 1"
CHUNKS = """
select agent_id, memory_id, content, kind, session_id, tags, sensitivity, metadata, expires_at, version, source_refs, occurred_at
from camillo.memories where kind = 113 order by memory_id
"""  # noqa: E501


@pytest.fixture(params=["memory", "postgres"])
def answered_from(request: pytest.FixtureRequest) -> str:
    """Memory and Postgres, which have to give the same answers."""
    answering: str = request.param
    return answering


async def found(caller: Caller, text: str, **fields: Any) -> list[str]:
    """The artifacts that words find."""
    asked = {"sources": ARTIFACT, "freshness": FRESH, **fields}
    answer = await recall(caller, text, **asked)
    return [
        hit.chunk.origin_id
        for hit in answer.hits
        if hit.source == pb.SOURCE_ARTIFACT and hit.breakdown.HasField("lexical")
    ]


def rows(server: Server, sql: str) -> list[Any]:
    with psycopg.connect(server.database.superuser_url) as connection:
        return connection.execute(sql.encode()).fetchall()


def broken(server: Server) -> Collection[str]:
    """The invariants that do not hold, those of the counts of scopes among them."""
    with psycopg.connect(server.database.server_url, autocommit=True) as connection:
        return {each.invariant for each in violations(connection)}


@pytest.mark.own_server
async def test_an_artifact_is_found_by_what_is_known_of_it(server: Server) -> None:
    stored = await put_text(
        server.alice,
        LOG,
        name="nightly.log",
        description="Hafenbuch der Nacht, café au lait",
        tool="pytest",
        command="pytest -q tests/quay",
        session_id="s1",
        tags=["夜"],
    )
    other = await put_text(server.alice, "nothing of that sort\n", name="other.txt")
    for words in ("nightly", "Hafenbuch", "café", "quay", "pytest", "overflow", "海象", "الميناء"):
        assert await found(server.alice, words) == [stored.artifact_id], words
    assert await found(server.alice, "other.txt") == [other.artifact_id]
    answer = await recall(server.alice, "walrus overflow", sources=ARTIFACT, freshness=FRESH)
    hit = answer.hits[0]
    assert hit.source == hit.chunk.source == pb.SOURCE_ARTIFACT
    assert list(hit.chunk.source_refs) == [stored.artifact_id]
    assert (hit.chunk.session_id, list(hit.chunk.tags)) == ("s1", ["夜"])
    assert hit.chunk.occurred_at == stored.created_at
    assert len(hit.chunk.text) <= 2_000
    of_session = {"filter": MemoryFilter(session_id="s1")}
    assert await found(server.alice, "pytest", **of_session) == [stored.artifact_id]
    assert await found(server.alice, "pytest", filter=MemoryFilter(session_id="s2")) == []
    assert not broken(server)


async def test_long_outputs_and_results_of_tools_are_found_with_other_sources(server: Server) -> None:
    offloaded = await offload(server.alice, LOG * 50, tool="build", threshold_tokens=16)
    event = tool_event("".join(f"line {i} 行\n" for i in range(20_000)), tool="dredger")
    recorded = (await server.alice(RecordEventRequest(event=event))).recorded
    assert await found(server.alice, "overflow build") == [offloaded.artifact.artifact_id]
    assert await found(server.alice, "dredger") == [recorded.artifact_id]
    memory = await remember(server.alice, "the dredger overflowed")
    sources = [pb.SOURCE_MEMORY, pb.SOURCE_EVENT, pb.SOURCE_ARTIFACT]
    answer = await recall(server.alice, "dredger", sources=sources, freshness=FRESH)
    assert {hit.source for hit in answer.hits} == set(sources)
    assert memory.memory_id in {hit.memory.memory_id for hit in answer.hits}
    assert await found(server.alice, "dredger", sources=[pb.SOURCE_MEMORY]) == []


@pytest.mark.own_server
async def test_nobody_else_finds_an_artifact_unless_it_is_shared(server: Server) -> None:
    own = await put_text(server.alice, LOG)
    assert await found(server.alice, "walrus") == [own.artifact_id]
    assert await found(server.admin, "walrus", agent_id="bob") == []
    assert await found(server.rival, "walrus", agent_id="alice") == []
    shared = await put_text(server.alice, LOG.upper(), is_shared=True)
    with_shared = {"include_shared": True, "shared_freshness": FRESH}
    assert await found(server.admin, "walrus", agent_id="bob") == []
    assert await found(server.admin, "walrus", agent_id="bob", **with_shared) == [shared.artifact_id]
    assert set(await found(server.alice, "walrus", **with_shared)) == {own.artifact_id, shared.artifact_id}
    assert await found(server.rival, "walrus", agent_id="alice", **with_shared) == []
    assert not broken(server)


@pytest.mark.own_server
async def test_a_channel_finds_what_it_may_load_and_masks_it(server: Server) -> None:
    levels = (
        *(pb.SENSITIVITY_PUBLIC, pb.SENSITIVITY_INTERNAL),
        *(pb.SENSITIVITY_CONFIDENTIAL, pb.SENSITIVITY_RESTRICTED),
    )
    ids = [
        (
            await put_text(
                server.alice,
                f"walrus {level} 🦭\n",
                name=f"walrus-{level}.txt",
                description="ask +49 30 1234567",
                sensitivity=level,
            )
        ).artifact_id
        for level in levels
    ]
    # Texts encrypted at rest are found in memory alone.
    readable = ids if server.answered_from == "memory" else ids[:2]
    expected = {
        channel_pb2.CHANNEL_PUBLIC: ids[:1],
        channel_pb2.CHANNEL_AGENT: ids[:2],
        channel_pb2.CHANNEL_TEAM: readable[:3],
        channel_pb2.CHANNEL_PRIVATE: readable,
    }
    for channel, artifact_ids in expected.items():
        assert set(await found(server.alice, "walrus", channel=channel)) == set(artifact_ids)
    stored = rows(server, CHUNKS)
    encrypted = [row for row in stored if row[6] >= pb.SENSITIVITY_CONFIDENTIAL]
    assert [(row[2], row[7]) for row in encrypted] == [("", {})] * 2
    assert all("walrus" in row[2] for row in stored if row not in encrypted)
    answer = await recall(server.alice, "walrus", sources=ARTIFACT, freshness=FRESH, masked=True)
    shown = {hit.chunk.sensitivity: hit.chunk.text for hit in answer.hits}
    assert "1234567" in shown[pb.SENSITIVITY_INTERNAL]
    if server.answered_from == "memory":
        assert "[masked: phone]" in shown[pb.SENSITIVITY_CONFIDENTIAL]
        assert "walrus" not in shown[pb.SENSITIVITY_RESTRICTED]


@pytest.mark.own_server
async def test_secrets_are_in_no_chunk(server: Server) -> None:
    secret = samples(17)["github-pat"]
    await put_text(server.alice, f"ERROR: walrus {secret}\n", description=f"walrus {secret}")
    ((_, _, content, *_),) = rows(server, CHUNKS)
    assert "walrus" in content
    assert secret not in content


@pytest.mark.own_server
async def test_a_change_is_found_and_what_it_replaced_is_not(server: Server) -> None:
    stored = await put_text(server.alice, LOG, description="Hafenbuch")
    await put_text(server.alice, "another\n")
    await server.alice(change(stored.artifact_id, 1, description="گزارش بندر", tags=["neu"]))
    assert await found(server.alice, "بندر") == [stored.artifact_id]
    assert await found(server.alice, "Hafenbuch") == []
    wanted = MemoryFilter(tags_any=["neu"])
    assert await found(server.alice, "walrus", filter=wanted) == [stored.artifact_id]
    assert len(rows(server, CHUNKS)) == 2
    assert not broken(server)


@pytest.mark.own_server
async def test_what_is_deleted_is_not_found(server: Server) -> None:
    gone = await put_text(server.alice, LOG)
    kept = await put_text(server.alice, LOG.upper())
    assert set(await found(server.alice, "walrus")) == {gone.artifact_id, kept.artifact_id}
    request = service.DeleteArtifactRequest(request_id="d", artifact_id=gone.artifact_id)
    counts = rows(server, COUNTS)
    for _ in range(2):
        await server.alice(request)
    assert await found(server.alice, "walrus") == [kept.artifact_id]
    assert rows(server, COUNTS) != counts
    assert not broken(server)


@pytest.mark.own_server
async def test_a_repeated_request_stores_one_chunk(server: Server) -> None:
    first = await offload(server.alice, LOG * 50, request_id="once", threshold_tokens=16)
    again = await offload(server.alice, LOG * 50, request_id="once", threshold_tokens=16)
    assert first.artifact == again.artifact
    assert len(rows(server, CHUNKS)) == 1
    changed = change(first.artifact.artifact_id, 1, description="Hafenbuch")
    changed.request_id = "changed"
    for _ in range(2):
        await server.alice(changed)
    assert await found(server.alice, "Hafenbuch") == [first.artifact.artifact_id]
    assert len(rows(server, CHUNKS)) == 1
    assert not broken(server)


@pytest.mark.own_server
async def test_what_has_expired_is_not_found_and_later_removed(server: Server) -> None:
    kept = await put_text(server.alice, LOG)
    gone = await put_text(server.alice, LOG.upper(), expires_at=BEGIN + timedelta(seconds=10))
    shared = await put_text(
        server.admin, LOG.title(), is_shared=True, agent_id="bob", expires_at=BEGIN + timedelta(seconds=10)
    )
    in_shared = {"agent_id": "@shared"}
    assert set(await found(server.alice, "walrus")) == {kept.artifact_id, gone.artifact_id}
    assert await found(server.admin, "walrus", **in_shared) == [shared.artifact_id]
    server.clock.move(10)
    assert await found(server.alice, "walrus") == [kept.artifact_id]
    assert await found(server.admin, "walrus", **in_shared) == []
    assert len(rows(server, CHUNKS)) == 3
    assert (await server.app.artifacts.collection()).expired_artifacts == 2
    assert len(rows(server, CHUNKS)) == 1
    assert await found(server.alice, "walrus") == [kept.artifact_id]
    assert not broken(server)


async def test_retention_takes_what_was_found(start_server: StartServer) -> None:
    server = await start_server(artifacts={"retention_days": 30})
    gone = await put_text(server.alice, LOG)
    pinned = await put_text(server.alice, LOG.upper(), pinned=True)
    assert set(await found(server.alice, "walrus")) == {gone.artifact_id, pinned.artifact_id}
    server.clock.move(timedelta(days=31).total_seconds())
    await server.app.artifacts.collection()
    assert await found(server.alice, "walrus") == [pinned.artifact_id]
    assert not broken(server)


@pytest.mark.own_server
@pytest.mark.parametrize("level", [pb.SENSITIVITY_INTERNAL, pb.SENSITIVITY_RESTRICTED])
async def test_a_forgotten_value_takes_its_artifacts_chunk_along(server: Server, level: pb.Sensitivity) -> None:
    value = "das Walross heißt 海象 und wohnt am Kai 7"
    gone = await put_text(server.alice, f"{value}\n", description="walrus", sensitivity=level)
    kept = await put_text(server.alice, "walrus elsewhere\n", name="walrus.txt")
    dry = await server.alice(lifecycle.ForgetRequest(value=value, dry_run=True))
    told = await server.alice(lifecycle.ForgetRequest(value=value))
    for receipt in (dry.receipt, told.receipt):
        stores = {each.store: each.rows for each in receipt.stores}
        assert (stores["artifacts"], stores["chunks"]) == (1, 1)
    assert await found(server.alice, "walrus") == [kept.artifact_id]
    assert [row[10] for row in rows(server, CHUNKS)] == [[kept.artifact_id]]
    assert gone.artifact_id != kept.artifact_id
    assert not broken(server)


@pytest.mark.own_server
async def test_an_artifact_that_is_forgotten_by_its_id_is_not_found(server: Server) -> None:
    gone = await put_text(server.alice, LOG)
    kept = await put_text(server.alice, LOG.upper())
    assert set(await found(server.alice, "walrus")) == {gone.artifact_id, kept.artifact_id}
    records = RecordIds(artifact_ids=[gone.artifact_id])
    await server.alice(lifecycle.ForgetRequest(records=records))
    assert await found(server.alice, "walrus") == [kept.artifact_id]
    assert not broken(server)


@pytest.mark.own_server
async def test_an_artifact_that_a_forgotten_memory_cites_is_found_still(server: Server) -> None:
    stored = await put_text(server.alice, LOG)
    memory = await remember(server.alice, "see the log", source_refs=[stored.artifact_id])
    await server.alice(lifecycle.ForgetRequest(records=RecordIds(memory_ids=[memory.memory_id])))
    assert await found(server.alice, "walrus") == [stored.artifact_id]
    assert not broken(server)


@pytest.mark.own_server
async def test_an_emptied_scope_and_a_deleted_agent_leave_nothing(server: Server) -> None:
    await put_text(server.alice, LOG)
    kept = await put_text(server.admin, LOG, agent_id="bob")
    await server.admin(lifecycle.ResetRequest(agent_id="alice", confirm="alice"))
    assert await found(server.alice, "walrus") == []
    assert await found(server.admin, "walrus", agent_id="bob") == [kept.artifact_id]
    await server.admin(DeleteAgentRequest(agent_id="bob", confirm_agent_id="bob"))
    assert rows(server, CHUNKS) == []
    again = await put_text(server.admin, LOG, agent_id="bob")
    assert await found(server.admin, "walrus", agent_id="bob") == [again.artifact_id]
    assert not broken(server)


@pytest.mark.own_server
@pytest.mark.parametrize("level", [pb.SENSITIVITY_INTERNAL, pb.SENSITIVITY_RESTRICTED])
async def test_chunks_are_made_again_as_they_were(server: Server, level: pb.Sensitivity) -> None:
    fields: dict[str, Any] = {"sensitivity": level, "tags": ["夜"], "tool": "pytest"}
    stored = await put_text(server.alice, LOG, **fields)
    await server.alice(change(stored.artifact_id, 1, description="گزارش بندر"))
    gone = await put_text(server.alice, LOG.upper(), **fields)
    await server.alice(service.DeleteArtifactRequest(artifact_id=gone.artifact_id))
    await put_text(server.admin, LOG, agent_id="bob")
    before = rows(server, CHUNKS)
    assert len(before) == 2
    rebuilt = await server.alice(RebuildChunksRequest())
    assert (rebuilt.dropped, rebuilt.made) == (1, 1)
    assert rows(server, CHUNKS) == before
    if level == pb.SENSITIVITY_INTERNAL or server.answered_from == "memory":
        assert await found(server.alice, "بندر") == [stored.artifact_id]
    assert not broken(server)
