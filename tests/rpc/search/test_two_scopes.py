"""One recall over an agent's own scope and the tenant's shared one, as over one scope that holds everything."""

import random
from typing import Any

import grpc
import pytest
from camillo.v1 import channel_pb2, consistency_pb2
from camillo.v1 import memory_pb2 as pb
from camillo.v1 import memory_service_pb2 as service
from camillo_server.kernel.kinds import ChunkKind, MemoryKind, Sensitivity

from tests.rpc.memories.calls import recall, remember
from tests.rpc.search.scope_rows import ALICE, BOB, FRESH, RIVAL, SHARED, Row, store, texts
from tests.server_fixtures import Caller, Server, refused

ALL = (
    *(pb.SOURCE_MEMORY, pb.SOURCE_EVENT, pb.SOURCE_DOCUMENT, pb.SOURCE_SLOT),
    *(pb.SOURCE_DECISION, pb.SOURCE_AUDIT, pb.SOURCE_WORKFLOW_STEP, pb.SOURCE_ARTIFACT),
)
KINDS = (
    *(MemoryKind.FACT, ChunkKind.EVENT_MESSAGE, ChunkKind.SLOT, ChunkKind.DECISION),
    *(ChunkKind.WORKFLOW_STEP, ChunkKind.ARTIFACT_SUMMARY),
)
TENANT_KINDS = (ChunkKind.PASSAGE, ChunkKind.ACTION)
WORDS = (
    *("walrus", "海象", "tusk", "فظ", "ice", "rent"),
    *("🦭", "cafe\u0301", "deploy", "invoice", "refund", "policy"),
)
EVERYWHERE: dict[str, Any] = {"sources": ALL, "include_shared": True, **FRESH}


@pytest.fixture(params=["memory", "postgres"])
def answered_from(request: pytest.FixtureRequest) -> str:
    """Memory and Postgres, which have to give the same answers."""
    answering: str = request.param
    return answering


def some_rows(seed: int, count: int, kinds: tuple[Any, ...]) -> list[Row]:
    """Rows of few words, so that most terms are in rows of both scopes, each as often as chance has it."""
    chance = random.Random(seed)  # noqa: S311
    return [
        Row(
            f"{' '.join(chance.choices(WORDS, k=chance.randint(3, 40)))} {seed}-{number}",
            chance.choice(kinds),
            {"importance": chance.random()},
        )
        for number in range(count)
    ]


def scores(answer: service.RecallResponse) -> dict[str, tuple[float, float]]:
    """Scores of each hit, in the order of the hits."""
    return {hit.memory.content or hit.chunk.text: (hit.score, hit.breakdown.order_score) for hit in answer.hits}


def assert_same(one: service.RecallResponse, two: service.RecallResponse, tolerance: float = 1e-5) -> None:
    """Checks that two answers have the same hits in the same order, with the same scores."""
    expected, found = scores(one), scores(two)
    assert expected.keys() == found.keys()
    for text, pair in expected.items():
        assert found[text] == pytest.approx(pair, abs=tolerance)
    values = [pair[1] for pair in found.values()]
    ordered = [expected[text][1] for text in found]
    assert values == pytest.approx(sorted(ordered, reverse=True), abs=tolerance)


@pytest.mark.own_server
@pytest.mark.parametrize("profile", ["relevance", "blended", "evidence", "recency_weighted"])
async def test_a_row_scores_as_in_one_scope_that_holds_everything(server: Server, profile: str) -> None:
    own, shared = some_rows(1, 15, KINDS), some_rows(2, 30, (*KINDS, *TENANT_KINDS))
    # Longer and of other words than what is the agent's own: weighed by itself, a term would weigh something else.
    await store(server, ALICE, own, days_ago=3)
    await store(server, SHARED, shared, days_ago=9)
    await store(server, RIVAL, own, days_ago=3)
    await store(server, RIVAL, shared, days_ago=9)
    asked = {**EVERYWHERE, "profile": pb.ScoringProfile(name=profile)}
    for query in ("walrus 海象 tusk", "rent 🦭", "cafe\u0301 policy refund فظ", "nothing of this"):
        one = await recall(server.rival, query, agent_id="@shared", **asked)
        two = await recall(server.alice, query, **asked)
        assert len(one.hits) == 45
        assert_same(one, two)


