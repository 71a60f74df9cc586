"""Postgres away, and the embedder away in the middle of a bundle: answered from what is held, and marked."""

import asyncio
from collections.abc import Sequence
from typing import Any

import grpc
import pytest
from camillo.v1 import decision_service_pb2 as decisions
from camillo.v1 import event_service_pb2 as events
from camillo.v1 import memory_pb2 as pb
from camillo.v1 import snapshot_service_pb2 as snapshots
from camillo.v1 import task_service_pb2 as tasks
from camillo.v1.consistency_pb2 import Freshness, SpaceRead
from camillo.v1.context_pb2 import HandoffPacket, View
from camillo.v1.decision_pb2 import NewDecision
from camillo.v1.task_pb2 import NewTask
from camillo_server.models.embedding.embedder import EmbeddingUnavailable
from camillo_server.storage.embedded.server import EmbeddedPostgres
from google.protobuf.message import Message

from tests.patience import CONNECT_SECONDS, PATIENCE_SECONDS
from tests.postgres_fixtures import TestDatabase
from tests.rpc.memories.calls import UNKNOWN_ID, recall, remember
from tests.rpc.records import bundle, decide, open_task, put_view, record, record_all, shown, text_event, texts
from tests.server_fixtures import Server, StartServer, refused

pytestmark = [pytest.mark.xdist_group("outage"), pytest.mark.timeout(110)]

AWAY = pb.DEGRADED_REASON_STORAGE_UNAVAILABLE
NO_VECTOR = pb.DEGRADED_REASON_EMBEDDING_UNAVAILABLE
EVERYTHING_COMMITTED = Freshness(fully_consistent=True)
ASKED = {"query_text": "wisteria", "session_id": "s"}


@pytest.fixture
def answered_from() -> str:
    return "memory"


@pytest.fixture
async def server(own_database: TestDatabase, start_server: StartServer) -> Server:
    """A server without a spool: it refuses writes while Postgres is away. test_spool.py has the spool."""
    return await start_server(
        on=own_database, database={"connect_timeout_seconds": CONNECT_SECONDS}, spool={"enabled": False}
    )


async def fill(server: Server) -> None:
    """Stores something for every section, found by words and by vectors."""
    await put_view(server.alice, "identity", "You are Alice.")
    event = await record(server.alice, "the wisteria 紫藤 blooms in May", session_id="old")
    await remember(server.alice, "wisteria likes sun")
    await decide(server.alice, "water the wisteria daily", event.event_id)
    await open_task(server.alice, "prune the wisteria")
    await record_all(server.alice, [text_event(f"turn {i}") for i in range(3)])


async def settle(server: Server) -> None:
    """Waits until every vector is there, and memory answers."""
    sources = [pb.SOURCE_EVENT, pb.SOURCE_MEMORY]
    async with asyncio.timeout(PATIENCE_SECONDS):
        while (  # noqa: ASYNC110
            await recall(server.alice, "x", sources=sources, freshness=EVERYTHING_COMMITTED)
        ).degraded:
            await asyncio.sleep(0.01)


async def until_answered(server: Server, request: Message) -> None:
    async with asyncio.timeout(PATIENCE_SECONDS):
        while True:
            try:
                await server.alice(request)
            except grpc.aio.AioRpcError as error:
                if error.code() is not grpc.StatusCode.UNAVAILABLE:
                    raise
            else:
                return


def writes(text: str) -> list[Message]:
    return [
        events.RecordEventRequest(request_id=text, event=text_event(text)),
        events.BatchRecordEventsRequest(events=[text_event(text)]),
        decisions.RecordDecisionRequest(decision=NewDecision(decision=text, refs=[UNKNOWN_ID])),
        tasks.UpsertTaskRequest(task=NewTask(title=text)),
        snapshots.PutViewRequest(view=View(name="rules", text=text)),
        snapshots.HandOffRequest(to_agent_id="alice", packet=HandoffPacket(goal=text)),
        events.RebuildChunksRequest(),
    ]


