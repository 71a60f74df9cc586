"""One recall over several spaces, as over one that holds everything."""

from typing import Any

import grpc
import pytest
from camillo.v1 import admin_pb2, consistency_pb2
from camillo.v1 import admin_service_pb2 as admin
from camillo.v1 import memory_pb2 as pb
from camillo.v1 import memory_service_pb2 as service
from camillo_server.kernel.ids import AgentId, TenantId
from camillo_server.kernel.kinds import Sensitivity
from camillo_server.kernel.scope import Scope
from camillo_server.search.index import joined_snapshot

from tests.rpc.memories.calls import recall, remember
from tests.rpc.search.scope_rows import FRESH, RIVAL, SHARED, Row, store, texts
from tests.rpc.search.test_two_scopes import ALL, EVERYWHERE, KINDS, TENANT_KINDS, assert_same, scores, some_rows
from tests.server_fixtures import Caller, Server, refused

PATHS = ("users/42", "users/43", "projects/shop", "projects/github.com/acme/shop", "teams/eu", "teams/eu/ops", "bob")
CONSISTENT = consistency_pb2.Freshness(fully_consistent=True)


@pytest.fixture(params=["memory", "postgres"])
def answered_from(request: pytest.FixtureRequest) -> str:
    """Memory and Postgres, which have to give the same answers."""
    answering: str = request.param
    return answering


def beside(*spaces: str) -> list[consistency_pb2.SpaceRead]:
    return [consistency_pb2.SpaceRead(space=space, freshness=CONSISTENT) for space in spaces]


def space(path: str) -> Scope:
    return Scope(TenantId("acme"), AgentId(path))


@pytest.mark.own_server
async def test_a_row_scores_as_in_one_space_that_holds_everything(server: Server) -> None:
    parts = [(path, some_rows(seed, 6, KINDS)) for seed, path in enumerate(("alice", *PATHS))]
    for path, rows in parts:
        await store(server, space(path), rows, days_ago=len(path))
        await store(server, RIVAL, rows, days_ago=len(path))
    shared = some_rows(50, 20, (*KINDS, *TENANT_KINDS))
    for scope in (SHARED, RIVAL):
        await store(server, scope, shared, days_ago=9)
    for query in ("walrus 海象 tusk", "rent 🦭", "cafe\u0301 policy refund فظ", "nothing of this"):
        one = await recall(server.rival, query, agent_id="@shared", **EVERYWHERE)
        many = await recall(server.admin, query, agent_id="alice", spaces=beside(*PATHS), **EVERYWHERE)
        assert len(one.hits) == 68
        assert_same(one, many)
        assert {hit.memory.agent_id or hit.chunk.agent_id for hit in many.hits} == {"alice", *PATHS, ""}
        assert [each.space for each in many.spaces] == [*PATHS]


@pytest.mark.own_server
@pytest.mark.parametrize("joined_at_once", [joined_snapshot.MAX_JOINED_ROWS, 0])
async def test_the_best_of_more_rows_than_are_candidates_score_as_in_one_space(
    server: Server, monkeypatch: pytest.MonkeyPatch, joined_at_once: int
) -> None:
    if server.answered_from != "memory":
        # Postgres finds the best of each space, and so some candidates more.
        return
    monkeypatch.setattr(joined_snapshot, "MAX_JOINED_ROWS", joined_at_once)
    for seed, path in enumerate(("alice", *PATHS)):
        rows = [
            row._replace(fields={**row.fields, "session_id": f"{path} {number // 9}" if number % 3 else ""})
            for number, row in enumerate(some_rows(seed, 60, KINDS))
        ]
        for scope in (space(path), RIVAL):
            await store(server, scope, rows, days_ago=len(path))
        if path != "alice":
            hidden = {"sensitivity": Sensitivity.RESTRICTED, "session_id": f"{path} 0"}
            await store(server, space(path), [Row(f"walrus rent {path}", fields=hidden)], days_ago=len(path))
    own = [each for each in ALL if each not in (pb.SOURCE_DOCUMENT, pb.SOURCE_AUDIT)]
    for text in ("walrus 海象 tusk", "rent 🦭", "who said policy refund فظ?", "nothing of this"):
        for asked in ({}, {"explain": False}, {"profile": pb.ScoringProfile(name="relevance", diversity=0.5)}):
            options: dict[str, Any] = {"limit": 9, "sources": own, **FRESH, **asked}
            one = await recall(server.rival, text, agent_id="@shared", **options)
            many = await recall(server.admin, text, agent_id="alice", spaces=beside(*PATHS), **options)
            assert many.answered_by == pb.ANSWERED_BY_CACHE
            assert len(one.hits) == 9
            assert texts(many) == texts(one)
            found, expected = scores(many), scores(one)
            for content, of_one in expected.items():
                assert found[content] == pytest.approx(of_one, abs=1e-5)