@pytest.mark.own_server
async def test_what_is_the_tenants_is_found_whoever_asks_and_the_rest_in_its_own_scope(server: Server) -> None:
    kinds = (*KINDS, *TENANT_KINDS)
    await store(server, ALICE, [Row(f"walrus own {int(kind)}", kind) for kind in KINDS])
    await store(server, SHARED, [Row(f"walrus shared {int(kind)}", kind) for kind in kinds])
    # Rows that nobody but their owners may reach.
    await store(server, BOB, [Row(f"walrus bob {int(kind)}", kind) for kind in KINDS])
    await store(server, RIVAL, [Row(f"walrus rival {int(kind)}", kind) for kind in kinds])
    tenants = {f"walrus shared {int(kind)}" for kind in TENANT_KINDS}
    mine = {f"walrus own {int(kind)}" for kind in KINDS}
    everything = {f"walrus shared {int(kind)}" for kind in kinds} | mine
    found = await recall(server.alice, "walrus", sources=ALL, **FRESH)
    assert set(texts(found)) == mine | tenants
    assert set(texts(await recall(server.alice, "walrus", **EVERYWHERE))) == everything
    only = await recall(server.alice, "walrus", **{**EVERYWHERE, "sources": ALL[2:3]})
    assert texts(only) == ["walrus shared 33"]
    # Each of the others is there for its own caller.
    bobs = await recall(server.admin, "walrus", agent_id="bob", sources=ALL, **FRESH)
    assert {text for text in texts(bobs) if "bob" in text} == {f"walrus bob {int(kind)}" for kind in KINDS}
    rivals = await recall(server.rival, "walrus", agent_id="@shared", sources=ALL, **FRESH)
    assert len(rivals.hits) == len(kinds)
    one = service.RecallRequest(text="walrus", limit=50, **EVERYWHERE)
    (batched,) = (await server.alice(service.BatchRecallRequest(requests=[one]))).results
    assert set(texts(batched.response)) == everything


async def test_each_scope_answers_as_of_its_own_revision(server: Server) -> None:
    mine = (await server.alice(_remember("walrus mine"))).revision
    theirs = (await server.admin(_remember("walrus theirs", agent_id="@shared"))).revision

    def at(revision: consistency_pb2.Revision) -> dict[str, Any]:
        return {"at_least_as_fresh": revision}

    both: dict[str, Any] = {"freshness": at(mine), "shared_freshness": at(theirs)}
    answer = await recall(server.alice, "walrus", include_shared=True, **both)
    assert set(texts(answer)) == {"walrus mine", "walrus theirs"}
    assert (answer.revision, answer.shared_revision) == (mine, theirs)
    # As long as nothing is the shared scope's, that is not read.
    own = await recall(server.alice, "walrus", freshness=at(mine))
    assert own.revision == mine
    assert not own.HasField("shared_revision")
    tenants = await recall(server.alice, "walrus", sources=[pb.SOURCE_AUDIT])
    assert tenants.shared_revision == theirs
    assert not tenants.HasField("revision")
    # To a caller of the shared scope that is its own.
    one_scope = await recall(server.admin, "walrus", agent_id="@shared", include_shared=True)
    assert one_scope.revision == theirs
    assert not one_scope.HasField("shared_revision")
    swapped: dict[str, Any] = {"freshness": at(mine), "shared_freshness": at(mine)}
    told = await refused(recall(server.alice, "walrus", include_shared=True, **swapped))
    assert told.reason == "REVISION_UNKNOWN"
    bad: dict[str, Any] = {"shared_freshness": {"at_least_as_fresh": {"token": "?"}}}
    told = await refused(recall(server.alice, "walrus", include_shared=True, **bad))
    assert told.code == grpc.StatusCode.INVALID_ARGUMENT
    assert told.fields == ("shared_freshness.at_least_as_fresh.token",)


def _remember(content: str, agent_id: str = "") -> service.RememberRequest:
    return service.RememberRequest(agent_id=agent_id, memory=pb.NewMemory(content=content))


@pytest.mark.own_server
async def test_each_channel_loads_of_both_scopes_what_it_may(server: Server) -> None:
    kinds = (MemoryKind.FACT, MemoryKind.PREFERENCE)
    for scope, name in ((ALICE, "own"), (SHARED, "shared")):
        rows = [
            Row(f"walrus {name} {level.name} {kind.name}", kind, {"sensitivity": level})
            for level in Sensitivity
            for kind in kinds
        ]
        await store(server, scope, rows)
    in_memory = server.answered_from == "memory"
    highest = {
        channel_pb2.CHANNEL_PUBLIC: Sensitivity.PUBLIC,
        channel_pb2.CHANNEL_AGENT: Sensitivity.INTERNAL,
        channel_pb2.CHANNEL_TEAM: Sensitivity.CONFIDENTIAL,
        channel_pb2.CHANNEL_PRIVATE: Sensitivity.RESTRICTED,
    }
    for channel, level in highest.items():
        shown = kinds[:1] if channel == channel_pb2.CHANNEL_PUBLIC else kinds
        expected = {
            f"walrus {name} {each.name} {kind.name}"
            for name in ("own", "shared")
            for each in Sensitivity
            for kind in shown
            # Without the index in memory, what is encrypted is not found.
            if each <= level and (in_memory or each <= Sensitivity.INTERNAL)
            # A restricted row is its own agent's.
            if (name, each) != ("shared", Sensitivity.RESTRICTED)
        }
        answer = await recall(server.alice, "walrus", channel=channel, include_shared=True, **FRESH)
        assert set(texts(answer)) == expected, channel
        told = pb.DEGRADED_REASON_SEALED_NOT_SEARCHED in answer.degraded
        assert told is (not in_memory and level > Sensitivity.INTERNAL)