@pytest.mark.caches
async def test_a_warm_bundle_is_built_from_what_is_held_while_postgres_is_away(
    postgres: EmbeddedPostgres, server: Server
) -> None:
    await fill(server)
    await settle(server)
    before = await bundle(server.alice, **ASKED)
    assert not before.degraded
    assert {*shown(before)} >= {"identity", "task_state", "relevant_decisions"}
    await asyncio.to_thread(postgres.stop)
    # Records read recently are trusted for a moment if no change was notified; the clock passes that moment.
    server.clock.move(60)
    for freshness in (None, Freshness(minimize_latency=True)):
        away = await bundle(server.alice, freshness=freshness, **ASKED)
        assert list(away.degraded) == [AWAY]
        assert shown(away) == shown(before)
        assert away.revision == before.revision
    reached = Freshness(at_least_as_fresh=before.revision)
    assert list((await bundle(server.alice, freshness=reached, **ASKED)).degraded) == [AWAY]
    consistent: dict[str, Any] = {"freshness": EVERYTHING_COMMITTED, "query_text": "wisteria"}
    for request in (
        snapshots.BuildBundleRequest(session_id="s", **consistent),
        snapshots.BuildWorkingMemoryRequest(**consistent),
        snapshots.BuildBundleRequest(agent_id="cold", query_text="wisteria"),
    ):
        told = await refused((server.admin if request.agent_id else server.alice)(request))
        assert (told.code, told.reason) == (grpc.StatusCode.UNAVAILABLE, "STORAGE_UNAVAILABLE")
        assert told.retry_seconds
    await asyncio.to_thread(postgres.start)
    await until_answered(server, events.RecordEventRequest(request_id="r", event=text_event("after")))
    after = await bundle(server.alice, freshness=EVERYTHING_COMMITTED, **ASKED)
    assert AWAY not in after.degraded
    assert "after" in after.prompt
    await settle(server)
    assert not (await bundle(server.alice, **ASKED)).degraded


async def test_a_space_that_cannot_be_read_is_said(postgres: EmbeddedPostgres, server: Server) -> None:
    named = [SpaceRead(space="users/42"), SpaceRead(space="users/43")]
    asked: dict[str, Any] = {"agent_id": "alice", "query_text": "wisteria", "spaces": named}
    for path in ("alice", "users/42", "users/43"):
        await remember(server.admin, f"wisteria of {path}", agent_id=path)
    for path in ("alice", "users/42"):
        async with asyncio.timeout(PATIENCE_SECONDS):
            while (await recall(server.admin, "wisteria", agent_id=path)).degraded:  # noqa: ASYNC110
                await asyncio.sleep(0.01)
    before = await bundle(server.admin, **{**asked, "spaces": named[:1]})
    assert [each.HasField("revision") for each in before.spaces] == [True]
    await asyncio.to_thread(postgres.stop)
    server.clock.move(60)
    away = await bundle(server.admin, **asked)
    assert list(away.degraded) == [AWAY]
    assert [(each.space, each.HasField("revision")) for each in away.spaces] == [
        ("users/42", True),
        ("users/43", False),
    ]
    assert {*shown(away)["retrieved_evidence"]} == {"wisteria of alice", "wisteria of users/42"}
    named[1].freshness.CopyFrom(EVERYTHING_COMMITTED)
    told = await refused(bundle(server.admin, **asked))
    assert (told.code, told.reason) == (grpc.StatusCode.UNAVAILABLE, "STORAGE_UNAVAILABLE")