@pytest.mark.own_server
@pytest.mark.caches
async def test_where_some_spaces_are_cold_the_others_are_searched_in_memory(server: Server) -> None:
    if server.answered_from != "memory":
        return
    for seed, path in enumerate(("alice", *PATHS)):
        await store(server, space(path), some_rows(seed, 6, KINDS))
    own = [each for each in ALL if each not in (pb.SOURCE_DOCUMENT, pb.SOURCE_AUDIT)]
    asked: dict[str, Any] = {"agent_id": "alice", "sources": own, **FRESH}
    warm = await recall(server.admin, "walrus tusk 海象", spaces=beside(*PATHS[:-1]), **asked)
    assert (warm.answered_by, len(warm.hits)) == (pb.ANSWERED_BY_CACHE, 42)
    # No process holds a space without memories.
    read = ("projects/empty", *PATHS[:-1])
    once, caches = Caller(server.channel, server.keys.admin, None), server.app.search.engine.caches
    for path in ("projects/shop", "alice"):
        caches.drop(space(path), "a test")
        mixed = await recall(once, "walrus tusk 海象", spaces=beside(*read), **asked)
        assert mixed.answered_by == pb.ANSWERED_BY_POSTGRES
        assert [each.space for each in mixed.spaces] == [*read]
        # Vectors in memory are rounded.
        assert_same(warm, mixed, 5e-4)


async def test_only_what_is_named_is_read(server: Server) -> None:
    for path in ("alice", *PATHS):
        await remember(server.admin, f"walrus of {path}", agent_id=path)
    asked: dict[str, Any] = {"limit": 50, **FRESH}
    own = await recall(server.admin, "walrus", agent_id="users/42", **asked)
    assert texts(own) == ["walrus of users/42"]
    some = await recall(
        server.admin,
        "walrus",
        agent_id="users/42",
        spaces=beside("projects/shop", "users/42", "projects/shop"),
        **asked,
    )
    assert set(texts(some)) == {"walrus of users/42", "walrus of projects/shop"}
    every = await recall(server.admin, "walrus", agent_id="alice", spaces=beside(*PATHS), **asked)
    assert set(texts(every)) == {f"walrus of {path}" for path in ("alice", *PATHS)}


async def test_each_space_answers_as_of_its_own_revision(server: Server) -> None:
    written = {}
    for path in ("users/42", "projects/shop"):
        request = service.RememberRequest(agent_id=path, memory=pb.NewMemory(content=f"walrus of {path}"))
        written[path] = (await server.admin(request)).revision
    shop = consistency_pb2.Freshness(at_least_as_fresh=written["projects/shop"])
    answer = await recall(
        server.admin,
        "walrus",
        agent_id="users/42",
        spaces=[consistency_pb2.SpaceRead(space="projects/shop", freshness=shop)],
        freshness={"at_least_as_fresh": written["users/42"]},
    )
    assert len(answer.hits) == 2
    assert answer.revision == written["users/42"]
    assert list(answer.spaces) == [
        consistency_pb2.SpaceRevision(space="projects/shop", revision=written["projects/shop"])
    ]
    assert not answer.HasField("shared_revision")
    # A revision of another space.
    swapped = [consistency_pb2.SpaceRead(space="users/43", freshness=shop)]
    told = await refused(recall(server.admin, "walrus", agent_id="users/42", spaces=swapped))
    assert told.reason == "REVISION_UNKNOWN"


async def test_equal_texts_of_two_spaces_are_one_hit(server: Server) -> None:
    for path in ("users/42", "projects/shop"):
        await remember(server.admin, "walrus tusk", agent_id=path)
    await remember(server.admin, "walrus ice", agent_id="projects/shop")
    answer = await recall(server.admin, "walrus", agent_id="users/42", spaces=beside("projects/shop"), **FRESH)
    assert sorted(texts(answer)) == ["walrus ice", "walrus tusk"]
    assert sorted(len(hit.equal_refs) for hit in answer.hits) == [0, 1]