@pytest.mark.own_server
async def test_hits_of_both_scopes_are_masked(server: Server) -> None:
    secret = {"sensitivity": Sensitivity.CONFIDENTIAL}
    for scope in (ALICE, SHARED):
        await store(server, scope, [Row(f"walrus {scope.agent_id}: a@b.example", fields=secret)])
    if server.answered_from == "memory":
        masked = await recall(server.alice, "walrus", include_shared=True, masked=True, **FRESH)
        assert set(texts(masked)) == {"walrus alice: [masked: email]", "walrus : [masked: email]"}


@pytest.mark.own_server
async def test_many_alike_rows_of_the_shared_scope_keep_out_none_of_the_own(server: Server) -> None:
    # More than the candidates of a search, and one hit, as they differ in spaces alone.
    await store(server, SHARED, [Row(f"walrus{' ' * number}tusk", ChunkKind.ACTION) for number in range(1, 120)])
    await store(server, ALICE, [Row("a walrus among many other words: ice, rent, invoice, refund, policy")])
    asked: dict[str, Any] = {**EVERYWHERE, "limit": 5}
    answer = await recall(server.alice, "walrus tusk", **asked)
    assert [len(hit.equal_refs) > 0 for hit in answer.hits] == [True, False]
    assert answer.hits[1].memory.agent_id == "alice"


@pytest.mark.own_server
async def test_limits_hold_over_both_scopes(server: Server) -> None:
    await store(server, ALICE, [Row(f"walrus own {number} ice ice") for number in range(4)])
    await store(server, SHARED, [Row(f"walrus shared {number} tusk") for number in range(4)])
    asked: dict[str, Any] = {"include_shared": True, **FRESH}
    everything = await recall(server.alice, "walrus tusk", **asked)
    assert len(everything.hits) == 8
    least = sorted((hit.score for hit in everything.hits), reverse=True)[3]
    best = await recall(server.alice, "walrus tusk", min_score=least, **asked)
    assert len(best.hits) == sum(hit.score >= least for hit in everything.hits) < 8
    few = await recall(server.alice, "walrus tusk", max_tokens=everything.tokens // 2, **asked)
    assert 0 < few.tokens <= everything.tokens // 2
    three = await recall(server.alice, "walrus tusk", **{**asked, "limit": 3})
    assert texts(three) == texts(everything)[:3]
    diverse = pb.ScoringProfile(name="relevance", diversity=0.9)
    varied = await recall(server.alice, "walrus tusk", profile=diverse, **{**asked, "limit": 5})
    assert len(set(texts(varied))) == 5
    assert texts(varied) != texts(everything)[:5]


async def test_by_a_vector_both_scopes_are_compared(server: Server) -> None:
    vector = pb.Vector(values=[1.0] + [0.0] * 15)
    own = await remember(server.alice, "walrus own", vector=vector)
    other = pb.Vector(values=[0.8, 0.6] + [0.0] * 14)
    shared = await remember(server.admin, "walrus shared", agent_id="@shared", vector=other)
    request = service.RecallRequest(vector=vector, include_shared=True, **FRESH)
    hits = (await server.alice(request)).hits
    assert [hit.memory.memory_id for hit in hits] == [own.memory_id, shared.memory_id]


@pytest.mark.own_server
@pytest.mark.caches
async def test_where_one_scope_is_not_in_memory_postgres_answers_for_it(server: Server) -> None:
    if server.answered_from != "memory":
        return
    await store(server, ALICE, some_rows(5, 12, KINDS))
    await store(server, SHARED, some_rows(6, 20, (*KINDS, *TENANT_KINDS)))
    warm = await recall(server.alice, "walrus tusk 海象", **EVERYWHERE)
    assert warm.answered_by == pb.ANSWERED_BY_CACHE
    caches = server.app.search.engine.caches
    once = Caller(server.channel, server.keys.alice, None)
    for scope in (SHARED, ALICE):
        caches.drop(scope, "a test")
        mixed = await recall(once, "walrus tusk 海象", **EVERYWHERE)
        assert mixed.answered_by == pb.ANSWERED_BY_POSTGRES
        # Vectors in memory are rounded.
        assert_same(warm, mixed, 5e-4)
        assert (await recall(server.alice, "x", **EVERYWHERE)).answered_by == pb.ANSWERED_BY_CACHE


@pytest.mark.own_server
async def test_hits_are_counted_in_their_own_scopes(server: Server) -> None:
    own = await remember(server.alice, "walrus own")
    shared = await remember(server.admin, "walrus shared", agent_id="@shared")
    once = Caller(server.channel, server.keys.alice, None)
    await recall(once, "walrus", include_shared=True, **FRESH)
    await server.app.search.access.flush()
    got = service.GetMemoryRequest(memory_id=own.memory_id)
    assert (await server.alice(got)).memory.access_count == 1
    got = service.GetMemoryRequest(memory_id=shared.memory_id, agent_id="@shared")
    assert (await server.admin(got)).memory.access_count == 1