async def test_what_is_recorded_while_postgres_is_away_is_refused_and_recorded_after_it(
    postgres: EmbeddedPostgres, server: Server
) -> None:
    await record(server.alice, "before")
    await asyncio.to_thread(postgres.stop)
    for request in writes("during"):
        told = await refused(server.alice(request))
        assert (told.code, told.reason) == (grpc.StatusCode.UNAVAILABLE, "STORAGE_UNAVAILABLE"), request
        assert told.retry_seconds
    for read in (events.ListEventsRequest(), tasks.ListTasksRequest()):
        assert (await refused(server.alice(read))).reason == "STORAGE_UNAVAILABLE"
    watch = server.alice.begin(events.WatchEventsRequest(from_beginning=True), timeout=PATIENCE_SECONDS)
    assert (await refused(anext(aiter(watch)))).reason == "STORAGE_UNAVAILABLE"
    await asyncio.to_thread(postgres.start)
    await until_answered(server, writes("during")[0])
    await until_answered(server, writes("during")[0])
    assert await texts(server.alice) == ["before", "during"]
    built = await bundle(server.alice, "during", session_id="s", freshness=EVERYTHING_COMMITTED)
    assert built.prompt.count("during") == 1
    assert AWAY not in built.degraded


class FailingEmbedder:
    """Fails when it is asked, having let go first: other parts of the bundle are under way then."""

    def __init__(self) -> None:
        self.asked = 0

    async def embed(self, given: Sequence[str], tenant_id: str, agent_ids: Sequence[str]) -> None:
        self.asked += 1
        await asyncio.sleep(0)
        raise EmbeddingUnavailable("the provider is away")


async def test_an_embedder_that_fails_in_the_middle_leaves_an_answer_by_words(
    start_server: StartServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    server = await start_server()
    await fill(server)
    await settle(server)
    assert not (await bundle(server.alice, **ASKED)).degraded
    embedder, failing = server.app.kernel.providers.choice.embedder, FailingEmbedder()
    embed = embedder.embed
    monkeypatch.setattr(embedder, "embed", failing.embed)
    # Vectors of queries are kept: another one has to be asked for.
    built = await bundle(server.alice, "wisteria blooms when?", session_id="s")
    assert failing.asked > 0
    assert list(built.degraded) == [NO_VECTOR]
    assert built.provenance.model_id == ""
    assert any("紫藤 blooms in May" in text for text in shown(built)["retrieved_evidence"])
    assert any("water the wisteria" in text for text in shown(built)["relevant_decisions"])
    assert shown(built)["identity"] == ["You are Alice."]
    snapshot = snapshots.BuildSnapshotRequest(trigger_event="does wisteria like the sun?")
    taken = (await server.alice(snapshot)).bundle
    assert list(taken.degraded) == [NO_VECTOR]
    assert "wisteria likes sun" in taken.prompt
    # Without a query there is nothing to embed, and nothing to be marked.
    assert not (await bundle(server.alice, session_id="s")).degraded
    monkeypatch.setattr(embedder, "embed", embed)
    healed = await bundle(server.alice, "wisteria blooms, and when?", session_id="s")
    assert not healed.degraded
    assert healed.provenance.model_id == "random-16"


async def test_an_embedder_that_hangs_holds_no_bundle_up(
    start_server: StartServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    server = await start_server(memory={"embed_timeout_seconds": 0.1})
    await fill(server)
    await settle(server)

    async def hang(given: Sequence[str], tenant_id: str, agent_ids: Sequence[str]) -> None:
        await asyncio.Event().wait()

    monkeypatch.setattr(server.app.kernel.providers.choice.embedder, "embed", hang)
    built = await bundle(server.alice, "wisteria, hanging", session_id="s")
    assert list(built.degraded) == [NO_VECTOR]
    assert "blooms in May" in built.prompt


async def test_a_healthy_warm_server_marks_nothing(server: Server) -> None:
    """No recipe marks anything, nor does a bundle for an agent that has nothing yet."""
    await fill(server)
    await settle(server)
    asked: list[Message] = [
        snapshots.BuildBundleRequest(query_text="wisteria", session_id="s"),
        snapshots.BuildBundleRequest(query_text="漢字 nowhere", max_tokens=400),
        snapshots.BuildBundleRequest(),
        snapshots.BuildSnapshotRequest(trigger_event="wisteria"),
        snapshots.BuildWorkingMemoryRequest(query_text="wisteria"),
    ]
    for _ in range(3):
        for request in asked:
            assert not (await server.alice(request)).bundle.degraded, request
        server.clock.move(60)
    assert not (await bundle(server.admin, "wisteria", agent_id="nobody-yet")).degraded