@pytest.mark.own_server
async def test_restricted_rows_are_shown_in_their_own_space_alone(server: Server) -> None:
    for path in ("users/42", "projects/shop"):
        for level in (Sensitivity.INTERNAL, Sensitivity.RESTRICTED):
            await remember(server.admin, f"walrus {level.name} of {path}", agent_id=path, sensitivity=int(level))
    if server.answered_from != "memory":
        return
    answer = await recall(server.admin, "walrus", agent_id="users/42", spaces=beside("projects/shop"), **FRESH)
    assert set(texts(answer)) == {
        "walrus INTERNAL of users/42",
        "walrus RESTRICTED of users/42",
        "walrus INTERNAL of projects/shop",
    }


@pytest.mark.own_server
async def test_hits_are_counted_in_their_own_spaces(server: Server) -> None:
    stored = {path: await remember(server.admin, f"walrus of {path}", agent_id=path) for path in ("alice", *PATHS)}
    once = Caller(server.channel, server.keys.admin, None)
    await recall(once, "walrus", agent_id="alice", spaces=beside(*PATHS), limit=50, **FRESH)
    await server.app.search.access.flush()
    for path, memory in stored.items():
        got = service.GetMemoryRequest(memory_id=memory.memory_id, agent_id=path)
        assert (await server.admin(got)).memory.access_count == 1


async def test_a_grant_decides_about_each_space(server: Server) -> None:
    for path in PATHS:
        await remember(server.admin, f"walrus of {path}", agent_id=path)
    request = admin.CreateKeyRequest(
        agent_id="alice", role=admin_pb2.ROLE_WRITER, spaces=["users/42:read", "teams/eu/*:write"]
    )
    caller = server.caller((await server.admin(request)).secret)
    found = await recall(caller, "walrus", spaces=beside("users/42", "teams/eu/ops"), **FRESH)
    assert set(texts(found)) == {"walrus of users/42", "walrus of teams/eu/ops"}
    for path in ("users/43", "teams/eu", "bob", "projects/shop"):
        told = await refused(recall(caller, "walrus", spaces=beside("users/42", path), **FRESH))
        assert (told.code, told.reason) == (grpc.StatusCode.PERMISSION_DENIED, "SCOPE_FORBIDDEN")
    one = service.RecallRequest(text="walrus", spaces=beside("users/43"))
    (batched,) = (await caller(service.BatchRecallRequest(requests=[one]))).results
    assert batched.error.code == grpc.StatusCode.PERMISSION_DENIED.value[0]


async def test_bounds_of_the_list_of_spaces(server: Server) -> None:
    for spaces in ([*PATHS, "users/1"], [""], ["@shared"], ["users/../x"], ["*"]):
        told = await refused(recall(server.admin, "walrus", agent_id="alice", spaces=beside(*spaces)))
        assert told.code == grpc.StatusCode.INVALID_ARGUMENT
        assert told.fields[0].startswith("spaces")


@pytest.mark.own_server
async def test_documents_are_the_tenants_whatever_spaces_are_read(server: Server) -> None:
    await store(server, SHARED, [Row("walrus shared", kind) for kind in TENANT_KINDS])
    await remember(server.admin, "walrus of shop", agent_id="projects/shop")
    answer = await recall(
        server.admin, "walrus", agent_id="users/42", spaces=beside("projects/shop"), sources=ALL, limit=50, **FRESH
    )
    assert set(texts(answer)) == {"walrus shared", "walrus of shop"}
    assert answer.HasField("shared_revision")


async def test_each_set_of_spaces_has_its_own_words(server: Server) -> None:
    await remember(server.admin, "the boat is painted blue", agent_id="alice")
    for path, content in (("users/42", "she plays the xylophone"), ("users/43", "he plays the tuba")):
        await remember(server.admin, content, agent_id=path)
    for path, found in (("", False), ("users/42", True), ("users/43", False), ("users/42", True)):
        spaces = beside(path) if path else []
        answer = await recall(server.admin, "xylophnoe", agent_id="alice", spaces=spaces)
        relevant = [hit.memory.content for hit in answer.hits if hit.score > 0.5]
        assert ("she plays the xylophone" in relevant) is found, path
